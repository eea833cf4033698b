#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_folding.h"

namespace lanescope::checker {

using typed::BinaryOp;

namespace {

/// True if the operator takes only integers.
bool takesIntegers(BinaryOp op) {
  switch (op) {
    case BinaryOp::Remainder:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight: return true;
    default: return false;
  }
}

}  // namespace

Checker::ExpressionPtr Checker::convert(ExpressionPtr value, const Type* type) {
  if (value->type == type) return value;
  if ((value->type->isHalf() && type->kind != Type::Kind::Void) || type->isHalf())
    return convertHalf(std::move(value), type);
  const SourceSpan span = value->span;
  return fold(make(Kind::Convert, type, span, std::move(value)));
}

/// A conversion that is implicit in C++. Anything else is a fault.
Checker::ExpressionPtr Checker::convertImplicitly(ExpressionPtr value, const Type* type, SourceSpan span) {
  const Type* from = value->type;
  if (type->takesGroup(*from)) return value;
  if (from == type || convertsNumbers(*from, *type)) return convert(std::move(value), type);
  if (from->isPointer() && type->kind == Type::Kind::Bool) return convert(std::move(value), type);
  const bool isNull = value->kind == Kind::Constant && value->bits == 0;
  if (isNull && type->isPointer() && (from->isPointer() || from->isInteger())) return constant(type, 0, span);
  const bool isToVoid = type->isPointer() && type->element->kind == Type::Kind::Void;
  if (from->isPointer() && type->isPointer() && (from->element == type->element || isToVoid)) {
    if (from->elementIsConst && !type->elementIsConst) {
      fail(span, fmt::format("{} cannot become {}: it would allow stores", from->name(), type->name()),
           "declare the pointer const");
    }
    return convert(std::move(value), type);
  }
  if (ExpressionPtr converted = classConversion(value, type, span)) return converted;
  fail(span, fmt::format("{} cannot become {} here", from->name(), type->name()),
       "convert it with a cast, or use the matching type");
}

Checker::ExpressionPtr Checker::toBool(ExpressionPtr value) {
  if (findClass(value->type) != nullptr) {
    const SourceSpan span = value->span;
    if (ExpressionPtr own = classConversion(value, scalar(Type::Kind::Bool), span)) return own;
  }
  if (!value->type->isArithmetic() && !value->type->isPointer() && !value->type->isHalf()) {
    fail(value->span, fmt::format("{} is neither true nor false", value->type->name()),
         "compare it with something");
  }
  return convert(std::move(value), scalar(Type::Kind::Bool));
}

Checker::ExpressionPtr Checker::pointerStep(ExpressionPtr pointer, ExpressionPtr index, bool negative,
                                            SourceSpan span) {
  const Type* type = pointer->type;
  if (type->element->size == 0) {
    fail(span, "a pointer to void or to an array without extent cannot be moved", "cast it");
  }
  const std::int64_t size = type->element->size;
  const Type* indexType = promoted(index->type);
  index = convert(std::move(index), indexType);
  ExpressionPtr result = make(Kind::PointerAdd, type, span, std::move(pointer), std::move(index));
  result->scale = negative ? -size : size;
  return result;
}

/// The pointer moved by bytes to a part of the object it points to.
Checker::ExpressionPtr Checker::moved(ExpressionPtr pointer, std::int64_t bytes, const Type* element,
                                      bool isConst) {
  const SourceSpan span = pointer->span;
  const Type* type = kernel_.types->pointerTo(element, isConst, false);
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
Checker::ExpressionPtr Checker::movedUnlessNull(ExpressionPtr pointer, std::int64_t bytes,
                                                const Type* element, bool isConst) {
  const bool isAddress = pointer->kind == Kind::LocalAddress || pointer->kind == Kind::SharedAddress ||
                         pointer->kind == Kind::PointerAdd;
  if (bytes == 0 || isAddress) return moved(std::move(pointer), bytes, element, isConst);
  const SourceSpan span = pointer->span;
  const Type* const type = kernel_.types->pointerTo(element, isConst, false);
  const Type* const from = pointer->type;
  const std::uint32_t held = addVariable("(pointer)", from, span, false);
  ExpressionPtr set = setVariable(held, 0, from, std::move(pointer), span);
  ExpressionPtr chosen =
      make(Kind::Conditional, type, span, toBool(wholeVariable(held, span)),
           moved(wholeVariable(held, span), bytes, element, isConst), constant(type, 0, span));
  return make(Kind::Sequence, type, span, std::move(set), std::move(chosen));
}

Checker::ExpressionPtr Checker::arithmetic(BinaryOp op, ExpressionPtr a, ExpressionPtr b, SourceSpan span,
                                           std::string_view sign) {
  const bool needsIntegers = takesIntegers(op);
  const bool fits = needsIntegers ? a->type->isInteger() && b->type->isInteger()
                                  : a->type->isArithmetic() && b->type->isArithmetic();
  if (!fits) {
    fail(span, fmt::format("'{}' does not apply to {} and {}", sign, a->type->name(), b->type->name()),
         needsIntegers ? "both sides must be integers" : "both sides must be numbers");
  }
  if (op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight) {
    const Type* type = promoted(a->type);
    a = convert(std::move(a), type);
    b = convert(std::move(b), type);
    ExpressionPtr result = make(Kind::Binary, type, span, std::move(a), std::move(b));
    result->op = op;
    return fold(std::move(result));
  }
  const Type* type = common(a->type, b->type);
  a = convert(std::move(a), type);
  b = convert(std::move(b), type);
  ExpressionPtr result = make(Kind::Binary, isComparison(op) ? scalar(Type::Kind::Bool) : type, span,
                              std::move(a), std::move(b));
  result->op = op;
  return fold(std::move(result));
}

/// `a sign b` for every operator except && || and the comma, including operators on pointers.
Checker::ExpressionPtr Checker::operate(std::string_view sign, ExpressionPtr a, ExpressionPtr b,
                                        SourceSpan span) {
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
    // a > b is b < a; the operands here are evaluated without side effects on each other.
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
  if (isComparison(op) && left && right && a->type->element != b->type->element) {
    const bool toLeft = b->type->element->kind == Type::Kind::Void;
    (toLeft ? b : a)->type = (toLeft ? a : b)->type;
  }
  if (left && right && a->type->element == b->type->element) {
    if (op == BinaryOp::Subtract) {
      const std::int64_t size = a->type->element->size;
      ExpressionPtr result =
          make(Kind::PointerDifference, scalar(Type::Kind::I64), span, std::move(a), std::move(b));
      result->scale = size;
      return result;
    }
    if (isComparison(op)) {
      ExpressionPtr result = make(Kind::Binary, scalar(Type::Kind::Bool), span, std::move(a), std::move(b));
      result->op = op;
      return result;
    }
  }
  return arithmetic(op, std::move(a), std::move(b), span, sign);
}

}  // namespace lanescope::checker
