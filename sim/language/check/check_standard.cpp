// Templates of the C++ library that are not in its own text (parse/standard_library.cpp):
// std::numeric_limits, std::min<T>, std::is_integral_v. Also constexpr functions, whose value is known if
// their arguments are.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_folding.h"

namespace lanescope::checker {
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
Checker::ExpressionPtr Checker::numericLimit(const syntax::Expression& node, const Type* type) {
  const std::string_view name = std::string_view(node.text).substr(node.text.rfind(':') + 1);
  if (type->isFloating()) {
    const auto limit = type->kind == Type::Kind::F32 ? realLimit<float>(name) : realLimit<double>(name);
    if (limit) return constant(type, floatingBits(*type, *limit), node.span);
  } else if (type->isInteger()) {
    if (const auto limit = wholeLimit(*type, name))
      return constant(type, constantBits(*type, *limit), node.span);
  }
  fail(node.span, fmt::format("std::numeric_limits<{}>::{} is not simulated", type->name(), name),
       "known are max, min and lowest, and of float and double epsilon, infinity, quiet_NaN and denorm_min");
}

/// The building blocks of libcu++'s atomics below 32 bits, which no text can call:
/// `std::__atomic_cas<short>(p, a, b)`.
Checker::ExpressionPtr Checker::narrowAtomic(const syntax::Expression& node, const Type* type) {
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
Checker::ExpressionPtr Checker::standardTemplate(const syntax::Expression& node) {
  std::vector<const Type*> types;
  for (const syntax::TemplateArgument& argument : node.templateArguments) {
    if (!argument.type) fail(node.span, fmt::format("{} takes types", node.text), "write a type in its <…>");
    types.push_back(resolve(*argument.type));
  }
  const std::string_view name = node.text;
  const auto truth = [&](bool value) { return constant(scalar(Type::Kind::Bool), value ? 1 : 0, node.span); };
  const std::size_t operands = name == "std::__atomic_load" ? 1 : name == "std::__atomic_swap" ? 2 : 3;
  if (name.starts_with("std::__atomic_") && types.size() == 1 && node.operands.size() == operands &&
      types[0]->isInteger() && types[0]->size < 4)
    return narrowAtomic(node, types[0]);
  if (name.starts_with("std::numeric_limits::") && types.size() == 1) return numericLimit(node, types[0]);
  if (types.size() == 1 && name.starts_with("std::is_")) {
    const Type& type = *types[0];
    const bool isSigned = type.isFloating() || (type.isInteger() && type.isSigned());
    if (name == "std::is_floating_point_v") return truth(type.isFloating());
    if (name == "std::is_integral_v") return truth(type.isInteger());
    if (name == "std::is_arithmetic_v") return truth(type.isArithmetic());
    if (name == "std::is_signed_v") return truth(type.isArithmetic() && isSigned);
    if (name == "std::is_unsigned_v") return truth(type.isArithmetic() && !isSigned);
  }
  const bool isMinimum = name == "std::min";
  if ((isMinimum || name == "std::max") && types.size() == 1 && node.operands.size() == 2 &&
      types[0]->isArithmetic()) {
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
