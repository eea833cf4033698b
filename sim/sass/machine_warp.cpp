#include "sim/sass/machine_warp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace lanescope {
namespace {

constexpr auto kModifierNames = std::to_array<std::string_view>({
#define MODIFIER(name) #name,
#include "sim/sass/modifiers.def"
});

/// Also without the semicolon behind an instruction.
std::string_view withoutBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == ';'))
    text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data() + 2, text.data() + text.size(), number, 16);
  return failure == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<double> realNumber(std::string_view text) {
  if (text == "INF") return std::numeric_limits<double>::infinity();
  if (text == "QNAN" || text == "SNAN") return std::numeric_limits<double>::quiet_NaN();
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// `R12`, `RZ`, `UR4`, `P0`, `PT`: the number after the prefix, or the number that the letter at the end
/// stands for.
std::optional<unsigned> numbered(std::string_view text, std::string_view prefix, char last,
                                 unsigned lastNumber, unsigned count) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  if (text.size() == 1 && text[0] == last) return lastNumber;
  unsigned number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool isRead = failure == std::errc{} && end == text.data() + text.size() && number < count;
  return isRead ? std::optional(number) : std::nullopt;
}

std::optional<unsigned> registerNumber(std::string_view text) {
  return numbered(text, "R", 'Z', kZeroRegister, kZeroRegister);
}
std::optional<unsigned> uniformNumber(std::string_view text) {
  return numbered(text, "UR", 'Z', kZeroUniform, kZeroUniform);
}

/// The sum in brackets: `R2.64+UR4+0x10`, `R5.X4+-0x8`.
bool readAddress(std::string_view sum, MachineOperand& operand) {
  while (!sum.empty()) {
    const std::size_t plus = std::min(sum.find('+'), sum.size());
    std::string_view part = withoutBlanks(sum.substr(0, plus));
    sum.remove_prefix(std::min(plus + 1, sum.size()));
    const bool isNegative = part.starts_with('-');
    if (isNegative) part.remove_prefix(1);
    if (const auto number = hexadecimal(part)) {
      operand.offset += isNegative ? -static_cast<std::int64_t>(*number) : static_cast<std::int64_t>(*number);
      continue;
    }
    const std::size_t point = std::min(part.find('.'), part.size());
    const std::string_view name = part.substr(0, point);
    for (std::string_view rest = part.substr(point); !rest.empty();) {
      rest.remove_prefix(1);
      const std::string_view word = rest.substr(0, rest.find('.'));
      rest.remove_prefix(word.size());
      if (word == "X4") operand.scale = 4;
      if (word == "X8") operand.scale = 8;
      if (word == "X16") operand.scale = 16;
      if (word == "U32") operand.text = "U32";
    }
    if (const auto uniform = uniformNumber(name)) {
      operand.uniform = *uniform;
    } else if (const auto base = registerNumber(name)) {
      operand.base = *base;
    } else {
      return false;
    }
  }
  return true;
}

/// `c[0x0][0x210]`, `c[0x3][R5+0x8]`.
bool readConstant(std::string_view text, MachineOperand& operand) {
  const std::size_t close = text.find(']');
  if (close == std::string_view::npos || close + 2 > text.size() || text[close + 1] != '[') return false;
  const auto bank = hexadecimal(text.substr(2, close - 2));
  if (!bank) return false;
  operand.number = static_cast<unsigned>(*bank);
  const std::string_view place = text.substr(close + 2, text.rfind(']') - close - 2);
  return readAddress(place, operand);
}

MachineOperand parseOperand(std::string_view text) {
  MachineOperand operand;
  operand.text = std::string(text);
  if (text.starts_with('-')) {
    operand.isNegative = true;
    text.remove_prefix(1);
  } else if (text.starts_with('~') || text.starts_with('!')) {
    operand.isInverted = true;
    text.remove_prefix(1);
  } else if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  if (text.starts_with('|')) {
    operand.isAbsolute = true;
    text.remove_prefix(1);
    const std::size_t bar = text.find('|');
    if (bar == std::string_view::npos) return operand;
    const std::string_view behind = text.substr(bar + 1);
    if (behind.find("H0") != std::string_view::npos) operand.half = 1;
    if (behind.find("H1") != std::string_view::npos) operand.half = 2;
    text = text.substr(0, bar);
  }
  if (text.starts_with("c[") || text.starts_with("desc[") || text.starts_with('[')) {
    const bool isConstant = text.starts_with("c[");
    if (text.starts_with("desc[")) text.remove_prefix(std::min(text.find(']') + 1, text.size()));
    operand.text.clear();
    const bool isRead = isConstant
                            ? readConstant(text, operand)
                            : !text.empty() && readAddress(text.substr(1, text.rfind(']') - 1), operand);
    if (isRead) operand.kind = isConstant ? OperandKind::Constant : OperandKind::Address;
    return operand;
  }
  if (const auto number = hexadecimal(text)) {
    operand.kind = OperandKind::Immediate;
    operand.bits = static_cast<std::uint32_t>(operand.isNegative ? 0 - *number : *number);
    operand.isNegative = false;
    return operand;
  }
  if (text.starts_with("SR_") || text == "SRZ" || text == "PR") {
    operand.kind = OperandKind::Special;
    operand.text = std::string(text);
    return operand;
  }
  if (const auto real = realNumber(text)) {
    operand.kind = OperandKind::Real;
    operand.real = operand.isNegative ? -*real : *real;
    operand.isNegative = false;
    return operand;
  }
  std::string_view name = text.substr(0, text.find('.'));
  const std::string_view behind = text.substr(name.size());
  if (behind.find("H0") != std::string_view::npos) operand.half = 1;
  if (behind.find("H1") != std::string_view::npos) operand.half = 2;
  const auto receive = [&](OperandKind kind, std::optional<unsigned> number) {
    if (!number) return false;
    operand.kind = kind;
    operand.number = *number;
    return true;
  };
  if (receive(OperandKind::Uniform, uniformNumber(name)) ||
      receive(OperandKind::Register, registerNumber(name)) ||
      receive(OperandKind::UniformPredicate, numbered(name, "UP", 'T', kTruePredicate, kTruePredicate)) ||
      receive(OperandKind::Predicate, numbered(name, "P", 'T', kTruePredicate, kTruePredicate)) ||
      receive(OperandKind::Barrier, numbered(name, "B", '\0', 0, 16)))
    return operand;
  return operand;
}

/// Operands, which commas separate that are in no brackets.
std::vector<MachineOperand> readOperands(std::string_view text) {
  std::vector<MachineOperand> operands;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size() && operands.size() < kMostOperands; ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (c != ',' || depth > 0) continue;
    std::string_view one = text.substr(begin, at - begin);
    one = withoutBlanks(one.substr(0, one.find('`')));  // a label is not an operand
    if (!one.empty()) operands.push_back(parseOperand(one));
    begin = at + 1;
  }
  return operands;
}

bool isPredicate(const MachineOperand& operand) {
  return operand.kind == OperandKind::Predicate || operand.kind == OperandKind::UniformPredicate;
}

/// Sorts operands into written and read ones.
void sortOperands(MachineOperation& operation) {
  constexpr auto kOnlyPredicates = std::to_array<std::string_view>(
      {"ISETP", "FSETP", "DSETP", "HSETP2", "FCHK", "UISETP", "PLOP3", "UPLOP3"});
  constexpr auto kNoResults = std::to_array<std::string_view>(
      {"STG", "ST", "STS", "STL", "RED", "REDG", "BAR", "R2P", "BRA", "BREAK", "WARPSYNC", "EXIT"});
  const bool isOnlyPredicates = std::ranges::count(kOnlyPredicates, operation.name) > 0;
  std::size_t at = 0;
  if (std::ranges::count(kNoResults, operation.name) == 0) {
    const std::size_t most = operation.name.ends_with("PLOP3") ? 2 : operation.operands.size();
    for (; at < operation.operands.size(); ++at) {
      const MachineOperand& one = operation.operands[at];
      if (isPredicate(one) && operation.results.size() < most && !one.isInverted) {
        operation.results.push_back(one);
      } else if (!isOnlyPredicates && !operation.destination &&
                 (one.kind == OperandKind::Register || one.kind == OperandKind::Uniform)) {
        operation.destination = one;
      } else {
        break;
      }
    }
  }
  for (; at < operation.operands.size(); ++at) {
    const MachineOperand& one = operation.operands[at];
    (isPredicate(one) ? operation.conditions : operation.sources).push_back(one);
  }
}

}  // namespace

const MachineOperand& MachineOperation::source(std::size_t number) const {
  static const MachineOperand kNone;
  return number < sources.size() ? sources[number] : kNone;
}

MachineOperation parseOperation(std::string_view sass) {
  MachineOperation operation;
  const std::size_t begin = sass.find_first_not_of(" \t{");
  sass.remove_prefix(std::min(begin, sass.size()));
  if (sass.starts_with('@')) {
    const std::size_t blank = std::min(sass.find(' '), sass.size());
    const MachineOperand guard = parseOperand(sass.substr(1, blank - 1));
    operation.guard = guard.number;
    operation.isGuardUniform = guard.kind == OperandKind::UniformPredicate;
    operation.isGuardInverted = guard.isInverted;
    sass.remove_prefix(blank);
    sass = withoutBlanks(sass);
  }
  std::string_view opcode = withoutBlanks(sass.substr(0, std::min(sass.find(' '), sass.size())));
  operation.operands = readOperands(sass.substr(std::min(sass.find(' '), sass.size())));
  operation.name = std::string(opcode.substr(0, opcode.find('.')));
  operation.isWidening = opcode.starts_with("F2F.F64");
  operation.isBrain = opcode.find("BF16") != std::string_view::npos;
  opcode.remove_prefix(operation.name.size());
  while (!opcode.empty()) {
    opcode.remove_prefix(1);
    const std::string_view word = opcode.substr(0, opcode.find('.'));
    opcode.remove_prefix(word.size());
    const auto found = std::ranges::find(kModifierNames, word);
    if (found != kModifierNames.end())
      operation.modifiers.set(static_cast<std::size_t>(found - kModifierNames.begin()));
  }
  sortOperands(operation);
  operation.access = parseAccess(sass);
  return operation;
}

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
