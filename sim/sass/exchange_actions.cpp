#include <algorithm>
#include <string_view>

#include "sim/sass/machine_warp.h"

/// Instructions that read values from outside the lane: special registers, constants, other lanes.
namespace lanescope {
namespace exchange_code {
namespace {

using Operation = MachineOperation;
using M = Modifier;

void special(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const std::string_view name = operation.source(0).text;
  const BlockConstants& shared = *warp.shared;
  LaneWords values{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const std::uint32_t thread = warp.index * kMaxLanes + lane;
    const std::uint32_t bit = 1u << lane;
    std::uint32_t value = 0;
    if (name == "SR_TID.X")
      value = thread % shared.block.x;
    else if (name == "SR_TID.Y")
      value = thread / shared.block.x % shared.block.y;
    else if (name == "SR_TID.Z")
      value = thread / (shared.block.x * shared.block.y);
    else if (name == "SR_CTAID.X")
      value = shared.index.x;
    else if (name == "SR_CTAID.Y")
      value = shared.index.y;
    else if (name == "SR_CTAID.Z")
      value = shared.index.z;
    else if (name == "SR_LANEID")
      value = lane;
    else if (name == "SR_EQMASK")
      value = bit;
    else if (name == "SR_LTMASK")
      value = bit - 1;
    else if (name == "SR_LEMASK")
      value = (bit - 1) | bit;
    else if (name == "SR_GTMASK")
      value = ~((bit - 1) | bit);
    else if (name == "SR_GEMASK")
      value = ~(bit - 1);
    else if (name != "SRZ" && name != "SR_CgaCtaId")
      warp.failed = true;
    values[lane] = value;
  }
  if (operation.name != "CS2R" || operation.has(M::k32))
    return warp.set(*operation.destination, values, mask);
  LaneWide wide{};
  std::ranges::copy(values, wide.begin());
  warp.setWide(*operation.destination, wide, mask);
}

void toUniform(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  LaneWords room;
  warp.set(*operation.destination, LaneWords(warp.raw(operation.source(0), room)), mask);
}

void loadConstant(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const MachineOperand& source = operation.source(0);
  if (operation.has(M::k64)) return warp.setWide(*operation.destination, warp.wide(source), mask);
  MachineOperand aligned = source;
  const bool isNarrow =
      operation.has(M::kU8) || operation.has(M::kS8) || operation.has(M::kU16) || operation.has(M::kS16);
  const std::int64_t before = isNarrow ? source.offset & 3 : 0;
  aligned.offset -= before;
  LaneWords room;
  LaneWords values = warp.raw(aligned, room);
  if (isNarrow) {
    const unsigned unused = operation.has(M::kU8) || operation.has(M::kS8) ? 24 : 16;
    const bool isSigned = operation.has(M::kS8) || operation.has(M::kS16);
    for (std::uint32_t& value : values) {
      const std::uint32_t moved = value >> (8 * before) << unused;
      value =
          isSigned ? static_cast<std::uint32_t>(static_cast<std::int32_t>(moved) >> unused) : moved >> unused;
    }
    if (source.base != kZeroRegister || source.uniform != kZeroUniform) warp.failed = true;
  }
  warp.set(*operation.destination, values, mask);
}

/// Gives each lane the value of another lane of its segment; a lane with a source outside keeps its own.
void shuffle(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::array<LaneWords, 3> rooms;
  const LaneWords& values = warp.raw(operation.source(0), rooms[0]);
  const LaneWords& places = warp.raw(operation.source(1), rooms[1]);
  const LaneWords& bounds = warp.raw(operation.source(2), rooms[2]);
  LaneWords results{};
  std::uint32_t isInside = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const std::uint32_t segment = bounds[lane] >> 8 & 31u;
    const std::uint32_t clamp = bounds[lane] & 31u;
    const std::uint32_t most = (lane & segment) | (clamp & ~segment);
    const std::uint32_t least = lane & segment;
    const std::uint32_t place = places[lane] & 31u;
    std::int64_t from = 0;
    bool inside = false;
    if (operation.has(M::kUP)) {
      from = std::int64_t{lane} - place;
      inside = from >= std::int64_t{most};
    } else if (operation.has(M::kDOWN)) {
      from = std::int64_t{lane} + place;
      inside = from <= std::int64_t{most};
    } else {
      from = operation.has(M::kBFLY) ? lane ^ place : least | (place & ~segment);
      inside = from <= std::int64_t{most};
    }
    const auto source = static_cast<std::size_t>(inside ? from : std::int64_t{lane});
    results[lane] = values[source];
    if (inside) isInside |= 1u << lane;
  }
  if (!operation.results.empty()) warp.setPredicate(operation.results[0], isInside, mask);
  warp.set(*operation.destination, results, mask);
}

/// `VOTE.ANY R2, PT, P0`: which lanes vote for it, whether any or all do.
void vote(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const MachineOperand& condition = operation.operands.back();
  const std::uint32_t votes = warp.lanes(condition) & mask;
  const bool holds = operation.has(M::kALL)  ? votes == mask
                     : operation.has(M::kEQ) ? votes == mask || votes == 0
                                             : votes != 0;
  LaneWords ballot;
  ballot.fill(votes);
  for (std::size_t i = 0; i + 1 < operation.operands.size(); ++i) {
    const MachineOperand& one = operation.operands[i];
    const bool isPredicate = one.kind == OperandKind::Predicate || one.kind == OperandKind::UniformPredicate;
    if (isPredicate) {
      warp.setPredicate(one, holds ? ~0u : 0, mask);
    } else {
      warp.set(one, ballot, mask);
    }
  }
}

void match(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const MachineOperand& source = operation.source(0);
  LaneWide values{};
  if (operation.has(M::kU64)) {
    values = warp.wide(source);
  } else {
    LaneWords room;
    std::ranges::copy(warp.raw(source, room), values.begin());
  }
  LaneWords results{};
  bool isOne = true;
  forEachLane(mask, [&](unsigned lane) {
    forEachLane(mask, [&](unsigned other) {
      if (values[other] == values[lane]) results[lane] |= 1u << other;
    });
    isOne = isOne && results[lane] == mask;
  });
  if (operation.has(M::kALL)) results.fill(isOne ? mask : 0);
  if (!operation.results.empty()) warp.setPredicate(operation.results[0], isOne ? ~0u : 0, mask);
  if (operation.destination) warp.set(*operation.destination, results, mask);
}

void reduce(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  LaneWords room;
  const LaneWords& values = warp.raw(operation.source(0), room);
  bool isFirst = true;
  std::uint32_t result = 0;
  forEachLane(mask, [&](unsigned lane) {
    const std::uint32_t value = values[lane];
    const bool isLess = operation.has(M::kS32)
                            ? static_cast<std::int32_t>(value) < static_cast<std::int32_t>(result)
                            : value < result;
    if (std::exchange(isFirst, false))
      result = value;
    else if (operation.has(M::kMIN))
      result = isLess ? value : result;
    else if (operation.has(M::kMAX))
      result = isLess ? result : value;
    else if (operation.has(M::kOR))
      result |= value;
    else if (operation.has(M::kXOR))
      result ^= value;
    else if (operation.has(M::kSUM))
      result += value;
    else
      result &= value;
  });
  LaneWords all;
  all.fill(result);
  warp.set(*operation.destination, all, mask);
}

/// B2R.RESULT R, P: the result of BAR.RED.
void barrierResult(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  LaneWords values;
  values.fill(warp.barrierResult);
  for (const MachineOperand& result : operation.results)
    warp.setPredicate(result, warp.barrierResult != 0 ? ~0u : 0, mask);
  if (operation.destination) warp.set(*operation.destination, values, mask);
}

struct NamedAction {
  std::string_view name;
  MachineAction action;
};

constexpr auto kActions = std::to_array<NamedAction>({{"S2R", special},
                                                      {"S2UR", special},
                                                      {"CS2R", special},
                                                      {"R2UR", toUniform},
                                                      {"LDC", loadConstant},
                                                      {"ULDC", loadConstant},
                                                      {"LDCU", loadConstant},
                                                      {"SHFL", shuffle},
                                                      {"VOTE", vote},
                                                      {"VOTEU", vote},
                                                      {"MATCH", match},
                                                      {"REDUX", reduce},
                                                      {"B2R", barrierResult}});

}  // namespace
}  // namespace exchange_code

MachineAction findExchangeAction(const MachineOperation& operation) {
  const auto found =
      std::ranges::find(exchange_code::kActions, operation.name, &exchange_code::NamedAction::name);
  return found == exchange_code::kActions.end() ? nullptr : found->action;
}

}  // namespace lanescope
