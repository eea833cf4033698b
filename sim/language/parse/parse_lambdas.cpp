// Lambdas: a class with their captures and the operator of their body.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "sim/language/parse/parser_impl.h"

namespace lanescope::syntax {

void Parser::capture(Closure& closure) {
  if (accept("=")) {
    closure.capturesAll = closure.capturesThis = true;
    return;
  }
  if (peek().is("&") && (peek(1).is(",") || peek(1).is("]"))) {
    consume();
    closure.capturesAll = closure.byReference = closure.capturesThis = true;
    return;
  }
  if (accept("this")) {
    closure.capturesThis = true;
    return;
  }
  if (peek().is("*") && peek(1).is("this"))
    fail(peek().span, "capturing *this is not simulated", "capture the members that the lambda needs");
  Capture one;
  one.isReference = accept("&");
  const Token name = identifier("the name of a variable");
  one.name = name.text;
  one.span = name.span;
  if (accept("=")) one.initial = assignment();
  closure.captures.push_back(std::move(one));
}

/// `[=](float x) { return x * a; }`: a class with operator().
ExpressionPtr Parser::lambda() {
  const DepthGuard guard(*this);
  ExpressionPtr result = made(Expression::Kind::Lambda, peek().span);
  auto closure = std::make_shared<Closure>();
  expect("[", "to begin the lambda");
  while (!peek().is("]")) {
    capture(*closure);
    if (!accept(",")) break;
  }
  expect("]", "after what the lambda captures");
  const bool isArgument = std::exchange(inTemplateArguments_, false);
  Structure& type = closure->structure;
  type.name = fmt::format("(lambda {})", result->span.begin);
  type.span = result->span;
  Function& function = type.methods.emplace_back();
  function.role = Function::Role::Method;
  function.name = "operator()";
  function.span = result->span;
  function.returnType.base = "auto";
  function.returnType.span = result->span;
  locals_.emplace_back();
  while (accept("__device__") || accept("__host__")) {
  }
  if (peek().is("(")) functionParameters(function);
  function.isConst = true;
  for (std::size_t i = 0; !peek(i).is("{") && peek(i).kind != TokenKind::End; ++i) {
    if (peek(i).is("mutable")) function.isConst = false;
  }
  const bool isConst = function.isConst;
  functionTail(function);
  function.isConst = isConst;
  locals_.pop_back();
  inTemplateArguments_ = isArgument;
  result->closure = std::move(closure);
  return ended(std::move(result));
}

}  // namespace lanescope::syntax
