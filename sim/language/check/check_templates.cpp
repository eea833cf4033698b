#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/check/checker_state.h"
#include "sim/language/check/constant_evaluation.h"

// Template parameters: their binding, and the names of functions with them.
namespace lanescope::checker {
namespace {

/// True for `T&&` with a template parameter T of the function that the call does not give: it takes any value
/// category ([temp.deduct.call] 13.10.3.2/3).
bool isForwarding(const syntax::Function& function, const syntax::TypeName& type, std::size_t given) {
  if (!type.isRvalue || type.isConst || type.pointers > 0 || !type.path.empty()) return false;
  const auto own =
      std::ranges::find(function.templateParameters, type.base, &syntax::TemplateParameter::name);
  return own != function.templateParameters.end() && own->isType &&
         static_cast<std::size_t>(own - function.templateParameters.begin()) >= given;
}

}  // namespace

/// True for a reference to rvalues: references to references collapse, as in `T&&` with T = X&.
bool takesRvalues(const syntax::TypeName& type, const Scope& bound) {
  const auto base = type.pointers == 0 && type.path.empty() ? bound.find(type.base) : bound.end();
  return type.isRvalue && (base == bound.end() || !base->second.isReference || base->second.isRvalue);
}

/// What a pointer of the type leads to.
Symbol targetOf(const Type& pointer) {
  Symbol target{.kind = Symbol::Kind::TypeName, .type = pointer.element};
  target.isConst = pointer.elementIsConst;
  target.isVolatile = pointer.elementIsVolatile;
  return target;
}

/// `Vec<float, 3>`: its key and its name.
std::string makeKey(std::string_view name, const std::vector<Symbol>& arguments) {
  std::string key(name);
  for (const Symbol& symbol : arguments) {
    key += fmt::format("|{}{}{}{}{}:{}", symbol.isConst ? "const " : "", symbol.isVolatile ? "volatile " : "",
                       symbol.isReference ? (symbol.isRvalue ? "&&" : "&") : "",
                       symbol.templateName != nullptr ? *symbol.templateName : std::string(),
                       fmt::ptr(symbol.type), symbol.bits);
  }
  return key;
}

/// The arguments of a template of classes, aliases or variables as written, then the defaults.
BoundArguments Checker::boundArguments(std::string_view name, const TemplateParameters& parameters,
                                       const TemplateArguments& written, SourceSpan span) {
  spend(1, span);
  BoundArguments result;
  const TemplateArguments given = expandedArguments(written, span);
  const TemplateParameters expanded = expandedFor(parameters, given.size(), span, result.sizes);
  std::string reason = bindAllGiven(name, expanded, given, result.bound);
  if (reason.empty()) reason = bindStandard(name, expanded, result.bound);
  if (!reason.empty()) fail(span, reason, fmt::format("see the declaration of {}", name));
  for (const syntax::TemplateParameter& parameter : expanded) {
    result.arguments.push_back(result.bound.at(parameter.name));
    result.shown += (result.shown.empty() ? "" : ", ") + argumentText(result.arguments.back());
    spend(1 + result.shown.size() / kBytesOfWork, span);
    if (result.shown.size() > kLongestName)
      fail(span, fmt::format("the arguments of {} have names that are too long", name),
           "use fewer templates");
  }
  bindPacks(result.sizes, result.bound);
  return result;
}

/// The template of classes or aliases of that name, as the value of a template parameter.
std::optional<Symbol> Checker::templateNamed(std::string_view name) {
  const Symbol* const known = find(name);
  if (known != nullptr && known->templateName != nullptr) return *known;
  Symbol symbol{.kind = Symbol::Kind::Template};
  if (const auto ofClass = classTemplates_.find(name); ofClass != classTemplates_.end()) {
    symbol.templateName = &ofClass->first;
  } else if (const auto ofAlias = aliasTemplates_.find(name); ofAlias != aliasTemplates_.end()) {
    symbol.templateName = &ofAlias->first;
  } else {
    return std::nullopt;
  }
  return symbol;
}

/// The value of a variable template, or of its specialization, for the arguments.
Symbol Checker::variableValue(const syntax::FileItem& item, Scope bound, const std::string& shown) {
  constexpr int kMostNested = 64;
  const syntax::Declarator& declarator = item.constant->declarators.front();
  if (variableDepth_ >= kMostNested)
    fail(declarator.span, fmt::format("{} needs too many others to be simulated", shown), "use fewer");
  const Deeper deeper(variableDepth_);
  const Elsewhere elsewhere(*this, {std::move(bound)});
  Symbol symbol{.kind = Symbol::Kind::Constant};
  syntax::TypeName type = syntax::findType(item.constant->type, declarator);
  ExpressionPtr given;
  if (declarator.initial != nullptr && type.base == "auto") {
    given = expression(*declarator.initial);
    symbol.type = given->type;
  } else if (declarator.extents.empty()) {
    symbol.type = resolve(type);
  }
  if (symbol.type == nullptr || !symbol.type->isArithmetic()) {
    fail(declarator.span, fmt::format("{} is not a number, which is not simulated", shown),
         "make it a static constexpr member of a template of a struct");
  }
  if (declarator.initial == nullptr) return symbol;
  if (given == nullptr) given = initialValue(*declarator.initial, symbol.type, declarator.span);
  const ExpressionPtr value = asConstant(std::move(given));
  if (value->kind != Kind::Constant)
    fail(declarator.span, fmt::format("{} is not a constant", shown), "give it one");
  symbol.bits = value->bits;
  return symbol;
}

/// The value of `kBits<float>`, a constant. Null if no variable template has the name.
ExpressionPtr Checker::variableInstance(const syntax::Expression& node) {
  const auto found = variableTemplates_.find(node.text);
  if (node.templateArguments.empty() || node.type || found == variableTemplates_.end()) return nullptr;
  const auto primary =
      std::ranges::find_if(found->second, [](const auto* one) { return one->specialised == nullptr; });
  if (primary == found->second.end())
    fail(node.span, fmt::format("the template of {} is not in this file", node.text), "define it");
  const BoundArguments given =
      boundArguments(node.text, (*primary)->templateParameters, node.templateArguments, node.span);
  const std::string key = makeKey(node.text, given.arguments);
  const auto known = variableInstances_.find(key);
  if (known != variableInstances_.end()) return constant(known->second.type, known->second.bits, node.span);
  Scope bound = given.bound;
  const syntax::FileItem* const chosen = specialisation(node.text, *primary, found->second, given, bound);
  const Symbol symbol =
      variableValue(*chosen, std::move(bound), fmt::format("{}<{}>", node.text, given.shown));
  variableInstances_[key] = symbol;
  return constant(symbol.type, symbol.bits, node.span);
}

/// Binds one template parameter to an argument as written. Returns the reason if that is not possible, else
/// "".
std::string Checker::bindGiven(std::string_view name, const syntax::TemplateParameter& parameter,
                               const syntax::TemplateArgument& argument, Scope& bound) {
  const auto bind = [&](const Symbol& symbol) {
    bound.emplace(parameter.name, symbol);
    return std::string();
  };
  const auto mustBe = [&](std::string_view what) {
    return fmt::format("the template argument {} of {} must be a {}", parameter.name, name, what);
  };
  if (parameter.isTemplate) {
    const auto symbol = templateNamed(argument.type ? argument.type->base : argument.value->text);
    return symbol ? bind(*symbol) : mustBe("template of a class");
  }
  if (parameter.isType) {
    const bool isName = argument.value != nullptr && argument.value->kind == SyntaxKind::Name;
    const Symbol* const named = isName ? find(*argument.value) : nullptr;  // in the name of a kernel
    if (named != nullptr && named->kind == Symbol::Kind::TypeName) return bind(*named);
    return argument.type ? bind(meaning(*argument.type)) : mustBe("type");
  }
  if (argument.type) {  // the name of a constant or a function may be read as a type's
    std::string text = argument.type->base;
    for (const std::string& part : argument.type->path) text += "::" + part;
    const Symbol* const named = argument.type->pointers == 0 ? find(text) : nullptr;
    if (named != nullptr && named->kind == Symbol::Kind::Constant) {
      Symbol symbol = *named;
      symbol.isOfAuto = parameter.valueType.base == "auto";
      if (!symbol.isOfAuto) symbol.type = resolve(parameter.valueType);
      const SourceSpan span = argument.type->span;
      symbol.bits =
          fold(convertImplicitly(constant(named->type, named->bits, span), symbol.type, span))->bits;
      return bind(symbol);
    }
    const auto function = functionNamed(*argument.type);
    return function ? bind(*function) : mustBe("constant");
  }
  Symbol symbol{.kind = Symbol::Kind::Constant};
  ExpressionPtr given = expression(*argument.value);
  symbol.type = given->type;
  symbol.isOfAuto = parameter.valueType.base == "auto";
  if (!symbol.isOfAuto) {
    const Elsewhere elsewhere(*this, scopesWith(bound));
    symbol.type = resolve(parameter.valueType);
  }
  // The name of a kernel, from outside, may give the number of an enumerator.
  if (inProgress_.empty() && symbol.type->isEnum() && given->type->isInteger())
    given = convert(std::move(given), symbol.type);
  const ExpressionPtr value =
      asConstant(convertImplicitly(std::move(given), symbol.type, argument.value->span));
  if (value->kind != Kind::Constant)
    return fmt::format("the template argument {} of {} is not a constant", parameter.name, name);
  symbol.bits = value->bits;
  return bind(symbol);
}

std::string Checker::bindAllGiven(std::string_view name, const TemplateParameters& parameters,
                                  const TemplateArguments& given, Scope& bound) {
  if (given.size() > parameters.size())
    return takesText(name, parameters.size(), parameters.size(), "template argument", given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (std::string reason = bindGiven(name, parameters[i], given[i], bound); !reason.empty()) return reason;
  }
  return {};
}

/// Binds the parameters that are still unbound to their defaults.
std::string Checker::bindStandard(std::string_view name, const TemplateParameters& parameters, Scope& bound) {
  for (const syntax::TemplateParameter& parameter : parameters) {
    if (bound.contains(parameter.name)) continue;
    if (parameter.defaultType || parameter.defaultValue != nullptr) {
      bound.emplace(parameter.name, standardArgument(parameter, bound));
    } else {
      return fmt::format("the template parameter {} of {} is not known", parameter.name, name);
    }
  }
  return {};
}

/// Binds a function's template parameters: first the given ones, then those deduced from the arguments'
/// types, then the defaults. Returns the reason if that is not possible, else "".
std::string Checker::bindTemplate(const syntax::Function& function, const TemplateArguments& given,
                                  std::span<const Operand> arguments, Scope& bound) {
  const auto& parameters = function.templateParameters;
  if (std::string reason = bindAllGiven(function.name, parameters, given, bound); !reason.empty())
    return reason;
  const Scope written = bound;
  const std::size_t count = parameters.empty() ? 0 : std::min(arguments.size(), function.parameters.size());
  for (std::size_t i = 0; i < count; ++i) {
    const syntax::TypeName& pattern = function.parameters[i].type;
    const Operand& argument = arguments[i];
    if (argument.type == nullptr) continue;  // nothing can be deduced from values in braces
    Symbol own{.kind = Symbol::Kind::TypeName, .type = argument.type};
    if (pattern.isReference) {
      own.type = argument.ownType();
      own.isConst = argument.refersToConst();
      own.isVolatile = argument.glvalue && argument.glvalue->isVolatile;
      own.isReference = argument.isLvalue() && isForwarding(function, pattern, given.size());
    }
    if (!matchesType(pattern, own, parameters, bound, &written)) {
      return fmt::format("the arguments of {} do not agree on its template parameters", function.name);
    }
  }
  return bindStandard(function.name, parameters, bound);
}

/// The value of a template parameter without an argument: its default, which may name the parameters before
/// it.
Symbol Checker::standardArgument(const syntax::TemplateParameter& parameter, const Scope& bound) {
  spend(bound.size(), parameter.defaultType ? parameter.defaultType->span : parameter.valueType.span);
  const Elsewhere elsewhere(*this, {bound});
  if (parameter.isTemplate) {
    if (const auto named = templateNamed(parameter.defaultType->base)) return *named;
  }
  if (parameter.defaultType) return meaning(*parameter.defaultType);
  Symbol symbol{.kind = Symbol::Kind::Constant, .type = resolve(parameter.valueType)};
  symbol.bits = asConstant(convert(expression(*parameter.defaultValue), symbol.type))->bits;
  return symbol;
}

/// True if the specialisation is one of the candidate's template with its arguments: it has parameters of the
/// same types, and was written for the arguments that it names.
bool Checker::isFor(const syntax::Function& specialisation, const Candidate& candidate) {
  const syntax::Function& function = *candidate.function;
  if (specialisation.parameters.size() != candidate.parameters.size() ||
      specialisation.specialised.size() > function.templateParameters.size())
    return false;
  const ClassInfo* const info = findClass(candidate.callee.owner);
  const Elsewhere elsewhere(*this, {info != nullptr ? info->scope : Scope{}});
  Scope none;
  for (std::size_t i = 0; i < specialisation.specialised.size(); ++i) {
    const auto bound = candidate.bound.find(function.templateParameters[i].name);
    if (bound == candidate.bound.end() || !matches(specialisation.specialised[i], bound->second, {}, none))
      return false;
  }
  for (std::size_t i = 0; i < candidate.parameters.size(); ++i) {
    if (parameterType(specialisation.parameters[i]) != candidate.parameters[i]) return false;
  }
  return true;
}

/// `template <> int Vec<char>::size()`: in place of the member of the template ([temp.expl.spec] 13.9.4).
void Checker::specialiseMember(Candidate& candidate) {
  const ClassInfo& info = *findClass(candidate.callee.owner);
  for (const syntax::MemberDefinition& definition : unit_.members) {
    const syntax::Function& function = definition.function;
    Scope none;
    if (!function.isSpecialisation || definition.className != info.node->name ||
        function.name != candidate.function->name || function.isConst != candidate.function->isConst ||
        !matchesAll(definition.arguments, {}, info.arguments, none) || !isFor(function, candidate))
      continue;
    refuseFaulty(function.diagnostics);
    if (std::ranges::any_of(candidate.function->parameters,
                            [](const auto& one) { return one.initial != nullptr; }))
      fail(function.span, "a specialised member with default arguments is not simulated", "overload it");
    candidate.function = candidate.callee.function = &function;
    return;
  }
}

/// Replaces the template by the specialisation for the arguments.
void Checker::specialise(Candidate& candidate) {
  if (candidate.callee.owner != nullptr) return specialiseMember(candidate);
  if (candidate.function->templateParameters.empty()) return;
  for (const syntax::Function* const function : unit_.index.named(candidate.function->name)) {
    if (!function->isSpecialisation || function->parameters.size() != candidate.parameters.size()) continue;
    refuseFaulty(function->diagnostics);
    if (!isFor(*function, candidate)) continue;
    candidate.function = candidate.callee.function = function;
    return;
  }
}

/// A template argument as written in the text: a type's name, an enumerator, a number.
std::string Checker::argumentText(const Symbol& bound) {
  if (bound.templateName != nullptr) return *bound.templateName;
  if (bound.kind == Symbol::Kind::TypeName) {
    const std::string name = bound.type->name();
    const std::string_view reference = !bound.isReference ? "" : bound.isRvalue ? "&&" : "&";
    return bound.type->isPointer() ? fmt::format("{}{}{}{}", name, bound.isConst ? " const" : "",
                                                 bound.isVolatile ? " volatile" : "", reference)
                                   : fmt::format("{}{}{}{}", bound.isConst ? "const " : "",
                                                 bound.isVolatile ? "volatile " : "", name, reference);
  }
  if (const auto known = enumerators_.find(bound.type); known != enumerators_.end()) {
    for (const auto& [name, symbol] : known->second) {
      if (symbol.bits == bound.bits) return name;
    }
  }
  if (bound.type->kind == Type::Kind::Bool) return bound.bits != 0 ? "true" : "false";
  if (bound.type->isPointer()) {
    const syntax::Function* const function = functionAt(bound.bits, bound.type->element);
    const auto instance = std::ranges::find(pointedTo_, bound.bits, &FunctionInstance::digest);
    return function != nullptr            ? function->name
           : instance != pointedTo_.end() ? instance->function->name + "<…>"
                                          : "(function)";
  }
  return fmt::format("{}", constantValue(*bound.type, bound.bits));
}

/// `add<2>`: the function's name with the template arguments of the call.
std::string Checker::instanceName(const Candidate& candidate) {
  const syntax::Function& function = *candidate.function;
  std::string arguments;
  for (const syntax::TemplateParameter& parameter : function.templateParameters) {
    const auto bound = candidate.bound.find(parameter.name);
    if (bound == candidate.bound.end()) return function.name;
    if (parameter.name.starts_with("(auto")) continue;
    arguments += (arguments.empty() ? "" : ", ") + argumentText(bound->second);
  }
  const Type* const owner = candidate.callee.owner;
  const std::string name = owner == nullptr ? function.name : owner->name() + "::" + function.name;
  return arguments.empty() ? name : name + "<" + arguments + ">";
}

// Class template argument deduction: `Pair p(1.0f, 2.0f)`.

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
  const auto isConstructor = [](const syntax::Function& method) { return method.role == Role::Constructor; };
  for (const syntax::Function& method : primary.methods) {
    if (!isConstructor(method) || method.isDeleted) continue;
    syntax::Function& guide = add(method.span);
    for (syntax::TemplateParameter& own : expandedParameters(method.templateParameters, none))
      guide.templateParameters.push_back(std::move(own));
    guide.constraint = method.constraint;
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
  const Symbol* const symbol = find(name);
  if (symbol != nullptr && symbol->kind == Symbol::Kind::TypeName) return nullptr;  // within the class
  const syntax::Structure* const primary = primaryTemplate(name.base);
  if (primary == nullptr || unit_.hostFunctions.contains(name.base)) return nullptr;  // a guide of the text's
  std::vector<Operand> arguments;
  if (values != nullptr && values->kind == SyntaxKind::List) {
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
  const syntax::ExpressionPtr call = syntax::makeExpression(SyntaxKind::Call, name.span, name.base);
  std::string reason;
  const std::optional<Candidate> best = bestCandidate(*call, guides, arguments, nullptr, reason);
  if (!best) return nullptr;
  syntax::TypeName own;
  own.base = name.base;
  own.span = name.span;
  own.arguments = std::make_shared<TemplateArguments>();
  for (const syntax::TemplateParameter& parameter : primary->templateParameters) {
    syntax::TemplateArgument& argument = own.arguments->emplace_back();
    if (parameter.isType || parameter.isTemplate) {
      argument.type.emplace();
      argument.type->base = parameter.name;
      argument.type->span = name.span;
    } else {
      argument.value = syntax::makeExpression(SyntaxKind::Name, name.span, parameter.name);
    }
  }
  const Elsewhere elsewhere(*this, {best->bound});
  return resolve(own);
}

}  // namespace lanescope::checker
