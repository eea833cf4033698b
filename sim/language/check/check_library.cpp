#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/language/check/lane_functions.h"

// Names from CUDA's headers that are not built into the checker: functions of a lane (lane_functions.def),
// functions written in CUDA C++ (device_library.cpp), and constants.
namespace lanescope::checker {

namespace {

/// The name without `std::`, if the function is in std:: as well.
std::string_view plainName(std::string_view name) {
  constexpr std::string_view kStandard = "std::";
  if (name.starts_with(kStandard) && !name.substr(kStandard.size()).starts_with("_"))
    name.remove_prefix(kStandard.size());
  return name;
}

/// The numbers of the lane functions of that name.
std::vector<std::uint32_t> laneFunctionsNamed(std::string_view name) {
  static const std::unordered_multimap<std::string_view, std::uint32_t> kNumbers = [] {
    std::unordered_multimap<std::string_view, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < kLaneFunctions.size(); ++i) numbers.emplace(kLaneFunctions[i].name, i);
    return numbers;
  }();
  std::vector<std::uint32_t> found;
  const auto [begin, end] = kNumbers.equal_range(name);
  for (auto number = begin; number != end; ++number) found.push_back(number->second);
  std::ranges::sort(found);
  return found;
}

}  // namespace

/// A call of one of the functions in lane_functions.def. Null if none has the name.
ExpressionPtr Checker::laneFunction(const syntax::Expression& node) {
  const std::vector<std::uint32_t> functions = laneFunctionsNamed(plainName(node.text));
  if (functions.empty()) return nullptr;
  const std::size_t most = kLaneFunctions[functions[0]].count();
  expectArguments(node, most, most);
  Values arguments;
  for (const syntax::ExpressionPtr& operand : node.operands) arguments.push_back(value(*operand));
  const std::vector<Callee> ofStructs = libraryFunctions(node.text);  // __dp4a(char4, char4, int)
  if (!ofStructs.empty() && arguments[0]->type->isStruct()) {
    std::vector<Operand> operands;
    for (ExpressionPtr& argument : arguments) operands.push_back(asOperand(std::move(argument)));
    return callWith(node, ofStructs, std::move(operands));
  }
  return laneFunction(plainName(node.text), std::move(arguments), node.span);
}

/// The function of that name whose parameters the arguments fit best.
ExpressionPtr Checker::laneFunction(std::string_view name, Values values, SourceSpan span) {
  const std::vector<std::uint32_t> functions = laneFunctionsNamed(name);
  std::vector<Operand> arguments;
  for (ExpressionPtr& value : values) {
    arguments.push_back(asOperand(std::move(value)));
    const Type*& type = arguments.back().type;
    if (type->isArithmetic() && !type->isScoped) type = scalar(promoted(type)->kind);  // long as long long
  }
  const auto computeCost = [&](std::uint32_t function) {
    int total = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Conversion made = conversion(arguments[i], scalar(kLaneFunctions[function].operands[i]));
      if (!made.exists()) return INT32_MAX;
      total += static_cast<int>(made.rank) + (made.isUsers ? 2 : 0);
    }
    return total;
  };
  const std::uint32_t chosen = *std::ranges::min_element(functions, {}, computeCost);
  if (computeCost(chosen) == INT32_MAX) {
    std::string types;
    for (const Operand& argument : arguments) types += (types.empty() ? "" : ", ") + argument.type->name();
    fail(span, fmt::format("no {} takes ({})", name, types), "convert the arguments");
  }
  values.clear();
  for (Operand& argument : arguments) values.push_back(makeValue(std::move(argument)));
  return laneCall(chosen, std::move(values), span);
}

ExpressionPtr Checker::laneCall(std::uint32_t function, Values arguments, SourceSpan span) {
  const LaneFunction& row = kLaneFunctions[function];
  ExpressionPtr result = make(Kind::LaneCall, scalar(row.result), span);
  result->index = function;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    result->operands.push_back(convertImplicitly(std::move(arguments[i]), scalar(row.operands[i]), span));
  return result;
}

/// A call of a function of the device library with checked values.
ExpressionPtr Checker::libraryCall(std::string_view name, Values arguments, SourceSpan span) {
  const syntax::ExpressionPtr node = syntax::makeExpression(SyntaxKind::Call, span, name);
  std::vector<Operand> operands;
  for (ExpressionPtr& argument : arguments) {
    operands.push_back(asOperand(std::move(argument)));
    operands.back().span = span;
  }
  return callWith(*node, libraryFunctions(name), std::move(operands));
}

/// The functions of the device library that have the name.
std::vector<Callee> Checker::libraryFunctions(std::string_view name) {
  std::vector<Callee> found;
  for (const syntax::Function* const function : libraryFunctionsNamed(plainName(name)))
    found.push_back({function});
  return found;
}

/// A constant of <climits>, <cfloat>, <cmath> or math_constants.h, or null.
ExpressionPtr Checker::standardConstant(const syntax::Expression& node) {
  struct Row {
    Type::Kind kind;
    std::int64_t whole;
    double real;
  };
  static const std::unordered_map<std::string_view, Row> kRows = {
#define WHOLE(name, kind, value) {#name, {Type::Kind::kind, static_cast<std::int64_t>(value), 0}},
#define REAL(name, kind, value) {#name, {Type::Kind::kind, 0, value}},
#include "sim/language/check/constants.def"
  };
  const auto row = kRows.find(node.text);
  if (row == kRows.end()) return nullptr;
  const auto& [kind, whole, real] = row->second;
  const bool isLong =
      (kind == Type::Kind::I64 || kind == Type::Kind::U64) && node.text.find("LL") == std::string::npos;
  const Type* const type = !isLong                   ? scalar(kind)
                           : kind == Type::Kind::I64 ? kernel_.types->named("long")
                                                     : sizeType();
  return constant(type, type->isFloating() ? floatingBits(*type, real) : constantBits(*type, whole),
                  node.span);
}

// Templates of the C++ library that are not in its own text (parse/standard_library.cpp):
// std::numeric_limits, std::min<T>, std::is_integral_v. Also constexpr functions, whose value is known if
// their arguments are.

namespace {

using typed::BinaryOp;

template <class T>
std::optional<double> realLimit(std::string_view name) {
  using Limits = std::numeric_limits<T>;
  if (name == "max") return Limits::max();
  if (name == "lowest") return Limits::lowest();
  if (name == "min") return Limits::min();
  if (name == "epsilon") return Limits::epsilon();
  if (name == "infinity") return Limits::infinity();
  if (name == "quiet_NaN") return Limits::quiet_NaN();
  if (name == "denorm_min") return Limits::denorm_min();
  return std::nullopt;
}

/// The lowest or highest integer of a type, extended to 64 bits.
std::optional<std::int64_t> wholeLimit(const Type& type, std::string_view name) {
  const bool isMax = name == "max";
  if (!isMax && name != "min" && name != "lowest") return std::nullopt;
  if (type.kind == Type::Kind::Bool) return isMax ? 1 : 0;
  const unsigned bits = 8 * type.size;
  if (!type.isSigned()) return isMax ? static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - bits)) : 0;
  const auto most = static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - bits));
  return isMax ? most : -most - 1;
}

}  // namespace

/// std::numeric_limits<T>::max() and other members.
ExpressionPtr Checker::numericLimit(const syntax::Expression& node, const Type* type) {
  const std::string_view name = std::string_view(node.text).substr(node.text.rfind(':') + 1);
  if (type->isFloating()) {
    const auto limit = type->kind == Type::Kind::F32 ? realLimit<float>(name) : realLimit<double>(name);
    if (limit) return constant(type, floatingBits(*type, *limit), node.span);
  } else if (type->isInteger() && !type->isEnum()) {
    if (const auto limit = wholeLimit(*type, name))
      return constant(type, constantBits(*type, *limit), node.span);
  }
  fail(node.span, fmt::format("std::numeric_limits<{}>::{} is not simulated", type->name(), name),
       "known are max, min and lowest, and of float and double epsilon, infinity, quiet_NaN and denorm_min");
}

/// The building blocks of libcu++'s atomics below 32 bits, which no text can call:
/// `std::__atomic_cas<short>(p, a, b)`.
ExpressionPtr Checker::narrowAtomic(const syntax::Expression& node, const Type* type) {
  const bool isLoad = node.text == "std::__atomic_load";
  const bool isSwap = node.text == "std::__atomic_swap";
  const auto given = [&](std::size_t i) { return convert(value(*node.operands[i]), type); };
  ExpressionPtr operand = isLoad ? constant(type, 0, node.span) : given(1);
  ExpressionPtr result = make(Kind::Atomic, type, node.span, value(*node.operands[0]), std::move(operand));
  result->atomic = isLoad   ? typed::AtomicOp::Or
                   : isSwap ? typed::AtomicOp::Exchange
                            : typed::AtomicOp::CompareSwap;
  if (!isLoad && !isSwap) result->operands.push_back(given(2));
  return result;
}

/// A name of std:: with template arguments.
ExpressionPtr Checker::standardTemplate(const syntax::Expression& node) {
  const std::string_view name = node.text;
  const bool isTrait = name.starts_with("std::is_");
  const auto truth = [&](bool value) { return constant(boolType(), value ? 1 : 0, node.span); };
  std::vector<const Type*> types;
  for (const syntax::TemplateArgument& argument : node.templateArguments) {
    if (!argument.type) fail(node.span, fmt::format("{} takes types", node.text), "write a type in its <…>");
    if (isTrait && meaning(*argument.type).isReference) return truth(false);
    types.push_back(resolve(*argument.type));
  }
  const std::size_t operands = name == "std::__atomic_load" ? 1 : name == "std::__atomic_swap" ? 2 : 3;
  if (name.starts_with("std::__atomic_") && types.size() == 1 && node.operands.size() == operands &&
      types[0]->isInteger() && types[0]->size < 4)
    return narrowAtomic(node, types[0]);
  if (name.starts_with("std::numeric_limits::") && types.size() == 1) return numericLimit(node, types[0]);
  if (types.size() == 1 && isTrait) {
    const Type& type = *types[0];
    const bool isInteger = type.isInteger() && !type.isEnum();
    const bool isArithmetic = isInteger || type.isFloating();
    const bool isSigned = type.isFloating() || type.isSigned();
    const std::pair<std::string_view, bool> traits[] = {{"enum", type.isEnum()},
                                                        {"floating_point", type.isFloating()},
                                                        {"integral", isInteger},
                                                        {"arithmetic", isArithmetic},
                                                        {"signed", isArithmetic && isSigned},
                                                        {"unsigned", isArithmetic && !isSigned}};
    for (const auto& [trait, holds] : traits) {
      if (name == fmt::format("std::is_{}_v", trait)) return constant(boolType(), holds ? 1 : 0, node.span);
    }
  }
  if (name == "std::__underlying" && types.size() == 1) {
    if (!types[0]->isEnum())
      failTyping(node.span, fmt::format("{} is no enum: it has no underlying type", types[0]->name()),
                 "name an enum");
    return constant(types[0]->underlying, 0, node.span);
  }
  const bool isMinimum = name == "std::min";
  if ((isMinimum || name == "std::max") && types.size() == 1 && node.operands.size() == 2 &&
      types[0]->isArithmetic() && !types[0]->isEnum()) {
    ExpressionPtr a = convertImplicitly(value(*node.operands[0]), types[0], node.operands[0]->span);
    ExpressionPtr b = convertImplicitly(value(*node.operands[1]), types[0], node.operands[1]->span);
    return convert(arithmetic(isMinimum ? BinaryOp::Minimum : BinaryOp::Maximum, std::move(a), std::move(b),
                              node.span, name),
                   types[0]);
  }
  fail(node.span, fmt::format("'{}' with these arguments is not simulated", name),
       "known are std::numeric_limits, std::min, std::max and the traits of types that README.md lists");
}

}  // namespace lanescope::checker
