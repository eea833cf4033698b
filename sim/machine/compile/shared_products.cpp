#include "sim/machine/compile/shared_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanescope {
namespace {

using typed::BinaryOp;
using typed::Expression;
using typed::Statement;

bool isProduct(const Expression& node) {
  return node.kind == Expression::Kind::Binary && node.op == BinaryOp::Multiply && node.type->isFloating();
}

bool isProductOrNegated(const Expression& node) {
  return isProduct(node) || (node.kind == Expression::Kind::Negate && isProduct(*node.operands[0]));
}

/// True if the product is that operand, or the value that the operand negates.
bool isOperand(const Expression& product, const Expression& operand) {
  return &product == &operand ||
         (operand.kind == Expression::Kind::Negate && operand.operands[0].get() == &product);
}

void addAssigned(const Expression* expression, std::set<std::uint32_t>& variables) {
  if (expression == nullptr) return;
  if (expression->kind == Expression::Kind::SetVariable) variables.insert(expression->index);
  for (const typed::ExpressionPtr& operand : expression->operands) addAssigned(operand.get(), variables);
}

/// The variables that a statement assigns.
void addAssigned(const Statement* statement, std::set<std::uint32_t>& variables) {
  if (statement == nullptr) return;
  addAssigned(statement->expression.get(), variables);
  addAssigned(statement->step.get(), variables);
  for (const typed::StatementPtr& part : statement->body) addAssigned(part.get(), variables);
}

template <class Part>
std::set<std::uint32_t> assignedIn(const Part* part) {
  std::set<std::uint32_t> variables;
  addAssigned(part, variables);
  return variables;
}

}  // namespace

SharedProducts::SharedProducts(const typed::Kernel& kernel)
    : kernel_(kernel), versions_(kernel.variables.size(), 0) {
  walk(kernel.body.get());
  for (const typed::Function& function : kernel.functions) {
    known_.clear();
    beginBlock();
    walk(function.body.get());
  }
}

bool SharedProducts::canFuse(const Expression& product) const {
  const auto found = products_.find(&product);
  if (found == products_.end()) return true;
  const std::vector<Use>& uses = uses_[found->second];
  const auto isOther = [&](const Use& use) { return use.user != uses.front().user; };
  if (std::ranges::none_of(uses, isOther)) return true;
  const auto isNear = [&](const Use& use) {
    return use.isFusible && use.basicBlock == uses.front().basicBlock;
  };
  return std::ranges::all_of(uses, isNear);
}

void SharedProducts::assign(std::uint32_t variable) { versions_[variable] = ++nextVersion_; }

void SharedProducts::assignAll(const std::set<std::uint32_t>& variables) {
  for (const std::uint32_t variable : variables) assign(variable);
}

void SharedProducts::walk(const Statement* statement) {
  if (statement == nullptr) return;
  const auto& body = statement->body;
  switch (statement->kind) {
    case Statement::Kind::If: {
      walk(statement->expression.get());
      const std::vector<std::size_t> versions = versions_;
      for (const typed::StatementPtr& branch : body) {
        const Known known = known_;
        beginBlock();
        walk(branch.get());
        known_ = known;
        versions_ = versions;
      }
      beginBlock();
      for (const typed::StatementPtr& branch : body) assignAll(assignedIn(branch.get()));
      return;
    }
    case Statement::Kind::Loop: return walkLoop(*statement);
    case Statement::Kind::Switch:
    case Statement::Kind::Labelled: {
      walk(statement->expression.get());
      const std::set<std::uint32_t> assigned = assignedIn(statement);
      const Known known = known_;
      for (const typed::StatementPtr& part : body) {
        const bool isEntered =
            statement->kind == Statement::Kind::Labelled || part->kind == Statement::Kind::Case;
        if (isEntered) {
          beginBlock();
          assignAll(assigned);
          known_ = known;
        }
        walk(part.get());
      }
      beginBlock();
      assignAll(assigned);
      known_ = known;
      return;
    }
    default:
      walk(statement->expression.get());
      for (const typed::StatementPtr& part : body) walk(part.get());
  }
}

/// A variable that a loop assigns has another value at the start of each iteration.
void SharedProducts::walkLoop(const Statement& loop) {
  const std::set<std::uint32_t> assigned = assignedIn(&loop);
  const Known known = known_;
  beginBlock();
  assignAll(assigned);
  if (!loop.testsAtEnd) {
    walk(loop.expression.get());
    beginBlock();
  }
  for (const typed::StatementPtr& part : loop.body) walk(part.get());
  beginBlock();
  if (loop.testsAtEnd) walk(loop.expression.get());
  walk(loop.step.get());
  beginBlock();
  assignAll(assigned);
  known_ = known;
}

/// The first operand of `a && b`, `a || b` and `c ? a : b` is always computed.
void SharedProducts::walkBranches(const Expression& expression) {
  walk(expression.operands[0].get());
  const std::vector<std::size_t> versions = versions_;
  const Known known = known_;
  for (std::size_t i = 1; i < expression.operands.size(); ++i) {
    beginBlock();
    walk(expression.operands[i].get());
    use(*expression.operands[i], expression);
    known_ = known;
    versions_ = versions;
  }
  beginBlock();
  assignAll(assignedIn(&expression));
}

void SharedProducts::walk(const Expression* expression) {
  if (expression == nullptr) return;
  const bool branches = expression->kind == Kind::LogicalAnd || expression->kind == Kind::LogicalOr ||
                        expression->kind == Kind::Conditional;
  if (branches) return walkBranches(*expression);
  for (const typed::ExpressionPtr& operand : expression->operands) {
    if (operand == nullptr) continue;
    walk(operand.get());
    use(*operand, *expression);
  }
  if (expression->kind == Kind::SetVariable) assign(expression->index);
}

/// Records the use of a product; -(x * y) in a sum is x * y there.
void SharedProducts::use(const Expression& operand, const Expression& user) {
  if (!isProduct(operand)) {
    if (isProductOrNegated(operand)) use(*operand.operands[0], user);
    return;
  }
  if (user.kind == Kind::Negate) return;
  const std::string value = computeValue(operand);
  if (value.empty()) return;
  const auto [known, isNew] = known_.emplace(value, uses_.size());
  if (isNew) uses_.emplace_back();
  products_[&operand] = known->second;
  std::string into = computeValue(user);
  if (into.empty()) into = fmt::format("?{}", ++unknown_);
  const bool isSum = user.kind == Kind::Binary && (user.op == BinaryOp::Add || user.op == BinaryOp::Subtract);
  const bool isFirst =
      isSum && (isOperand(operand, *user.operands[0]) || !isProductOrNegated(*user.operands[0]));
  uses_[known->second].push_back({std::move(into), isFirst, basicBlock_});
}

/// The operands and operators that make a value, the same text for the same value; empty if unknown.
std::string SharedProducts::computeValue(const Expression& expression) const {
  std::vector<std::string> parts;
  for (const typed::ExpressionPtr& operand : expression.operands) {
    parts.push_back(computeValue(*operand));
    if (parts.back().empty()) return {};
  }
  const auto made = [&](std::string_view name, std::int64_t of) {
    std::string text = fmt::format("{}{}:{}(", name, of, fmt::ptr(expression.type));
    for (const std::string& part : parts) text += part + ",";
    return text + ")";
  };
  switch (expression.kind) {
    case Kind::Constant: return made("c", static_cast<std::int64_t>(expression.bits));
    case Kind::BuiltIn: return made("b", static_cast<std::int64_t>(expression.builtIn));
    case Kind::Member: return made("m", expression.scale);
    case Kind::Convert: return made("t", 0);
    case Kind::Negate: return made("-", 0);
    case Kind::Math: return made("f", static_cast<std::int64_t>(expression.math));
    case Kind::Variable:
      if (kernel_.variables[expression.index].isAddressed) return {};
      return made(fmt::format("v{}@{}.", expression.index, versions_[expression.index]), expression.scale);
    case Kind::Binary:
      if (expression.op == BinaryOp::Add || expression.op == BinaryOp::Multiply) std::ranges::sort(parts);
      return made("o", static_cast<std::int64_t>(expression.op));
    default: return {};
  }
}

}  // namespace lanescope
