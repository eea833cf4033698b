#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

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
    return method.role == Role::Constructor || method.role == Role::Destructor || method.name == "operator=";
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
  Type* const classType = kernel_.types->incomplete(node.name);
  Scope names = visibleNames();
  declare(node.name, node.span, {.kind = Symbol::Kind::TypeName, .type = classType});
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
  const Deeper deeper(classDepth_);
  ClassInfo& info = classes_[&type];
  info.node = &node;
  names.insert_or_assign(node.name, Symbol{.kind = Symbol::Kind::TypeName, .type = &type});
  const std::size_t before = diagnostics_.size();
  try {
    const Elsewhere elsewhere(*this, formatList(std::move(names)));
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
    for (std::size_t i = 0; node.types != nullptr && i < node.types->size(); ++i) {
      const syntax::FileItem& item = (*node.types)[i];
      const Symbol* const own = item.names.empty() ? nullptr : findInScopes(item.names[0]);
      if (own != nullptr && (item.structure || item.enumeration)) owners_.emplace(own->type, &type);
    }
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
    info.faults = faultsSince(before);
    throw;
  }
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
  const std::size_t begun = work_;
  try {
    const Type* const type = resolve(syntax::findType(node.type, declarator));
    if (!declarator.extents.empty() || type->isStruct()) {
      declareSymbol(node, declarator, arrayType(node, declarator, kMaxSymbolBytes));
    } else {
      declareLocal(node, declarator, nullptr);
    }
  } catch (const CheckFault&) {
    constantFaults_[&declarator] = faultsSince(before);
    forget(before, begun);
  }
}

void Checker::addBases(const syntax::Structure& node, std::vector<Field>& fields) {
  for (const syntax::TypeName& name : node.bases) {
    const Type* const base = resolve(name);
    const ClassInfo* const info = findClass(base);
    if (info == nullptr || !info->isComplete || base->isUnion)
      fail(name.span, fmt::format("{} cannot be a base", base->name()), "inherit from a struct of this file");
    fields.push_back({.type = base, .isBase = true});
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
      field.isMutable = declaration->isMutable;
      field.isPrivate = declaration->isPrivate;
      field.type = fieldType(type, *declaration, declarator, field.isReference);
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
                               const syntax::Declarator& declarator, bool& isReference) {
  const Symbol meant = meaning(syntax::findType(node.type, declarator));
  isReference = meant.isReference;
  const Type* result = meant.type;
  if (result == &type)
    fail(declarator.span, "a struct cannot hold itself", "let the field be a pointer to it");
  const ClassInfo* const info = findClass(result);
  if (info != nullptr && !info->isComplete)
    fail(declarator.span, fmt::format("{} is not complete here", result->name()),
         "let the field be a pointer to it");
  if (isReference) return pointerTo(meant);
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
      const Symbol symbol{.kind = Symbol::Kind::Field,
                          .index = field.offset,
                          .type = field.type,
                          .isReference = field.isReference,
                          .isConst = field.isConst,
                          .isOfOuter = isOfOuter,
                          .bitField = field.bits,
                          .isMutable = field.isMutable};
      scope.insert_or_assign(field.name, symbol);
    }
  }
}

}  // namespace lanescope::checker
