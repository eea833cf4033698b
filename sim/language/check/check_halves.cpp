// half and __nv_bfloat16: conversions and operators, by the functions that CUDA's headers use for them.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {

/// A conversion from or to a number of 16 bits, rounded once.
Checker::ExpressionPtr Checker::convertHalf(ExpressionPtr value, const Type* type) {
  const SourceSpan span = value->span;
  const auto call = [&](std::string_view name, ExpressionPtr operand) {
    return laneFunction(name, formatList(std::move(operand)), span);
  };
  const Type* from = value->type;
  if (from->isHalf()) {  // through float, which holds both
    ExpressionPtr wide =
        call(from->kind == Type::Kind::F16 ? "__half2float" : "__bfloat162float", std::move(value));
    return convert(std::move(wide), type);
  }
  const bool isHalf = type->kind == Type::Kind::F16;
  const std::string word = isHalf ? "half" : "bfloat16";
  if (from->isFloating()) {
    return call((from->kind == Type::Kind::F64 ? "__double2" : "__float2") + word, std::move(value));
  }
  const std::string_view prefix = from->size < 8 ? (from->isSigned() || from->size < 4 ? "__int2" : "__uint2")
                                  : from->isSigned() ? "__ll2"
                                                     : "__ull2";
  return call(fmt::format("{}{}_rn", prefix, word), std::move(value));
}

/// `a sign b` if one side is half, half2 or one of their bfloat16 counterparts (cuda_fp16.hpp, operators).
Checker::ExpressionPtr Checker::operateOnHalves(std::string_view sign, ExpressionPtr a, ExpressionPtr b,
                                                SourceSpan span) {
  static const std::map<std::string_view, std::pair<std::string_view, std::string_view>> kFunctions = {
      {"+", {"__hadd", "__hadd2"}}, {"-", {"__hsub", "__hsub2"}}, {"*", {"__hmul", "__hmul2"}},
      {"/", {"__hdiv", "__h2div"}}, {"==", {"__heq", "__hbeq2"}}, {"!=", {"__hneu", "__hbneu2"}},
      {"<", {"__hlt", "__hblt2"}},  {"<=", {"__hle", "__hble2"}}, {">", {"__hgt", "__hbgt2"}},
      {">=", {"__hge", "__hbge2"}}};
  const auto function = kFunctions.find(sign);
  if (a->type != b->type) {
    // With a number of another type, a half fits its own operator and float's equally well.
    fail(span, fmt::format("'{}' between {} and {} is ambiguous", sign, a->type->name(), b->type->name()),
         "convert one side: __half2float(h), __float2half(x)");
  }
  if (function == kFunctions.end()) {
    fail(span, fmt::format("'{}' does not apply to {}", sign, a->type->name()), "convert it to an integer");
  }
  const bool isPair = a->type->isHalf2();
  Values operands = formatList(std::move(a), std::move(b));
  return isPair ? libraryCall(function->second.second, std::move(operands), span)
                : laneFunction(function->second.first, std::move(operands), span);
}

Checker::ExpressionPtr Checker::negativeHalf(ExpressionPtr value, SourceSpan span) {
  const bool isPair = value->type->isHalf2();
  Values operands = formatList(std::move(value));
  return isPair ? libraryCall("__hneg2", std::move(operands), span)
                : laneFunction("__hneg", std::move(operands), span);
}

}  // namespace lanescope::checker
