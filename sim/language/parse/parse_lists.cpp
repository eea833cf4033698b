// Values in braces, the arguments of calls, and the patterns and places of `...`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "sim/language/parse/parser_impl.h"

namespace lanescope::syntax {
namespace {

constexpr std::array<std::string_view, 18> kFolded = {"+",  "-",  "*", "/", "%",  "&",  "|",  "^",  "&&",
                                                      "||", "==", "<", ">", "!=", "<=", ">=", "<<", ">>"};

}  // namespace

ExpressionPtr Parser::list() {
  const DepthGuard guard(*this);
  ExpressionPtr result = made(Expression::Kind::List, peek().span);
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
    ExpressionPtr expansion = made(Expression::Kind::Expansion, {value->span.begin, lastSpan().end});
    expansion->operands.push_back(std::move(value));
    value = finish(std::move(expansion));
    into.expands = true;
  }
  into.operands.push_back(std::move(value));
}

/// `.x = 1`, `.p{1, 2}`
ExpressionPtr Parser::designated() {
  expect(".", "before the name of a field");
  ExpressionPtr result = made(Expression::Kind::Designated, peek().span);
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
  ExpressionPtr result = made(Expression::Kind::Fold, open);
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
    ExpressionPtr values = made(Expression::Kind::List, lastSpan());
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
