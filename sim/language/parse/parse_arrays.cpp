// Types with arrays and functions in them: pointers and references to arrays, parameters that are arrays,
// pointers to functions; and loops over a range.
#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "sim/language/parse/parser_impl.h"

namespace lanescope::syntax {
namespace {

constexpr std::size_t kMostParameters = 17;  ///< of a function behind a pointer, with its return type

}  // namespace

TypeName findType(TypeName type, const Declarator& declarator) {
  type.pointers += declarator.pointers;
  if (declarator.function) {
    TypeName function = *declarator.function;
    function.signature = std::make_shared<std::vector<TypeName>>(*function.signature);
    function.signature->front() = std::move(type);
    return function;
  }
  if (declarator.array) {
    type.extents = declarator.array->extents;
    type.arrayPointers = declarator.array->arrayPointers;
  }
  return type;
}

/// `[4][8]`: adds each extent.
std::shared_ptr<std::vector<ExpressionPtr>> Parser::fixedExtents() {
  auto result = std::make_shared<std::vector<ExpressionPtr>>();
  while (accept("[")) {
    if (result->size() >= kMaxExtents)
      fail(lastSpan(), "arrays of more than 16 dimensions are not simulated", "use fewer");
    if (peek().is("]")) fail(peek().span, "an array that is pointed to needs its extent", "write a number");
    result->push_back(inParentheses());
    expect("]", "after the array's extent");
  }
  return result;
}

/// True at `(*name)[`, `(&name)[`, `(*)[`: a pointer or reference to an array.
bool Parser::isArrayDeclarator(std::size_t ahead) const {
  if (!peek(ahead).is("(") || !(peek(ahead + 1).is("*") || peek(ahead + 1).is("&"))) return false;
  std::size_t next = ahead + 2;
  while (peek(next).is("*") || peek(next).is("const") || peek(next).is("__restrict__")) ++next;
  if (peek(next).kind == TokenKind::Identifier) ++next;
  return peek(next).is(")") && peek(next + 1).is("[");
}

/// `(*name)[8]`: adds the extents and pointers to the type and returns the name, which a type alone does not
/// have.
Token Parser::arrayDeclarator(TypeName& type) {
  expect("(", "before a pointer to an array");
  pointers(type.arrayPointers);
  if (accept("&")) type.isReference = true;
  Token name;
  if (!peek().is(")")) name = identifier("a name");
  expect(")", "after the name");
  type.extents = fixedExtents();
  return name;
}

/// True at `(*name)(`, `(*name[3])(`, `(*)(`: a pointer to a function.
bool Parser::isFunctionPointer(std::size_t ahead) const {
  if (!peek(ahead).is("(") || !peek(ahead + 1).is("*")) return false;
  std::size_t next = ahead + 2;
  while (peek(next).is("*") || peek(next).is("const")) ++next;
  if (peek(next).kind == TokenKind::Identifier) ++next;
  while (peek(next).is("[")) {
    while (peek(next).kind != TokenKind::End && !peek(next).is("]")) ++next;
    ++next;
  }
  return peek(next).is(")") && peek(next + 1).is("(");
}

/// `(*name[3])(float, int)` behind the function's return type, which becomes a pointer to the function.
/// Returns the name, which a type alone does not have. Without `extents` an array of such pointers is not
/// allowed.
Token Parser::functionPointer(TypeName& type, std::vector<ExpressionPtr>* extents) {
  const DepthGuard guard(*this);
  TypeName pointer;
  pointer.span = type.span;
  pointer.base = "(function)";
  expect("(", "before a pointer to a function");
  pointers(pointer.pointers);
  Token name;
  if (peek().kind == TokenKind::Identifier) name = consume();
  while (extents != nullptr && extents->size() < kMaxExtents && accept("[")) {
    extents->push_back(peek().is("]") ? nullptr : expression());
    expect("]", "after the array's extent");
  }
  expect(")", "after the name");
  pointer.signature = std::make_shared<std::vector<TypeName>>();
  pointer.signature->push_back(std::move(type));
  locals_.emplace_back();  // the parameters' names have no meaning
  Function function;
  functionParameters(function);
  locals_.pop_back();
  for (Parameter& parameter : function.parameters) pointer.signature->push_back(std::move(parameter.type));
  if (pointer.signature->size() > kMostParameters)
    fail(lastSpan(), "pointers to functions of more than 16 parameters are not simulated", "pass a struct");
  pointer.span.end = lastSpan().end;
  type = std::move(pointer);
  return name;
}

/// `[8]` behind the name of a parameter, which becomes a pointer, or behind a type's new name, which becomes
/// an array.
void Parser::parameterExtents(TypeName& type) {
  if (!accept("[")) return;
  if (!accept("]")) {
    expression();
    expect("]", "after the array's extent");
  }
  if (!peek().is("[")) {
    ++type.pointers;
    return;
  }
  type.extents = fixedExtents();
  type.arrayPointers = 1;
}

/// `decltype(x + y)`, behind its word.
void Parser::decltypeRest(TypeName& type) {
  expect("(", "after decltype");
  type.of = inParentheses();
  expect(")", "after the expression");
}

/// Template arguments of a name in std::, and the member behind them: `std::numeric_limits<T>::max`.
void Parser::standardArguments(Expression& name) {
  static const std::set<std::string_view> kTemplates = {
      "std::numeric_limits",  "std::min",           "std::max",
      "std::forward",         "std::is_integral_v", "std::is_floating_point_v",
      "std::is_arithmetic_v", "std::is_signed_v",   "std::is_unsigned_v",
      "std::__atomic_load",   "std::__atomic_swap", "std::__atomic_cas"};
  if (!kTemplates.contains(name.text) || !accept("<")) return;
  name.templateArguments = templateArguments();
  if (accept("::")) name.text += fmt::format("::{}", consume().text);
}

/// True if a for loop continues as `T name : array`.
bool Parser::isRangeFor() const {
  int depth = 0;
  int questions = 0;
  for (std::size_t i = 0; peek(i).kind != TokenKind::End && !peek(i).is(";") && !peek(i).is("{"); ++i) {
    if (peek(i).is("(") || peek(i).is("[")) ++depth;
    if ((peek(i).is(")") || peek(i).is("]")) && --depth < 0) return false;
    if (peek(i).is("?")) ++questions;
    if (peek(i).is(":") && depth == 0 && questions-- == 0) return true;
  }
  return false;
}

/// `for (auto& x : array) …`, behind the opening bracket. The initial value of `x` is written out: the
/// element `(range)[(index)]`, with names that no text can write.
StatementPtr Parser::rangeFor(SourceSpan span) {
  StatementPtr result = makeStatement(Statement::Kind::RangeFor, span);
  StatementPtr declared = makeStatement(Statement::Kind::Declaration, peek().span);
  declared->type = baseType();
  Declarator variable;
  pointers(variable.pointers);
  if (peek().is("&") || peek().is("&&")) {
    variable.isRvalue = consume().is("&&");
    variable.isReference = true;
  }
  variable.isCopied = true;
  if (peek().is("[")) {
    if (declared->type.base != "auto" || variable.pointers > 0)
      fail(peek().span, "names are bound by auto", "write auto before them");
    boundNames(variable);
  } else {
    const Token name = identifier("the name of the loop's variable");
    variable.name = name.text;
    variable.span = name.span;
    if (!locals_.empty()) locals_.back().insert(variable.name);
  }
  expect(":", "after the loop's variable");
  result->expression = peek().is("{") ? list() : expression();
  expect(")", "after the array");
  ExpressionPtr range = made(Expression::Kind::Name, result->expression->span, "(range)");
  ExpressionPtr index = made(Expression::Kind::Name, variable.span, "(index)");
  const Token bracket{TokenKind::Punctuator, "[", variable.span};
  variable.initial = over(Expression::Kind::Index, bracket, std::move(range), std::move(index));
  declared->declarators.push_back(std::move(variable));
  result->body.push_back(std::move(declared));
  result->body.push_back(statement());
  return result;
}

}  // namespace lanescope::syntax
