#include "sim/machine/compile/contract.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/machine/compile/shared_products.h"

namespace lanescope {
namespace {

using typed::BinaryOp;
using typed::Expression;
using typed::ExpressionPtr;
using Kind = Expression::Kind;

bool isBinary(const ExpressionPtr& node, BinaryOp op) {
  return node != nullptr && node->kind == Kind::Binary && node->op == op && node->type->isFloating();
}

bool isNegated(const ExpressionPtr& node) {
  return node->kind == Kind::Negate && isBinary(node->operands[0], BinaryOp::Multiply);
}

bool isProduct(const ExpressionPtr& node) { return isBinary(node, BinaryOp::Multiply) || isNegated(node); }

ExpressionPtr negated(ExpressionPtr value) {
  if (value->kind == Kind::Negate) return std::move(value->operands[0]);
  auto node = std::make_unique<Expression>();
  node->kind = Kind::Negate;
  node->type = value->type;
  node->span = value->span;
  node->operands.push_back(std::move(value));
  return node;
}

/// x * y + addend in place of `node`, if the product is x * y or -(x * y).
void fuse(ExpressionPtr& node, ExpressionPtr product, bool isSubtracted, ExpressionPtr addend) {
  if (isNegated(product)) {
    product = std::move(product->operands[0]);
    isSubtracted = !isSubtracted;
  }
  auto fused = std::make_unique<Expression>();
  fused->kind = Kind::Math;
  fused->math = typed::MathOp::Fma;
  fused->type = node->type;
  fused->span = node->span;
  ExpressionPtr left = std::move(product->operands[0]);
  fused->operands.push_back(isSubtracted ? negated(std::move(left)) : std::move(left));
  fused->operands.push_back(std::move(product->operands[1]));
  fused->operands.push_back(std::move(addend));
  node = std::move(fused);
}

/// The product that nvcc would fuse: x * y or -(x * y), unless nvcc also computes it for other uses.
bool isFusible(const ExpressionPtr& node, const SharedProducts& shared) {
  return isProduct(node) && shared.canFuse(isNegated(node) ? *node->operands[0] : *node);
}

void contract(ExpressionPtr& node, const SharedProducts& shared) {
  const bool isSum = isBinary(node, BinaryOp::Add);
  if (!isSum && !isBinary(node, BinaryOp::Subtract)) return;
  ExpressionPtr& left = node->operands[0];
  ExpressionPtr& right = node->operands[1];
  if (isFusible(left, shared)) {
    ExpressionPtr product = std::move(left);
    ExpressionPtr addend = isSum ? std::move(right) : negated(std::move(right));
    fuse(node, std::move(product), false, std::move(addend));
  } else if (isFusible(right, shared)) {
    ExpressionPtr product = std::move(right);
    ExpressionPtr addend = std::move(left);
    fuse(node, std::move(product), !isSum, std::move(addend));
  }
}

/// True unless a value can as well be computed a moment later than the text says.
bool hasEffects(const Expression& node) {
  constexpr std::array kPure{Kind::Constant, Kind::Variable,     Kind::BuiltIn, Kind::SharedAddress,
                             Kind::Held,     Kind::LocalAddress, Kind::Member,  Kind::Convert,
                             Kind::Negate,   Kind::Binary,       Kind::Math,    Kind::PointerAdd,
                             Kind::Load};
  if (std::ranges::find(kPure, node.kind) == kPure.end()) return true;
  return std::ranges::any_of(node.operands, [](const ExpressionPtr& one) { return hasEffects(*one); });
}

/// The product that is added to a place in memory takes its operand's place in the sum.
void inlineProduct(Expression& update) {
  ExpressionPtr& right = update.operands[0];
  ExpressionPtr& value = update.operands[2];
  if (right == nullptr || !isProduct(right) || hasEffects(*right)) return;
  if (!isBinary(value, BinaryOp::Add) && !isBinary(value, BinaryOp::Subtract)) return;
  ExpressionPtr& added = value->operands[1];
  if (added->kind == Kind::Held && added->index == 1) added = std::move(right);
}

template <class Visit>
void forEach(ExpressionPtr& node, const Visit& visit) {
  if (node == nullptr) return;
  for (ExpressionPtr& operand : node->operands) forEach(operand, visit);
  visit(node);
}

template <class Visit>
void forEach(typed::Statement& statement, const Visit& visit) {
  forEach(statement.expression, visit);
  forEach(statement.step, visit);
  for (const typed::StatementPtr& child : statement.body) {
    if (child != nullptr) forEach(*child, visit);
  }
}

/// Visits every expression, nested ones first.
template <class Visit>
void forEach(typed::Kernel& kernel, const Visit& visit) {
  if (kernel.body != nullptr) forEach(*kernel.body, visit);
  for (typed::Function& function : kernel.functions) {
    if (function.body != nullptr) forEach(*function.body, visit);
  }
}

}  // namespace

void contractMultiplyAdd(typed::Kernel& kernel) {
  forEach(kernel, [](const ExpressionPtr& node) {
    if (node->kind == Kind::Update) inlineProduct(*node);
  });
  const SharedProducts shared(kernel);
  forEach(kernel, [&](ExpressionPtr& node) { contract(node, shared); });
}

}  // namespace lanescope
