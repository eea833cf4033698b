// Enumerations, and `using enum`.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "sim/language/parse/parser_impl.h"

namespace lanescope::syntax {

void Parser::enumeration(Unit& result, bool isTypedef) {
  Enumeration type;
  type.span = consume().span;
  type.isScoped = accept("class") || accept("struct");
  type.underlying.base = "int";
  if (!peek().is("{") && !peek().is(":")) {
    const Token name = identifier("the name of the enum");
    type.name = name.text;
    type.span = name.span;
  }
  type.isFixed = type.isScoped || peek().is(":");
  if (accept(":")) type.underlying = typeName();
  expect("{", "to begin the enum");
  while (!peek().is("}")) {
    Declarator enumerator;
    const Token name = identifier("the name of an enumerator");
    enumerator.name = name.text;
    enumerator.span = name.span;
    if (accept("=")) enumerator.initial = conditional();
    type.enumerators.push_back(std::move(enumerator));
    if (!accept(",")) break;
  }
  expect("}", "to end the enum");
  std::string other;
  if (isTypedef) other = identifier("the enum's name").text;
  if (type.name.empty()) std::swap(type.name, other);
  const bool hasVariables = !isTypedef && !peek().is(";");  // enum Mode {…} mode;
  if (hasVariables && type.name.empty()) type.name = fmt::format("(enum {})", type.span.begin);
  if (!type.name.empty()) types_.insert(type.name);
  if (!hasVariables) expect(";", "after the enum");
  FileItem item;
  if (!type.name.empty()) item.names = {type.name};
  for (const Declarator& enumerator : type.enumerators) {
    if (!type.isScoped) item.names.push_back(enumerator.name);
    if (!type.name.empty()) item.names.push_back(type.name + "::" + enumerator.name);
  }
  if (type.isScoped) {
    for (const Declarator& enumerator : type.enumerators) scopedEnums_[type.name].push_back(enumerator.name);
  }
  item.enumeration = std::move(type);
  TypeName named;
  named.base = item.enumeration->name;
  result.items.push_back(std::move(item));
  if (!other.empty() && other != named.base) alias(result, other, named, lastSpan());
  if (!hasVariables) return;
  if (classDepth_ == 0 && locals_.empty()) {  // they are the host's
    if (peek().kind != TokenKind::Identifier) expect(";", "after the enum");
    return;
  }
  named.span = lastSpan();
  declaredWithType_ = makeStatement(Statement::Kind::Declaration, named.span);
  declarators(*declaredWithType_, named);
}

/// `using enum Mode;`: constants with the names of its enumerators. An enum without `class` has them already.
void Parser::usingEnum(Unit& result) {
  consume();
  const Token name = identifier("the name of the enum");
  if (peek().is("::") || !types_.contains(name.text)) {
    fail(name.span, "'using enum' is simulated for enums at file scope and of the function alone",
         "write the enumerators with their class, as Mode::kSum");
  }
  expect(";", "after using enum");
  const auto scoped = scopedEnums_.find(name.text);
  if (scoped == scopedEnums_.end()) return;
  FileItem& item = result.items.emplace_back();
  item.names = scoped->second;
  item.constant = std::make_unique<Statement>();
  item.constant->kind = Statement::Kind::Declaration;
  item.constant->span = name.span;
  item.constant->isConstexpr = true;
  item.constant->type.base = name.text;
  item.constant->type.span = name.span;
  for (const std::string& each : scoped->second) {
    Declarator& constant = item.constant->declarators.emplace_back();
    constant.name = each;
    constant.span = name.span;
    constant.initial = made(Expression::Kind::Name, name.span, item.constant->type.base + "::" + each);
    constant.initial->type = item.constant->type;
  }
}

}  // namespace lanescope::syntax
