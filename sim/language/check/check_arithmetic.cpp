#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"

// Arithmetic of numbers, of 16 bits too, and of pointers.
namespace lanescope::checker {

using typed::BinaryOp;

ExpressionPtr Checker::pointerStep(ExpressionPtr pointer, ExpressionPtr index, bool negative,
                                   SourceSpan span) {
  const Type* type = pointer->type;
  if (type->element->size == 0) {
    failTyping(span, "a pointer to void or to an array without extent cannot be moved", "cast it");
  }
  const std::int64_t size = type->element->size;
  const Type* indexType = promoted(index->type);
  index = convert(std::move(index), indexType);
  ExpressionPtr result = make(Kind::PointerAdd, type, span, std::move(pointer), std::move(index));
  result->scale = negative ? -size : size;
  return result;
}

/// The pointer moved by bytes to a part of the object it points to.
ExpressionPtr Checker::moved(ExpressionPtr pointer, std::int64_t bytes, const Type* element, bool isConst) {
  const SourceSpan span = pointer->span;
  const Type* type = pointerTo(element, isConst);
  if (bytes == 0) {
    pointer->type = type;
    return pointer;
  }
  ExpressionPtr one = constant(scalar(Type::Kind::I32), 1, span);
  ExpressionPtr result = make(Kind::PointerAdd, type, span, std::move(pointer), std::move(one));
  result->scale = bytes;
  return result;
}

/// The same within an object, from one of its bases to another. Null remains null.
ExpressionPtr Checker::movedUnlessNull(ExpressionPtr pointer, std::int64_t bytes, const Type* element,
                                       bool isConst) {
  const bool isAddress = pointer->kind == Kind::LocalAddress || pointer->kind == Kind::SharedAddress ||
                         pointer->kind == Kind::PointerAdd;
  if (bytes == 0 || isAddress) return moved(std::move(pointer), bytes, element, isConst);
  const SourceSpan span = pointer->span;
  const Type* const type = pointerTo(element, isConst);
  std::uint32_t held = 0;
  ExpressionPtr set = hold("(pointer)", std::move(pointer), span, held);
  ExpressionPtr chosen =
      make(Kind::Conditional, type, span, toBool(wholeVariable(held, span)),
           moved(wholeVariable(held, span), bytes, element, isConst), constant(type, 0, span));
  return sequence(span, std::move(set), std::move(chosen));
}

/// Refuses an operator on a vector such as float4: only headers of samples have any. `b`: null for one
/// operand.
void Checker::refuseVectors(std::string_view sign, const Type& a, const Type* b, SourceSpan span) {
  const auto isBuiltIn = [&](const Type* type) {
    return type != nullptr && type->isStruct() && kernel_.types->named(type->structName) == type;
  };
  if (!isBuiltIn(&a) && !isBuiltIn(b)) return;
  failUnknown(span,
              b == nullptr ? fmt::format("'{}' does not apply to {}", sign, a.name())
                           : fmt::format("'{}' does not apply to {} and {}", sign, a.name(), b->name()),
              "CUDA has no operators for vectors: write it for x, y and the other components, or include "
              "helper_math.h of NVIDIA's samples");
}

ExpressionPtr Checker::arithmetic(BinaryOp op, ExpressionPtr a, ExpressionPtr b, SourceSpan span,
                                  std::string_view sign) {
  const bool isShift = op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight;
  const bool needsIntegers = isShift || op == BinaryOp::Remainder || op == BinaryOp::And ||
                             op == BinaryOp::Or || op == BinaryOp::Xor;
  const bool isScoped = a->type->isScoped || b->type->isScoped;
  const bool fits = isScoped        ? isComparison(op) && a->type == b->type
                    : needsIntegers ? a->type->isInteger() && b->type->isInteger()
                                    : a->type->isArithmetic() && b->type->isArithmetic();
  if (!fits) {
    refuseVectors(sign, *a->type, b->type, span);
    failTyping(span, fmt::format("'{}' does not apply to {} and {}", sign, a->type->name(), b->type->name()),
               needsIntegers ? "both sides must be integers" : "both sides must be numbers");
  }
  const Type* type = isShift ? promoted(a->type) : common(a->type, b->type);
  a = convert(std::move(a), type);
  b = convert(std::move(b), type);
  return fold(makeBinary(op, isComparison(op) ? boolType() : type, std::move(a), std::move(b), span));
}

/// `a sign b` for every operator except && || and the comma, including operators on pointers.
ExpressionPtr Checker::operate(std::string_view sign, ExpressionPtr a, ExpressionPtr b, SourceSpan span) {
  static const std::map<std::string_view, BinaryOp> kOps = {
      {"+", BinaryOp::Add},         {"-", BinaryOp::Subtract},  {"*", BinaryOp::Multiply},
      {"/", BinaryOp::Divide},      {"%", BinaryOp::Remainder}, {"&", BinaryOp::And},
      {"|", BinaryOp::Or},          {"^", BinaryOp::Xor},       {"<<", BinaryOp::ShiftLeft},
      {">>", BinaryOp::ShiftRight}, {"<", BinaryOp::Less},      {"<=", BinaryOp::LessEqual},
      {"==", BinaryOp::Equal},      {"!=", BinaryOp::NotEqual}};
  a = promotedBits(std::move(a));
  b = promotedBits(std::move(b));
  if (areHalves(*a->type, *b->type)) return operateOnHalves(sign, std::move(a), std::move(b), span);
  if (sign == ">" || sign == ">=") {
    // a > b is b < a: C++ leaves the order of the operands open.
    return operate(sign == ">" ? "<" : "<=", std::move(b), std::move(a), span);
  }
  const bool left = a->type->isPointer();
  const bool right = b->type->isPointer();
  if (sign == "+" && left != right && (left ? b : a)->type->isInteger()) {
    return left ? pointerStep(std::move(a), std::move(b), false, span)
                : pointerStep(std::move(b), std::move(a), false, span);
  }
  if (sign == "-" && left && b->type->isInteger()) return pointerStep(std::move(a), std::move(b), true, span);
  const BinaryOp op = kOps.at(sign);
  if (isComparison(op) && left != right) {  // p == 0
    (left ? b : a) = convertImplicitly(std::move(left ? b : a), (left ? a : b)->type, span);
    return operate(sign, std::move(a), std::move(b), span);
  }
  if (isComparison(op) && left && right && a->type->element != b->type->element) {  // [expr.type] 7.2.2/3
    const auto becomes = [&](const Type* from, const Type* to) {
      return from->element->kind == Type::Kind::Void || isDerivedPart(from->element, to->element) ||
             addsConst(from, to);
    };
    const bool toLeft = becomes(b->type, a->type);
    if (toLeft || becomes(a->type, b->type)) {
      ExpressionPtr& one = toLeft ? b : a;
      const Type* const other = (toLeft ? a : b)->type;
      const Type* const wanted =
          kernel_.types->pointerTo(other->element, other->elementIsConst || one->type->elementIsConst, false);
      one = isDerivedPart(one->type->element, other->element)
                ? convertImplicitly(std::move(one), wanted, span)
                : convert(std::move(one), wanted);
    }
  }
  if (left && right && a->type->element == b->type->element) {
    if (op == BinaryOp::Subtract) {
      const std::int64_t size = a->type->element->size;
      ExpressionPtr result =
          make(Kind::PointerDifference, kernel_.types->named("long"), span, std::move(a), std::move(b));
      result->scale = size;
      return result;
    }
    if (isComparison(op)) return makeBinary(op, boolType(), std::move(a), std::move(b), span);
  }
  return arithmetic(op, std::move(a), std::move(b), span, sign);
}

// --- half and __nv_bfloat16: conversions and operators, by the functions of CUDA's headers ---

/// A conversion from or to a number of 16 bits, rounded once.
ExpressionPtr Checker::convertHalf(ExpressionPtr value, const Type* type) {
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
ExpressionPtr Checker::operateOnHalves(std::string_view sign, ExpressionPtr a, ExpressionPtr b,
                                       SourceSpan span) {
  static const std::map<std::string_view, std::pair<std::string_view, std::string_view>> kFunctions = {
      {"+", {"__hadd", "__hadd2"}}, {"-", {"__hsub", "__hsub2"}}, {"*", {"__hmul", "__hmul2"}},
      {"/", {"__hdiv", "__h2div"}}, {"==", {"__heq", "__hbeq2"}}, {"!=", {"__hneu", "__hbneu2"}},
      {"<", {"__hlt", "__hblt2"}},  {"<=", {"__hle", "__hble2"}}, {">", {"__hgt", "__hbgt2"}},
      {">=", {"__hge", "__hbge2"}}};
  const auto function = kFunctions.find(sign);
  if (a->type != b->type) {
    // With a number of another type, a half fits its own operator and float's equally well.
    failTyping(span,
               fmt::format("'{}' between {} and {} is ambiguous", sign, a->type->name(), b->type->name()),
               "convert one side: __half2float(h), __float2half(x)");
  }
  if (function == kFunctions.end()) {
    failTyping(span, fmt::format("'{}' does not apply to {}", sign, a->type->name()),
               "convert it to an integer");
  }
  const bool isPair = a->type->isHalf2();
  Values operands = formatList(std::move(a), std::move(b));
  return isPair ? libraryCall(function->second.second, std::move(operands), span)
                : laneFunction(function->second.first, std::move(operands), span);
}

ExpressionPtr Checker::negativeHalf(ExpressionPtr value, SourceSpan span) {
  const bool isPair = value->type->isHalf2();
  Values operands = formatList(std::move(value));
  return isPair ? libraryCall("__hneg2", std::move(operands), span)
                : laneFunction("__hneg", std::move(operands), span);
}

}  // namespace lanescope::checker
