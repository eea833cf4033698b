#include <fmt/format.h>

#include <utility>

#include "sim/language/parse/parser_impl.h"
#include "sim/language/text/quoted_text.h"

namespace lanescope::syntax {

StatementPtr Parser::declaration() {
  StatementPtr result = makeStatement(Statement::Kind::Declaration, peek().span);
  TypeName ahead;  // volatile __shared__ float s[32]
  while (true) {
    qualifiers(ahead);
    if (accept("extern")) {
      result->isExtern = true;
    } else if (accept("__shared__")) {
      result->isShared = true;
    } else if (accept("constexpr")) {
      result->isConstexpr = true;
    } else if (peek().is("__align__") || peek().is("alignas")) {
      alignment();
    } else if (!accept("static") && !accept("register")) {
      break;
    }
  }
  TypeName type = baseType();
  type.isConst |= ahead.isConst;
  type.isVolatile |= ahead.isVolatile;
  if (accept("__shared__")) result->isShared = true;
  declarators(*result, type);
  return result;
}

void Parser::declarators(Statement& statement, const TypeName& type) {
  statement.type = type;
  do {
    statement.declarators.push_back(declarator());
  } while (accept(","));
  statement.span.end = lastSpan().end;
  expect(";", "to end the declaration");
}

Declarator Parser::declarator() {
  Declarator result;
  alignment();
  pointers(result.pointers);
  if (peek().is("&") || peek().is("&&")) {
    result.isRvalue = consume().is("&&");
    result.isReference = true;
  }
  if (peek().is("[")) {
    boundNames(result);
    if (!peek().is("{")) expect("=", "before what the names are bound to");
    result.initial = peek().is("{") ? list() : initializer();
    return result;
  }
  const bool isOfClass = std::exchange(readsField_, false);
  if (isOfClass && peek().is(":")) {  // padding
    result.span = peek().span;
    bitWidth(result);
    readsField_ = true;
    return result;
  }
  const bool isArray = isArrayDeclarator(0);
  const bool isFunction = isFunctionPointer(0);
  if (isArray) result.array.emplace();
  if (isFunction) result.function.emplace();
  const Token name = isArray      ? arrayDeclarator(*result.array)
                     : isFunction ? functionPointer(*result.function, &result.extents)
                                  : identifier("the name of a variable");
  if (isArray) result.isReference = result.array->isReference;
  result.name = name.text;
  result.span = name.span;
  if (!locals_.empty()) locals_.back().insert(result.name);
  if (locals_.empty() && templates_.contains(result.name) && accept("<"))
    result.specialised = std::make_shared<std::vector<TemplateArgument>>(templateArguments());
  while (accept("[")) {
    if (result.extents.size() >= kMaxExtents)
      fail(lastSpan(), "arrays of more than 16 dimensions are not simulated", "use fewer");
    result.extents.push_back(peek().is("]") ? nullptr : expression());
    expect("]", "after the array's extent");
  }
  if (isOfClass && peek().is(":")) bitWidth(result);
  readsField_ = isOfClass;
  if (accept("=")) {
    result.isCopied = true;
    result.initial = initializer();
  } else if (peek().is("{")) {
    result.initial = list();
  } else if (accept("(")) {
    ExpressionPtr values = made(Expression::Kind::List, lastSpan());
    arguments(*values, ")");
    const bool isOne = values->operands.size() == 1;
    result.initial = isOne ? std::move(values->operands[0]) : finish(std::move(values));
  }
  if (result.initial != nullptr && !result.extents.empty())
    spellTexts(result.initial, result.extents.size() - 1);
  return result;
}

void Parser::bitWidth(Declarator& field) {
  expect(":", "before the width of a bit-field");
  field.bits = conditional();
}

/// Spells out string literals that begin an array of characters, `lists` deep within the lists of an array's
/// values: "ab" is {'a', 'b', 0}.
void Parser::spellTexts(ExpressionPtr& node, std::size_t lists) {
  if (node->kind == Expression::Kind::List && lists > 0) {
    for (ExpressionPtr& part : node->operands) spellTexts(part, lists - 1);
    node = finish(std::move(node));
  }
  if (node->kind != Expression::Kind::String || lists > 0) return;
  ExpressionPtr characters = made(Expression::Kind::List, node->span);
  const auto add = [&](char value) {
    ExpressionPtr character = made(Expression::Kind::Integer, node->span,
                                   fmt::format("'\\x{:02x}'", static_cast<unsigned char>(value)));
    characters->operands.push_back(std::move(character));
  };
  for (const char c : unquoted(node->text)) add(c);
  add('\0');
  node = finish(std::move(characters));
}

/// `[x, y]`, behind `auto` and its `&`.
void Parser::boundNames(Declarator& result) {
  result.span = peek().span;
  result.name = fmt::format("(bound {})", result.span.begin);
  expect("[", "before the bound names");
  do {
    const Token name = identifier("the name of a variable");
    Declarator& bound = result.bindings.emplace_back();
    bound.name = name.text;
    bound.span = name.span;
    if (!locals_.empty()) locals_.back().insert(bound.name);
  } while (accept(","));
  expect("]", "after the bound names");
  result.span.end = lastSpan().end;
}

}  // namespace lanescope::syntax
