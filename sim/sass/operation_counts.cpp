#include "sim/sass/operation_counts.h"

#include <optional>

#include "sim/machine/compile/op_classes.h"

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

}  // namespace lanescope
