#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

// Objects that constructors make: their choice, and the copies that C++ adds to a class.
namespace lanescope::checker {

namespace {

bool isConstructor(const syntax::Function& method) { return method.role == Role::Constructor; }

/// A constructor that is neither defaulted nor deleted.
bool isOwnConstructor(const syntax::Function& method) {
  return isConstructor(method) && !method.isDefaulted && !method.isDeleted;
}

/// True for `using Base::Base;`, which inherits the base's constructors.
bool isInheriting(const std::pair<syntax::TypeName, std::string>& use) {
  return syntax::lastName(use.first.path.empty() ? use.first.base : use.first.path.back()) == use.second;
}

/// True for a template that may take an object of its class in place of the copy.
bool mayBeCopy(const syntax::Function& method) {
  return !method.templateParameters.empty() && !method.parameters.empty() &&
         method.parameters[0].type.isReference;
}

}  // namespace

/// A constructor, or an assignment, from an object of the class: no template is one
/// ([class.copy.ctor] 11.4.5.3, [class.copy.assign] 11.4.6).
bool Checker::isCopy(const syntax::Function& method, const Type* type) {
  const ClassInfo& info = *findClass(type);
  const bool isAssignment = method.role == Role::Method && method.name == "operator=";
  if ((!isAssignment && !isConstructor(method)) || !method.templateParameters.empty() ||
      method.parameters.empty())
    return false;
  const syntax::TypeName& taken = method.parameters[0].type;
  const bool isOther = taken.arguments != nullptr && taken.path.empty() && taken.base != info.node->name &&
                       !aliasTemplates_.contains(taken.base);
  if (isOther || taken.pointers > 0 || taken.extents != nullptr || !(isAssignment || taken.isReference) ||
      !std::all_of(method.parameters.begin() + 1, method.parameters.end(),
                   [](const syntax::Parameter& parameter) { return parameter.initial != nullptr; }))
    return false;
  const auto [known, isNew] = copies_.try_emplace({&method, type}, false);
  bool& isOne = known->second;
  const auto answer = [&] {
    if (isOne && method.constraint != nullptr)
      fail(method.span, "a copy with a requires clause is not simulated", "remove the clause");
    return isOne;
  };
  if (!isNew) return answer();
  Scope names = info.scope;
  bindClassParameters(method, info.arguments, names);
  const Elsewhere elsewhere(*this, {std::move(names)});
  attempt([&] {  // a fault is reported if it is called
    isOne = meaning(taken).type == type;
  });
  return answer();
}

/// True if a const object can be copied, as each of its parts ([class.copy.ctor] 11.4.5.3/7).
bool Checker::copiesConst(const Type* type, bool isAssignment) {
  while (type->isArray()) type = type->element;
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return true;
  bool hasOwn = false;
  for (const syntax::Function& method : info->node->methods) {
    if (isConstructor(method) == isAssignment || !isCopy(method, type)) continue;
    const syntax::TypeName& taken = method.parameters[0].type;
    if (taken.isConst || !taken.isReference) return true;
    hasOwn = hasOwn || !taken.isRvalue;
  }
  return !hasOwn && std::ranges::all_of(type->fields, [&](const Field& field) {
    return field.isReference || copiesConst(field.type, isAssignment);
  });
}

/// True if objects of the type are made by constructors that it declares.
bool Checker::hasConstructors(const Type* type) const {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return false;
  return isPolymorphic(type) || info->node->hostMethods.contains(info->node->name) ||
         std::ranges::any_of(info->node->methods, isOwnConstructor) ||
         std::ranges::any_of(info->node->usings, isInheriting);
}

/// True if a variable of the type is more than memory: it has a constructor, or a field has an initial value.
bool Checker::needsConstruction(const Type* type) const {
  while (type->isArray()) type = type->element;
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return false;
  if (hasConstructors(type)) return true;
  for (std::size_t i = 0; i < type->fields.size(); ++i) {
    if (info->defaultOf(i) != nullptr || needsConstruction(type->fields[i].type)) return true;
  }
  return false;
}

/// True if an object that is declared without values needs code to run. Shared memory has no thread to run
/// it.
bool Checker::doesAtBegin(const Type* type) const {
  while (type->isArray()) type = type->element;
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return false;
  const auto& methods = info->node->methods;
  const auto standard = std::ranges::find_if(methods, [](const syntax::Function& method) {
    return isConstructor(method) && std::ranges::all_of(method.parameters, [](const auto& parameter) {
             return parameter.initial != nullptr;
           });
  });
  if (standard != methods.end() && !standard->isDefaulted &&
      (!standard->initials.empty() || (standard->body != nullptr && !standard->body->body.empty())))
    return true;
  if (standard == methods.end() && hasConstructors(type)) return true;
  for (std::size_t i = 0; i < type->fields.size(); ++i) {
    if (info->defaultOf(i) != nullptr || doesAtBegin(type->fields[i].type)) return true;
  }
  return false;
}

/// True if the copy, or the assignment, of an object of the type is a call of what its class or a part of it
/// defines.
bool Checker::isCopiedByCalls(const Type* type, CopyBy by) {
  while (type->isArray()) type = type->element;
  const ClassInfo* const info = findClass(type);
  if (info == nullptr || type->isUnion) return false;
  const bool isOwn = std::ranges::any_of(info->node->methods, [&](const syntax::Function& one) {
    return !one.isDefaulted && !one.isDeleted && isConstructor(one) == (by == CopyBy::Construction) &&
           isCopy(one, type);
  });
  return isOwn || std::ranges::any_of(type->fields, [&](const Field& field) {
           return !field.isReference && isCopiedByCalls(field.type, by);
         });
}

/// True if the class, or for one that declares no copy a part of it, has its copy or assignment deleted
/// ([class.copy.ctor] 11.4.5.3/10, [class.copy.assign] 11.4.6/7).
bool Checker::isCopyDeleted(const Type* type, CopyBy by) {
  while (type->isArray()) type = type->element;
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return false;
  for (const syntax::Function& one : info->node->methods) {
    if (isCopy(one, type) && isConstructor(one) == (by == CopyBy::Construction) && !one.isDefaulted)
      return one.isDeleted;
  }
  return std::ranges::any_of(type->fields, [&](const Field& field) {
    const bool isFixed = by == CopyBy::Assignment && (field.isConst || field.isReference);
    return isFixed || (!field.isReference && isCopyDeleted(field.type, by));
  });
}

/// True if the copy, or the assignment, of an object of the type needs a choice of functions.
bool Checker::choosesCopy(const Type* type, CopyBy by) {
  if (isCopiedByCalls(type, by) || isCopyDeleted(type, by)) return true;
  const ClassInfo* const info = findClass(type);
  return info != nullptr && std::ranges::any_of(info->node->methods, [&](const syntax::Function& one) {
           const bool isOne = by == CopyBy::Construction ? isConstructor(one) : one.name == "operator=";
           return isOne && mayBeCopy(one);
         });
}

bool Checker::isSameOrDerived(const Type* type, const Type* base) const {
  return type == base || isDerivedPart(type, base);
}

/// A member that a class has without declaring it: `(default)` its default constructor, `(all but B)` that
/// without its base, else its copy or move constructor or assignment, by the form of its parameter.
syntax::Function& Checker::implicitFunction(const syntax::Structure& node, std::string_view kind) {
  syntax::Function& function = implicitFunctions_[{&node, std::string(kind)}];
  if (!function.name.empty()) return function;
  const bool isAssignment = kind.starts_with("=");
  function.role = isAssignment ? Role::Method : Role::Constructor;
  function.name = isAssignment ? "operator=" : node.name;
  function.span = node.span;
  function.isDefaulted = true;
  if (kind.starts_with("(")) return function;
  syntax::TypeName own;
  own.base = node.name;
  own.span = node.span;
  function.returnsReference = isAssignment;
  function.returnType = own;
  own.isReference = true;
  own.isRvalue = kind.ends_with("&&");
  own.isConst = kind.find("const") != std::string_view::npos;
  function.parameters.push_back({own, "(other)", node.span, nullptr});
  return function;
}

/// Adds the copy and move constructors, or assignments, that the class has without declaring them
/// ([class.copy.ctor] 11.4.5.3/6 and 8, [class.copy.assign] 11.4.6/2 and 4).
void Checker::addImplicit(const Type* type, bool isAssignment, std::vector<Callee>& functions) {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return;
  const syntax::Structure& node = *info->node;
  bool hasOwn = false;     // of the kind that is asked for
  bool hasMove = false;    // of any kind
  bool isManaged = false;  // no move is added
  for (const syntax::Function& method : node.methods) {
    isManaged = isManaged || method.role == Role::Destructor;
    if (!isCopy(method, type)) continue;
    const bool isMove = method.parameters[0].type.isRvalue;
    isManaged = true;
    hasMove = hasMove || isMove;
    hasOwn = hasOwn || (!isMove && isAssignment == (method.role == Role::Method));
  }
  const bool isDeleted =
      !hasOwn && isCopyDeleted(type, isAssignment ? CopyBy::Assignment : CopyBy::Construction);
  const auto add = [&](std::string_view parameter) {
    syntax::Function& function = implicitFunction(
        node, fmt::format("{}{}{}", isAssignment ? "=" : "", isDeleted ? "delete " : "", parameter));
    function.isDeleted = isDeleted;
    functions.push_back({&function, type});
  };
  if (!hasOwn && !hasMove) add(copiesConst(type, isAssignment) ? "const T&" : "T&");
  if (!isManaged) add("T&&");
}

/// Those that the class declares or inherits ([class.inhctor.init] 11.9.4).
std::vector<Callee> Checker::findConstructors(const Type* type) {
  std::vector<Callee> constructors;
  const ClassInfo& info = *findClass(type);
  for (const syntax::Function& method : info.node->methods) {
    if (isConstructor(method)) constructors.push_back({&method, type});
  }
  for (const auto& use : info.node->usings) {
    if (!isInheriting(use)) continue;
    const Type* const base = usedBase(type, use.first);
    for (const Callee& callee : findConstructors(base)) {
      const syntax::Function& function = *callee.function;
      const bool isOwn = function.parameters.empty() || isCopy(function, callee.owner);
      if (!isOwn) constructors.push_back(callee);
    }
  }
  return constructors;
}

/// The direct base that a using declaration of the class names.
const Type* Checker::usedBase(const Type* type, const syntax::TypeName& name) {
  const Elsewhere elsewhere(*this, {findClass(type)->scope});
  const Type* const base = resolve(name);
  const bool isBase = std::ranges::any_of(
      type->fields, [&](const Field& field) { return field.isBase && field.type == base; });
  if (!isBase)
    failTyping(name.span, fmt::format("{} is not a base of {}", base->name(), type->name()), "name its base");
  return base;
}

/// The call of an inherited constructor for the base, then the rest of the object.
ExpressionPtr Checker::inheritedCall(const Type* type, const Callee& inherited, ExpressionPtr address,
                                     std::vector<Operand> arguments, SourceSpan span) {
  const ClassInfo& info = *findClass(type);
  std::uint32_t held = 0;
  ExpressionPtr set = hold("(object)", std::move(address), span, held);
  for (const auto& [name, member] : info.node->usings) {
    if (!isInheriting({name, member})) continue;
    const Type* const base = usedBase(type, name);
    if (std::ranges::count(findConstructors(base), inherited.function, &Callee::function) == 0) continue;
    std::uint32_t offset = 0;
    isDerived(type, base, offset);
    ExpressionPtr first = constructorCall(base, moved(wholeVariable(held, span), offset, base, false),
                                          std::move(arguments), span);
    syntax::Function& rest = implicitFunction(*info.node, "(all but " + base->name() + ")");
    if (rest.initials.empty()) rest.initials.push_back({name, nullptr, span});
    ExpressionPtr second =
        finishCall(*callOf({}, span), memberCandidate({&rest, type}), {}, wholeVariable(held, span));
    return sequence(span, std::move(set), std::move(first), std::move(second));
  }
  fail(span, fmt::format("this constructor of {} is not simulated", type->name()), "write it in the class");
}

/// With those that are not declared, as far as they may take the arguments.
std::vector<Callee> Checker::findConstructorsFor(const Type* type, const std::vector<Operand>& arguments) {
  std::vector<Callee> constructors = findConstructors(type);
  const bool mayCopy =
      arguments.size() == 1 && (arguments[0].type == nullptr || arguments[0].type->isStruct());
  if (mayCopy) addImplicit(type, false, constructors);
  return constructors;
}

Candidate Checker::chooseConstructor(const Type* type, const std::vector<Operand>& arguments,
                                     SourceSpan span) {
  return chooseFunction(*callOf(findClass(type)->node->name, span), findConstructorsFor(type, arguments),
                        arguments, nullptr);
}

/// True if one of the constructors takes the arguments.
bool Checker::isConstructible(const std::vector<Callee>& constructors, const std::vector<Operand>& arguments,
                              SourceSpan span) {
  const std::string name = constructors.empty() ? "" : constructors.front().function->name;
  std::string reason;
  return bestCandidate(*callOf(name, span), constructors, arguments, nullptr, reason).has_value();
}

/// The call of a constructor for the object at the address. For a copy, of a constructor that `=` may call.
ExpressionPtr Checker::constructorCall(const Type* type, ExpressionPtr address,
                                       std::vector<Operand> arguments, SourceSpan span, bool isCopied) {
  spend(1, span);
  const syntax::Structure& node = *findClass(type)->node;
  std::vector<Callee> constructors = findConstructorsFor(type, arguments);
  const bool declaresNone = std::ranges::none_of(node.methods, isConstructor);
  if (arguments.empty() && declaresNone && !node.hostMethods.contains(node.name))
    constructors.push_back({&implicitFunction(node, "(default)"), type});
  for (const Callee& callee : constructors) refuseFaulty(callee.function->diagnostics);
  if (constructors.empty()) {
    fail(span,
         fmt::format("the constructors of {} are functions of the host, which a kernel cannot call",
                     type->name()),
         "write __device__ before them");
  }
  const syntax::ExpressionPtr call = callOf(node.name, span);
  if (isCopied) {
    std::vector<Callee> implicit = constructors;
    std::erase_if(implicit, [](const Callee& callee) { return callee.function->isExplicit; });
    if (isConstructible(implicit, arguments, span)) constructors = std::move(implicit);
  }
  const Candidate candidate = chooseFunction(*call, constructors, arguments, nullptr);
  if (candidate.function->isDefaulted && isCopy(*candidate.function, candidate.callee.owner) &&
      !isCopiedByCalls(type, CopyBy::Construction)) {
    const syntax::Expression* const list = arguments[0].list;
    ExpressionPtr value = list != nullptr ? construct(type, *list) : makeValue(std::move(arguments[0]));
    if (value->type != type) value = classConversion(value, type, span, true);
    return make(Kind::Store, type, span, std::move(address), std::move(value));
  }
  if (candidate.callee.owner != type)
    return inheritedCall(type, candidate.callee, std::move(address), std::move(arguments), span);
  if (isCopied && candidate.function->isExplicit) {
    failTyping(span, fmt::format("this constructor of {} is explicit: = does not call it", type->name()),
               "write brackets in place of =");
  }
  return finishCall(*call, candidate, std::move(arguments), std::move(address));
}

/// An object made of the arguments. `isCopied`: without explicit constructors, if others fit.
ExpressionPtr Checker::constructed(const Type* type, std::vector<Operand> arguments, SourceSpan span,
                                   bool isCopied) {
  const bool isOne = arguments.size() == 1 && arguments[0].type != nullptr;
  const bool isMade = isOne && arguments[0].type == type && !arguments[0].isObject();
  const bool isSame = isOne && isSameOrDerived(arguments[0].type, type);
  if (isMade) return makeValue(std::move(arguments[0]));
  if (isSame && !isCopiedByCalls(type, CopyBy::Construction)) {
    const bool isPlain = !choosesCopy(type, CopyBy::Construction) ||
                         chooseConstructor(type, arguments, span).function->isDefaulted;
    if (isPlain) return plainCopy(std::move(arguments[0]), type, span);
  }
  if (!isSame && !hasConstructors(type)) {
    if (isOne) {
      if (ExpressionPtr converted = classConversion(arguments[0], type, span, true)) return converted;
      failTyping(span, fmt::format("{} cannot become {} here", arguments[0].type->name(), type->name()),
                 "write {…}");
    }
    ExpressionPtr result = make(Kind::Make, type, span);
    constructInto(type, nullptr, span, result->operands);
    return result;
  }
  const std::uint32_t temporary = addVariable("(temporary)", type, span, false);
  ExpressionPtr call =
      constructorCall(type, variableAddress(temporary, span), std::move(arguments), span, isCopied);
  return sequence(span, std::move(call), wholeVariable(temporary, span));
}

/// `Vec v;`, `Vec v(1, 2);`, `Vec v{…};`, `Vec v = Vec(…);`: the object is made in its place.
StatementPtr Checker::declareObject(const syntax::Statement& node, const Type* type,
                                    const syntax::Declarator& declarator) {
  refuseAbstract(type, declarator.span);
  const syntax::Expression* initial = declarator.initial.get();
  const bool isConstruction =
      initial != nullptr && (initial->kind == SyntaxKind::Construct ||
                             (initial->kind == SyntaxKind::Cast && initial->text.empty()));
  std::vector<Operand> arguments;
  bool isInPlace = hasConstructors(type);
  bool isCopied = false;
  if (isConstruction && isInPlace && initial->type && initial->type->pointers == 0 &&
      typeMade(*initial) == type) {
    if (initial->kind == SyntaxKind::Construct) initial = initial->operands[0].get();
    arguments = readOperands(*initial, 0);
  } else if (initial != nullptr && initial->kind == SyntaxKind::List && isInPlace) {
    arguments = readOperands(*initial, 0);
    isCopied = declarator.isCopied;
  } else if (initial != nullptr && isInPlace) {
    arguments.push_back(operand(*initial));
    isCopied = declarator.isCopied;
  }
  const bool isOne = arguments.size() == 1 && arguments[0].type != nullptr;
  const bool isSame =
      isOne && (isPolymorphic(type) ? isSameOrDerived(arguments[0].type, type) : arguments[0].type == type);
  const bool isList = initial != nullptr && initial->kind == SyntaxKind::List;
  const bool isConverted =
      isOne && !isSame &&
      ((isCopied && !isList) || (!findConversions(arguments[0].type).empty() &&
                                 !isConstructible(findConstructors(type), arguments, declarator.span)));
  ExpressionPtr value;
  if (isConverted) {
    value = passed(std::move(arguments[0]), type, declarator.span);
  } else if (isSame) {
    value = constructed(type, std::exchange(arguments, {}), declarator.span);
  } else if (!isInPlace) {
    value = initial != nullptr ? initialValue(*initial, type, declarator.span)
                               : constructed(type, {}, declarator.span);
  }
  const bool isConst = node.type.isConst || (node.type.of != nullptr && isConstType(node.type));
  const std::uint32_t variable = declareVariable(declarator.name, declarator.span, type, isConst);
  StatementPtr result = makeStatement(StatementKind::Expression, declarator.span);
  if (value != nullptr) {
    const SourceSpan span{declarator.span.begin, value->span.end};
    result->expression = setVariable(variable, 0, type, std::move(value), span);
  } else {
    result->expression = constructorCall(type, variableAddress(variable, declarator.span),
                                         std::move(arguments), declarator.span, isCopied);
  }
  return result;
}

}  // namespace lanescope::checker
