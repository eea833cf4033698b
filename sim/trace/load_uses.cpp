#include "sim/trace/load_uses.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/machine/compile/loops.h"
#include "sim/machine/compile/op_classes.h"
#include "sim/machine/compile/operands.h"

namespace lanescope {
namespace {

bool isComparison(Op op) {
  switch (op) {
    case Op::Eq32:
    case Op::Ne32:
    case Op::LtI32:
    case Op::LtU32:
    case Op::LeI32:
    case Op::LeU32: return true;
    default: return false;
  }
}

class Follower {
 public:
  Follower(const Bytecode& code, std::uint32_t load) : code_(code), load_(load), holds_(code) {}

  LoadUses run() {
    holds_.set(readOperands(code_.code[load_], code_).writes, true);
    syncTo(load_ + 1, static_cast<std::uint32_t>(code_.code.size()));
    const std::vector<Loop> loops = loopsAround(code_, load_);
    if (!loops.empty()) syncTo(loops.back().top, load_);
    if (tests_ == 1) uses_.test = test_;
    return std::move(uses_);
  }

 private:
  void syncTo(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t pc = from; pc < to; ++pc) {
      const Instruction& i = code_.code[pc];
      const Operands operands = readOperands(i, code_);
      const bool isRead = holds_.hasAny(operands.reads);
      if (isRead) use(pc, operands);
      holds_.set(operands.writes, isRead && i.op != Op::Atomic && !isLoading(i.op));
    }
  }

  void use(std::uint32_t pc, const Operands& operands) {
    const Instruction& i = code_.code[pc];
    switch (findClass(i.op)) {
      case OpClass::If: return decide(pc, false);
      case OpClass::Loop: return decide(pc, true);
      case OpClass::Compare: return compare(pc, operands);
      case OpClass::Move:
      case OpClass::Masked:
      case OpClass::Binary:
      case OpClass::Unary:
      case OpClass::Select:
      case OpClass::Math:
      case OpClass::Bits:
      case OpClass::Offset: return;  // the result carries it on
      case OpClass::Store: (holds_.any(operands.reads[0]) ? uses_.isOther : uses_.isStored) = true; return;
      case OpClass::Atomic:
        if (holds_.any(operands.reads[0])) uses_.isOther = true;
        if (holds_.any(operands.reads[1]) || holds_.any(operands.reads[2])) uses_.operandIn.insert(pc);
        return;
      default: uses_.isOther = true; return;
    }
  }

  /// The value compared with must be known when the load is done.
  void compare(std::uint32_t pc, const Operands& operands) {
    const Instruction& i = code_.code[pc];
    const bool isRightSide = holds_.any(operands.reads[1]);
    test_ = {i.op, isRightSide ? i.a : i.b, isRightSide};
    const RegisterRange other = operands.reads[isRightSide ? 0 : 1];
    const bool isChanged = std::any_of(
        code_.code.begin() + load_, code_.code.begin() + std::max(pc, load_),
        [&](const Instruction& each) { return readOperands(each, code_).writes.overlaps(other); });
    const bool isKnown = isComparison(i.op) && pc > load_ && !isChanged && !holds_.any(other) &&
                         code_.code[load_].op == Op::Load32 && isCopy(operands.reads[isRightSide ? 1 : 0]);
    tests_ += isKnown ? 1 : 2;
  }
  /// True if the register has the loaded value itself.
  bool isCopy(RegisterRange range) const {
    std::uint16_t reg = code_.code[load_].dst;
    for (std::uint32_t pc = load_ + 1; reg != range.first && pc < code_.code.size(); ++pc) {
      const Instruction& i = code_.code[pc];
      const bool copies = i.op == Op::Move32 || i.op == Op::Set32 || i.op == Op::Merge32;
      if (copies && i.a == reg) reg = i.dst;
      if (!copies && readOperands(i, code_).writes.overlaps({reg, 1})) return false;
    }
    return reg == range.first;
  }

  void decide(std::uint32_t pc, bool isLoop) {
    uses_.decides = true;
    const std::uint32_t size = static_cast<std::uint32_t>(code_.code.size());
    std::uint32_t end = pc + 1;
    bool leaves = isLoop;
    for (int depth = 0; end < size && !isLoop; ++end) {
      const Op op = code_.code[end].op;
      if (opensScope(op)) ++depth;
      if (closesScope(op) && depth-- == 0) break;
      leaves = leaves || op == Op::Park;
    }
    const std::optional<Loop> around = loopAround(code_, std::min(load_, pc), std::max(load_, pc));
    uses_.decidesLoop = uses_.decidesLoop || (leaves && around.has_value());
    // Lanes that leave skip all that follows, and the rest of a loop's iterations.
    const std::uint32_t first = leaves && around ? around->top : pc;
    for (std::uint32_t at = first; at < (leaves ? size : end); ++at) {
      const Instruction& i = code_.code[at];
      if (isStoring(i.op) || i.op == Op::Atomic || i.op == Op::Print) uses_.guarded.insert(at);
    }
  }

  const Bytecode& code_;
  std::uint32_t load_;
  RegisterMarks holds_;
  LoadUses uses_;
  LoadUses::Test test_;
  int tests_ = 0;
};

}  // namespace

const LoadUses& UsesOfLoads::of(std::uint32_t pc) {
  const auto known = known_.find(pc);
  if (known != known_.end()) return known->second;
  return known_.emplace(pc, Follower(code_, pc).run()).first->second;
}

bool holds(const LoadUses::Test& test, std::uint32_t value, std::uint32_t other) {
  const std::uint32_t a = test.isRightSide ? other : value;
  const std::uint32_t b = test.isRightSide ? value : other;
  switch (test.op) {
    case Op::Ne32: return a != b;
    case Op::LtI32: return std::cmp_less(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    case Op::LtU32: return a < b;
    case Op::LeI32: return std::cmp_less_equal(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    case Op::LeU32: return a <= b;
    default: return a == b;
  }
}

}  // namespace lanescope
