// Names from CUDA's headers that are not built into the checker: functions of a lane (lane_functions.def),
// functions written in CUDA C++ (device_library.cpp), and constants.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_folding.h"
#include "sim/language/check/device_library.h"
#include "sim/language/check/lane_functions.h"
#include "sim/base/counted.h"

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
Checker::ExpressionPtr Checker::laneFunction(const syntax::Expression& node) {
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
Checker::ExpressionPtr Checker::laneFunction(std::string_view name, Values values, SourceSpan span) {
  const std::vector<std::uint32_t> functions = laneFunctionsNamed(name);
  std::vector<Operand> arguments;
  for (ExpressionPtr& value : values) arguments.push_back(asOperand(std::move(value)));
  const auto computeCost = [&](std::uint32_t function) {
    int total = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const int cost = conversionCost(arguments[i], scalar(kLaneFunctions[function].operands[i]));
      if (cost < 0) return INT32_MAX;
      total += cost;
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

Checker::ExpressionPtr Checker::laneCall(std::uint32_t function, Values arguments, SourceSpan span) {
  const LaneFunction& row = kLaneFunctions[function];
  ExpressionPtr result = make(Kind::LaneCall, scalar(row.result), span);
  result->index = function;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    result->operands.push_back(convertImplicitly(std::move(arguments[i]), scalar(row.operands[i]), span));
  return result;
}

/// A call of a function of the device library with checked values.
Checker::ExpressionPtr Checker::libraryCall(std::string_view name, Values arguments, SourceSpan span) {
  const syntax::ExpressionPtr node = syntax::made(SyntaxKind::Call, span, name);
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

/// While this object lives, everything that is checked counts as part of the call at the span: the library
/// has no lines that a reader could look at.
LibraryCall::LibraryCall(CheckerState& checker, SourceSpan span)
    : checker_(checker), isOuter_(!checker.librarySpan_) {
  if (isOuter_) checker_.librarySpan_ = span;
}

LibraryCall::~LibraryCall() {
  if (isOuter_) checker_.librarySpan_.reset();
}

/// A constant of <climits>, <cfloat>, <cmath> or math_constants.h, or null.
Checker::ExpressionPtr Checker::standardConstant(const syntax::Expression& node) {
  struct Whole {
    Type::Kind kind;
    std::int64_t value;
  };
  static const std::unordered_map<std::string_view, Whole> kWhole = {
#define WHOLE(name, kind, value) {#name, {Type::Kind::kind, static_cast<std::int64_t>(value)}},
#define REAL(...)
#include "sim/language/check/constants.def"
  };
  struct Real {
    Type::Kind kind;
    double value;
  };
  static const std::unordered_map<std::string_view, Real> kReal = {
#define WHOLE(...)
#define REAL(name, kind, value) {#name, {Type::Kind::kind, value}},
#include "sim/language/check/constants.def"
  };
  if (const auto whole = kWhole.find(node.text); whole != kWhole.end()) {
    const Type* type = scalar(whole->second.kind);
    return constant(type, constantBits(*type, whole->second.value), node.span);
  }
  if (const auto real = kReal.find(node.text); real != kReal.end()) {
    const Type* type = scalar(real->second.kind);
    return constant(type, floatingBits(*type, real->second.value), node.span);
  }
  return nullptr;
}

}  // namespace lanescope::checker
