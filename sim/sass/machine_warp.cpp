#include "sim/sass/machine_warp.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace lanescope {

std::uint32_t MachineWarp::constant(unsigned bank, std::int64_t offset) {
  std::uint32_t word = 0;
  if (bank >= shared->banks.size() || offset < 0 ||
      static_cast<std::uint64_t>(offset) + sizeof word > shared->banks[bank].size()) {
    failed = true;
    return 0;
  }
  std::memcpy(&word, shared->banks[bank].data() + offset, sizeof word);
  return word;
}

const LaneWords& MachineWarp::raw(const MachineOperand& operand, LaneWords& room) {
  switch (operand.kind) {
    case OperandKind::Register:
      if (operand.half == 0) return registers[operand.number];
      for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
        const std::uint32_t bits = registers[operand.number][lane];
        room[lane] = (operand.half == 1 ? bits & 0xffff : bits >> 16) * 0x10001u;
      }
      return room;
    case OperandKind::Uniform: room.fill(uniforms[operand.number]); return room;
    case OperandKind::Immediate: room.fill(operand.bits); return room;
    case OperandKind::Constant:
      if (operand.base == kZeroRegister) {
        const std::int64_t offset = operand.offset + static_cast<std::int32_t>(uniforms[operand.uniform]);
        room.fill(constant(operand.number, offset));
      } else {
        const LaneWords& places = registers[operand.base];
        for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
          if ((present >> lane & 1u) != 0)
            room[lane] = constant(operand.number, operand.offset + static_cast<std::int32_t>(places[lane]));
        }
      }
      return room;
    default:
      failed = true;
      room.fill(0);
      return room;
  }
}

const LaneWords& MachineWarp::whole(const MachineOperand& operand, LaneWords& room) {
  if (operand.kind == OperandKind::Real) {  // a whole number that is written like a real one
    room.fill(std::bit_cast<std::uint32_t>(static_cast<float>(operand.real)));
    return room;
  }
  const LaneWords& values = raw(operand, room);
  if (!operand.isNegative && !operand.isInverted && !operand.isAbsolute) return values;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    std::uint32_t value = values[lane];
    if (operand.isAbsolute && value >> 31 != 0) value = 0 - value;
    room[lane] = operand.isNegative ? 0 - value : operand.isInverted ? ~value : value;
  }
  return room;
}

const LaneWords& MachineWarp::real(const MachineOperand& operand, LaneWords& room) {
  if (operand.kind == OperandKind::Real) {
    room.fill(std::bit_cast<std::uint32_t>(static_cast<float>(operand.real)));
    return room;
  }
  const LaneWords& values = raw(operand, room);
  if (!operand.isNegative && !operand.isAbsolute) return values;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const std::uint32_t value = operand.isAbsolute ? values[lane] & 0x7fffffffu : values[lane];
    room[lane] = operand.isNegative ? value ^ 0x80000000u : value;
  }
  return room;
}

LaneWide MachineWarp::wide(const MachineOperand& operand, bool isSigned) {
  LaneWide values{};
  LaneWords room;
  if (operand.kind == OperandKind::Immediate) {
    const auto extended = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(operand.bits)});
    values.fill(isSigned ? extended : operand.bits);
    return values;
  }
  MachineOperand high = operand;
  high.half = 0;
  if (operand.kind == OperandKind::Constant) {
    high.offset += 4;
  } else if (operand.number != (operand.kind == OperandKind::Uniform ? kZeroUniform : kZeroRegister)) {
    ++high.number;
  }
  const LaneWords lows = raw(operand, room);
  const LaneWords highs = raw(high, room);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    values[lane] = std::uint64_t{highs[lane]} << 32 | lows[lane];
    if (operand.isNegative) values[lane] = 0 - values[lane];
    if (operand.isInverted) values[lane] = ~values[lane];
  }
  return values;
}

LaneWide MachineWarp::wideReal(const MachineOperand& operand) {
  LaneWide values{};
  if (operand.kind == OperandKind::Real) {
    values.fill(std::bit_cast<std::uint64_t>(operand.real));
    return values;
  }
  if (operand.kind == OperandKind::Immediate) {
    values.fill(std::uint64_t{operand.bits} << 32);
    return values;
  }
  MachineOperand plain = operand;
  plain.isNegative = plain.isInverted = false;
  values = wide(plain);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  for (std::uint64_t& value : values) {
    if (operand.isAbsolute) value &= ~kSign;
    if (operand.isNegative) value ^= kSign;
  }
  return values;
}

std::uint32_t MachineWarp::lanes(const MachineOperand& operand) const {
  const std::uint32_t values = operand.kind == OperandKind::UniformPredicate
                                   ? uniformPredicates[operand.number]
                                   : predicates[operand.number];
  return operand.isInverted ? ~values : values;
}

void MachineWarp::set(const MachineOperand& destination, const LaneWords& values, std::uint32_t mask) {
  if (destination.kind == OperandKind::Uniform) {
    if (destination.number != kZeroUniform && mask != 0)
      uniforms[destination.number] = values[static_cast<std::size_t>(std::countr_zero(mask))];
    return;
  }
  if (destination.number == kZeroRegister) return;
  LaneWords& to = registers[destination.number];
  if (mask == ~0u) {
    to = values;
    return;
  }
  forEachLane(mask, [&](unsigned lane) { to[lane] = values[lane]; });
}

void MachineWarp::setWide(const MachineOperand& destination, const LaneWide& values, std::uint32_t mask) {
  LaneWords lows;
  LaneWords highs;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    lows[lane] = static_cast<std::uint32_t>(values[lane]);
    highs[lane] = static_cast<std::uint32_t>(values[lane] >> 32);
  }
  set(destination, lows, mask);
  MachineOperand high = destination;
  const bool isZero =
      destination.number == (destination.kind == OperandKind::Uniform ? kZeroUniform : kZeroRegister);
  if (!isZero) ++high.number;
  set(high, highs, mask);
}

void MachineWarp::setPredicate(const MachineOperand& destination, std::uint32_t values, std::uint32_t mask) {
  if (destination.number == kTruePredicate) return;
  if (destination.kind == OperandKind::UniformPredicate) {
    uniformPredicates[destination.number] = (values & mask) != 0 ? ~0u : 0;
    return;
  }
  std::uint32_t& predicate = predicates[destination.number];
  predicate = (predicate & ~mask) | (values & mask);
}

MachineAction chooseAction(const MachineOperation& operation) {
  // These write predicates, or have no result.
  constexpr auto kWithoutDestination =
      std::to_array<std::string_view>({"ISETP", "UISETP", "FSETP", "DSETP", "FCHK", "PLOP3", "UPLOP3", "LOP3",
                                       "ULOP3", "R2P", "VOTE", "VOTEU", "MATCH", "B2R"});
  const bool hasPlace = operation.destination || std::ranges::count(kWithoutDestination, operation.name) > 0;
  if (!hasPlace || (operation.name == "FCHK" && operation.results.empty()) || operation.operands.empty())
    return nullptr;
  if (MachineAction action = findWholeAction(operation)) return action;
  if (MachineAction action = findRealAction(operation)) return action;
  return findExchangeAction(operation);
}

}  // namespace lanescope
