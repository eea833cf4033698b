#include "sim/sass/issue_slots.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "sim/machine/compile/operations.h"

namespace lanescope {

OperationKind toOperationKind(StepKind access) {
  switch (access) {
    case StepKind::SharedLoad: return OperationKind::SharedLoad;
    case StepKind::SharedStore: return OperationKind::SharedStore;
    case StepKind::SharedAtomic: return OperationKind::SharedAtomic;
    case StepKind::GlobalLoad: return OperationKind::GlobalLoad;
    case StepKind::GlobalStore: return OperationKind::GlobalStore;
    case StepKind::GlobalAtomic: return OperationKind::GlobalAtomic;
    default: return OperationKind::Other;  // a constant: often an operand, no instruction
  }
}

namespace {

bool isFloatArithmetic(Op op) {
  switch (op) {
    case Op::AddF32:
    case Op::AddF64:
    case Op::SubF32:
    case Op::SubF64:
    case Op::MulF32:
    case Op::MulF64: return true;
    default: return false;
  }
}

/// The kind of an instruction that is not an access; nullopt if machine code need not have it.
std::optional<OperationKind> toOperationKind(Op op) {
  if (isShuffle(op)) return OperationKind::Shuffle;
  if (op == Op::BlockBarrier) return OperationKind::Barrier;
  if (isFloatArithmetic(op)) return OperationKind::Arithmetic;
  switch (findClass(op)) {
    case OpClass::Loop: return op == Op::LoopTest ? OperationKind::LoopTest : OperationKind::Other;
    case OpClass::Masked:
    case OpClass::If: return OperationKind::Other;
    default: return std::nullopt;
  }
}

}  // namespace

void OperationCounter::blockBegins(const Bytecode& code, Dim3, std::span<const WarpState> warps,
                                   const MemoryView&) {
  code_ = &code;
  shared_.resize(code.code.size());
  others_.resize(code.code.size());
  for (std::vector<Site>* const sites : {&shared_, &others_}) {
    for (Site& site : *sites) site.isSeen.assign(warps.size(), false);
  }
}

void OperationCounter::count(Site& site, const WarpState& warp) {
  ++site.count.executions;
  if (site.isSeen[warp.index]) return;
  site.isSeen[warp.index] = true;
  ++site.count.warps;
}

void OperationCounter::happened(const WarpState& warp, const Instruction& i, const Event& event) {
  if (!isAccess(event.kind)) return;
  const auto number = static_cast<std::size_t>(&i - code_->code.data());
  Site& site = (isShared(event.kind) ? shared_ : others_)[number];
  site.count.kind = toOperationKind(event.kind);
  site.count.bytes = event.bytes;
  count(site, warp);
}

void OperationCounter::instructionDone(const WarpState& warp, const Instruction& i) {
  if (isAccess(i.op)) return;
  const auto kind = toOperationKind(i.op);
  if (!kind) return;
  Site& site = others_[static_cast<std::size_t>(&i - code_->code.data())];
  site.count.kind = *kind;
  if (*kind == OperationKind::Shuffle) site.count.bytes = i.op == Op::Shuffle64 ? 8 : 4;
  count(site, warp);
}

std::vector<OperationCount> OperationCounter::consume() const {
  std::vector<OperationCount> all;
  for (std::size_t number = 0; number < others_.size(); ++number) {
    for (const Site* const site : {&shared_[number], &others_[number]}) {
      if (site->count.executions == 0) continue;
      OperationCount one = site->count;
      one.number = static_cast<std::uint32_t>(number);
      one.line = kernel_.lineOfSite[code_->code[number].site];
      all.push_back(one);
    }
  }
  return all;
}

namespace {

/// The text's operation that a machine instruction belongs to; nullopt if that is not certain.
struct CountedOperation {
  OperationKind kind = OperationKind::Other;
  unsigned bytes = 0;
  bool isPredicated = false;
};

std::optional<CountedOperation> toCountedOperation(std::string_view sass) {
  if (const auto access = parseAccess(sass)) {
    // A generic pointer's space is not in the machine code.
    if (access->isGeneric) return std::nullopt;
    return CountedOperation{toOperationKind(access->kind), access->bytes, access->isPredicated};
  }
  const std::string_view opcode = parseOpcode(sass);
  const bool isPredicated = sass.starts_with('@');
  if (opcode.starts_with("BAR.SYNC")) return CountedOperation{OperationKind::Barrier, 0, isPredicated};
  if (opcode.starts_with("SHFL")) return CountedOperation{OperationKind::Shuffle, 4, isPredicated};
  if (isFloatingArithmetic(opcode)) return CountedOperation{OperationKind::Arithmetic, 0, isPredicated};
  return std::nullopt;
}

using LineKind = std::pair<std::uint32_t, OperationKind>;  ///< line and kind

/// The text's and the machine's operations of a kind on a line.
struct TextOperations {
  double inText = 0;
  double bytes = 0;  ///< of all inText
  double executions = 0;
  double warps = 0;  ///< that execute each, added up
  /// The least and the most executed of the operations in the text: for a function that several lines call,
  /// it is unknown which copy is which.
  std::uint64_t least = UINT64_MAX;
  std::uint64_t most = 0;
  double copies = 0;
  double machineBytes = 0;
  std::map<std::size_t, double> copiesIn;  ///< by piece of a loop

  /// How often each of the machine's operations in a piece of a loop is executed. If a loop is unrolled and
  /// has its remainder in another piece, all are taken to be executed in the piece with the most copies: that
  /// takes the least.
  double eachIn(std::size_t piece) const {
    const double width = bytes > 0 && copies > 0 ? machineBytes * inText / bytes / copies : 1;
    if (inText == 1 && copiesIn.size() > 1) {
      double together = 0;
      double pieces = 0;
      for (const auto& [number, count] : copiesIn) {
        pieces = count > together ? 1 : pieces + (count == together ? 1 : 0);
        together = std::max(together, count);
      }
      const auto found = copiesIn.find(piece);
      if (together > 1) {
        if (found == copiesIn.end() || found->second < together) return 0;
        return executions / (pieces * together * std::max(1.0, width));
      }
    }
    return executions / std::max({inText, copies, copies * width});
  }
};

/// A basic block of machine code.
struct BasicBlock {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool isInLoop = false;
  bool isCold = false;
  bool mayEnd = false;            ///< some warps end the kernel after it
  std::vector<std::size_t> from;  ///< pieces that lead here
  std::vector<std::size_t> to;
  std::optional<double> executions;
};

class SlotEstimate {
 public:
  SlotEstimate(const MachineCode& code, const std::vector<OperationCount>& text, std::uint64_t warps)
      : code_(code), warps_(static_cast<double>(warps)) {
    for (const OperationCount& one : text) {
      TextOperations& group = groups_[{one.line, one.kind}];
      ++group.inText;
      group.bytes += one.bytes;
      group.executions += static_cast<double>(one.executions);
      group.warps += static_cast<double>(one.warps);
      group.least = std::min(group.least, one.executions);
      group.most = std::max(group.most, one.executions);
    }
    cut();
    connect();
    for (std::size_t p = 0; p < pieces_.size(); ++p) countCopies(p);
  }

  std::vector<LineSlots> slots() {
    for (std::size_t p = 0; p < pieces_.size(); ++p) pieces_[p].executions = byOperations(p);
    if (!pieces_.empty()) pieces_.front().executions = warps_;  // each warp begins there
    spread();
    std::map<std::uint32_t, LineSlots> byLine;
    for (const BasicBlock& piece : pieces_) {
      const double executions = piece.executions ? *piece.executions : byLines(piece);
      for (std::size_t i = piece.begin; i < piece.end; ++i) {
        LineSlots& line = byLine[code_.instructions[i].line];
        line.line = code_.instructions[i].line;
        ++line.instructions;
        line.slots += executions;
      }
    }
    std::vector<LineSlots> all;
    all.reserve(byLine.size());
    for (const auto& [number, line] : byLine) all.push_back(line);
    return all;
  }

 private:
  void countCopies(std::size_t p) {
    const BasicBlock& piece = pieces_[p];
    for (std::size_t i = piece.begin; i < piece.end && !piece.isCold; ++i) {
      const MachineInstruction& one = code_.instructions[i];
      const auto operation = toCountedOperation(one.sass);
      const auto found = operation ? groups_.find({one.line, operation->kind}) : groups_.end();
      if (found == groups_.end()) continue;
      ++found->second.copies;
      found->second.machineBytes += operation->bytes;
      if (piece.isInLoop) ++found->second.copiesIn[p];
    }
  }

  void cut() {
    std::set<std::uint32_t> begins;
    for (const MachineInstruction& one : code_.instructions) {
      if (one.target != kNoTarget) begins.insert(one.target);
    }
    bool isNew = true;
    for (std::size_t i = 0; i < code_.instructions.size(); ++i) {
      const MachineInstruction& one = code_.instructions[i];
      if (isNew || begins.contains(one.address)) {
        pieces_.push_back({i, i, one.isInLoop, one.isCold, false, {}, {}, std::nullopt});
        pieceAt_.emplace(one.address, pieces_.size() - 1);
      }
      pieces_.back().end = i + 1;
      isNew = parseWay(one.sass).ends;
      pieces_.back().mayEnd = parseOpcode(one.sass).starts_with("EXIT");
    }
  }

  void connect() {
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const MachineInstruction& last = code_.instructions[pieces_[p].end - 1];
      const auto lead = [&](std::size_t to) {
        if (to >= pieces_.size() || pieces_[to].isCold) return;
        pieces_[p].to.push_back(to);
        pieces_[to].from.push_back(p);
      };
      if (pieces_[p].isCold) continue;
      if (parseWay(last.sass).goesOn) lead(p + 1);
      if (const auto target = pieceAt_.find(last.target); target != pieceAt_.end()) lead(target->second);
    }
  }

  /// As often as the text's operations in it, of which one that is predicated may not be done each time.
  std::optional<double> byOperations(std::size_t p) const {
    const BasicBlock& piece = pieces_[p];
    if (piece.isCold) return 0;
    std::optional<double> certain;
    std::optional<double> onAverage;
    std::optional<double> atLeast;
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      const MachineInstruction& one = code_.instructions[i];
      const auto operation = toCountedOperation(one.sass);
      if (!operation || one.line == 0) continue;
      const auto found = groups_.find({one.line, operation->kind});
      // An operation that the text has elsewhere, or does not execute, says nothing about this piece.
      if (found == groups_.end()) continue;
      const double each = found->second.eachIn(p);
      if (operation->isPredicated) {
        atLeast = std::max(atLeast.value_or(0), each);
        continue;
      }
      std::optional<double>& known = found->second.least == found->second.most ? certain : onAverage;
      known = std::min(known.value_or(each), each);
    }
    if (!certain) certain = onAverage;
    if (!certain && atLeast && piece.isInLoop) certain = std::max(*atLeast, byLines(piece));
    if (certain && !piece.isInLoop) certain = std::min(*certain, warps_);
    return certain;
  }

  /// Gives a piece the executions of the piece before or after it, if both must have the same.
  void spread() {
    for (bool isNew = true; std::exchange(isNew, false);) {
      for (BasicBlock& piece : pieces_) {
        if (piece.executions || piece.isCold) continue;
        const auto same = [&](const std::vector<std::size_t>& others,
                              std::vector<std::size_t> BasicBlock::*back) -> std::optional<double> {
          if (others.size() != 1) return std::nullopt;
          const BasicBlock& other = pieces_[others.front()];
          const bool isSame = (other.*back).size() == 1 && !(back == &BasicBlock::to ? other : piece).mayEnd;
          return isSame ? other.executions : std::nullopt;
        };
        piece.executions = same(piece.from, &BasicBlock::to);
        if (!piece.executions) piece.executions = same(piece.to, &BasicBlock::from);
        isNew = isNew || piece.executions.has_value();
      }
    }
  }

  /// As often as the most executed of its lines, outside a loop at most once per warp that reaches it.
  double byLines(const BasicBlock& piece) const {
    double executions = 0;
    bool isKnown = false;
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      const std::uint32_t line = code_.instructions[i].line;
      for (auto at = groups_.lower_bound({line, OperationKind::SharedLoad});
           at != groups_.end() && at->first.first == line; ++at) {
        const TextOperations& group = at->second;
        isKnown = true;
        const bool isTest = at->first.second == OperationKind::LoopTest;
        const double again = isTest ? group.executions - group.warps : group.executions;
        executions = std::max(executions, (piece.isInLoop ? again : group.warps) / group.inText);
      }
    }
    if (!isKnown) return piece.isInLoop ? 0 : warps_;
    return piece.isInLoop ? executions : std::min(executions, warps_);
  }

  const MachineCode& code_;
  double warps_;
  std::map<LineKind, TextOperations> groups_;
  std::vector<BasicBlock> pieces_;
  std::map<std::uint32_t, std::size_t> pieceAt_;  ///< by address
};

}  // namespace

std::vector<LineSlots> issueSlots(const MachineCode& code, const std::vector<OperationCount>& text,
                                  std::uint64_t warps) {
  return SlotEstimate(code, text, warps).slots();
}

}  // namespace lanescope
