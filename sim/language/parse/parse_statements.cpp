#include <fmt/format.h>
#include <algorithm>

#include <utility>

#include "sim/language/parse/parser_impl.h"
#include "sim/language/text/not_simulated.h"

namespace lanescope::syntax {

StatementPtr Parser::makeStatement(Statement::Kind kind, SourceSpan span) {
  auto statement = std::make_unique<Statement>();
  statement->kind = kind;
  statement->span = span;
  return statement;
}

StatementPtr Parser::block() {
  const DepthGuard guard(*this);
  StatementPtr result = makeStatement(Statement::Kind::Block, peek().span);
  const SourceSpan open = peek().span;
  expect("{", "to begin a block");
  pushBlock();
  const std::size_t scopes = scopes_.size();
  while (!peek().is("}")) {
    if (peek().kind == TokenKind::End) {
      fail(open, "this '{' has no '}'", "close the block");
    }
    try {
      result->body.push_back(statement());
    } catch (const SyntaxFault&) {
      if (diagnostics_.size() >= kMostFaults) throw;
      scopes_.resize(scopes);
      skipStatement();
    }
  }
  consume();
  scopes_.pop_back();
  result->span.end = lastSpan().end;
  return result;
}

/// A struct, an enum, an alias or a using within a function.
StatementPtr Parser::localTypes() {
  StatementPtr result = makeStatement(Statement::Kind::Types, peek().span);
  Unit unit;
  declareType(unit);
  result->types = std::make_shared<std::vector<FileItem>>(std::move(unit.items));
  if (declaredWithType_ != nullptr) result->body.push_back(std::move(declaredWithType_));
  return result;
}

StatementPtr Parser::statement() {
  const DepthGuard guard(*this);
  if (peek().is("__shared__") && isClassKey(peek(1)) && !isElaborated(1)) {  // __shared__ union {…} u;
    consume();
    StatementPtr result = localTypes();
    for (const StatementPtr& declared : result->body) declared->isShared = true;
    return result;
  }
  const bool isTag = peek().is("struct") || peek().is("enum") || peek().is("class") || peek().is("union");
  if ((isTag && !isElaborated(0)) || peek().is("typedef") || peek().is("using") || peek().is("namespace"))
    return localTypes();
  const SourceSpan span = peek().span;
  if (accept("goto")) {
    StatementPtr result = makeStatement(Statement::Kind::Goto, span);
    result->label = identifier("the name of a label").text;
    result->span.end = lastSpan().end;
    return endStatement(std::move(result));
  }
  while (skipAttribute()) {  // [[fallthrough]];
  }
  if (!isElaborated(0)) rejectOutside();
  if (peek().is("{")) return block();
  if (peek().kind == TokenKind::Identifier && peek(1).is(":") && !peek().is("default")) {
    StatementPtr result = makeStatement(Statement::Kind::Label, span);
    result->label = consume().text;
    consume();
    return result;
  }
  if (accept(";")) return makeStatement(Statement::Kind::Empty, span);
  if (accept("if")) return ifStatement(span);
  if (accept("for")) return forStatement(span);
  if (accept("while")) return whileStatement(span);
  if (accept("do")) return doStatement(span);
  if (accept("switch")) return switchStatement(span);
  if (accept("case")) return caseLabel(span, false);
  if (accept("default")) return caseLabel(span, true);
  if (accept("break")) return endStatement(makeStatement(Statement::Kind::Break, span));
  if (accept("continue")) return endStatement(makeStatement(Statement::Kind::Continue, span));
  if (accept("return")) {
    StatementPtr result = makeStatement(Statement::Kind::Return, span);
    if (!peek().is(";")) result->expression = peek().is("{") ? list() : expression();
    result->span.end = lastSpan().end;
    return endStatement(std::move(result));
  }
  if (isDeclarationStart()) return declaration();
  rejectUnknownType();
  StatementPtr result = makeStatement(Statement::Kind::Expression, span);
  result->expression = expression();
  result->span.end = lastSpan().end;
  return endStatement(std::move(result));
}

StatementPtr Parser::endStatement(StatementPtr statement) {
  expect(";", "to end the statement");
  return statement;
}

bool Parser::isDeclarationStart() const {
  static const std::set<std::string_view> kStorage = {"extern",    "__shared__", "constexpr", "static",
                                                      "__align__", "alignas",    "register"};
  if (peek().kind != TokenKind::Identifier) return false;
  if (kStorage.contains(peek().text)) return true;
  if (!isTypeStart(0)) return false;
  // int (*row)[4] and int (*f)(int) declare; int(*p) converts.
  const std::size_t end = typeTokens(0);
  return isArrayDeclarator(end) || isFunctionPointer(end) || (!peek(end).is("(") && !peek(end).is("{"));
}

/// The name `std::vector` that begins at the token ahead. Moves `ahead` behind it.
std::string Parser::scopedName(std::size_t& ahead) const {
  std::string name(peek(ahead++).text);
  while (peek(ahead).is("::") && peek(ahead + 1).kind == TokenKind::Identifier) {
    name += "::" + std::string(peek(ahead + 1).text);
    ahead += 2;
  }
  return name;
}

/// `half x;` and `std::vector<int> v;`, which would otherwise read as statements without their ';'.
void Parser::rejectUnknownType() const {
  const bool isOperator = peek().is("sizeof") || peek().is("new") || peek().is("delete");
  if (peek().kind != TokenKind::Identifier || peek().is("else") || isOperator) return;
  std::size_t next = 0;
  const std::string name = scopedName(next);
  if (peek(next).is("<") && next > 1) {
    while (peek(next).kind != TokenKind::End && !peek(next).is(";") && !peek(next).is(">")) ++next;
    ++next;
  }
  if (auto outside = notSimulated(name, peek().span); outside && next > 1) fail(std::move(*outside));
  if (peek(next).kind != TokenKind::Identifier) return;
  if (auto outside = notSimulated(name, peek().span)) fail(std::move(*outside));
  fail({fmt::format("the type '{}' is not known to the simulator", name), std::string(kTypeHint), peek().span,
        true});
}

StatementPtr Parser::ifStatement(SourceSpan span) {
  StatementPtr result = makeStatement(Statement::Kind::If, span);
  result->isConstexpr = accept("constexpr");
  return selection(std::move(result));
}

StatementPtr Parser::switchStatement(SourceSpan span) {
  return selection(makeStatement(Statement::Kind::Switch, span));
}

/// Behind `if` or `switch`: `(i > 0)`, `(i = f(); i > 0)`, `(int i = f(); i > 0)` or `(int i = f())`, and the
/// branches. A statement before the condition turns both into a block.
StatementPtr Parser::selection(StatementPtr result) {
  expect("(", "before the condition");
  StatementPtr first;
  pushBlock();
  if (isDeclarationStart()) {
    first = makeStatement(Statement::Kind::Declaration, peek().span);
    first->type = baseType();
    do {
      first->declarators.push_back(declarator());
    } while (accept(","));
    first->span.end = lastSpan().end;
    if (!peek().is(";")) {
      result->condition = makeExpression(Expression::Kind::Name, first->declarators.back().span,
                                         first->declarators.back().name);
    }
  } else {
    result->condition = expression();
    if (peek().is(";")) {
      first = makeStatement(Statement::Kind::Expression, result->condition->span);
      first->expression = std::move(result->condition);
    }
  }
  if (accept(";")) result->condition = expression();
  expect(")", "after the condition");
  const bool isSwitch = result->kind == Statement::Kind::Switch;
  result->body.push_back(isSwitch ? block() : statement());
  if (!isSwitch && accept("else")) result->body.push_back(statement());
  scopes_.pop_back();
  if (first == nullptr) return result;
  StatementPtr outer = makeStatement(Statement::Kind::Block, result->span);
  outer->body.push_back(std::move(first));
  outer->body.push_back(std::move(result));
  return outer;
}

namespace {

bool mentions(const Expression& node, std::string_view name) {
  return (node.kind == Expression::Kind::Name && node.text == name) ||
         std::ranges::any_of(node.operands, [&](const ExpressionPtr& part) { return mentions(*part, name); });
}

}  // namespace

StatementPtr Parser::forStatement(SourceSpan span) {
  StatementPtr result = makeStatement(Statement::Kind::For, span);
  expect("(", "after for");
  pushBlock();
  if (isRangeFor()) {
    StatementPtr range = rangeFor(span);
    scopes_.pop_back();
    return range;
  }
  result->body.push_back(statement());
  const Statement::Kind kind = result->body.front()->kind;
  if (kind != Statement::Kind::Declaration && kind != Statement::Kind::Expression &&
      kind != Statement::Kind::Empty) {
    fail(span, "a for loop begins with a declaration, an expression or ';'",
         "write for (int i = 0; i < n; ++i)");
  }
  StatementPtr declared;
  if (isDeclarationStart()) {
    declared = declaredCondition();
  } else if (!peek().is(";")) {
    result->condition = expression();
  }
  expect(";", "after the loop's condition");
  if (!peek().is(")")) result->step = expression();
  if (declared != nullptr && result->step != nullptr &&
      mentions(*result->step, declared->declarators.back().name)) {
    fail(result->step->span, "a step that uses the variable of its loop's condition is not simulated",
         "declare the variable before the loop");
  }
  expect(")", "after the loop's step");
  result->body.push_back(whileDeclared(std::move(declared), statement()));
  scopes_.pop_back();
  return result;
}

StatementPtr Parser::whileStatement(SourceSpan span) {
  StatementPtr result = makeStatement(Statement::Kind::While, span);
  expect("(", "after while");
  StatementPtr declared;
  pushBlock();
  if (isDeclarationStart()) {
    declared = declaredCondition();
  } else {
    result->condition = expression();
  }
  expect(")", "after the condition");
  result->body.push_back(whileDeclared(std::move(declared), statement()));
  scopes_.pop_back();
  return result;
}

/// `int i = f()`, as a loop's condition.
StatementPtr Parser::declaredCondition() {
  StatementPtr result = makeStatement(Statement::Kind::Declaration, peek().span);
  result->type = baseType();
  result->declarators.push_back(declarator());
  const Declarator& declared = result->declarators.back();
  if (declared.initial == nullptr || !declared.extents.empty())
    fail(declared.span, "a variable in a loop's condition needs its value", "write = value");
  result->span.end = lastSpan().end;
  return result;
}

/// The body of a loop whose condition declares a variable in each iteration: `{ int i = f(); if (i) body;
/// else break; }`. Without a declaration the body itself.
StatementPtr Parser::whileDeclared(StatementPtr declared, StatementPtr body) {
  if (declared == nullptr) return body;
  const SourceSpan span = declared->span;
  StatementPtr test = makeStatement(Statement::Kind::If, span);
  test->condition = makeExpression(Expression::Kind::Name, declared->declarators.back().span,
                                   declared->declarators.back().name);
  test->body.push_back(std::move(body));
  test->body.push_back(makeStatement(Statement::Kind::Break, span));
  StatementPtr result = makeStatement(Statement::Kind::Block, span);
  result->body.push_back(std::move(declared));
  result->body.push_back(std::move(test));
  return result;
}

StatementPtr Parser::doStatement(SourceSpan span) {
  StatementPtr result = makeStatement(Statement::Kind::Do, span);
  result->body.push_back(statement());
  expect("while", "after the body of do");
  expect("(", "after while");
  result->condition = expression();
  expect(")", "after the condition");
  return endStatement(std::move(result));
}

StatementPtr Parser::caseLabel(SourceSpan span, bool isDefault) {
  StatementPtr result = makeStatement(Statement::Kind::Case, span);
  if (!isDefault) result->condition = conditional();
  result->span.end = lastSpan().end;
  expect(":", isDefault ? "after default" : "after the value of the case");
  return result;
}

}  // namespace lanescope::syntax
