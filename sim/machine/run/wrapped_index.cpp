#include "sim/machine/run/wrapped_index.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "sim/machine/compile/operations.h"

namespace lanescope {
namespace {

using Bits64 = std::optional<std::uint64_t>;

std::int64_t toSigned(std::uint64_t bits) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
}

/// Looks for the operation backwards, from the access through the instructions that wrote its registers. The
/// value of a register is its current one if nothing wrote it since; one that a loop changed is known by its
/// result: `i += step` left i - step.
class WrapSearch {
 public:
  WrapSearch(const Bytecode& code, const WarpState& warp, std::uint32_t pc, std::size_t lane)
      : code_(code), warp_(warp), pc_(pc), lane_(lane), loops_(loopsAround(code, pc)) {
    for (const Instruction& i : code.code) operands_.push_back(readOperands(i, code));
  }

  std::optional<WrappedValue> run() {
    const Instruction& i = code_.code[pc_];
    const OpClass group = findClass(i.op);
    if (group == OpClass::LoadAt || group == OpClass::StoreAt) {
      const bool isSigned = i.op == Op::LoadAtI32 || i.op == Op::LoadWideAtI32 || i.op == Op::StoreAtI32 ||
                            i.op == Op::StoreWideAtI32;
      return in({i.b, 1}, pc_, isSigned, std::nullopt);
    }
    return in({i.a, 2}, pc_, true, std::nullopt);
  }

 private:
  bool isWritten(RegisterRange range, std::uint32_t from, std::uint32_t to) const {
    return std::any_of(operands_.begin() + from, operands_.begin() + std::max(from, to),
                       [&](const Operands& each) { return each.writes.overlaps(range); });
  }

  /// True if the register still has the value that the instruction at `at` found in it.
  bool isUnchanged(RegisterRange range, std::uint32_t at) const {
    if (at > pc_) {
      const auto around = std::ranges::find_if(loops_, [&](const Loop& loop) { return at <= loop.end; });
      return around != loops_.end() && !isWritten(range, at, around->end + 1) &&
             !isWritten(range, around->top, pc_);
    }
    return !isWritten(range, at, pc_) && std::ranges::none_of(loops_, [&](const Loop& loop) {
      return loop.top > at && isWritten(range, pc_ + 1, loop.end + 1);
    });
  }

  /// The instruction before `at` that gave the register its value there; nullopt if it may be one of several.
  std::optional<std::uint32_t> writerBefore(RegisterRange range, std::uint32_t at) const {
    for (std::uint32_t w = at; w-- > 0;) {
      if (!operands_[w].writes.overlaps(range)) continue;
      const auto loops = loopsAround(code_, std::min<std::uint32_t>(at, lastPc()));
      const bool isOfLoop = std::ranges::any_of(
          loops, [&](const Loop& loop) { return loop.top > w && isWritten(range, loop.top, loop.end + 1); });
      return isOfLoop ? std::nullopt : std::optional(w);
    }
    return std::nullopt;
  }
  std::uint32_t lastPc() const { return static_cast<std::uint32_t>(code_.code.size()) - 1; }

  /// What the instruction at `at` found in the register.
  Bits64 value(RegisterRange range, std::uint32_t at, int depth = 8) const {
    if (isUnchanged(range, at)) {
      return range.count == 2 ? std::uint64_t{warp_.lanes<LaneU64>(range.first)[lane_]}
                              : std::uint64_t{warp_.lanes<LaneU32>(range.first)[lane_]};
    }
    const auto writer = depth == 0 ? std::nullopt : writerBefore(range, at);
    if (!writer) return std::nullopt;
    const Instruction& i = code_.code[*writer];
    const Bits64 a = value(operands_[*writer].reads[0], *writer, depth - 1);
    if (!a) return std::nullopt;
    switch (i.op) {
      case Op::Move32:
      case Op::Set32:
      case Op::Move64:
      case Op::Set64: return a;
      case Op::I32ToI64: return static_cast<std::uint64_t>(toSigned(*a));
      case Op::U32ToU64: return a;
      case Op::Truncate64: return *a & UINT32_MAX;
      case Op::Add32:
      case Op::Sub32:
      case Op::Mul32: {
        const Bits64 b = value(operands_[*writer].reads[1], *writer, depth - 1);
        if (!b) return std::nullopt;
        return static_cast<std::uint64_t>(
                   compute(i.op, static_cast<std::int64_t>(*a), static_cast<std::int64_t>(*b))) &
               UINT32_MAX;
      }
      default: return std::nullopt;
    }
  }

  static std::int64_t compute(Op op, std::int64_t a, std::int64_t b) {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    return static_cast<std::int64_t>(op == Op::Add32 ? x + y : op == Op::Sub32 ? x - y : x * y);
  }

  /// The wrapped operation behind the value that the instruction at `at` finds in the register: `result`, if
  /// it is known already.
  std::optional<WrappedValue> in(RegisterRange range, std::uint32_t at, bool isSigned, Bits64 result) {
    if (!result) result = value(range, at);
    std::vector<std::uint32_t> writers;
    for (std::uint32_t w = at; w-- > 0 && writers.empty();) {
      if (operands_[w].writes.overlaps(range)) writers.push_back(w);
    }
    for (const Loop& loop : loops_) {
      if (loop.top > at || loop.end < at) continue;
      for (std::uint32_t w = loop.end; w > at; --w) {
        if (!operands_[w].writes.overlaps(range)) continue;
        writers.push_back(w);
        break;
      }
    }
    for (const std::uint32_t writer : writers) {
      if (!seen_.insert({writer, isSigned}).second) continue;
      if (auto found = by(writer, isSigned, result)) return found;
    }
    return std::nullopt;
  }

  std::optional<WrappedValue> by(std::uint32_t writer, bool isSigned, Bits64 result) {
    const Instruction& i = code_.code[writer];
    const Operands& operands = operands_[writer];
    const auto operand = [&](std::size_t o, bool isSignedThere) {
      return in(operands.reads[o], writer, isSignedThere, std::nullopt);
    };
    switch (i.op) {
      case Op::Move32:
      case Op::Move64:
      case Op::Set32:
      case Op::Set64:
      case Op::Merge32:
      case Op::Merge64: return in(operands.reads[0], writer, isSigned, result);
      case Op::Truncate64: return operand(0, isSigned);
      case Op::I32ToI64: return operand(0, true);
      case Op::U32ToU64: return operand(0, false);
      case Op::OffsetI32:
      case Op::OffsetU32:
      case Op::Offset64: {
        auto found = operand(1, i.op != Op::OffsetU32);
        return found ? found : operand(0, true);
      }
      case Op::Add32:
      case Op::Sub32:
      case Op::Mul32:
      case Op::Add64:
      case Op::Sub64:
      case Op::Mul64: {
        for (const std::size_t o : {0u, 1u}) {
          if (auto found = operand(o, isSigned)) return found;
        }
        const bool isNarrow = i.op == Op::Add32 || i.op == Op::Sub32 || i.op == Op::Mul32;
        return isNarrow ? itself(writer, isSigned, result) : std::nullopt;
      }
      default: return std::nullopt;
    }
  }

  std::optional<WrappedValue> itself(std::uint32_t writer, bool isSigned, Bits64 result) const {
    const Instruction& i = code_.code[writer];
    Bits64 a = value(operands_[writer].reads[0], writer);
    const Bits64 b = value(operands_[writer].reads[1], writer);
    if (!result) result = value(operands_[writer].writes, writer + 1);
    if (!a && b && result && i.op != Op::Mul32) a = i.op == Op::Add32 ? *result - *b : *result + *b;
    if (!a || !b) return std::nullopt;
    WrappedValue wrapped{.site = i.site, .isSigned = isSigned};
    wrapped.operation = i.op == Op::Add32 ? '+' : i.op == Op::Sub32 ? '-' : '*';
    wrapped.a = isSigned ? toSigned(*a) : static_cast<std::int64_t>(*a & UINT32_MAX);
    wrapped.b = isSigned ? toSigned(*b) : static_cast<std::int64_t>(*b & UINT32_MAX);
    if (!isSigned && i.op == Op::Add32 && wrapped.b > INT32_MAX) {  // a negative constant
      wrapped.operation = '-';
      wrapped.b = -toSigned(*b);
    }
    const Op op = wrapped.operation == '-' ? Op::Sub32 : i.op;
    const std::int64_t wide = compute(op, wrapped.a, wrapped.b);
    if (result && static_cast<std::uint32_t>(wide) != static_cast<std::uint32_t>(*result))
      return std::nullopt;
    const bool isInside = isSigned
                              ? wide >= std::numeric_limits<std::int32_t>::min() &&
                                    wide <= std::numeric_limits<std::int32_t>::max()
                              : wide >= 0 && wide <= std::int64_t{std::numeric_limits<std::uint32_t>::max()};
    return isInside ? std::nullopt : std::optional(wrapped);
  }

  const Bytecode& code_;
  const WarpState& warp_;
  std::uint32_t pc_;
  std::size_t lane_;
  std::vector<Loop> loops_;
  std::vector<Operands> operands_;
  std::set<std::pair<std::uint32_t, bool>> seen_;
};

}  // namespace

std::optional<WrappedValue> findWrapped(const Bytecode& code, const WarpState& warp, const Instruction& i,
                                        std::size_t lane) {
  return WrapSearch(code, warp, static_cast<std::uint32_t>(&i - code.code.data()), lane).run();
}

}  // namespace lanescope
