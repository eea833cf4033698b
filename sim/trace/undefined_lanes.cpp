#include "sim/trace/undefined_lanes.h"

#include "sim/machine/compile/op_classes.h"
#include "sim/machine/run/lane_operations.h"

namespace lanescope {

void UndefinedLanes::reset(std::uint32_t registers) {
  if (anyUndefined_ || undefined_.size() != registers) undefined_.assign(registers, 0);
  anyUndefined_ = false;
}

std::uint32_t UndefinedLanes::syncTo(const WarpState& warp, const Instruction& i, unsigned warpSize) {
  if (isShuffle(i.op)) {
    shuffle(warp, i, warpSize);
    return 0;
  }
  if (!anyUndefined_ || isControl(i.op)) return 0;
  const unsigned operands = operandCount(i);
  const std::uint32_t a = operands > 0 ? undefined_[i.a] : 0;
  const std::uint32_t b = operands > 1 ? undefined_[i.b] : 0;
  const std::uint32_t c = operands > 2 ? undefined_[i.c] : 0;
  if (isAccess(i.op)) {
    if (!isStoring(i.op)) undefined_[i.dst] &= ~warp.active;  // memory itself counts as defined
    return (a | b | c) & warp.active;
  }
  if (i.op == Op::Select32 || i.op == Op::Select64) {
    const LaneU32* test = warp.lanes<LaneU32>(i.a);
    std::uint32_t yes = 0;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)
      yes |= static_cast<std::uint32_t>(test[lane] != 0) << lane;
    undefined_[i.dst] = a | (yes & b) | (~yes & c);
  } else if (isMasked(i.op)) {
    undefined_[i.dst] = (undefined_[i.dst] & ~warp.active) | (a & warp.active);
  } else if (isExchange(i)) {
    // A vote, or a reduction, of lanes that hold an undefined value gives all of them an undefined one.
    undefined_[i.dst] = (a & warp.active) != 0 ? warp.active : 0;
  } else {
    undefined_[i.dst] = a | b | c;
  }
  return 0;
}

void UndefinedLanes::shuffle(const WarpState& warp, const Instruction& i, unsigned warpSize) {
  const LaneU32* operand = warp.lanes<LaneU32>(i.b);
  const LaneU32* width = warp.lanes<LaneU32>(i.c);
  const std::uint32_t before = undefined_[i.a];
  std::uint32_t read = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    const unsigned source = lane::shuffleSource(shuffleKind(i), lane, operand[lane], width[lane], warpSize);
    const bool isPresent = source == lane || (warp.active >> source & 1u) != 0;
    if (!isPresent || (before >> source & 1u) != 0) read |= 1u << lane;
    if (!isPresent && (warp.active >> lane & 1u) != 0) {
      anyUndefined_ = true;
      shufflePc_ = warp.pc - 1;
    }
  }
  undefined_[i.dst] = read;
}

}  // namespace lanescope
