#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

// Templates against types: the parameters that make a pattern a type, for arguments of calls and for
// specialisations ([temp.deduct] 13.10.3, [temp.spec.partial] 13.7.6).
namespace lanescope::checker {

const Type* Checker::classInstance(const syntax::TypeName& name) {
  const std::vector<const syntax::Structure*>& templates = classTemplates_.find(name.base)->second;
  const syntax::Structure* const primary = primaryTemplate(name.base);
  if (primary == nullptr)
    fail(name.span, fmt::format("the template of {} is not in this file", name.base), "define it");
  const BoundArguments given =
      boundArguments(name.base, primary->templateParameters, *name.arguments, name.span);
  const std::string key = makeKey(name.base, given.arguments);
  if (const auto known = classInstances_.find(key); known != classInstances_.end()) {
    refuseFaulty(findClass(known->second)->faults);
    return known->second;
  }
  Scope bound = given.bound;
  const syntax::Structure* const chosen = specialisation(name.base, primary, templates, given, bound);
  if (!chosen->isDefined) {
    fail(name.span, fmt::format("{}<{}> is declared, but not defined in this file", name.base, given.shown),
         "define it");
  }
  Type* const classType = kernel_.types->incomplete(fmt::format("{}<{}>", name.base, given.shown));
  classInstances_[key] = classType;
  classes_[classType].arguments = given.arguments;
  completeClass(*classType, *chosen, std::move(bound));
  return classType;
}

/// The arguments that a specialisation is for, with the template's defaults for those that it leaves out.
TemplateArguments Checker::withDefaults(const TemplateArguments& written,
                                        const TemplateParameters& parameters, SourceSpan span) {
  const PackSizes none;
  PackCopier copier(none);
  TemplateArguments all = copier.copy(written);
  for (std::size_t i = all.size(); i < parameters.size() && !parameters[i].isPack; ++i) {
    syntax::TemplateArgument standard;
    standard.type = parameters[i].defaultType;
    if (parameters[i].defaultValue != nullptr) standard.value = copier.copy(*parameters[i].defaultValue);
    if (!standard.type && standard.value == nullptr) break;
    forEachName(standard, [&](const std::string& name) {
      if (std::ranges::count(parameters, name, &syntax::TemplateParameter::name) > 0)
        fail(span,
             "a specialisation that leaves out an argument whose default names another is not simulated",
             "write all arguments");
    });
    all.push_back(std::move(standard));
  }
  return all;
}

/// The most special of a template's specialisations for these arguments, with its own parameters bound. The
/// template itself if there is none.
template <class Node>
const Node* Checker::specialisation(std::string_view name, const Node* primary,
                                    const std::vector<const Node*>& all, const BoundArguments& given,
                                    Scope& bound) {
  const Node* chosen = primary;
  TemplateArguments ofChosen;
  for (const Node* one : all) {
    if (one->specialised == nullptr) continue;
    TemplateArguments written = withDefaults(*one->specialised, primary->templateParameters, one->span);
    const bool hasPack = !written.empty() && written.back().isExpansion;
    Scope own;
    if ((!given.sizes.empty() && !hasPack && written.size() != given.arguments.size()) ||
        !matchesAll(written, one->templateParameters, given.arguments, own) ||
        (chosen->specialised != nullptr &&
         !isMoreSpecial(name, primary->templateParameters, {one->templateParameters, written},
                        {chosen->templateParameters, ofChosen})))
      continue;
    chosen = one;
    ofChosen = std::move(written);
    bound = std::move(own);
  }
  return chosen;
}
template const syntax::FileItem* Checker::specialisation(std::string_view, const syntax::FileItem*,
                                                         const std::vector<const syntax::FileItem*>&,
                                                         const BoundArguments&, Scope&);

/// True if the second specialisation is for everything that the first one is for: it is for types and values
/// that nothing else has in place of the first one's parameters.
bool Checker::isCovered(std::string_view name, const TemplateParameters& primary, const Specialisation& one,
                        const Specialisation& by) {
  constexpr std::uint64_t kUnique = 0x5eed0001;
  const Elsewhere elsewhere(*this, scopesWith({}));
  bool isSo = false;
  attempt([&] {
    for (const syntax::TemplateParameter& parameter : one.own) {
      if (parameter.isPack || parameter.isTemplate) return;
      Symbol symbol{.kind = Symbol::Kind::TypeName};
      if (parameter.isType) {
        symbol.type = kernel_.types->incomplete(parameter.name);
      } else {
        symbol = {.kind = Symbol::Kind::Constant, .type = sizeType(), .bits = kUnique + scope().size()};
        if (parameter.valueType.base != "auto") symbol.type = resolve(parameter.valueType);
      }
      scope().emplace(parameter.name, symbol);
    }
    const std::vector<Symbol> arguments = boundArguments(name, primary, one.written, {}).arguments;
    Scope bound;
    isSo = matchesAll(by.written, by.own, arguments, bound);
  });
  return isSo;
}

/// Of two specialisations for the same arguments (C++20 [temp.spec.partial.order] 13.7.6.3).
bool Checker::isMoreSpecial(std::string_view name, const TemplateParameters& primary,
                            const Specialisation& one, const Specialisation& other) {
  const bool isWhole = one.own.empty() || other.own.empty();
  const bool isCoveredByOther = !isWhole && isCovered(name, primary, one, other);
  if (isWhole || isCoveredByOther == isCovered(name, primary, other, one))
    return one.own.size() < other.own.size();
  return isCoveredByOther;
}

/// True if the specialisation is for these arguments. Binds its own parameters.
bool Checker::matchesAll(const TemplateArguments& written, const TemplateParameters& own,
                         const std::vector<Symbol>& arguments, Scope& bound) {
  const bool hasPack = !written.empty() && written.back().isExpansion;
  if (written.size() > arguments.size() + (hasPack ? 1 : 0)) return false;
  PackSizes sizes;
  if (hasPack) {
    forEachName(written.back(), [&](const std::string& name) {
      const auto parameter = std::ranges::find(own, name, &syntax::TemplateParameter::name);
      if (parameter != own.end() && parameter->isPack) sizes[name] = arguments.size() + 1 - written.size();
    });
  }
  const TemplateParameters parameters = expandedParameters(own, sizes);
  const TemplateArguments patterns = PackCopier(sizes, true).copy(written);
  // Nothing can be deduced from an alias or a member of a type: these are compared at the end.
  const auto tellsNothing = [&](const syntax::TemplateArgument& pattern) {
    return pattern.type && (!pattern.type->path.empty() || pattern.type->of != nullptr ||
                            (pattern.type->arguments && aliasTemplates_.contains(pattern.type->base)));
  };
  const auto isOfType = [&](const Symbol& argument, const syntax::TypeName& type) {
    const Deeper deeper(substitutions_);
    bool isSame = false;
    attemptTyping([&] {  // it may make no sense with the argument
      const Elsewhere elsewhere(*this, {bound});
      isSame = isSameType(argument, meaning(type));
    });
    return isSame;
  };
  for (const bool isLast : {false, true}) {
    for (std::size_t i = 0; i < patterns.size() && i < arguments.size(); ++i) {
      if (tellsNothing(patterns[i]) != isLast) continue;
      if (isLast ? !isOfType(arguments[i], *patterns[i].type)
                 : !matches(patterns[i], arguments[i], parameters, bound))
        return false;
    }
  }
  bindPacks(sizes, bound);
  return true;
}

/// Binds the parameters of a class template under the names in a definition outside the class.
void bindClassParameters(const syntax::Function& function, const std::vector<Symbol>& arguments,
                         Scope& bound) {
  for (std::size_t i = 0; i < function.classParameters.size(); ++i) {
    const syntax::TemplateParameter& parameter = function.classParameters[i];
    if (!parameter.isPack) {
      if (i < arguments.size()) bound.insert_or_assign(parameter.name, arguments[i]);
      continue;
    }
    for (std::size_t j = i; j < arguments.size(); ++j)
      bound.insert_or_assign(elementName(parameter.name, j - i), arguments[j]);
    bindPacks({{parameter.name, arguments.size() - std::min(i, arguments.size())}}, bound);
    return;
  }
}

Symbol Checker::aliasInstance(const syntax::TypeName& name, const syntax::Alias& alias) {
  const Scope bound = boundArguments(name.base, alias.templateParameters, *name.arguments, name.span).bound;
  const Elsewhere elsewhere(*this, {bound});
  const Deeper deeper(aliasDepth_);
  if (aliasDepth_ > kMaxAliasDepth)
    fail(name.span, fmt::format("{} needs too many other types to be simulated", name.base),
         "write the type out");
  return meaning(alias.type);
}

/// True if the specialisation is for this argument. Binds the parameters of the specialisation.
bool Checker::matches(const syntax::TemplateArgument& pattern, const Symbol& given,
                      const TemplateParameters& parameters, Scope& bound) {
  if (given.kind == Symbol::Kind::Template) {
    if (!pattern.type) return false;
    const auto own = std::ranges::find(parameters, pattern.type->base, &syntax::TemplateParameter::name);
    if (own == parameters.end()) return pattern.type->base == *given.templateName;
    const auto [known, isNew] = bound.emplace(own->name, given);
    return isNew || known->second.templateName == given.templateName;
  }
  if (pattern.type) {
    if (given.kind != Symbol::Kind::TypeName) return false;
    const syntax::TypeName& type = *pattern.type;
    if (!type.isReference) return matchesType(type, given, parameters, bound);
    if (!given.isReference || given.isRvalue != type.isRvalue) return false;
    Symbol target = given;
    target.isReference = target.isRvalue = false;
    syntax::TypeName referred = type;
    referred.isReference = referred.isRvalue = false;
    return matchesType(referred, target, parameters, bound);
  }
  if (given.kind != Symbol::Kind::Constant) return false;
  const auto parameter = std::ranges::find(parameters, pattern.value->text, &syntax::TemplateParameter::name);
  if (pattern.value->kind == SyntaxKind::Name && parameter != parameters.end()) {
    const auto [known, isNew] = bound.emplace(parameter->name, given);
    return isNew || (known->second.bits == given.bits && known->second.type == given.type);
  }
  const Elsewhere elsewhere(*this, scopesWith(bound));  // the names of a class around a function's template
  ExpressionPtr value = expression(*pattern.value);
  if (given.isOfAuto && value->type != given.type) return false;
  value = asConstant(convert(std::move(value), given.type));
  return value->kind == Kind::Constant && value->bits == given.bits;
}

/// The same for `T[N]` and `T (*)[N]`.
bool Checker::matchesArray(const syntax::TypeName& pattern, Symbol given,
                           const TemplateParameters& parameters, Scope& bound, const Scope* ofCall) {
  for (std::uint32_t i = 0; i < pattern.arrayPointers; ++i) {
    if (!given.type->isPointer()) return ofCall != nullptr;
    given = targetOf(*given.type);
  }
  for (const syntax::ExpressionPtr& extent : *pattern.extents) {
    if (!given.type->isArray()) return ofCall != nullptr;
    const auto own = std::ranges::find(parameters, extent->text, &syntax::TemplateParameter::name);
    if (extent->kind == SyntaxKind::Name && own != parameters.end()) {
      const Type* const type = own->valueType.base == "auto" ? sizeType() : resolve(own->valueType);
      const Symbol size{.kind = Symbol::Kind::Constant, .type = type, .bits = given.type->count};
      if (bound.emplace(own->name, size).first->second.bits != given.type->count) return false;
    } else if (ofCall == nullptr && constantExtent(*extent) != given.type->count) {
      return false;
    }
    given.type = given.type->element;
  }
  syntax::TypeName element = pattern;
  element.extents = nullptr;
  element.arrayPointers = 0;
  return matchesType(element, given, parameters, bound, ofCall);
}

/// True if the class has the pattern's arguments, or for an argument of a call one of its bases has them
/// ([temp.deduct.call] 13.10.3.2/4).
bool Checker::matchesClass(const syntax::TypeName& pattern, std::string_view base, const Type* given,
                           const TemplateParameters& parameters, Scope& bound, bool mayBeBase) {
  const ClassInfo* const info = findClass(given);
  if (info == nullptr) return false;
  Scope own = bound;
  const std::size_t count = std::min(info->arguments.size(), pattern.arguments->size());
  std::size_t same = info->node->name == base ? 0 : count + 1;
  while (same < count && matches((*pattern.arguments)[same], info->arguments[same], parameters, own)) ++same;
  if (same == count) bound = std::move(own);
  return same == count ||
         (mayBeBase && std::ranges::any_of(given->fields, [&](const Field& field) {
            return field.isBase && matchesClass(pattern, base, field.type, parameters, bound, true);
          }));
}

/// True if the parameters make the pattern the type, or for an argument of a call a type that the argument
/// may convert to ([temp.deduct.type], [temp.deduct.call]): its parameters without a template argument are
/// bound. `ofCall`: the template arguments that the call gives; null: the types are to be the same.
bool Checker::matchesType(const syntax::TypeName& pattern, Symbol given, const TemplateParameters& parameters,
                          Scope& bound, const Scope* ofCall) {
  spend(1, pattern.span);
  if (const auto meant = withoutAlias(pattern); meant && aliasDepth_ < kMaxAliasDepth) {
    const Deeper deeper(aliasDepth_);
    return matchesType(*meant, given, parameters, bound, ofCall);
  }
  if (pattern.extents != nullptr) return matchesArray(pattern, given, parameters, bound, ofCall);
  for (std::uint32_t i = pattern.pointers; i-- > 0;) {
    const bool isSame = !given.isReference && given.isConst == ((pattern.constPointers >> i & 1) != 0) &&
                        given.isVolatile == ((pattern.volatilePointers >> i & 1) != 0);
    if (!given.type->isPointer()) return ofCall != nullptr;  // reported when the argument is converted
    if (ofCall == nullptr && !isSame) return false;
    given = targetOf(*given.type);
  }
  const auto parameterNamed = [&](std::string_view name) {
    const auto found = std::ranges::find(parameters, name, &syntax::TemplateParameter::name);
    return found == parameters.end() || (ofCall != nullptr && ofCall->contains(name)) ? nullptr : &*found;
  };
  const syntax::TemplateParameter* const parameter = parameterNamed(pattern.base);
  const ClassInfo* const info = findClass(given.type);
  std::string_view base = pattern.base;
  if (base == "cg::thread_block_tile" && given.type->isGroup() && pattern.arguments &&
      !pattern.arguments->empty() && pattern.arguments->front().value != nullptr &&
      parameterNamed(pattern.arguments->front().value->text) != nullptr)
    return matches(
        pattern.arguments->front(),
        {.kind = Symbol::Kind::Constant, .type = scalar(Type::Kind::U32), .bits = given.type->count},
        parameters, bound);
  if (pattern.arguments != nullptr && parameter != nullptr && parameter->isTemplate) {  // C<T>
    const auto symbol = info != nullptr ? templateNamed(info->node->name) : std::nullopt;
    if (!symbol || (ofCall == nullptr && pattern.arguments->size() != info->arguments.size())) return false;
    const auto [known, isNew] = bound.emplace(parameter->name, *symbol);
    if (!isNew && known->second.templateName != symbol->templateName) return false;
    base = info->node->name;
  } else if (pattern.arguments == nullptr && parameter != nullptr && parameter->isType &&
             pattern.path.empty()) {
    const bool isQualified = (!pattern.isConst || given.isConst) && (!pattern.isVolatile || given.isVolatile);
    const bool isOfReference = given.isReference && (pattern.isConst || pattern.isVolatile);
    if (ofCall == nullptr && (isOfReference || !isQualified)) return false;
    given.isConst = given.isConst && !pattern.isConst;
    given.isVolatile = given.isVolatile && !pattern.isVolatile;
    const auto [known, isNew] = bound.emplace(parameter->name, given);
    return isNew || isSameType(known->second, given);
  }
  if (ofCall != nullptr) {
    if (pattern.arguments == nullptr || base.starts_with("cg::")) return true;
    bool isDeduced = false;
    forEachName(pattern,
                [&](const std::string& name) { isDeduced = isDeduced || parameterNamed(name) != nullptr; });
    return matchesClass(pattern, base, given.type, parameters, bound, true) || !isDeduced ||
           aliasTemplates_.contains(pattern.base);  // of a pointer to a function
  }
  if (pattern.arguments != nullptr && classTemplates_.contains(base))
    return !given.isReference && given.isConst == pattern.isConst && given.isVolatile == pattern.isVolatile &&
           matchesClass(pattern, base, given.type, parameters, bound, false);
  syntax::TypeName plain = pattern;
  plain.pointers = 0;
  plain.constPointers = plain.volatilePointers = 0;
  const Elsewhere elsewhere(*this, scopesWith(bound));
  return isSameType(given, meaning(plain));
}

// --- names of alias templates ---

namespace {

using AliasArguments = std::map<std::string_view, const syntax::TemplateArgument*>;

/// The type of an alias template with its parameters replaced. Nullopt if it needs more than names.
std::optional<syntax::TypeName> meaningWith(const syntax::TypeName& type, const AliasArguments& by) {
  if (type.extents || type.signature || type.of || !type.path.empty()) return std::nullopt;
  syntax::TypeName result = type;
  if (const auto given = by.find(type.base); given != by.end()) {
    if (!given->second->type) return std::nullopt;
    const syntax::TypeName& own = *given->second->type;
    if (own.extents || own.signature || own.of || (own.pointers > 0 && type.isConst)) return std::nullopt;
    result = own;
    result.pointers += type.pointers;
    result.isConst = type.isConst || own.isConst;
    result.isReference = type.isReference;
    return result;
  }
  if (type.arguments == nullptr) return result;
  result.arguments = std::make_shared<TemplateArguments>();
  for (const syntax::TemplateArgument& argument : *type.arguments) {
    if (argument.isExpansion) return std::nullopt;
    const bool isName = argument.value != nullptr && argument.value->kind == SyntaxKind::Name;
    const auto given = isName ? by.find(argument.value->text) : by.end();
    const PackSizes none;
    syntax::TemplateArgument& own =
        result.arguments->emplace_back(PackCopier(none).copy(given == by.end() ? argument : *given->second));
    if (!argument.type) continue;
    std::optional<syntax::TypeName> inner = meaningWith(*argument.type, by);
    if (!inner) return std::nullopt;
    own.type = std::move(inner);
  }
  return result;
}

}  // namespace

/// The type that `in_ptr<T>` stands for: a name of an alias template is as good as what it names
/// ([temp.alias]). Nullopt for other names.
std::optional<syntax::TypeName> Checker::withoutAlias(const syntax::TypeName& pattern) {
  if (pattern.arguments == nullptr || !pattern.path.empty() || pattern.extents) return std::nullopt;
  const auto found = aliasTemplates_.find(pattern.base);
  if (found == aliasTemplates_.end()) return std::nullopt;
  const syntax::Alias& alias = *found->second;
  AliasArguments by;
  TemplateArguments standard(alias.templateParameters.size());
  for (std::size_t i = 0; i < alias.templateParameters.size(); ++i) {
    const syntax::TemplateParameter& parameter = alias.templateParameters[i];
    if (parameter.isPack) return std::nullopt;
    if (i >= pattern.arguments->size() && parameter.defaultType) standard[i].type = *parameter.defaultType;
    const syntax::TemplateArgument& given =
        i < pattern.arguments->size() ? (*pattern.arguments)[i] : standard[i];
    if (given.isExpansion || (!given.type && given.value == nullptr)) return std::nullopt;
    by.emplace(parameter.name, &given);
  }
  std::optional<syntax::TypeName> type = meaningWith(alias.type, by);
  if (!type) return std::nullopt;
  if (pattern.pointers > 0 && type->pointers > 0 && pattern.isConst) return std::nullopt;
  type->isConst = type->isConst || (pattern.isConst && type->pointers == 0);
  type->pointers += pattern.pointers;
  type->isReference = type->isReference || pattern.isReference;
  type->span = pattern.span;
  return type;
}

}  // namespace lanescope::checker
