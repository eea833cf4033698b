#include "sim/random_programs/expressions.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::random_programs {
namespace {

struct Literal {
  std::string_view text;
  Type type;
  double value;
};

constexpr std::array<Literal, 40> kLiterals = {
    {{"0", Type::Int, 0},
     {"1", Type::Int, 1},
     {"2", Type::Int, 2},
     {"7", Type::Int, 7},
     {"10", Type::Int, 10},
     {"100", Type::Int, 100},
     {"true", Type::Bool, 1},
     {"false", Type::Bool, 0},
     {"'a'", Type::Char, 97},
     {"'\\n'", Type::Char, 10},
     {"'\\x41'", Type::Char, 65},
     {"'\\377'", Type::Char, -1},
     {"'\\0'", Type::Char, 0},
     {"0x7f", Type::Int, 127},
     {"0377", Type::Int, 255},
     {"0b1011", Type::Int, 11},
     {"1'000", Type::Int, 1000},
     {"65535", Type::Int, 65535},
     {"2147483647", Type::Int, 2147483647.0},
     {"2147483648", Type::Long, 2147483648.0},
     {"0x80000000", Type::Unsigned, 2147483648.0},
     {"0xffffffff", Type::Unsigned, 4294967295.0},
     {"4294967295", Type::Long, 4294967295.0},
     {"0xffffffffff", Type::Long, 1099511627775.0},
     {"0xffffffffffffffff", Type::UnsignedLong, 18446744073709551615.0},
     {"7u", Type::Unsigned, 7},
     {"40000U", Type::Unsigned, 40000},
     {"7l", Type::Long, 7},
     {"9ul", Type::UnsignedLong, 9},
     {"5LU", Type::UnsignedLong, 5},
     {"3ll", Type::LongLong, 3},
     {"6ull", Type::UnsignedLongLong, 6},
     {"1.5f", Type::Float, 1.5},
     {"3.f", Type::Float, 3},
     {"0.1f", Type::Float, 0.1},
     {"2.0", Type::Double, 2},
     {".75", Type::Double, 0.75},
     {"0.1", Type::Double, 0.1},
     {"1e3", Type::Double, 1000},
     {"0x1p4", Type::Double, 16}}};

constexpr std::array<std::string_view, 5> kArithmetic = {"+", "-", "*", "/", "%"};

double powerAbove(double value) {
  double power = 1;
  while (power <= value) power *= 2;
  return power;
}

Range product(Range a, Range b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

/// The values of a bitwise operator's result.
Range bitwise(unsigned sign, Range a, Range b) {
  if (sign == 0 && (a.low >= 0 || b.low >= 0))
    return {0, a.low < 0 ? b.high : b.low < 0 ? a.high : std::min(a.high, b.high)};
  const double power = powerAbove(std::max(a.size(), b.size()));
  return {a.low < 0 || b.low < 0 ? -power : 0, power - 1};
}

/// Within the type: what does not fit can be any of its values.
Range within(Type type, Range range) { return holds(type, range) ? range : wholeRange(type); }

bool isWhole(const Variable& v) {
  return !isFloating(v.type) && v.type != Type::Bool && v.range.holds(wholeRange(v.type));
}

/// How far an argument is from a parameter, [over.ics.scs] 12.2.4.2.2: exact, promotion, conversion.
int rank(Type from, Type to) {
  if (from == to) return 0;
  const bool isPromotion = (isNarrow(from) && to == Type::Int) || (from == Type::Float && to == Type::Double);
  return isPromotion ? 1 : 2;
}

/// The text of `a sign b`, with brackets around an operand that binds more weakly. The caller makes sure that
/// neither operand changes what the other reads, unless C++ orders the two.
Value binary(const Value& a, std::string_view sign, const Value& b, int strength, Type type, Range range) {
  Value result{fmt::format("{} {} {}", Expressions::in(a, strength), sign, Expressions::in(b, strength + 1)),
               strength, type, range, a.effects};
  result.effects.add(b.effects);
  return result;
}

Value valueOf(const Literal& one) {
  return {std::string(one.text), 16, one.type, {one.value, one.value}, {}};
}

Value number(int value) { return {fmt::format("{}", value), 16, Type::Int, {1.0 * value, 1.0 * value}, {}}; }

/// An integer from 0 to `most`, which is 2^n - 1.
Value masked(const Value& value, int most) {
  return binary(value, "&", number(most), 7, common(value.type, Type::Int), {0, 1.0 * most});
}

/// An integer up to `most`, and from -most if there are negative ones.
Value remainder(const Value& value, int most) {
  const Type type = common(value.type, Type::Int);
  const double low = converted(value.range, type).low < 0 ? -most : 0;
  return binary(value, "%", number(most + 1), 13, type, {low, 1.0 * most});
}

}  // namespace

std::string Expressions::in(const Value& value, int strength) {
  return value.strength < strength ? "(" + value.text + ")" : value.text;
}

bool Expressions::beginsWithType(const std::string& text) {
  return std::ranges::any_of(
      kTypes, [&text](const TypeFacts& one) { return text.starts_with(std::string(one.name) + "("); });
}

Range Expressions::anyRange(Type type) {
  if (isFloating(type)) return {-1000, 1000};
  if (isNarrow(type) || !facts(type).isSigned) return wholeRange(type);
  const double most = std::ldexp(1.0, static_cast<int>(4 + random_.below(16))) - 1;
  return {random_.chance(30) ? 0 : -most, most};
}

Value Expressions::any(int depth) {
  Value value = pick(depth);
  all.add(value.effects);
  return value;
}

Value Expressions::pick(int depth) {
  if (depth <= 0) return leaf();
  switch (random_.below(24)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: return arithmetic(depth - 1);
    case 5:
    case 6: return bits(depth - 1);
    case 7: return shift(depth - 1);
    case 8:
    case 9: return comparison(depth - 1);
    case 10: return logical(depth - 1);
    case 11:
    case 12: return unary(depth - 1);
    case 13:
    case 14: return cast(depth - 1);
    case 15:
    case 16: return conditional(depth - 1);
    case 17:
    case 18:
    case 19: return call(depth - 1);
    case 20:
    case 21:
      if (!onlyConstants_) return change(depth - 1);
      return literal();
    case 22: {  // a comma: its left side happens before its right one
      if (onlyConstants_ || isPure) return literal();
      const Value first = change(depth - 1);
      Value second = any(depth - 1);
      second.text = in(first, 1) + ", " + in(second, 2);
      second.strength = 1;
      second.effects.add(first.effects);
      return second;
    }
    default: {
      const Value of = any(depth - 1);
      return {fmt::format("sizeof({})", beginsWithType(of.text) ? "(" + of.text + ")" : of.text),
              15,
              Type::UnsignedLong,
              {1, 8},
              {}};
    }
  }
}

Value Expressions::constant(int depth) {
  onlyConstants_ = true;
  Value value = integer(any(depth));
  onlyConstants_ = false;
  return value;
}

Value Expressions::literal() { return valueOf(kLiterals[random_.below(kLiterals.size())]); }

bool Expressions::isHidden(const Variable& variable) const {
  const Variable* const end = variables.data() + variables.size();
  return variable.name == hidden ||
         std::ranges::find(&variable + 1, end, variable.name, &Variable::name) != end;
}

std::vector<const Variable*> Expressions::visible(bool toChange) const {
  std::vector<const Variable*> found;
  for (const Variable& one : variables)
    if (one.isUsable && (toChange ? one.isChangeable : one.isConstant || !onlyConstants_) &&
        (!one.qualifier.empty() || !isHidden(one)))
      found.push_back(&one);
  return found;
}

Value Expressions::element(const Variable& variable, int depth) {
  const bool isQualified = !variable.qualifier.empty() && (isHidden(variable) || random_.chance(25));
  Value value{(isQualified ? variable.qualifier : "") + variable.name, 16, variable.type, variable.range, {}};
  if (variable.elements != 0) {
    const Value which = index(variable.elements == 2 ? 1 : 2, depth);
    value.text += "[" + which.text + "]";
    value.effects = which.effects;
  }
  if (!variable.isConstant) value.effects.reads |= variable.places;
  return value;
}

Value Expressions::leaf() {
  const auto names = visible(false);
  if (names.empty() || random_.chance(35)) return literal();
  return element(*names[random_.below(static_cast<unsigned>(names.size()))], 0);
}

Value Expressions::beside(const Effects& other, int depth) {
  for (int attempt = 0; attempt < 3; ++attempt) {
    Value value = any(depth);
    if (!value.effects.meets(other)) return value;
  }
  return literal();
}

Value Expressions::integer(Value value) {
  if (!isFloating(value.type)) return value;
  if (value.range.size() > 1e9) return number(12);
  return {"(int)" + in(value, 15), 15, Type::Int, converted(value.range, Type::Int), value.effects};
}

Value Expressions::bounded(Value value, int limit) {
  if (value.range.size() <= limit) return value;
  const int half = limit / 2;
  return random_.chance(50) ? masked(value, static_cast<int>(powerAbove(half)) - 1) : remainder(value, limit);
}

Value Expressions::nonzero(Value value) {
  if (!value.range.holdsZero()) return value;
  const Type type = common(value.type, Type::Int);
  if (random_.chance(50)) return binary(masked(value, 7), "+", number(1), 12, type, {1, 8});
  const Range range = within(type, bitwise(1, converted(value.range, type), {1, 1}));
  return binary(value, "|", number(1), 5, type, {range.low == 0 ? 1 : range.low, range.high});
}

Value Expressions::arithmetic(int depth) {
  Value a = any(depth);
  Value b = beside(a.effects, depth);
  const unsigned sign = random_.below(5);
  if (isFloating(common(a.type, b.type))) return floating(a, b, sign);
  if (sign >= 3) b = nonzero(b);
  const Type type = common(a.type, b.type);
  const auto range = [&]() -> Range {
    const Range x = converted(a.range, type);
    const Range y = converted(b.range, type);
    switch (sign) {
      case 0: return {x.low + y.low, x.high + y.high};
      case 1: return {x.low - y.high, x.high - y.low};
      case 2: return product(x, y);
      case 3: return {x.low < 0 || y.low < 0 ? -x.size() : 0, x.size()};
      default: {
        const double most = std::min(y.size() - 1, x.size());
        return {x.low < 0 ? -most : 0, most};
      }
    }
  };
  // The least number divided by -1 overflows, as its remainder does.
  const bool mayBeLeast = sign >= 3 && converted(a.range, type).low <= wholeRange(type).low;
  if (facts(type).isSigned && (mayBeLeast || !holds(type, range()))) {
    a = bounded(a, 1000);
    if (sign < 3) b = bounded(b, 1000);
  }
  return binary(a, kArithmetic[sign], b, sign < 2 ? 12 : 13, type, within(type, range()));
}

Value Expressions::floating(Value a, Value b, unsigned sign) {
  static constexpr std::array<Literal, 4> kDivisors = {
      {{"2", Type::Int, 2}, {"4.f", Type::Float, 4}, {"0.5", Type::Double, 0.5}, {"3.0f", Type::Float, 3}}};
  if (sign >= 3) b = valueOf(kDivisors[random_.below(kDivisors.size())]);
  if (a.range.size() > 1e4) a = valueOf({"2.5f", Type::Float, 2.5});
  if (b.range.size() > 1e4) b = valueOf({"0.125", Type::Double, 0.125});
  Range range{a.range.low - b.range.size(), a.range.high + b.range.size()};
  if (sign == 2) range = product(a.range, b.range);
  if (sign >= 3) range = {-2 * a.range.size(), 2 * a.range.size()};
  const Type type = common(a.type, b.type);
  if (!isFloating(type)) range = {-2e4, 2e4};  // of two integers: their quotient, too
  return binary(a, kArithmetic[std::min(sign, 3u)], b, sign < 2 ? 12 : 13, type, range);
}

Value Expressions::bits(int depth) {
  static constexpr std::array<std::string_view, 3> kSigns = {"&", "|", "^"};
  static constexpr std::array<int, 3> kStrengths = {7, 5, 6};
  const Value a = integer(any(depth));
  const Value b = integer(beside(a.effects, depth));
  const unsigned sign = random_.below(3);
  const Type type = common(a.type, b.type);
  const Range range = bitwise(sign, converted(a.range, type), converted(b.range, type));
  return binary(a, kSigns[sign], b, kStrengths[sign], type, within(type, range));
}

Value Expressions::index(unsigned bits, int depth) {
  Value value = integer(any(depth));
  const int most = (1 << bits) - 1;
  return Range{0, 1.0 * most}.holds(value.range) ? value : masked(value, most);
}

/// The left side of a shift happens before its right one.
Value Expressions::shift(int depth) {
  Value a = integer(any(depth));
  const bool isLeft = random_.chance(50);
  const Type type = promoted(a.type);
  const bool isShort = isLeft && facts(type).isSigned;
  const Value by = index(isShort ? 3 : facts(type).bits == 64 ? 6 : 5, std::min(depth, 1));
  if (isShort && !Range{0, 255}.holds(a.range)) a = masked(a, 255);
  Range range{std::min(a.range.low, 0.0), std::max(a.range.high, 0.0)};
  if (isLeft) range = isShort ? Range{0, a.range.high * 128} : wholeRange(type);
  return binary(a, isLeft ? "<<" : ">>", by, 11, type, range);
}

Value Expressions::comparison(int depth) {
  static constexpr std::array<std::string_view, 6> kSigns = {"<", "<=", ">", ">=", "==", "!="};
  const Value a = any(depth);
  const Value b = beside(a.effects, depth);
  const unsigned sign = random_.below(6);
  return binary(a, kSigns[sign], b, sign < 4 ? 9 : 8, Type::Bool, {0, 1});
}

Value Expressions::logical(int depth) {
  const bool isAnd = random_.chance(50);
  const Value a = any(depth);
  const Value b = any(depth);
  return binary(a, isAnd ? "&&" : "||", b, isAnd ? 4 : 3, Type::Bool, {0, 1});
}

Value Expressions::unary(int depth) {
  const unsigned sign = random_.below(4);
  Value value = any(depth);
  if (sign == 3) value = integer(value);
  if (sign == 0 && facts(promoted(value.type)).isSigned && !isFloating(value.type) &&
      !holds(promoted(value.type), {-value.range.high, -value.range.low}))
    value = bounded(value, 1000);
  const Type type = promoted(value.type);
  Value result{{}, 15, type, value.range, value.effects};
  if (sign == 0) result.range = within(type, {-value.range.high, -value.range.low});
  if (sign == 2) result.type = Type::Bool, result.range = {0, 1};
  if (sign == 3) result.range = within(type, {-value.range.high - 1, -value.range.low - 1});
  const std::string operand = in(value, 15);
  const char mark = "-+!~"[sign];
  result.text = operand[0] == mark ? fmt::format("{}({})", mark, operand) : mark + operand;
  return result;
}

Value Expressions::cast(int depth) {
  Type type = anyType();
  const Value value = any(depth);
  const bool isCut = isFloating(value.type) && !isFloating(type) && type != Type::Bool;
  if (isCut && !wholeRange(type).holds({value.range.low - 1, value.range.high + 1})) type = Type::Double;
  if (isCut && value.range.size() > 1e9) type = Type::Double;
  const std::string_view name = facts(type).name;
  Value result{{}, 16, type, converted(value.range, type), value.effects};
  const unsigned form = random_.below(3);
  if (form == 0) {
    result.text = fmt::format("static_cast<{}>({})", name, value.text);
  } else if (form == 1 && name.find(' ') == std::string_view::npos) {
    result.text = fmt::format("{}({})", name, in(value, 2));
  } else {
    result.text = fmt::format("({}){}", name, in(value, 15));
    result.strength = 15;
  }
  return result;
}

Value Expressions::conditional(int depth) {
  const Value test = any(depth);
  const Value a = any(depth);
  const Value b = any(depth);
  const Type type = a.type == b.type ? a.type : common(a.type, b.type);
  const Range x = converted(a.range, type);
  const Range y = converted(b.range, type);
  Value result{{}, 2, type, {std::min(x.low, y.low), std::max(x.high, y.high)}, test.effects};
  result.text = fmt::format("{} ? {} : {}", in(test, 3), in(a, 2), in(b, 2));
  result.effects.add(a.effects);
  result.effects.add(b.effects);
  return result;
}

Value Expressions::fitted(Value value, Type type, Range range) {
  if (isFloating(value.type) && !isFloating(type) && type != Type::Bool) value = integer(value);
  if (isFloating(type)) {
    if (range.holds(value.range)) return value;
    if (isFloating(value.type)) return valueOf({"0.5f", Type::Float, 0.5});
    return bounded(value, static_cast<int>(range.high));
  }
  if (range.holds(converted(value.range, type))) return value;
  const int most = static_cast<int>(range.high);
  return range.low < 0 && random_.chance(60) ? remainder(value, most) : masked(value, most);
}

Value Expressions::change(int depth) {
  const auto names = visible(true);
  if (onlyConstants_ || isPure || names.empty()) return literal();
  if (!functions.empty() && random_.chance(25)) return call(depth);
  const Variable& variable = *names[random_.below(static_cast<unsigned>(names.size()))];
  const Value place = element(variable, std::min(depth, 1));
  Value result = random_.chance(50) ? compound(variable, place, depth) : Value{};
  if (result.text.empty()) {
    // The right side of an assignment happens before its left one.
    const Value from = fitting(variable.type, variable.range, depth);
    result = {fmt::format("{} = {}", in(place, 3), in(from, 2)), 2, variable.type, variable.range,
              place.effects};
    result.effects.add(from.effects);
  }
  result.effects.writes |= variable.places;
  all.add(result.effects);
  return result;
}

/// `x += e`, `x++` and the like, if what x may hold is closed under it; else nothing.
Value Expressions::compound(const Variable& variable, Value place, int depth) {
  const Type type = variable.type;
  Value result{{}, 2, type, variable.range, place.effects};
  if (isFloating(type)) {
    static constexpr std::array<std::string_view, 4> kHalves = {"*= 0.5f", "/= 2", "/= 4.0", "*= -1"};
    result.text = fmt::format("{} {}", place.text, kHalves[random_.below(4)]);
    return result;
  }
  if (isWhole(variable) && random_.chance(35)) {
    const bool isBefore = random_.chance(50);
    const std::string_view sign = random_.chance(50) ? "++" : "--";
    result.strength = isBefore ? 15 : 16;
    result.text = isBefore ? std::string(sign) + place.text : place.text + std::string(sign);
    return result;
  }
  Value from = bounded(integer(any(depth)), 1000);
  static constexpr std::array<std::string_view, 6> kOpen = {"+=", "-=", "*=", "^=", "|=", "&="};
  std::string_view sign;
  if (isWhole(variable)) {
    sign = kOpen[random_.below(6)];
  } else if (type == Type::Bool) {
    sign = kOpen[3 + random_.below(3)];
  } else {
    static constexpr std::array<std::string_view, 4> kClosed = {"/=", "%=", ">>=", "&="};
    const unsigned which = random_.below(4);
    sign = kClosed[which];
    if (which == 2) from = index(4, depth);
    if (which < 2) from = nonzero(from);
    const bool turnsUnsigned = !facts(common(type, from.type)).isSigned && variable.range.low < 0;
    if ((which < 2 && turnsUnsigned) || (which == 3 && variable.range.low < 0)) return {};
  }
  result.text = fmt::format("{} {} {}", place.text, sign, in(from, 2));
  result.effects.add(from.effects);
  return result;
}

const Function* Expressions::chosen(const std::string& name, const std::vector<Value>& arguments) const {
  std::vector<const Function*> fitting;
  for (const Function& one : functions)
    if (one.name == name && arguments.size() <= one.parameters.size() &&
        arguments.size() + one.defaults >= one.parameters.size())
      fitting.push_back(&one);
  const auto isBetter = [&arguments](const Function& a, const Function& b) {
    bool isBetterOnce = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const int x = rank(arguments[i].type, a.parameters[i].type);
      const int y = rank(arguments[i].type, b.parameters[i].type);
      if (x > y) return false;
      isBetterOnce |= x < y;
    }
    return isBetterOnce;
  };
  for (const Function* one : fitting)
    if (std::ranges::all_of(fitting,
                            [&](const Function* other) { return other == one || isBetter(*one, *other); }))
      return one;
  return nullptr;
}

/// A variable of the parameter's type that holds the same, and that no other argument has to do with.
bool Expressions::bindsReference(const Parameter& parameter, const Effects& others, Value& argument) {
  if (onlyConstants_) return false;
  for (const Variable* one : visible(true)) {
    if (one->elements != 0 || one->type != parameter.type || (one->places & fileScope) != 0) continue;
    if (!one->range.holds(parameter.range) || !parameter.range.holds(one->range)) continue;
    argument = {one->name, 16, one->type, one->range, {one->places, one->places}};
    if (!argument.effects.meets(others)) return true;
  }
  return false;
}

/// The function's name in a call: in a namespace or a class its functions hide those outside.
std::string Expressions::named(const Function& function) {
  const std::string& name = function.name;
  if (function.isLocal) return name;
  if (!inside.empty() && name.starts_with(inside))
    return random_.chance(50) ? name.substr(inside.size()) : name;
  const bool isOutside = name.find(':') == std::string::npos;
  return isOutside && (!inside.empty() || random_.chance(25)) ? "@::" + name : name;
}

Value Expressions::call(int depth) {
  if (functions.empty()) return leaf();
  const Function& function = functions[random_.below(static_cast<unsigned>(functions.size()))];
  if (!function.isUsable || (onlyConstants_ && !function.isConstant)) return literal();
  std::vector<Value> arguments;
  Effects effects;
  const std::size_t count =
      function.parameters.size() - random_.below(static_cast<unsigned>(function.defaults) + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const Parameter& parameter = function.parameters[i];
    Value argument;
    if (!parameter.isReference)
      argument = fitted(beside(effects, std::min(depth, 2)), parameter.type, parameter.range);
    else if (!bindsReference(parameter, effects, argument))
      return literal();
    effects.add(argument.effects);
    arguments.push_back(argument);
  }
  if (function.isCalledExactly || chosen(function.name, arguments) != &function)
    for (std::size_t i = 0; i < count; ++i)
      if (!function.parameters[i].isReference)
        arguments[i].text =
            fmt::format("({}){}", facts(function.parameters[i].type).name, in(arguments[i], 15));
  std::string text = named(function) + "(";
  for (const Value& argument : arguments)
    text += (&argument == arguments.data() ? "" : ", ") +
            (argument.strength == 1 ? in(argument, 2) : argument.text);
  effects.add(function.effects);
  all.add(effects);
  return {text + ")", 16, function.result, function.range, effects};
}

std::string Expressions::word(int depth) {
  Value value = any(depth);
  if (isFloating(value.type)) {
    if (value.range.size() > 1e7) return in(value, 9) + " > 2";
    return fmt::format("{}({} * 8)", random_.chance(50) ? "int" : "(int)", in(value, 13));
  }
  if (facts(value.type).bits == 64 && random_.chance(50)) return in(value, 11) + " >> 20";
  return in(value, 2);
}

}  // namespace lanescope::random_programs
