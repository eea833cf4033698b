// Functions of numbers: the usual mathematics, minimum and maximum, bits, vectors.
#include <fmt/format.h>

#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_folding.h"

namespace lanescope::checker {

using typed::BinaryOp;
using typed::BitOp;
using typed::MathOp;

Checker::ExpressionPtr Checker::minimumOrMaximum(const syntax::Expression& node, BinaryOp op,
                                                 Type::Kind kind) {
  expectArguments(node, 2, 2);
  ExpressionPtr a = value(*node.operands[0]);
  ExpressionPtr b = value(*node.operands[1]);
  if (kind != Type::Kind::Void) {
    a = convertImplicitly(std::move(a), scalar(kind), node.span);
    b = convertImplicitly(std::move(b), scalar(kind), node.span);
  }
  return arithmetic(op, std::move(a), std::move(b), node.span, node.text);
}

Checker::ExpressionPtr Checker::math(const syntax::Expression& node, MathOp op, int operands,
                                     Type::Kind kind) {
  expectArguments(node, static_cast<std::size_t>(operands), static_cast<std::size_t>(operands));
  Values values;
  bool allFloat = true;
  for (const syntax::ExpressionPtr& operand : node.operands) {
    values.push_back(value(*operand));
    allFloat = allFloat && values.back()->type->kind == Type::Kind::F32;
  }
  // sqrt(float) is the float form: the CUDA headers overload it (CUDA Math API).
  if (kind != Type::Kind::F32) kind = allFloat ? Type::Kind::F32 : Type::Kind::F64;
  ExpressionPtr result = make(Kind::Math, scalar(isTest(op) ? Type::Kind::I32 : kind), node.span);
  for (ExpressionPtr& operand : values) {
    result->operands.push_back(convertImplicitly(std::move(operand), scalar(kind), node.span));
  }
  result->math = op;
  return result;
}

Checker::ExpressionPtr Checker::absolute(const syntax::Expression& node) {
  expectArguments(node, 1, 1);
  ExpressionPtr operand = value(*node.operands[0]);
  if (operand->type->isFloating()) return math(node, MathOp::Abs, 1, operand->type->kind);
  if (!operand->type->isInteger()) fail(node.span, "'abs' takes a number", "give it a number");
  const Type* type = promoted(operand->type);
  if (!type->isSigned()) return convert(std::move(operand), type);
  // |x| = max(x, -x), also for the smallest number, which is its own negative.
  ExpressionPtr again = value(*node.operands[0]);
  ExpressionPtr negative = fold(make(Kind::Negate, type, node.span, convert(std::move(again), type)));
  return arithmetic(BinaryOp::Maximum, convert(std::move(operand), type), std::move(negative), node.span,
                    "abs");
}

Checker::ExpressionPtr Checker::bits(const syntax::Expression& node, BitOp op, bool isLong) {
  expectArguments(node, 1, 1);
  const Type* operand = scalar(isLong ? Type::Kind::U64 : Type::Kind::U32);
  const Type* type = op == BitOp::Reverse ? operand : scalar(Type::Kind::I32);
  ExpressionPtr result =
      make(Kind::Bits, type, node.span, convertImplicitly(value(*node.operands[0]), operand, node.span));
  result->bitOp = op;
  return result;
}

Checker::ExpressionPtr Checker::sameBits(const syntax::Expression& node, Type::Kind from, Type::Kind to) {
  expectArguments(node, 1, 1);
  ExpressionPtr operand = convertImplicitly(value(*node.operands[0]), scalar(from), node.span);
  return make(Kind::Member, scalar(to), node.span, std::move(operand));
}

/// make_float4(x, y, z, w) and similar functions.
Checker::ExpressionPtr Checker::makeVector(const syntax::Expression& node) {
  if (const auto functions = libraryFunctions(node.text); !functions.empty())
    return callWith(node, functions, readOperands(node, 0));
  const Type* type = kernel_.types->named(std::string_view(node.text).substr(5));
  if (type == nullptr || !type->isStruct()) {
    fail(node.span, fmt::format("the function '{}' is not known to the simulator", node.text),
         "write make_float4 or another vector's name");
  }
  expectArguments(node, type->fields.size(), type->fields.size());
  ExpressionPtr result = make(Kind::Make, type, node.span);
  for (const syntax::ExpressionPtr& operand : node.operands) {
    result->operands.push_back(convertImplicitly(value(*operand), type->fields[0].type, operand->span));
  }
  return result;
}

}  // namespace lanescope::checker
