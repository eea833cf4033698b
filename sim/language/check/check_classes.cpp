#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"

// Structs, classes and unions: their names, bases and fields, and templates of them.
namespace lanescope::checker {

namespace {

/// Classes that are being made at the same time: templates can require any number.
constexpr int kMaxClassDepth = 32;
constexpr std::size_t kMaxClasses = 1024;

/// True if the class itself declares the name, other than of a field.
bool declaresOther(const syntax::Structure& node, std::string_view name) {
  const auto isOne = [&](const auto& one) { return one.name == name; };
  const bool isConstant = std::ranges::any_of(node.constants, [&](const syntax::StatementPtr& constant) {
    return std::ranges::any_of(constant->declarators, isOne);
  });
  return isConstant || std::ranges::any_of(node.methods, isOne) ||
         (node.types != nullptr && std::ranges::any_of(*node.types, [&](const syntax::FileItem& item) {
            return std::ranges::count(item.names, name) > 0;
          }));
}

/// True for plain old data as C++03 has it and without initial values, which the layout of derived classes
/// depends on.
bool isPlain(const syntax::Structure& node, const std::vector<Field>& fields) {
  const bool hasInitials = std::ranges::any_of(node.fields, [](const syntax::StatementPtr& field) {
    return std::ranges::any_of(field->declarators,
                               [](const syntax::Declarator& one) { return one.initial != nullptr; });
  });
  const bool declaresNone = std::ranges::none_of(node.methods, [](const syntax::Function& method) {
    return method.role == syntax::Function::Role::Constructor ||
           method.role == syntax::Function::Role::Destructor || method.name == "operator=";
  });
  const bool hasHostOnes = node.hostMethods.contains(node.name);
  const bool arePlain = std::ranges::all_of(
      fields, [](const Field& field) { return !field.isBase && !field.isReference && field.type->isPlain; });
  return declaresNone && !hasInitials && !node.hasVirtual && !hasHostOnes && arePlain &&
         !node.hasPrivateFields;
}

}  // namespace

const ClassInfo* Checker::findClass(const Type* type) const {
  const auto found = classes_.find(type);
  return found == classes_.end() ? nullptr : &found->second;
}

/// The names of the open scopes that a class within them sees: types, constants, shared memory, but no
/// variables.
Scope Checker::visibleNames() const {
  Scope names;
  for (const Scope& scope : scopes_) {
    for (const auto& [name, symbol] : scope) {
      if (symbol.kind != Symbol::Kind::Variable && symbol.kind != Symbol::Kind::Field)
        names.insert_or_assign(name, symbol);
    }
  }
  return names;
}

void Checker::structure(const syntax::Structure& node) {
  Symbol symbol{.kind = Symbol::Kind::TypeName};
  Type* const classType = kernel_.types->incomplete(node.name);
  symbol.type = classType;
  Scope names = visibleNames();
  declare(node.name, node.span, symbol);
  completeClass(*classType, node, std::move(names));
}

/// A packed struct is simulated only if its layout is the same without packing.
void Checker::refusePadding(const Type& type, const syntax::Structure& node) {
  std::uint32_t end = 0;
  bool isSame = true;
  for (const Field& field : type.fields) {
    const std::uint32_t alignment = std::min<std::uint32_t>(field.type->alignment, node.pack);
    isSame = isSame && field.offset == (end + alignment - 1) / alignment * alignment;
    end = field.offset + field.type->size;
  }
  if (isSame && (type.isUnion || end == type.size)) return;
  fail(node.span, fmt::format("{} is packed, which is not simulated", node.name),
       "order its members by their size, so that there is nothing to pack");
}

/// Adds the bases, types, constants and fields of a class. `names`: those around it and of its template.
void Checker::completeClass(Type& type, const syntax::Structure& node, Scope names) {
  spend(1, node.span);
  if (classes_.size() > kMaxClasses || classDepth_ >= kMaxClassDepth)
    fail(node.span, "this struct needs too many others to be simulated", "use fewer");
  ++classDepth_;
  ClassInfo& info = classes_[&type];
  info.node = &node;
  Symbol self{.kind = Symbol::Kind::TypeName, .type = &type};
  names.insert_or_assign(node.name, self);
  std::vector<Scope> scopes;
  scopes.push_back(std::move(names));
  try {
    const Elsewhere elsewhere(*this, std::move(scopes));
    functionName_.clear();
    std::vector<Field> fields;
    addBases(node, fields);
    info.declared.resize(fields.size(), nullptr);
    for (const Field& base : fields) {
      for (const auto& [name, symbol] : findClass(base.type)->scope)
        if (symbol.kind != Symbol::Kind::Field) scope().emplace(name, symbol);
    }
    addClassNumber(node, fields, info);
    pushScope();
    for (const auto& [base, name] : node.usings) {
      const Symbol* const used = memberNamed(resolve(base), name);
      if (used != nullptr) scope().insert_or_assign(name, *used);
    }
    classNames(node);
    info.scope = scopes_.front();
    for (const auto& [name, symbol] : scope()) info.scope.insert_or_assign(name, symbol);
    addFields(type, node, fields);
    Layout layout;
    layout.isUnion = node.isUnion;
    layout.isPlain = isPlain(node, fields);
    layout.alignment = node.alignment != nullptr ? alignmentIn(*node.alignment) : 0;
    kernel_.types->complete(type, std::move(fields), layout);
    if (node.pack > 0) refusePadding(type, node);
    std::erase_if(info.declared, [](const syntax::Declarator* declared) {
      return declared != nullptr && declared->bits != nullptr && declared->name.empty();
    });
    refuseSplitBits(type, node);
  } catch (const CheckFault&) {
    --classDepth_;
    info.isFaulty = true;
    throw;
  }
  --classDepth_;
  addFieldNames(type, info.scope, false);
  info.isComplete = true;
}

std::uint32_t Checker::alignmentIn(const syntax::Expression& node) {
  const ExpressionPtr given = asConstant(value(node));
  const bool isNumber = given->kind == Kind::Constant && given->type->isInteger();
  if (!isNumber || given->bits > 128 || (given->bits & (given->bits - 1)) != 0)
    fail(node.span, "an alignment is a power of two, at most 128", "write __align__(16)");
  return static_cast<std::uint32_t>(given->bits);
}

/// The types and constants that a class declares, in their order.
void Checker::classNames(const syntax::Structure& node) {
  std::vector<std::pair<std::uint32_t, const void*>> order;
  const auto findSpan = [](const syntax::FileItem& item) {
    if (item.structure) return item.structure->span.begin;
    return item.alias ? item.alias->span.begin : item.enumeration ? item.enumeration->span.begin : 0u;
  };
  std::size_t next = 0;
  const std::vector<syntax::FileItem> none;
  const std::vector<syntax::FileItem>& types = node.types != nullptr ? *node.types : none;
  const auto declareTypes = [&](std::uint32_t before) {
    for (; next < types.size() && findSpan(types[next]) < before; ++next) fileItem(types[next]);
  };
  for (const syntax::StatementPtr& constant : node.constants) {
    declareTypes(constant->span.begin);
    for (const syntax::Declarator& declarator : constant->declarators) classConstant(*constant, declarator);
  }
  declareTypes(UINT32_MAX);
}

/// A static constant. Its faults count for the kernels that use it.
void Checker::classConstant(const syntax::Statement& node, const syntax::Declarator& declarator) {
  const std::size_t before = diagnostics_.size();
  try {
    const Type* const type = resolve(syntax::findType(node.type, declarator));
    if (!declarator.extents.empty() || type->isStruct()) {
      declareSymbol(node, declarator, arrayType(node, declarator, kMaxSymbolBytes));
    } else {
      declareLocal(node, declarator, nullptr);
    }
  } catch (const CheckFault&) {
    std::vector<Diagnostic>& faults = constantFaults_[&declarator];
    for (std::size_t i = before; i < diagnostics_.size(); ++i) faults.push_back(std::move(diagnostics_[i]));
    diagnostics_.resize(before);
  }
}

/// Reports the faults of a static constant of that name.
void Checker::reportConstant(const Type* type, std::string_view name) {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return;
  for (const syntax::StatementPtr& constant : info->node->constants) {
    for (const syntax::Declarator& declarator : constant->declarators) {
      if (declarator.name != name || !constantFaults_.contains(&declarator)) continue;
      makeReport(constantFaults_[&declarator]);
      throw CheckFault{};
    }
  }
}

void Checker::addBases(const syntax::Structure& node, std::vector<Field>& fields) {
  for (const syntax::TypeName& name : node.bases) {
    const Type* const base = resolve(name);
    const ClassInfo* const info = findClass(base);
    if (info == nullptr || !info->isComplete || base->isUnion)
      fail(name.span, fmt::format("{} cannot be a base", base->name()), "inherit from a struct of this file");
    Field field{.type = base, .isBase = true};
    fields.push_back(std::move(field));
  }
}

void Checker::addFields(const Type& type, const syntax::Structure& node, std::vector<Field>& fields) {
  ClassInfo& info = classes_[&type];
  std::uint64_t size = 0;
  std::set<std::string> names;
  for (const Field& known : fields) names.insert(known.name);
  for (const syntax::StatementPtr& declaration : node.fields) {
    for (const syntax::Declarator& declarator : declaration->declarators) {
      Field field;
      field.name = declarator.name;
      field.isReference = declarator.isReference;
      field.isMutable = declaration->isMutable;
      field.type = fieldType(type, *declaration, declarator);
      field.isConst = !field.isReference && isConstType(syntax::findType(declaration->type, declarator));
      if (declarator.bits != nullptr) field.bits = bitRange(declarator, *field.type);
      for (const auto* const given : {&std::as_const(declaration->alignments), &declarator.alignments}) {
        for (const syntax::ExpressionPtr& one : *given)
          field.alignment = std::max(field.alignment, alignmentIn(*one));
      }
      size += field.type->size;
      if (field.type->kind == Type::Kind::Void || field.type->isGroup() || size > kMaxSymbolBytes) {
        fail(declarator.span, "a field of this type is not in the subset that is simulated",
             "use numbers or pointers");
      }
      if (!field.name.empty() && !names.insert(field.name).second) {
        fail(declarator.span, fmt::format("two fields are named '{}'", declarator.name),
             "rename one of them");
      }
      fields.push_back(std::move(field));
      info.declared.push_back(&declarator);
    }
  }
}

const Type* Checker::fieldType(const Type& type, const syntax::Statement& node,
                               const syntax::Declarator& declarator) {
  const Type* result = resolve(syntax::findType(node.type, declarator));
  if (result == &type)
    fail(declarator.span, "a struct cannot hold itself", "let the field be a pointer to it");
  const ClassInfo* const info = findClass(result);
  if (info != nullptr && !info->isComplete)
    fail(declarator.span, fmt::format("{} is not complete here", result->name()),
         "let the field be a pointer to it");
  if (declarator.isReference) {
    const bool isConst = node.type.isConst && node.type.pointers + declarator.pointers == 0;
    return kernel_.types->pointerTo(result, isConst, false);
  }
  for (auto extent = declarator.extents.rbegin(); extent != declarator.extents.rend(); ++extent) {
    if (*extent == nullptr) fail(declarator.span, "a field needs its extent", "write the number of elements");
    const std::uint64_t count = constantExtent(**extent);
    if (count > kMaxSymbolBytes || count * std::max(1u, result->size) > kMaxSymbolBytes) {
      fail(declarator.span, "this field is too large to be simulated", "use a smaller extent");
    }
    result = kernel_.types->findArray(result, count);
  }
  return result;
}

/// The fields of a class under the names that its member functions use.
void Checker::addFieldNames(const Type& type, Scope& scope, bool isOfOuter) {
  const ClassInfo* const info = findClass(&type);
  for (const std::vector<Field>* const fields : {&type.inherited, &type.fields}) {
    for (const Field& field : *fields) {
      const bool isHidden =
          fields == &type.inherited && info != nullptr && declaresOther(*info->node, field.name);
      if (field.name.empty() || isHidden) continue;
      Symbol symbol;
      symbol.kind = Symbol::Kind::Field;
      symbol.index = field.offset;
      symbol.type = field.type;
      symbol.isReference = field.isReference;
      symbol.bitField = field.bits;
      symbol.isConst = field.isConst;
      symbol.isMutable = field.isMutable;
      symbol.isOfOuter = isOfOuter;
      scope.insert_or_assign(field.name, symbol);
    }
  }
}

/// The base that `using Base::name;` takes a member of the class from. Null if there is none.
const Type* Checker::usedBase(const Type* type, std::string_view name) {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr || type->field(name) == nullptr) return nullptr;
  for (const auto& [base, member] : info->node->usings) {
    if (member != name) continue;
    const Elsewhere elsewhere(*this, {info->scope});
    return resolve(base);
  }
  return nullptr;
}

// --- names in a class ---

/// A type, a constant or a static member of a class, an enumerator. Null if there is none of that name.
const Symbol* Checker::memberNamed(const Type* type, std::string_view name) const {
  if (const auto ofEnum = enumerators_.find(type); ofEnum != enumerators_.end()) {
    const auto found = ofEnum->second.find(name);
    return found == ofEnum->second.end() ? nullptr : &found->second;
  }
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return nullptr;
  const auto found = info->scope.find(name);
  return found == info->scope.end() || found->second.kind == Symbol::Kind::Field ? nullptr : &found->second;
}

/// The symbol that `Vec<float>::kSize` names.
const Symbol* Checker::scopedSymbol(const syntax::Expression& node) {
  const Type* const type = resolve(*node.type);
  const std::string_view name = std::string_view(node.text).substr(node.text.rfind("::") + 2);
  if (const Symbol* const symbol = memberNamed(type, name)) return symbol;
  reportConstant(type, name);
  fail(node.span, fmt::format("{} has no static member '{}'", type->name(), name), "mend its spelling");
}

/// `Base::x` within a member function: a field of its object ([class.mfct.non.static]). None for another
/// name.
std::optional<Operand> Checker::scopedField(const syntax::Expression& node) {
  if (!node.type || !this_) return std::nullopt;
  const Type* const type = resolve(*node.type);
  const std::string_view name = syntax::lastName(node.text);
  Field base{.type = type};
  const Type* const own = this_->type->element;
  const bool isOfObject = own == type || isDerived(own, type, base.offset);
  const Field* const field = isOfObject && memberNamed(type, name) == nullptr ? type->field(name) : nullptr;
  if (field == nullptr) return std::nullopt;
  Glvalue whole = part(std::move(*thisOperand(node.span).glvalue), base, node.span);
  return asOperand(part(std::move(whole), *field, node.span));
}

// --- templates ---

const Type* Checker::classInstance(const syntax::TypeName& name) {
  const std::vector<const syntax::Structure*>& templates = classTemplates_.find(name.base)->second;
  const syntax::Structure* const primary = primaryTemplate(name.base);
  if (primary == nullptr)
    fail(name.span, fmt::format("the template of {} is not in this file", name.base), "define it");
  auto [bound, sizes, arguments, shown] =
      boundArguments(name.base, primary->templateParameters, *name.arguments, name.span);
  const std::string key = makeKey(name.base, arguments);
  if (const auto known = classInstances_.find(key); known != classInstances_.end()) {
    if (findClass(known->second)->isFaulty) throw CheckFault{};
    return known->second;
  }
  const syntax::Structure* chosen = primary;
  for (const syntax::Structure* one : templates) {
    Scope own;
    const bool hasPack =
        one->specialised && !one->specialised->empty() && one->specialised->back().isExpansion;
    const bool isOther =
        !sizes.empty() && !hasPack && one->specialised && one->specialised->size() != arguments.size();
    if (!one->specialised || isOther ||
        !matchesAll(*one->specialised, one->templateParameters, arguments, own))
      continue;
    if (chosen->specialised &&
        !isMoreSpecial(name.base, primary->templateParameters, {one->templateParameters, *one->specialised},
                       {chosen->templateParameters, *chosen->specialised}))
      continue;
    chosen = one;
    bound = std::move(own);
  }
  if (!chosen->isDefined) {
    fail(name.span, fmt::format("{}<{}> is declared, but not defined in this file", name.base, shown),
         "define it");
  }
  Type* const classType = kernel_.types->incomplete(fmt::format("{}<{}>", name.base, shown));
  classInstances_[key] = classType;
  classes_[classType].arguments = arguments;
  completeClass(*classType, *chosen, std::move(bound));
  return classType;
}

/// True if the second specialisation is for everything that the first one is for: it is for types and values
/// that nothing else has in place of the first one's parameters.
bool Checker::isCovered(std::string_view name, const std::vector<syntax::TemplateParameter>& primary,
                        const Specialisation& one, const Specialisation& by) {
  constexpr std::uint64_t kUnique = 0x5eed0001;
  const std::size_t before = diagnostics_.size();
  std::vector<Scope> scopes = scopes_;
  scopes.emplace_back();
  const Elsewhere elsewhere(*this, std::move(scopes));
  try {
    for (const syntax::TemplateParameter& parameter : one.own) {
      if (parameter.isPack || parameter.isTemplate) return false;
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
    return matchesAll(by.written, by.own, arguments, bound);
  } catch (const CheckFault&) {
    diagnostics_.resize(before);
    return false;
  }
}

/// Of two specialisations for the same arguments (C++20 [temp.spec.partial.order] 13.7.6.3).
bool Checker::isMoreSpecial(std::string_view name, const std::vector<syntax::TemplateParameter>& primary,
                            const Specialisation& one, const Specialisation& other) {
  const bool isWhole = one.own.empty() || other.own.empty();
  const bool isCoveredByOther = !isWhole && isCovered(name, primary, one, other);
  if (isWhole || isCoveredByOther == isCovered(name, primary, other, one))
    return one.own.size() < other.own.size();
  return isCoveredByOther;
}

/// True if the specialisation is for these arguments. Binds its own parameters.
bool Checker::matchesAll(const std::vector<syntax::TemplateArgument>& written,
                         const std::vector<syntax::TemplateParameter>& own,
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
  const std::vector<syntax::TemplateParameter> parameters = expandedParameters(own, sizes);
  const std::vector<syntax::TemplateArgument> patterns = PackCopier(sizes, true).copy(written);
  // Nothing can be deduced from an alias or a member of a type: these are compared at the end.
  const auto tellsNothing = [&](const syntax::TemplateArgument& pattern) {
    return pattern.type && (!pattern.type->path.empty() || pattern.type->of != nullptr ||
                            (pattern.type->arguments && aliasTemplates_.contains(pattern.type->base)));
  };
  const auto isOfType = [&](const Symbol& argument, const syntax::TypeName& type) {
    const std::size_t before = diagnostics_.size();
    try {
      const Elsewhere elsewhere(*this, {bound});
      return argument.kind == Symbol::Kind::TypeName && resolve(type) == argument.type &&
             isConstType(type) == argument.isConst;
    } catch (const CheckFault&) {
      if (hasUnknownName(before)) throw;
      diagnostics_.resize(before);
      return false;  // it makes no sense with the argument
    }
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

const Type* Checker::aliasInstance(const syntax::TypeName& name, const syntax::Alias& alias, bool& isConst) {
  const Scope bound = boundArguments(name.base, alias.templateParameters, *name.arguments, name.span).bound;
  const Elsewhere elsewhere(*this, {bound});
  if (++aliasDepth_ > kMaxAliasDepth)
    fail(name.span, fmt::format("{} needs too many other types to be simulated", name.base),
         "write the type out");
  const Type* const type = resolve(alias.type);
  isConst = isConst || isConstType(alias.type);
  --aliasDepth_;
  return type;
}

/// True if the specialisation is for this argument. Binds the parameters of the specialisation.
bool Checker::matches(const syntax::TemplateArgument& pattern, const Symbol& given,
                      const std::vector<syntax::TemplateParameter>& parameters, Scope& bound) {
  if (given.kind == Symbol::Kind::Template) {
    if (!pattern.type) return false;
    const auto own = std::ranges::find(parameters, pattern.type->base, &syntax::TemplateParameter::name);
    if (own == parameters.end()) return pattern.type->base == *given.templateName;
    const auto [known, isNew] = bound.emplace(own->name, given);
    return isNew || known->second.templateName == given.templateName;
  }
  if (pattern.type) {
    return given.kind == Symbol::Kind::TypeName &&
           matchesType(*pattern.type, given.type, given.isConst, parameters, bound);
  }
  if (given.kind != Symbol::Kind::Constant) return false;
  const auto parameter = std::ranges::find(parameters, pattern.value->text, &syntax::TemplateParameter::name);
  if (pattern.value->kind == syntax::Expression::Kind::Name && parameter != parameters.end()) {
    const auto [known, isNew] = bound.emplace(parameter->name, given);
    return isNew || known->second.bits == given.bits;
  }
  std::vector<Scope> scopes = scopes_;
  scopes.push_back(bound);  // the names of a class around a function's template
  const Elsewhere elsewhere(*this, std::move(scopes));
  ExpressionPtr value = expression(*pattern.value);
  if (given.type->isEnum() && value->type != given.type) return false;  // of `auto`
  value = asConstant(convert(std::move(value), given.type));
  return value->kind == Kind::Constant && value->bits == given.bits;
}

/// The same for `T[N]` and `T (*)[N]`.
bool Checker::matchesArray(const syntax::TypeName& pattern, const Type* given, bool isConst,
                           const std::vector<syntax::TemplateParameter>& parameters, Scope& bound) {
  for (std::uint32_t i = 0; i < pattern.arrayPointers; ++i) {
    if (!given->isPointer()) return false;
    isConst = given->elementIsConst;
    given = given->element;
  }
  for (const syntax::ExpressionPtr& extent : *pattern.extents) {
    if (!given->isArray()) return false;
    const auto own = std::ranges::find(parameters, extent->text, &syntax::TemplateParameter::name);
    if (extent->kind == SyntaxKind::Name && own != parameters.end()) {
      const Type* const type = own->valueType.base == "auto" ? sizeType() : resolve(own->valueType);
      const Symbol size{.kind = Symbol::Kind::Constant, .type = type, .bits = given->count};
      if (bound.emplace(own->name, size).first->second.bits != given->count) return false;
    } else if (constantExtent(*extent) != given->count) {
      return false;
    }
    given = given->element;
  }
  syntax::TypeName element = pattern;
  element.extents = nullptr;
  element.arrayPointers = 0;
  return matchesType(element, given, isConst, parameters, bound);
}

bool Checker::matchesType(const syntax::TypeName& pattern, const Type* given, bool isConst,
                          const std::vector<syntax::TemplateParameter>& parameters, Scope& bound) {
  spend(1, pattern.span);
  if (const auto meant = withoutAlias(pattern); meant && aliasDepth_ < kMaxAliasDepth) {
    const Deeper deeper(aliasDepth_);
    return matchesType(*meant, given, isConst, parameters, bound);
  }
  if (pattern.extents != nullptr) return matchesArray(pattern, given, isConst, parameters, bound);
  for (std::uint32_t i = pattern.pointers; i-- > 0;) {
    if (!given->isPointer() || isConst != ((pattern.constPointers >> i & 1) != 0)) return false;
    isConst = given->elementIsConst;
    given = given->element;
  }
  const auto parameter = std::ranges::find(parameters, pattern.base, &syntax::TemplateParameter::name);
  const ClassInfo* const info = findClass(given);
  std::string_view base = pattern.base;
  if (parameter != parameters.end() && parameter->isTemplate && pattern.arguments != nullptr) {  // C<T>
    const auto symbol = info != nullptr ? templateNamed(info->node->name) : std::nullopt;
    if (!symbol || pattern.arguments->size() != info->arguments.size()) return false;
    const auto [known, isNew] = bound.emplace(parameter->name, *symbol);
    if (!isNew && known->second.templateName != symbol->templateName) return false;
    base = info->node->name;
  } else if (parameter != parameters.end() && pattern.path.empty()) {
    if (pattern.isConst && !isConst) return false;
    Symbol symbol{.kind = Symbol::Kind::TypeName, .type = given, .isConst = isConst && !pattern.isConst};
    const auto [known, isNew] = bound.emplace(parameter->name, symbol);
    return isNew || (known->second.type == given && known->second.isConst == symbol.isConst);
  }
  if (pattern.arguments != nullptr && classTemplates_.contains(base)) {
    if (info == nullptr || info->node->name != base || isConst != pattern.isConst) return false;
    const std::size_t count = std::min(info->arguments.size(), pattern.arguments->size());
    for (std::size_t i = 0; i < count; ++i) {
      if (!matches((*pattern.arguments)[i], info->arguments[i], parameters, bound)) return false;
    }
    return true;
  }
  syntax::TypeName plain = pattern;
  plain.pointers = 0;
  plain.constPointers = 0;
  plain.isReference = false;
  std::vector<Scope> scopes = scopes_;
  scopes.push_back(bound);
  const Elsewhere elsewhere(*this, std::move(scopes));
  return resolve(plain) == given && isConstType(plain) == isConst;
}

// Bit-fields: parts of an unsigned integer. Memory and registers hold the whole integer.

using typed::BinaryOp;

BitRange Checker::bitRange(const syntax::Declarator& declarator, const Type& type) {
  if (!type.isInteger()) fail(declarator.span, "a bit-field is an integer", "write int, unsigned or bool");
  const ExpressionPtr width = asConstant(expression(*declarator.bits));
  const std::int64_t count = width->kind == Kind::Constant && width->type->isInteger()
                                 ? constantValue(*width->type, width->bits)
                                 : -1;
  if (count < 0) fail(declarator.span, "the width of a bit-field is a constant", "write a number");
  if (count > 8 * std::int64_t{type.size}) {
    fail(declarator.span,
         fmt::format("{} has {}, fewer than {}", type.name(), counted(8 * type.size, "bit"), count),
         "use a wider type");
  }
  if (count == 0 && !declarator.name.empty())
    fail(declarator.span, "a bit-field with a name has a bit at least", "remove the name, or write 1");
  return {nullptr, 0, static_cast<std::uint8_t>(count), true};
}

/// Bit-fields that no integer of the struct's own holds: one of its bytes belongs to another field.
void Checker::refuseSplitBits(const Type& type, const syntax::Structure& node) {
  for (const Field& field : type.fields) {
    if (!field.bits.isBits || field.bits.storage != nullptr) continue;
    fail(
        node.span,
        fmt::format("the bit-field {}::{} shares its bytes with another field in a way that is not simulated",
                    node.name, field.name),
        "put the bit-fields side by side, at the beginning of the struct");
  }
}

/// The value of a bit-field of the type: its bits moved down and extended. The operand inside is the promoted
/// value.
Checker::ExpressionPtr Checker::bitFieldIn(ExpressionPtr storage, const BitRange& bits, const Type* type) {
  const SourceSpan span = storage->span;
  const bool isWide = bits.storage->size == 8;
  const Type* const plain = scalar(isWide ? Type::Kind::U64 : Type::Kind::U32);
  const unsigned unused = (isWide ? 64u : 32u) - bits.count;
  ExpressionPtr value = convert(std::move(storage), plain);
  const auto shifted = [&](BinaryOp op, unsigned by) {
    if (by == 0) return;
    const Type* const own = value->type;
    value = make(Kind::Binary, own, span, std::move(value), constant(own, by, span));
    value->op = op;
  };
  shifted(BinaryOp::ShiftLeft, unused - bits.first);
  if (type->isSigned()) value = convert(std::move(value), scalar(isWide ? Type::Kind::I64 : Type::Kind::I32));
  shifted(BinaryOp::ShiftRight, unused);
  const bool fitsInt = bits.count < 32 || (bits.count == 32 && type->isSigned());
  const Type* promotedType = type->isScoped   ? type
                             : type->isEnum() ? promoted(type)
                             : fitsInt        ? scalar(Type::Kind::I32)
                                              : type;
  if (!fitsInt && bits.count == 32 && type->size <= 4 && !type->isEnum())
    promotedType = scalar(Type::Kind::U32);
  value = convert(std::move(value), promotedType);
  ExpressionPtr result = make(Kind::Convert, type, span, std::move(value));
  result->isBitField = true;
  return result;
}

/// In an expression a bit-field becomes an int if int can hold all its values (C++20 [conv.prom]).
typed::ExpressionPtr promotedBits(typed::ExpressionPtr value) {
  return value != nullptr && value->isBitField ? std::move(value->operands[0]) : std::move(value);
}

/// The integer with the bit-field's value in its bits.
Checker::ExpressionPtr Checker::withBits(ExpressionPtr storage, const BitRange& bits, ExpressionPtr value) {
  const SourceSpan span = value->span;
  const bool isWide = bits.storage->size == 8;
  const Type* const plain = scalar(isWide ? Type::Kind::U64 : Type::Kind::U32);
  const std::uint64_t all = bits.count == 64 ? UINT64_MAX : (std::uint64_t{1} << bits.count) - 1;
  const std::uint64_t every = isWide ? UINT64_MAX : UINT32_MAX;
  const auto both = [&](BinaryOp op, ExpressionPtr a, ExpressionPtr b) {
    ExpressionPtr result = make(Kind::Binary, plain, span, std::move(a), std::move(b));
    result->op = op;
    return fold(std::move(result));
  };
  ExpressionPtr own = both(BinaryOp::And, convert(std::move(value), plain), constant(plain, all, span));
  own = both(BinaryOp::ShiftLeft, std::move(own), constant(plain, bits.first, span));
  ExpressionPtr rest = both(BinaryOp::And, convert(std::move(storage), plain),
                            constant(plain, ~(all << bits.first) & every, span));
  return fold(convert(both(BinaryOp::Or, std::move(rest), std::move(own)), bits.storage));
}

Checker::ExpressionPtr Checker::storeBits(Glvalue target, ExpressionPtr value, SourceSpan span) {
  const BitRange bits = std::exchange(target.bits, {});
  const Type* const type = std::exchange(target.type, bits.storage);
  if (target.isVariable) {
    ExpressionPtr next = withBits(load(makeCopy(target)), bits, std::move(value));
    return bitFieldIn(setVariable(target.variable, target.offset, bits.storage, std::move(next), span), bits,
                      type);
  }
  ExpressionPtr given = make(Kind::Held, type, span);
  given->index = 1;
  ExpressionPtr next = withBits(make(Kind::Held, bits.storage, span), bits, std::move(given));
  ExpressionPtr result =
      make(Kind::Update, bits.storage, span, std::move(value), std::move(target.address), std::move(next));
  return bitFieldIn(std::move(result), bits, type);
}

/// `f.n += right`, `++f.n`, `f.n--`
namespace {

/// True if it may change what another expression reads.
bool hasEffects(const typed::Expression& node) {
  switch (node.kind) {
    case typed::Expression::Kind::Call:
    case typed::Expression::Kind::SetVariable:
    case typed::Expression::Kind::Store:
    case typed::Expression::Kind::Update:
    case typed::Expression::Kind::Atomic: return true;
    default:
      return std::ranges::any_of(node.operands, [](const typed::ExpressionPtr& operand) {
        return operand != nullptr && hasEffects(*operand);
      });
  }
}

}  // namespace

Checker::ExpressionPtr Checker::updateBits(Glvalue target, std::string_view sign, ExpressionPtr right,
                                           SourceSpan span, bool yieldsOld) {
  const BitRange bits = target.bits;
  const Type* const type = target.type;
  const auto next = [&](ExpressionPtr old, ExpressionPtr storage, ExpressionPtr by) {
    ExpressionPtr value = operate(sign, bitFieldIn(std::move(old), bits, type), std::move(by), span);
    return withBits(std::move(storage), bits, convertImplicitly(std::move(value), type, span));
  };
  ExpressionPtr result;
  if (target.isVariable && hasEffects(*right)) {  // the variable is read after them
    const Type* const held = right->type;
    const std::uint32_t before = addVariable("(held)", held, span, true);
    ExpressionPtr set = setVariable(before, 0, held, std::move(right), span);
    result = updateBits(std::move(target), sign, wholeVariable(before, span), span, yieldsOld);
    const Type* const made = result->type;
    return make(Kind::Sequence, made, span, std::move(set), std::move(result));
  }
  target.bits = {};
  target.type = bits.storage;
  if (target.isVariable) {
    const std::uint32_t variable = target.variable;
    const std::uint32_t offset = target.offset;
    ExpressionPtr storage = next(load(makeCopy(target)), load(makeCopy(target)), std::move(right));
    result = setVariable(variable, offset, bits.storage, std::move(storage), span);
  } else {
    ExpressionPtr by = make(Kind::Held, right->type, span);
    by->index = 1;
    ExpressionPtr storage =
        next(make(Kind::Held, bits.storage, span), make(Kind::Held, bits.storage, span), std::move(by));
    result = make(Kind::Update, bits.storage, span, std::move(right), std::move(target.address),
                  std::move(storage));
  }
  result->yieldsOld = yieldsOld;
  return bitFieldIn(std::move(result), bits, type);
}

}  // namespace lanescope::checker
