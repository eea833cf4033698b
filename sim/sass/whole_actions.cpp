#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "sim/sass/machine_warp.h"

/// Instructions on integers and predicates. CUDA Binary Utilities names the computation of each; the rest
/// comes from machine code of known texts.
namespace lanescope {
namespace whole_code {
namespace {

using Operation = MachineOperation;
using M = Modifier;

/// An operand as it is written, in all lanes.
const LaneWords& readWhole(MachineWarp& warp, const Operation& operation, std::size_t source,
                           LaneWords& room) {
  if (source < operation.sources.size()) return warp.whole(operation.sources[source], room);
  room.fill(0);
  return room;
}

std::uint32_t readCondition(MachineWarp& warp, const Operation& operation, std::size_t number,
                            bool otherwise) {
  if (number < operation.conditions.size()) return warp.lanes(operation.conditions[number]);
  return otherwise ? ~0u : 0;
}

std::uint32_t laneBit(std::uint32_t lanes, unsigned lane) { return lanes >> lane & 1u; }

/// Sets the destination to f of so many sources, lane by lane; a missing source is 0.
template <std::size_t sources, class F>
void eachLane(MachineWarp& warp, const Operation& operation, std::uint32_t mask, F f) {
  std::array<LaneWords, sources> rooms;
  std::array<const LaneWords*, sources> in{};
  for (std::size_t i = 0; i < sources; ++i) in[i] = &readWhole(warp, operation, i, rooms[i]);
  LaneWords values{};
  const auto compute = [&]<std::size_t... I>(std::index_sequence<I...>) {
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) values[lane] = f((*in[I])[lane]...);
  };
  compute(std::make_index_sequence<sources>());
  warp.set(*operation.destination, values, mask);
}

/// Sets predicates to the carries of a sum: the first result is one, and so is the second if there are two.
struct Carries {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  void add(std::uint64_t carried, unsigned lane) {
    if (carried >= 1) first |= 1u << lane;
    if (carried >= 2) second |= 1u << lane;
  }
  void give(MachineWarp& warp, const Operation& operation, std::uint32_t mask) const {
    if (!operation.results.empty()) warp.setPredicate(operation.results[0], first, mask);
    if (operation.results.size() > 1) warp.setPredicate(operation.results[1], second, mask);
  }
};

/// A sum's operand for its carry: the negative is the complement and one.
std::uint64_t addend(std::uint32_t value, const MachineOperand& operand) {
  if (operand.kind == OperandKind::Immediate) return value;
  if (operand.isNegative) return std::uint64_t{~value} + 1;
  return operand.isInverted ? std::uint64_t{~value} : value;
}

/// Sets the destination to a sum for each lane, and the predicates to its carries.
template <class F>
void setSums(MachineWarp& warp, const Operation& operation, std::uint32_t mask, F computeSum) {
  LaneWords sums{};
  Carries carries;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const std::uint64_t sum = computeSum(lane);
    sums[lane] = static_cast<std::uint32_t>(sum);
    carries.add(sum >> 32, lane);
  }
  carries.give(warp, operation, mask);
  warp.set(*operation.destination, sums, mask);
}

void add(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::array<LaneWords, 3> rooms;
  std::array<const LaneWords*, 3> values{};
  const std::size_t count = std::min<std::size_t>(3, operation.sources.size());
  for (std::size_t i = 0; i < count; ++i) values[i] = &warp.raw(operation.sources[i], rooms[i]);
  const std::uint32_t first = operation.has(M::kX) ? readCondition(warp, operation, 0, false) : 0;
  const std::uint32_t second = operation.has(M::kX) ? readCondition(warp, operation, 1, false) : 0;
  setSums(warp, operation, mask, [&](unsigned lane) {
    std::uint64_t sum = laneBit(first, lane) + laneBit(second, lane);
    for (std::size_t i = 0; i < count; ++i) sum += addend((*values[i])[lane], operation.sources[i]);
    return sum;
  });
}

std::uint64_t product(std::uint32_t a, std::uint32_t b, bool isUnsigned) {
  return isUnsigned ? std::uint64_t{a} * b
                    : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)} *
                                                 static_cast<std::int32_t>(b));
}

void multiplyWide(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  LaneWords roomA;
  LaneWords roomB;
  const LaneWords& a = readWhole(warp, operation, 0, roomA);
  const LaneWords& b = readWhole(warp, operation, 1, roomB);
  const bool isUnsigned = operation.has(M::kU32);
  const LaneWide c = warp.wide(operation.source(2), !isUnsigned);
  const std::uint32_t carried = operation.has(M::kX) ? readCondition(warp, operation, 0, false) : 0;
  LaneWide sums{};
  Carries carries;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const std::uint64_t each = product(a[lane], b[lane], isUnsigned);
    sums[lane] = each + c[lane] + laneBit(carried, lane);
    carries.add(sums[lane] < each ? 1 : 0, lane);
  }
  carries.give(warp, operation, mask);
  if (!operation.has(M::kHI)) return warp.setWide(*operation.destination, sums, mask);
  LaneWords highs{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    highs[lane] = static_cast<std::uint32_t>(sums[lane] >> 32);
  warp.set(*operation.destination, highs, mask);
}

void multiplyAdd(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::array<LaneWords, 3> rooms;
  const LaneWords& a = readWhole(warp, operation, 0, rooms[0]);
  const LaneWords& b = readWhole(warp, operation, 1, rooms[1]);
  const LaneWords& c = readWhole(warp, operation, 2, rooms[2]);
  const std::uint32_t carried = operation.has(M::kX) ? readCondition(warp, operation, 0, false) : 0;
  setSums(warp, operation, mask,
          [&](unsigned lane) { return std::uint64_t{a[lane] * b[lane]} + c[lane] + laneBit(carried, lane); });
}

/// (a << shift) + b, or with the high 32 bits of the shifted value.
void shiftAdd(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const bool isHigh = operation.has(M::kHI);
  const bool hasHigh = isHigh && !operation.has(M::kSX32);
  std::array<LaneWords, 4> rooms;
  const MachineOperand& first = operation.source(0);
  const MachineOperand& other = operation.source(1);
  const LaneWords& a = warp.whole(first, rooms[0]);
  const LaneWords& b = warp.raw(other, rooms[1]);
  const LaneWords& c = readWhole(warp, operation, 2, rooms[2]);
  const LaneWords& shifts = hasHigh ? readWhole(warp, operation, 3, rooms[3]) : c;
  const std::uint32_t carried = operation.has(M::kX) ? readCondition(warp, operation, 0, false) : 0;
  setSums(warp, operation, mask, [&](unsigned lane) {
    std::uint64_t value = a[lane];
    if (hasHigh) value |= std::uint64_t{c[lane]} << 32;
    if (operation.has(M::kSX32))
      value = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a[lane])});
    const std::uint32_t shift = shifts[lane] & 31u;
    const auto shifted = static_cast<std::uint32_t>(isHigh ? value << shift >> 32 : value << shift);
    return shifted + addend(b[lane], other) + laneBit(carried, lane);
  });
}

void logic(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::array<LaneWords, 4> rooms;
  const LaneWords& a = readWhole(warp, operation, 0, rooms[0]);
  const LaneWords& b = readWhole(warp, operation, 1, rooms[1]);
  const LaneWords& c = readWhole(warp, operation, 2, rooms[2]);
  const std::uint32_t table = readWhole(warp, operation, 3, rooms[3])[0];
  LaneWords values{};
  std::uint32_t isSet = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    std::uint32_t value = 0;
    for (unsigned row = 0; row < 8; ++row) {
      if ((table >> row & 1u) == 0) continue;
      value |= ((row & 4u) != 0 ? a[lane] : ~a[lane]) & ((row & 2u) != 0 ? b[lane] : ~b[lane]) &
               ((row & 1u) != 0 ? c[lane] : ~c[lane]);
    }
    values[lane] = value;
    if (value != 0) isSet |= 1u << lane;
  }
  if (!operation.results.empty())
    warp.setPredicate(operation.results[0], isSet | readCondition(warp, operation, 0, false), mask);
  if (operation.destination) warp.set(*operation.destination, values, mask);
}

void predicateLogic(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  if (operation.conditions.size() < 3 || operation.sources.empty()) {
    warp.failed = true;
    return;
  }
  const std::uint32_t a = warp.lanes(operation.conditions[0]);
  const std::uint32_t b = warp.lanes(operation.conditions[1]);
  const std::uint32_t c = warp.lanes(operation.conditions[2]);
  std::array<std::uint32_t, 2> values{};
  for (std::size_t i = 0; i < 2 && i < operation.sources.size(); ++i) {
    for (unsigned row = 0; row < 8; ++row) {
      if ((operation.sources[i].bits >> row & 1u) == 0) continue;
      values[i] |= ((row & 4u) != 0 ? a : ~a) & ((row & 2u) != 0 ? b : ~b) & ((row & 1u) != 0 ? c : ~c);
    }
  }
  for (std::size_t i = 0; i < operation.results.size(); ++i)
    warp.setPredicate(operation.results[i], values[i], mask);
}

void shift(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const bool isWide = operation.has(M::kU64) || operation.has(M::kS64);
  const bool isSigned = operation.has(M::kS32) || operation.has(M::kS64);
  eachLane<3>(warp, operation, mask, [&](std::uint32_t low, std::uint32_t bits, std::uint32_t high) {
    const std::uint64_t value = std::uint64_t{high} << 32 | low;
    const std::uint32_t count =
        operation.has(M::kW) ? bits & (isWide ? 63u : 31u) : std::min(bits, isWide ? 63u : 32u);
    const std::uint64_t moved = operation.has(M::kL) ? value << count
                                : isSigned
                                    ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> count)
                                    : value >> count;
    return static_cast<std::uint32_t>(operation.has(M::kHI) ? moved >> 32 : moved);
  });
}

bool compares(const Operation& operation, std::int64_t a, std::int64_t b, bool low) {
  const bool isWide = operation.has(M::kEX);
  const bool isSame = isWide && a == b;
  if (operation.has(M::kLT)) return a < b || (isSame && low);
  if (operation.has(M::kGT)) return a > b || (isSame && low);
  if (operation.has(M::kLE)) return isWide ? a < b || (isSame && low) : a <= b;
  if (operation.has(M::kGE)) return isWide ? a > b || (isSame && low) : a >= b;
  if (operation.has(M::kEQ)) return a == b && (!isWide || low);
  return a != b || (isWide && low);
}

void compare(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  LaneWords roomA;
  LaneWords roomB;
  const LaneWords& a = readWhole(warp, operation, 0, roomA);
  const LaneWords& b = readWhole(warp, operation, 1, roomB);
  const bool isUnsigned = operation.has(M::kU32);
  const std::uint32_t lows = readCondition(warp, operation, 1, false);
  std::uint32_t holds = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const std::int64_t left = isUnsigned ? std::int64_t{a[lane]} : static_cast<std::int32_t>(a[lane]);
    const std::int64_t right = isUnsigned ? std::int64_t{b[lane]} : static_cast<std::int32_t>(b[lane]);
    if (compares(operation, left, right, laneBit(lows, lane) != 0)) holds |= 1u << lane;
  }
  combinePredicates(warp, operation, holds, mask);
}

void select(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  LaneWords roomA;
  LaneWords roomB;
  const bool isReal = operation.name == "FSEL";
  const LaneWords& a = isReal ? warp.real(operation.source(0), roomA) : readWhole(warp, operation, 0, roomA);
  const LaneWords& b = isReal ? warp.real(operation.source(1), roomB) : readWhole(warp, operation, 1, roomB);
  const std::uint32_t lanes = readCondition(warp, operation, 0, true);
  LaneWords values{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    values[lane] = laneBit(lanes, lane) != 0 ? a[lane] : b[lane];
  warp.set(*operation.destination, values, mask);
}

/// The smaller if the condition holds, else the larger. VIADDMNMX compares the sum of the first two operands
/// with the third, VIMNMX3 compares all three.
void extremum(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::array<LaneWords, 3> rooms;
  const LaneWords& a = readWhole(warp, operation, 0, rooms[0]);
  const LaneWords& b = readWhole(warp, operation, 1, rooms[1]);
  const LaneWords& c = readWhole(warp, operation, 2, rooms[2]);
  const bool isSum = operation.name == "VIADDMNMX";
  const bool isThree = operation.name == "VIMNMX3";
  const std::uint32_t least = readCondition(warp, operation, 0, true);
  const bool isUnsigned = operation.has(M::kU32);
  const auto better = [&](std::uint32_t x, std::uint32_t y, bool isLeast) {
    const bool isLess = isUnsigned ? x < y : static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
    return isLess == isLeast ? x : y;
  };
  LaneWords values{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const bool isLeast = laneBit(least, lane) != 0;
    values[lane] = isSum ? better(a[lane] + b[lane], c[lane], isLeast) : better(a[lane], b[lane], isLeast);
    if (isThree) values[lane] = better(values[lane], c[lane], isLeast);
  }
  warp.set(*operation.destination, values, mask);
}

void move(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachLane<1>(warp, operation, mask, [](std::uint32_t value) { return value; });
}

void countBits(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachLane<1>(warp, operation, mask,
              [](std::uint32_t value) { return static_cast<std::uint32_t>(std::popcount(value)); });
}

void findLeading(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachLane<1>(warp, operation, mask, [&](std::uint32_t value) {
    if (!operation.has(M::kU32) && value >> 31 != 0) value = ~value;
    if (value == 0) return ~0u;
    const auto zeros = static_cast<std::uint32_t>(std::countl_zero(value));
    return operation.has(M::kSH) ? zeros : 31 - zeros;
  });
}

void reverseBits(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachLane<1>(warp, operation, mask, [](std::uint32_t value) {
    std::uint32_t reversed = 0;
    for (unsigned bit = 0; bit < 32; ++bit) reversed |= (value >> bit & 1u) << (31 - bit);
    return reversed;
  });
}

void absolute(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachLane<1>(warp, operation, mask,
              [](std::uint32_t value) { return value >> 31 != 0 ? 0 - value : value; });
}

void permute(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachLane<3>(warp, operation, mask, [](std::uint32_t a, std::uint32_t selectors, std::uint32_t b) {
    const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
    std::uint32_t permuted = 0;
    for (unsigned byte = 0; byte < 4; ++byte) {
      const std::uint32_t selector = selectors >> (4 * byte) & 15u;
      auto value = static_cast<std::uint32_t>(bytes >> (8 * (selector & 7u)) & 0xff);
      if ((selector & 8u) != 0) value = (value & 0x80u) != 0 ? 0xff : 0;
      permuted |= value << (8 * byte);
    }
    return permuted;
  });
}

/// The low bits, extended with their sign or without.
void extend(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachLane<2>(warp, operation, mask, [&](std::uint32_t value, std::uint32_t bits) {
    const std::uint32_t count = operation.has(M::kW) ? bits & 31u : std::min(bits, 32u);
    if (count == 0) return 0u;
    const std::uint32_t moved = value << (32 - count);
    return operation.has(M::kU32)
               ? moved >> (32 - count)
               : static_cast<std::uint32_t>(static_cast<std::int32_t>(moved) >> (32 - count));
  });
}

/// So many bits from a place on.
void bitMask(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachLane<2>(warp, operation, mask, [](std::uint32_t from, std::uint32_t count) {
    const std::uint32_t ones = count >= 32 ? ~0u : (1u << count) - 1;
    return from >= 32 ? 0u : ones << from;
  });
}

void predicatesToRegister(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  LaneWords room;
  const std::uint32_t which = readWhole(warp, operation, 2, room)[0];
  LaneWords values{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    for (unsigned p = 0; p < kTruePredicate; ++p) values[lane] |= laneBit(warp.predicates[p], lane) << p;
    values[lane] &= which;
  }
  warp.set(*operation.destination, values, mask);
}

void registerToPredicates(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::array<LaneWords, 2> rooms;
  const LaneWords& from = readWhole(warp, operation, 1, rooms[0]);
  const std::uint32_t which = readWhole(warp, operation, 2, rooms[1])[0];
  for (unsigned p = 0; p < kTruePredicate; ++p) {
    if ((which >> p & 1u) == 0) continue;
    forEachLane(mask, [&](unsigned lane) {
      warp.predicates[p] = (warp.predicates[p] & ~(1u << lane)) | (from[lane] >> p & 1u) << lane;
    });
  }
}

struct NamedAction {
  std::string_view name;
  MachineAction action;
};

constexpr auto kActions = std::to_array<NamedAction>({{"IADD3", add},
                                                      {"VIADD", add},
                                                      {"IADD", add},
                                                      {"LEA", shiftAdd},
                                                      {"LOP3", logic},
                                                      {"PLOP3", predicateLogic},
                                                      {"SHF", shift},
                                                      {"ISETP", compare},
                                                      {"SEL", select},
                                                      {"FSEL", select},
                                                      {"VIMNMX", extremum},
                                                      {"IMNMX", extremum},
                                                      {"VIMNMX3", extremum},
                                                      {"VIADDMNMX", extremum},
                                                      {"MOV", move},
                                                      {"POPC", countBits},
                                                      {"FLO", findLeading},
                                                      {"BREV", reverseBits},
                                                      {"IABS", absolute},
                                                      {"PRMT", permute},
                                                      {"SGXT", extend},
                                                      {"BMSK", bitMask},
                                                      {"P2R", predicatesToRegister},
                                                      {"R2P", registerToPredicates}});

}  // namespace
}  // namespace whole_code

void combinePredicates(MachineWarp& warp, const MachineOperation& operation, std::uint32_t holds,
                       std::uint32_t mask) {
  const std::uint32_t other = whole_code::readCondition(warp, operation, 0, true);
  const auto combined = [&](std::uint32_t lanes) {
    if (operation.has(Modifier::kOR)) return lanes | other;
    return operation.has(Modifier::kXOR) ? lanes ^ other : lanes & other;
  };
  const std::uint32_t first = combined(holds);
  const std::uint32_t second = combined(~holds);
  if (!operation.results.empty()) warp.setPredicate(operation.results[0], first, mask);
  if (operation.results.size() > 1) warp.setPredicate(operation.results[1], second, mask);
}

MachineAction findWholeAction(const MachineOperation& operation) {
  std::string_view name = operation.name;
  const bool isUniform = name.starts_with('U') && name != "UP2UR";
  if (isUniform) name.remove_prefix(1);
  if (name == "IMAD") {
    const bool isWide = operation.has(Modifier::kWIDE) || operation.has(Modifier::kHI);
    return isWide ? whole_code::multiplyWide : whole_code::multiplyAdd;
  }
  const auto found = std::ranges::find(whole_code::kActions, name, &whole_code::NamedAction::name);
  return found == whole_code::kActions.end() ? nullptr : found->action;
}

}  // namespace lanescope
