// Class template argument deduction: `Pair p(1.0f, 2.0f)`.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/pack_expansion.h"

namespace lanescope::checker {

const syntax::Structure* Checker::primaryTemplate(std::string_view name) const {
  const syntax::Structure* found = nullptr;
  for (const syntax::Structure* const one : classTemplates_.find(name)->second) {
    if (one->specialised) continue;
    if (one->isDefined) return one;
    if (found == nullptr) found = one;
  }
  return found;
}

/// A function template for each constructor of a class template ([over.match.class.deduct]).
const std::vector<syntax::Function>& Checker::deductionGuides(const syntax::Structure& primary) {
  const auto [known, isNew] = deductionGuides_.try_emplace(&primary);
  if (!isNew) return known->second;
  const PackSizes none;
  const auto add = [&, into = &known->second](SourceSpan span) -> syntax::Function& {
    syntax::Function& guide = into->emplace_back();
    guide.name = primary.name;
    guide.span = span;
    guide.templateParameters = expandedParameters(primary.templateParameters, none);
    return guide;
  };
  const auto isConstructor = [](const syntax::Function& method) {
    return method.role == syntax::Function::Role::Constructor;
  };
  for (const syntax::Function& method : primary.methods) {
    if (!isConstructor(method) || method.isDeleted) continue;
    syntax::Function& guide = add(method.span);
    for (syntax::TemplateParameter& own : expandedParameters(method.templateParameters, none))
      guide.templateParameters.push_back(std::move(own));
    PackCopier copier(none, true);
    for (const syntax::Parameter& parameter : method.parameters)
      guide.parameters.push_back(copier.copy(parameter));
  }
  if (std::ranges::none_of(primary.methods, isConstructor)) add(primary.span);
  return known->second;
}

/// The type that `T(x)` and `T{x}` make.
const Type* Checker::typeMade(const syntax::Expression& construction) {
  const Type* const deduced = deducedClass(*construction.type, construction.operands[0].get());
  return deduced != nullptr ? deduced : resolve(*construction.type);
}

/// The class that the name of a class template without arguments means. It follows from the values that an
/// object is made of (null: there are none). Null if the name is not a class template or the class does not
/// follow.
const Type* Checker::deducedClass(const syntax::TypeName& name, const syntax::Expression* values) {
  const bool isPlain = name.arguments == nullptr && name.path.empty() && name.pointers == 0;
  if (!isPlain || !classTemplates_.contains(name.base)) return nullptr;
  const Symbol* const symbol = find(name.base);
  if (symbol != nullptr && symbol->kind == Symbol::Kind::TypeName) return nullptr;  // within the class
  const syntax::Structure* const primary = primaryTemplate(name.base);
  if (primary == nullptr || unit_.hostFunctions.contains(name.base)) return nullptr;  // a guide of the text's
  std::vector<Operand> arguments;
  if (values != nullptr && values->kind == syntax::Expression::Kind::List) {
    arguments = readOperands(*values, 0);
  } else if (values != nullptr) {
    arguments.push_back(operand(*values));
  }
  if (arguments.size() == 1) {  // a copy of another object
    const ClassInfo* const info = arguments[0].type != nullptr ? findClass(arguments[0].type) : nullptr;
    if (info != nullptr && info->node->name == name.base) return arguments[0].type;
  }
  std::vector<Callee> guides;
  for (const syntax::Function& guide : deductionGuides(*primary)) guides.push_back({&guide});
  const syntax::ExpressionPtr call = syntax::made(SyntaxKind::Call, name.span, name.base);
  std::string reason;
  const std::optional<Candidate> best = bestCandidate(*call, guides, arguments, nullptr, reason);
  if (!best) return nullptr;
  syntax::TypeName own;
  own.base = name.base;
  own.span = name.span;
  own.arguments = std::make_shared<std::vector<syntax::TemplateArgument>>();
  for (const syntax::TemplateParameter& parameter : primary->templateParameters) {
    syntax::TemplateArgument& argument = own.arguments->emplace_back();
    if (parameter.isType || parameter.isTemplate) {
      argument.type.emplace();
      argument.type->base = parameter.name;
      argument.type->span = name.span;
    } else {
      argument.value = syntax::made(SyntaxKind::Name, name.span, parameter.name);
    }
  }
  const Elsewhere elsewhere(*this, {best->bound});
  return resolve(own);
}

}  // namespace lanescope::checker
