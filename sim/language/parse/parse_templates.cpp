// Parameters of templates.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/language/parse/parser_impl.h"

namespace lanescope::syntax {

/// The name of a template parameter. One without gets a name that no text can write.
void Parser::templateName(std::size_t number, TemplateParameter& parameter) {
  parameter.isPack = accept("...");
  const bool isUnnamed = peek().is(",") || peek().is(">") || peek().is("=");
  parameter.name = isUnnamed ? fmt::format("(parameter {})", number)
                             : std::string(identifier("the name of a template parameter").text);
}

/// True for `typename T` and `typename = void`, not for the value in `typename std::enable_if<…>::type = 0`.
bool Parser::isTypeParameter() const {
  if (!peek().is("typename") && !peek().is("class")) return false;
  const Token& after = peek(1).kind == TokenKind::Identifier ? peek(2) : peek(1);
  return !after.is("<") && !after.is("::");
}

void Parser::templateParameters(std::vector<TemplateParameter>& parameters) {
  expect("<", "after template");
  while (!peek().is(">")) {
    TemplateParameter parameter;
    if (accept("template")) {  // template <typename> class Op
      parameter.isTemplate = true;
      at_ += angleTokens(0);
    }
    if (isTypeParameter()) {
      ++at_;
      parameter.isType = true;
      templateName(parameters.size() + 1, parameter);
      typeParameters_.insert(parameter.name);
      if (parameter.isTemplate) templateParameters_.insert(parameter.name);
      if (accept("=")) parameter.defaultType = typeName();
    } else {
      parameter.valueType = typeName();
      if (isFunctionPointer(0)) {  // float (*F)(float)
        const Token name = functionPointer(parameter.valueType, nullptr);
        parameter.name =
            name.text.empty() ? fmt::format("(parameter {})", parameters.size() + 1) : std::string(name.text);
      } else {
        templateName(parameters.size() + 1, parameter);
      }
      if (accept("=")) {
        const bool before = std::exchange(inTemplateArguments_, true);
        parameter.defaultValue = conditional();
        inTemplateArguments_ = before;
      }
    }
    parameters.push_back(std::move(parameter));
    if (!accept(",")) break;
  }
  expectTemplateEnd("after the template parameters");
}

}  // namespace lanescope::syntax
