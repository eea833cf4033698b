#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/language/parse/parser_impl.h"
#include "sim/language/text/not_simulated.h"
#include "sim/language/text/scanner.h"

namespace lanescope::syntax {
namespace {

/// Height of an expression's tree: a chain of operators is as high as it is long.
constexpr std::uint32_t kMaxHeight = 1000;

constexpr std::array<std::string_view, 11> kAssignments = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

}  // namespace

/// A node for the next token.
ExpressionPtr Parser::taken(Expression::Kind kind) {
  const Token& token = consume();
  return makeExpression(kind, token.span, token.text);
}

/// The node with its height set. A fault if the tree grows too high.
ExpressionPtr Parser::finish(ExpressionPtr node) {
  node->isDependent = node->isDependent || (node->type && node->type->isDependent);
  if (node->place == kAnywhere) node->place = static_cast<Place>(at_);
  const bool isOperator = node->kind == Expression::Kind::Unary || node->kind == Expression::Kind::Postfix ||
                          node->kind == Expression::Kind::Binary || node->kind == Expression::Kind::Assign ||
                          node->kind == Expression::Kind::Fold;
  if (isOperator && hasOperators_) {
    node->homes = names_->lookUp("operator" + node->text, space_, node->place, localUsings()).homes;
    node->binding = node->homes.empty() ? Binding::Nothing : Binding::File;
  } else if (isOperator) {
    node->binding = Binding::Nothing;
  }
  for (const ExpressionPtr& operand : node->operands) {
    node->height = std::max(node->height, operand->height + 1);
    node->isDependent = node->isDependent || operand->isDependent;
  }
  for (const TemplateArgument& argument : node->templateArguments) {
    node->isDependent = node->isDependent || (argument.type && argument.type->isDependent) ||
                        (argument.value != nullptr && argument.value->isDependent);
  }
  if (node->height > kMaxHeight) {
    fail(node->operatorSpan, "this expression is too long to be simulated",
         "split it into several statements");
  }
  return node;
}

/// The finished node, which ends behind the last token that was read.
ExpressionPtr Parser::ended(ExpressionPtr node) {
  node->span.end = lastSpan().end;
  return finish(std::move(node));
}

ExpressionPtr Parser::over(Expression::Kind kind, const Token& op, ExpressionPtr left, ExpressionPtr right) {
  ExpressionPtr result = makeExpression(kind, {left->span.begin, right->span.end}, op.text);
  result->operatorSpan = op.span;
  result->operands.push_back(std::move(left));
  result->operands.push_back(std::move(right));
  return finish(std::move(result));
}

ExpressionPtr Parser::expression() {
  ExpressionPtr left = assignment();
  while (peek().is(",") && !peek(1).is("...")) {
    const Token op = consume();
    left = over(Expression::Kind::Binary, op, std::move(left), assignment());
  }
  return left;
}

ExpressionPtr Parser::assignment() {
  const DepthGuard guard(*this);
  ExpressionPtr left = conditional();
  if (peek().kind == TokenKind::Punctuator && std::ranges::count(kAssignments, peek().text) > 0) {
    const Token op = consume();
    return over(Expression::Kind::Assign, op, std::move(left), initializer());
  }
  return left;
}

/// A value, or a list of values in braces.
ExpressionPtr Parser::initializer() { return peek().is("{") ? list() : assignment(); }

ExpressionPtr Parser::conditional() {
  ExpressionPtr condition = binary(0);
  if (!peek().is("?")) return condition;
  const Token op = consume();
  ExpressionPtr result = makeExpression(Expression::Kind::Conditional, condition->span);
  result->operatorSpan = op.span;
  result->operands.push_back(std::move(condition));
  result->operands.push_back(assignment());
  expect(":", "between the two values of ?:");
  result->operands.push_back(assignment());
  return ended(std::move(result));
}

ExpressionPtr Parser::binary(std::size_t level) {
  if (level == kBinaryOperators.size()) return unary();
  ExpressionPtr left = binary(level + 1);
  while (peek().kind == TokenKind::Punctuator && !peek().text.empty() &&
         std::ranges::count(kBinaryOperators[level], peek().text) > 0 &&
         !(inTemplateArguments_ && (peek().is(">") || peek().is(">>"))) && !peek(1).is("...")) {
    const Token op = consume();
    left = over(Expression::Kind::Binary, op, std::move(left), binary(level + 1));
  }
  return left;
}

ExpressionPtr Parser::unary() {
  const DepthGuard guard(*this);
  static constexpr std::array<std::string_view, 8> kUnary = {"+", "-", "!", "~", "*", "&", "++", "--"};
  const Token op = peek();
  if (op.kind == TokenKind::Punctuator && std::ranges::count(kUnary, op.text) > 0) {
    consume();
    ExpressionPtr result = makeExpression(Expression::Kind::Unary, op.span, op.text);
    result->operands.push_back(unary());
    return ended(std::move(result));
  }
  const std::size_t castTokens = op.is("(") ? typeTokens(1) : 0;
  // (Mode)1 in a kernel's name, where no type is known
  const bool isNumbered =
      isKernelName_ && op.is("(") && peek(2).is(")") && peek(3).kind == TokenKind::Integer;
  if (isNumbered || (castTokens > 0 && (!peek(1 + castTokens).is("(") || isArrayDeclarator(1 + castTokens)) &&
                     !peek(1 + castTokens).is("{"))) {
    consume();
    ExpressionPtr result = makeExpression(Expression::Kind::Cast, op.span);
    const bool named = std::exchange(namesTypes_, isNumbered);
    result->type = typeName();
    namesTypes_ = named;
    expect(")", "after the type of a cast");
    result->operands.push_back(unary());
    return finishCast(std::move(result));
  }
  if (op.is("new")) return newObject();
  if (op.is("delete")) return deleteObject();
  if ((op.is("offsetof") || op.is("__builtin_offsetof")) && peek(1).is("(")) return computeOffset();
  return op.is("sizeof") || op.is("alignof") ? computeSize() : postfix();
}

ExpressionPtr Parser::computeSize() {
  ExpressionPtr result = taken(Expression::Kind::SizeOf);
  if (accept("...")) {
    result->text += "...";
    expect("(", "after sizeof...");
    const Token pack = identifier("the name of a parameter pack");
    ExpressionPtr name = makeExpression(Expression::Kind::Name, pack.span, pack.text);
    result->operands.push_back(std::move(name));
    expect(")", "after the parameter pack");
  } else if (!accept("(")) {
    result->operands.push_back(unary());
  } else {
    if (isTypeStart(0)) {
      result->type = typeName();
    } else {
      result->operands.push_back(inParentheses());
    }
    expect(")", "after sizeof");
  }
  return ended(std::move(result));
}

/// `offsetof(Node, at.x[2])`: operands are the fields' names and the indices.
ExpressionPtr Parser::computeOffset() {
  ExpressionPtr result = makeExpression(Expression::Kind::SizeOf, consume().span);
  result->text = "offsetof";
  expect("(", "after offsetof");
  result->type = typeName();
  expect(",", "after the type");
  do {
    const Token field = identifier("the name of a field");
    ExpressionPtr name = makeExpression(Expression::Kind::Designated, field.span, field.text);
    result->operands.push_back(std::move(name));
    while (accept("[")) {
      result->operands.push_back(expression());
      expect("]", "after the index");
    }
  } while (accept("."));
  expect(")", "after the field");
  return ended(std::move(result));
}

ExpressionPtr Parser::postfix() {
  ExpressionPtr left = primary();
  while (true) {
    const Token op = peek();
    ExpressionPtr result;
    if (accept("[")) {
      ExpressionPtr index = inParentheses();
      expect("]", "after the index");
      result = over(Expression::Kind::Index, op, std::move(left), std::move(index));
    } else if (accept("(")) {  // f(x)(y), a lambda that is called at once
      result = makeExpression(Expression::Kind::Invoke, left->span);
      result->operatorSpan = op.span;
      result->operands.push_back(std::move(left));
      arguments(*result, ")");
    } else if (op.is(".") || op.is("->")) {
      result = memberAccess(std::move(left));
    } else if (op.is("++") || op.is("--")) {
      consume();
      result = makeExpression(Expression::Kind::Postfix, left->span, op.text);
      result->operatorSpan = op.span;
      result->operands.push_back(std::move(left));
    } else {
      return left;
    }
    left = ended(std::move(result));
  }
}

ExpressionPtr Parser::memberAccess(ExpressionPtr object) {
  ExpressionPtr result = makeExpression(Expression::Kind::Member, object->span);
  result->arrow = consume().is("->");
  const bool isTemplate = accept("template");
  if (accept("operator")) {
    result->text = operatorName();
  } else if (accept("~")) {
    result->text = "~" + std::string(identifier("the name of a class").text);
    if (accept("<")) templateArguments();
  } else {
    result->text = identifier("the name of a member").text;
  }
  if (peek().is("::") || (peek().is("<") && peek(angleTokens(0)).is("::"))) {  // object.Base::f()
    const Meaning meant = meaning(tokens_[at_ - 1], true);
    TypeName base;
    base.span = lastSpan();
    base.base = meant.spelled;
    base.binding = bindingOf(meant);
    typeRest(base, base.base, meant.isTemplate);
    if (base.path.empty()) fail(peek().span, "expected the name of a member", "write object.Base::name");
    result->text = std::move(base.path.back());
    base.path.pop_back();
    result->type = std::move(base);
  }
  result->operatorSpan = lastSpan();
  result->operands.push_back(std::move(object));
  if ((isTemplate || (templates_.contains(result->text) && angleTokens(0) > 0)) && accept("<")) {
    result->templateArguments = templateArguments();
    result->isTemplateId = true;
  }
  result->expands = std::ranges::any_of(result->templateArguments, &TemplateArgument::isExpansion);
  if (accept("(")) {
    result->kind = Expression::Kind::MemberCall;
    arguments(*result, ")");
  }
  return result;
}

/// An expression in brackets: '>' is an operator in it again.
ExpressionPtr Parser::inParentheses() {
  const bool before = std::exchange(inTemplateArguments_, false);
  ExpressionPtr result = expression();
  inTemplateArguments_ = before;
  return result;
}

/// Template arguments behind the '<'.
std::vector<TemplateArgument> Parser::templateArguments() {
  const DepthGuard guard(*this);
  std::vector<TemplateArgument> result;
  const bool before = std::exchange(inTemplateArguments_, true);
  while (!peek().is(">") && !peek().is(">>")) {
    TemplateArgument argument;
    std::size_t next = typeTokens(0);
    while (next > 0 && (peek(next).is("*") || peek(next).is("&"))) ++next;
    const bool isWhole =
        peek(next).is(",") || peek(next).is(">") || peek(next).is(">>") || peek(next).is("...");
    const bool isPointer = next > 0 && isFunctionPointer(next);  // int (*)(float)
    const bool isValue = peek(next).is("{") || (peek(next).is("(") && !isPointer && !isArrayDeclarator(next));
    if (next > 0 && (isWhole || isPointer || !namesTypes_) && !isValue) {
      argument.type = typeName();
    } else {
      const bool named = std::exchange(namesTypes_, false);
      argument.value = conditional();
      namesTypes_ = named;
    }
    argument.isExpansion = accept("...");
    result.push_back(std::move(argument));
    if (!accept(",")) break;
  }
  inTemplateArguments_ = before;
  expectTemplateEnd("after the template arguments");
  return result;
}

ExpressionPtr Parser::primary() {
  const Token token = peek();
  rejectOutside();
  if (accept("(")) {
    if (peek().is("...")) return fold(nullptr, token.span);
    ExpressionPtr result = inParentheses();
    if (peek(1).is("...")) return fold(std::move(result), token.span);
    expect(")", "to close the bracket");
    result->span = {token.span.begin, lastSpan().end};
    return result;
  }
  switch (token.kind) {
    case TokenKind::Integer:
    case TokenKind::Character: return taken(Expression::Kind::Integer);
    case TokenKind::Floating: return taken(Expression::Kind::Floating);
    case TokenKind::String: {
      ExpressionPtr text = taken(Expression::Kind::String);
      while (peek().kind == TokenKind::String) {  // adjacent string literals are one
        text->text += consume().text;
        text->span.end = lastSpan().end;
      }
      return text;
    }
    case TokenKind::Identifier: return nameOrCall();
    default: break;
  }
  if (token.is("[")) return lambda();
  fail(token.span, fmt::format("expected an expression, but {}", found()), "write a value here");
}

/// A cast to a reference is the target of the cast pointer: `reinterpret_cast<T&>(x)`, `*(T*)&x`.
ExpressionPtr Parser::finishCast(ExpressionPtr cast) {
  cast->span.end = lastSpan().end;
  if (!cast->type->isReference) return finish(std::move(cast));
  if (cast->type->isRvalue) {  // static_cast<T&&>(x)
    cast->kind = Expression::Kind::Call;
    cast->text = "std::forward";
    cast->templateArguments.emplace_back().type = std::exchange(cast->type, std::nullopt);
    return finish(std::move(cast));
  }
  cast->type->isReference = false;
  cast->type->isOfTarget = cast->type->pointers == 0;
  addPointer(cast->type->pointers);
  const auto applied = [&](std::string_view sign, ExpressionPtr operand) {
    ExpressionPtr result = makeExpression(Expression::Kind::Unary, operand->span, sign);
    result->operands.push_back(std::move(operand));
    return finish(std::move(result));
  };
  cast->operands[0] = applied("&", std::move(cast->operands[0]));
  return applied("*", finish(std::move(cast)));
}

ExpressionPtr Parser::namedCast() {
  const Token token = consume();
  ExpressionPtr result = makeExpression(Expression::Kind::Cast, token.span, token.text);
  expect("<", fmt::format("after {}", token.text));
  result->type = typeName();
  expectTemplateEnd("after the type of a cast");
  expect("(", "after the type of a cast");
  result->operands.push_back(inParentheses());
  expect(")", "after the value of a cast");
  return finishCast(std::move(result));
}

/// `float(x)`, `float4{…}`, `Pair{a, b}`.
ExpressionPtr Parser::typedValue() {
  ExpressionPtr result = makeExpression(Expression::Kind::Cast, peek().span);
  result->type = baseType();
  if (peek().is("{")) {
    result->kind = Expression::Kind::Construct;
    result->operands.push_back(list());
  } else {
    expect("(", "after the type of a cast");
    ExpressionPtr values = makeExpression(Expression::Kind::List, lastSpan());
    arguments(*values, ")");
    if (values->operands.size() == 1 && values->operands[0]->kind != Expression::Kind::Expansion) {
      result->operands.push_back(std::move(values->operands[0]));
    } else {  // dim3(8, 8), float()
      result->kind = Expression::Kind::Construct;
      result->operands.push_back(finish(std::move(values)));
    }
  }
  return ended(std::move(result));
}

/// `Mode::kSum`, `Vec<float>::kSize`: the class, and the name within it.
void Parser::scopedName(Expression& name) {
  TypeName scope;
  scope.span = peek().span;
  const Meaning meant = meaning(peek());
  bind(name, meant, peek());
  const std::string word = meant.spelled;
  consume();
  scope.base = word;
  scope.binding = bindingOf(meant);
  scope.isDependent = meant.isDependent;
  if (meant.isTemplate && accept("<"))
    scope.arguments = std::make_shared<std::vector<TemplateArgument>>(templateArguments());
  if (!peek().is("::")) expect("::", "after the type");
  name.text = word;
  while (accept("::")) {
    if (!name.type) {
      name.type = scope;
    } else {
      name.type->path.emplace_back(lastName(name.text));
    }
    accept("template");
    const bool isOperator = accept("operator");
    name.text += "::" + (isOperator ? operatorName() : std::string(consume().text));
  }
}

/// For a name of a namespace, class or template that is not in the text. It may be from a missing file.
void Parser::rejectUnknown(const std::string& name, SourceSpan span) {
  std::string what;
  if (peek().is("::")) {
    at_ -= 1;
    std::size_t next = 0;
    what = scopedName(next);
  } else if (peek().is("<") && isTypeStart(1)) {  // BlockLoad<float, 128>(x)
    const std::size_t end = 1 + typeTokens(1);
    if (peek(end).is(",") || peek(end).is(">")) what = name;
  }
  if (what.empty()) return;
  if (auto outside = notSimulated(what, span)) fail(std::move(*outside));
  fail({fmt::format("'{}' is not known to the simulator", what), wayToDeclare(what), span, true});
}

ExpressionPtr Parser::nameOrCall() {
  const Token token = peek();
  if (token.is("true") || token.is("false")) return taken(Expression::Kind::Boolean);
  if (token.is("__func__") || token.is("__FUNCTION__")) {
    consume();
    return makeExpression(Expression::Kind::String, token.span, fmt::format("\"{}\"", functionName_));
  }
  if (token.is("static_cast") || token.is("reinterpret_cast") || token.is("const_cast")) return namedCast();
  if (isTypeStart(0)) {
    const std::size_t end = typeTokens(0);  // unsigned long long(x), Vec<float>{…}
    if (peek(end).is("(") || peek(end).is("{")) return typedValue();
    fail(token.span, fmt::format("expected an expression, but found the type '{}'", token.text),
         "a declaration is a statement of its own and cannot be part of an expression");
  }
  ExpressionPtr result = makeExpression(Expression::Kind::Name, token.span);
  const std::string group = groupName(0);
  const Meaning meant = meaning(token);
  bool isTemplate = !group.empty() || meant.isTemplate;
  if (!group.empty()) {
    at_ += namespaceTokens(0);
    consume();
    result->text = "cg::" + group;
  } else if (token.is("operator")) {
    consume();
    result->text = operatorName();
    Token name = token;
    name.text = *spellings_.insert(result->text).first;
    bind(*result, meaning(name), name);
    if (classDepth_ > 0) result->binding = Binding::Open;  // the class may have it
  } else if (meant.isType) {
    scopedName(*result);
    isTemplate = templates_.contains(lastName(result->text));
  } else {
    bind(*result, meant, token);
    consume();
    if (token.is("this")) result->isDependent = inTemplate();
    if (token.is("std")) {
      expect("::", "after the type");
      result->text += fmt::format("::{}", consume().text);
      standardArguments(*result);
    }
    isTemplate = isTemplate || (meant.of == Meaning::Of::Nothing && templates_.contains(token.text));
  }
  if (!isTemplate && !result->type) rejectUnknown(result->text, token.span);
  if (isTemplate && accept("<")) {
    result->templateArguments = templateArguments();
    result->isTemplateId = true;
  }
  result->expands = std::ranges::any_of(result->templateArguments, &TemplateArgument::isExpansion);
  if (!group.empty() && peek().is("{")) {  // cg::plus<float>{}
    consume();
    expect("}", "after the operator");
    result->kind = Expression::Kind::Call;
  } else if (accept("(")) {
    result->kind = Expression::Kind::Call;
    arguments(*result, ")");
  } else if (peek().is("<<") && peek(1).is("<")) {
    fail(peek().span, "a kernel cannot launch kernels in the subset that is simulated", "launch it alone");
  }
  return ended(std::move(result));
}

// Values in braces, the arguments of calls, and the patterns and places of `...`.

namespace {

constexpr std::array<std::string_view, 18> kFolded = {"+",  "-",  "*", "/", "%",  "&",  "|",  "^",  "&&",
                                                      "||", "==", "<", ">", "!=", "<=", ">=", "<<", ">>"};

}  // namespace

ExpressionPtr Parser::list() {
  const DepthGuard guard(*this);
  ExpressionPtr result = makeExpression(Expression::Kind::List, peek().span);
  expect("{", "to begin the values");
  while (!peek().is("}")) {
    element(*result);
    if (!accept(",")) break;
  }
  expect("}", "after the values");
  return ended(std::move(result));
}

/// One of the values of a list or a call, optionally with `...`.
void Parser::element(Expression& into) {
  ExpressionPtr value = peek().is(".") ? designated() : initializer();
  if (accept("...")) {
    ExpressionPtr expansion =
        makeExpression(Expression::Kind::Expansion, {value->span.begin, lastSpan().end});
    expansion->operands.push_back(std::move(value));
    value = finish(std::move(expansion));
    into.expands = true;
  }
  into.operands.push_back(std::move(value));
}

/// `.x = 1`, `.p{1, 2}`
ExpressionPtr Parser::designated() {
  expect(".", "before the name of a field");
  ExpressionPtr result = makeExpression(Expression::Kind::Designated, peek().span);
  result->text = identifier("the name of a field").text;
  if (!peek().is("{")) expect("=", "after the field");
  result->operands.push_back(initializer());
  return ended(std::move(result));
}

/// Arguments up to the closing bracket, behind the opening one.
void Parser::arguments(Expression& call, std::string_view end) {
  const bool before = std::exchange(inTemplateArguments_, false);
  while (!peek().is(end)) {
    element(call);
    if (!accept(",")) break;
  }
  inTemplateArguments_ = before;
  expect(end, "after the arguments");
}

/// `(a + ...)`, `(... + a)`, `(a + ... + 0)`, from the operator on; `open`: of the bracket.
ExpressionPtr Parser::fold(ExpressionPtr left, SourceSpan open) {
  ExpressionPtr result = makeExpression(Expression::Kind::Fold, open);
  result->arrow = left != nullptr;
  if (left != nullptr) {
    result->operatorSpan = peek().span;
    result->text = consume().text;
    result->operands.push_back(std::move(left));
  }
  expect("...", "in the fold");
  if (!peek().is(")")) {
    const bool isSame = result->text.empty() || peek().is(result->text);
    if (!isSame || peek().kind != TokenKind::Punctuator)
      fail(peek().span, fmt::format("expected the fold's operator again, but {}", found()),
           "write (pack op ... op value)");
    result->operatorSpan = peek().span;
    result->text = consume().text;
    result->operands.push_back(unary());
  }
  if (result->text != "," && std::ranges::count(kFolded, std::string_view(result->text)) == 0)
    fail(result->operatorSpan, fmt::format("a fold over '{}' is not simulated", result->text),
         "fold over +, *, &&, || or the comma");
  expect(")", "to end the fold");
  return ended(std::move(result));
}

/// `new T`, `new T(1, 2)`, `new (place) T{…}`, `new float*[n]`
ExpressionPtr Parser::newObject() {
  ExpressionPtr result = taken(Expression::Kind::New);
  if (peek().is("(") && typeTokens(1) == 0) {
    consume();
    result->arrow = true;
    result->operands.push_back(inParentheses());
    expect(")", "after the place of the new object");
  }
  TypeName type = baseType();
  while (accept("*")) addPointer(type.pointers);
  result->type = std::move(type);
  if (accept("[")) {
    result->text = "new[]";
    result->operands.push_back(inParentheses());
    expect("]", "after the number of elements");
    if (peek().is("["))
      fail(peek().span, "new of an array of arrays is not simulated",
           "allocate one array, and compute the index");
  }
  if (peek().is("{")) {
    result->operands.push_back(list());
  } else if (accept("(")) {
    ExpressionPtr values = makeExpression(Expression::Kind::List, lastSpan());
    arguments(*values, ")");
    result->operands.push_back(finish(std::move(values)));
  }
  return ended(std::move(result));
}

ExpressionPtr Parser::deleteObject() {
  ExpressionPtr result = taken(Expression::Kind::Delete);
  if (accept("[")) {
    expect("]", "after delete [");
    result->text += "[]";
  }
  result->operands.push_back(unary());
  return ended(std::move(result));
}

}  // namespace lanescope::syntax
