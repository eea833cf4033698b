#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_folding.h"

namespace lanescope::checker {

typed::StatementPtr Checker::makeStatement(typed::Statement::Kind kind, SourceSpan span) {
  auto statement = std::make_unique<typed::Statement>();
  statement->kind = kind;
  statement->span = at(span);
  return statement;
}

typed::StatementPtr Checker::block(const syntax::Statement& node) {
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Block, node.span);
  result->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  pushScope();
  for (const syntax::StatementPtr& child : node.body) {
    try {
      if (typed::StatementPtr checked = statement(*child)) result->body.push_back(std::move(checked));
    } catch (const CheckFault&) {
      if (diagnostics_.size() >= 20) throw;
      if (child->kind == syntax::Statement::Kind::Declaration) declareUnchecked(*child);
    }
  }
  popScope();
  result->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  return result;
}

typed::StatementPtr Checker::statement(const syntax::Statement& node) {
  using SyntaxKind = syntax::Statement::Kind;
  switch (node.kind) {
    case SyntaxKind::Empty: return makeStatement(typed::Statement::Kind::Block, node.span);
    case SyntaxKind::Block: return block(node);
    case SyntaxKind::Declaration: return declaration(node);
    case SyntaxKind::Types:
      for (const syntax::FileItem& item : *node.types) fileItem(item);
      if (!node.body.empty()) return declaration(*node.body[0]);
      return makeStatement(typed::Statement::Kind::Block, node.span);
    case SyntaxKind::If: return ifStatement(node);
    case SyntaxKind::RangeFor: return rangeLoop(node);
    case SyntaxKind::For:
    case SyntaxKind::While:
    case SyntaxKind::Do: return loop(node);
    case SyntaxKind::Switch: return switchStatement(node);
    case SyntaxKind::Case:
      fail(node.span, "a case label must be directly inside its switch", "move it out of the inner block");
    case SyntaxKind::Return: return returnStatement(node);
    case SyntaxKind::Break:
    case SyntaxKind::Continue: return jump(node);
    case SyntaxKind::Expression: break;
  }
  return expressionStatement(expression(*node.expression), node.span);
}

/// A statement whose value nobody uses.
typed::StatementPtr Checker::expressionStatement(ExpressionPtr expression, SourceSpan span) {
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Expression, span);
  discard(*expression);
  result->expression = std::move(expression);
  return result;
}

typed::StatementPtr Checker::jump(const syntax::Statement& node) {
  const bool isBreak = node.kind == syntax::Statement::Kind::Break;
  if (loopDepth_ == 0 && !(isBreak && switchDepth_ > 0)) {
    fail(node.span, fmt::format("'{}' outside a loop", isBreak ? "break" : "continue"), "remove it");
  }
  return makeStatement(isBreak ? typed::Statement::Kind::Break : typed::Statement::Kind::Continue, node.span);
}

typed::StatementPtr Checker::ifStatement(const syntax::Statement& node) {
  ExpressionPtr test = fold(condition(*node.condition));
  if (test->kind == Kind::Constant) {  // decided by the compiler: no branch is left
    const std::size_t chosen = test->bits != 0 ? 0 : 1;
    if (chosen >= node.body.size()) return makeStatement(typed::Statement::Kind::Block, node.span);
    pushScope();
    typed::StatementPtr result = statement(*node.body[chosen]);
    popScope();
    return result;
  }
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::If, node.span);
  result->expression = std::move(test);
  for (const syntax::StatementPtr& branch : node.body) {
    pushScope();
    typed::StatementPtr checked = statement(*branch);
    popScope();
    if (checked == nullptr) checked = makeStatement(typed::Statement::Kind::Block, branch->span);
    result->body.push_back(std::move(checked));
  }
  return result;
}

typed::StatementPtr Checker::loop(const syntax::Statement& node) {
  typed::StatementPtr outer = makeStatement(typed::Statement::Kind::Block, node.span);
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Loop, node.span);
  outer->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  pushScope();
  const bool isFor = node.kind == syntax::Statement::Kind::For;
  if (isFor) {
    if (typed::StatementPtr first = statement(*node.body[0])) outer->body.push_back(std::move(first));
  }
  if (node.condition != nullptr) result->expression = fold(condition(*node.condition));
  if (result->expression != nullptr && result->expression->kind == Kind::Constant &&
      result->expression->bits != 0) {
    result->expression = nullptr;
  }
  if (node.step != nullptr) {
    result->step = expression(*node.step);
    discard(*result->step);
  }
  result->testsAtEnd = node.kind == syntax::Statement::Kind::Do;
  ++loopDepth_;
  const int outerSwitches = std::exchange(switchDepth_, 0);
  pushScope();
  typed::StatementPtr body = statement(*node.body[isFor ? 1 : 0]);
  popScope();
  switchDepth_ = outerSwitches;
  --loopDepth_;
  if (body == nullptr) body = makeStatement(typed::Statement::Kind::Block, node.span);
  result->body.push_back(std::move(body));
  popScope();
  outer->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  outer->body.push_back(std::move(result));
  return outer;
}

typed::StatementPtr Checker::switchStatement(const syntax::Statement& node) {
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Switch, node.span);
  ExpressionPtr subject = value(*node.condition);
  if (!subject->type->isInteger()) {
    fail(node.condition->span, fmt::format("'switch' needs an integer, not {}", subject->type->name()),
         "use a chain of if and else");
  }
  const Type* type = promoted(subject->type);
  result->expression = convert(std::move(subject), type);
  std::vector<std::uint64_t> seen;
  bool hasDefault = false;
  ++switchDepth_;
  result->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  pushScope();
  for (const syntax::StatementPtr& child : node.body[0]->body) {
    if (child->kind != syntax::Statement::Kind::Case) {
      if (typed::StatementPtr checked = statement(*child)) result->body.push_back(std::move(checked));
      continue;
    }
    if (child->condition == nullptr && std::exchange(hasDefault, true)) {
      fail(child->span, "this switch has two defaults", "remove one of them");
    }
    result->body.push_back(caseLabel(*child, type, seen));
  }
  popScope();
  result->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  --switchDepth_;
  return result;
}

typed::StatementPtr Checker::caseLabel(const syntax::Statement& node, const Type* type,
                                       std::vector<std::uint64_t>& seen) {
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Case, node.span);
  result->isDefault = node.condition == nullptr;
  if (result->isDefault) return result;
  const ExpressionPtr label = fold(convertImplicitly(value(*node.condition), type, node.condition->span));
  if (label->kind != Kind::Constant) fail(node.condition->span, "a case needs a constant", "write a number");
  if (std::ranges::count(seen, label->bits) > 0) {
    fail(node.condition->span, "this case is there already", "remove one of them");
  }
  seen.push_back(label->bits);
  result->bits = label->bits;
  return result;
}

typed::StatementPtr Checker::returnStatement(const syntax::Statement& node) {
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Return, node.span);
  std::optional<Operand> given;
  const bool isChoice = returnsReference_ && node.expression != nullptr &&
                        node.expression->kind == syntax::Expression::Kind::Conditional;
  if (isChoice) {
    given = chosenPlace(*node.expression);
  } else if (node.expression != nullptr) {
    given = operand(*node.expression);
  }
  if (returnType_ == nullptr) deduceReturn(given, node.span);
  const bool wantsValue = returnType_->kind != Type::Kind::Void;
  const bool isVoid = given && given->type != nullptr && given->type->kind == Type::Kind::Void;
  if (!wantsValue && isVoid) {  // return f(x);, of which both are void
    discard(*given->value);
    auto block = makeStatement(typed::Statement::Kind::Block, node.span);
    block->body.push_back(expressionStatement(std::move(given->value), node.span));
    block->body.push_back(std::move(result));
    return block;
  }
  if (wantsValue != given.has_value()) {
    fail(node.span, wantsValue ? "this function must return a value" : "this function returns nothing",
         wantsValue ? "write return value;" : "write return;");
  }
  if (!wantsValue) return result;
  ExpressionPtr value;
  if (returnsReference_) {
    value = referenceTo(returnType_, std::move(*given));
  } else if (given->list != nullptr) {
    value = construct(returnType_, *given->list);
  } else {
    value = convertImplicitly(valueOf(std::move(*given)), returnType_, node.span);
  }
  result->expression = setVariable(resultVariable_, 0, returnType_, std::move(value), node.span);
  return result;
}

/// The place that `test ? a : b` is, where a reference to it is returned.
Operand Checker::chosenPlace(const syntax::Expression& node) {
  if (node.kind != syntax::Expression::Kind::Conditional) return operand(node);
  ExpressionPtr test = condition(*node.operands[0]);
  Operand yes = chosenPlace(*node.operands[1]);
  Operand no = chosenPlace(*node.operands[2]);
  if (!yes.place || !no.place || yes.place->type != no.place->type)
    fail(node.span, "the two values of ?: have no place to refer to", "write an if");
  const bool isConst = yes.place->isConst || no.place->isConst;
  Place result;
  result.span = node.span;
  result.type = yes.place->type;
  result.isConst = isConst;
  const Type* const pointer = kernel_.types->pointerTo(result.type, isConst, false);
  result.address =
      make(Kind::Conditional, pointer, node.span, std::move(test), addressOf(std::move(*yes.place)));
  result.address->operands.push_back(addressOf(std::move(*no.place)));
  return asOperand(std::move(result));
}

/// The type of a function that is declared with auto: that of its first return.
void Checker::deduceReturn(const std::optional<Operand>& given, SourceSpan span) {
  returnType_ = scalar(Type::Kind::Void);
  if (!given || given->type == returnType_) return;
  if (given->type == nullptr) fail(span, "'auto' needs a value", "name the type: float2{…}");
  returnType_ = given->type;
  if (returnsReference_) {
    const bool isConst = given->place && given->place->isConst;
    returnType_ = kernel_.types->pointerTo(returnType_, isConst, false);
  }
  resultVariable_ = addResult("auto", span);
}

}  // namespace lanescope::checker
