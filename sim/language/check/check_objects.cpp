#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

// Initial values of objects: constructors, default values of fields, lists.
namespace lanescope::checker {

namespace {

/// Elements of an array of objects whose constructors are called one by one.
constexpr std::uint64_t kMaxConstructed = 1024;

bool isConstructor(const syntax::Function& method) { return method.role == Role::Constructor; }

/// A constructor that is neither defaulted nor deleted.
bool isOwnConstructor(const syntax::Function& method) {
  return isConstructor(method) && !method.isDefaulted && !method.isDeleted;
}

/// True for `using Base::Base;`, which inherits the base's constructors.
bool isInheriting(const std::pair<syntax::TypeName, std::string>& use) {
  return syntax::lastName(use.first.path.empty() ? use.first.base : use.first.path.back()) == use.second;
}

/// True for the class as its own members name it: `T`, `Vec<T>`.
bool isOwnName(const syntax::TypeName& name, const syntax::Structure& node) {
  if (name.base != node.name || !name.path.empty() || name.pointers > 0) return false;
  if (name.arguments == nullptr || node.specialised != nullptr) return true;
  return std::ranges::equal(*name.arguments, node.templateParameters, [](const auto& given, const auto& own) {
    return given.type ? given.type->base == own.name && given.type->pointers == 0
                      : given.value != nullptr && given.value->text == own.name;
  });
}

/// A constructor, or an assignment, from an object of the class: no template is one
/// ([class.copy.ctor] 11.4.5.3, [class.copy.assign] 11.4.6).
bool isCopy(const syntax::Function& method, const syntax::Structure& node) {
  const bool isAssignment = method.role == Role::Method && method.name == "operator=";
  if ((!isAssignment && !isConstructor(method)) || !method.templateParameters.empty() ||
      method.parameters.empty() || !isOwnName(method.parameters[0].type, node))
    return false;
  return (isAssignment || method.parameters[0].type.isReference) &&
         std::all_of(method.parameters.begin() + 1, method.parameters.end(),
                     [](const syntax::Parameter& parameter) { return parameter.initial != nullptr; });
}

/// True for a template that may take an object of its class in place of the copy.
bool mayBeCopy(const syntax::Function& method) {
  return !method.templateParameters.empty() && !method.parameters.empty() &&
         method.parameters[0].type.isReference;
}

}  // namespace

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
    const syntax::Declarator* const declared = i < info->declared.size() ? info->declared[i] : nullptr;
    if (declared != nullptr && declared->initial != nullptr) return true;
    if (needsConstruction(type->fields[i].type)) return true;
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
    const syntax::Declarator* const declared = i < info->declared.size() ? info->declared[i] : nullptr;
    if ((declared != nullptr && declared->initial != nullptr) || doesAtBegin(type->fields[i].type))
      return true;
  }
  return false;
}

/// True if the copy, or the assignment, of an object of the type is a call of what its class or a part of it
/// defines.
bool Checker::isCopiedByCalls(const Type* type, CopyBy by) const {
  while (type->isArray()) type = type->element;
  const ClassInfo* const info = findClass(type);
  if (info == nullptr || type->isUnion) return false;
  const bool isOwn = std::ranges::any_of(info->node->methods, [&](const syntax::Function& one) {
    return !one.isDefaulted && !one.isDeleted && isCopy(one, *info->node) &&
           isConstructor(one) == (by == CopyBy::Construction);
  });
  return isOwn || std::ranges::any_of(type->fields, [&](const Field& field) {
           return !field.isReference && isCopiedByCalls(field.type, by);
         });
}

/// True if the copy, or the assignment, of an object of the type needs a choice of functions.
bool Checker::choosesCopy(const Type* type, CopyBy by) const {
  if (isCopiedByCalls(type, by)) return true;
  const ClassInfo* const info = findClass(type);
  return info != nullptr && std::ranges::any_of(info->node->methods, [&](const syntax::Function& one) {
           const bool isOne = by == CopyBy::Construction ? isConstructor(one) : one.name == "operator=";
           return isOne && !one.isDeleted && mayBeCopy(one);
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
  own.isConst = !own.isRvalue;
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
    if (!isCopy(method, node)) continue;
    const bool isMove = method.parameters[0].type.isRvalue;
    isManaged = true;
    hasMove = hasMove || isMove;
    hasOwn = hasOwn || (!isMove && isAssignment == (method.role == Role::Method));
  }
  const std::string_view prefix = isAssignment ? "=" : "";
  if (!hasOwn && !hasMove)
    functions.push_back({&implicitFunction(node, std::string(prefix) + "const T&"), type});
  if (!isManaged) functions.push_back({&implicitFunction(node, std::string(prefix) + "T&&"), type});
}

/// Those that the class declares or inherits ([class.inhctor.init] 11.9.4).
std::vector<Callee> Checker::findConstructors(const Type* type) {
  std::vector<Callee> constructors;
  const ClassInfo& info = *findClass(type);
  for (const syntax::Function& method : info.node->methods) {
    if (isConstructor(method) && !method.isDeleted) constructors.push_back({&method, type});
  }
  for (const auto& use : info.node->usings) {
    if (!isInheriting(use)) continue;
    const Type* const base = usedBase(type, use.first);
    for (const Callee& callee : findConstructors(base)) {
      const syntax::Function& function = *callee.function;
      const bool isOwn = function.parameters.empty() || isCopy(function, *findClass(callee.owner)->node);
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
    fail(name.span, fmt::format("{} is not a base of {}", base->name(), type->name()), "name its base");
  return base;
}

/// The call of an inherited constructor for the base, then the rest of the object.
Checker::ExpressionPtr Checker::inheritedCall(const Type* type, const Callee& inherited,
                                              ExpressionPtr address, std::vector<Operand> arguments,
                                              SourceSpan span) {
  const ClassInfo& info = *findClass(type);
  const Type* const pointer = address->type;
  const std::uint32_t held = addVariable("(object)", pointer, span, false);
  ExpressionPtr set = setVariable(held, 0, pointer, std::move(address), span);
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
    Candidate own;
    own.callee = {&rest, type};
    own.function = &rest;
    own.bound = info.scope;
    syntax::Expression node;
    node.span = node.operatorSpan = span;
    ExpressionPtr second = finishCall(node, own, {}, wholeVariable(held, span));
    const Type* const nothing = scalar(Type::Kind::Void);
    return make(Kind::Sequence, nothing, span, std::move(set),
                make(Kind::Sequence, nothing, span, std::move(first), std::move(second)));
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
  syntax::Expression call;
  call.text = findClass(type)->node->name;
  call.span = span;
  return chooseFunction(call, findConstructorsFor(type, arguments), arguments, nullptr);
}

/// True if one of the constructors takes the arguments.
bool Checker::isConstructible(const std::vector<Callee>& constructors, const std::vector<Operand>& arguments,
                              SourceSpan span) {
  syntax::Expression call;
  if (!constructors.empty()) call.text = constructors.front().function->name;
  call.span = span;
  std::string reason;
  return bestCandidate(call, constructors, arguments, nullptr, reason).has_value();
}

/// The call of a constructor for the object at the address. For a copy, of a constructor that `=` may call.
Checker::ExpressionPtr Checker::constructorCall(const Type* type, ExpressionPtr address,
                                                std::vector<Operand> arguments, SourceSpan span,
                                                bool isCopied) {
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
  syntax::Expression call;
  call.text = node.name;
  call.span = span;
  if (isCopied) {
    std::vector<Callee> implicit = constructors;
    std::erase_if(implicit, [](const Callee& callee) { return callee.function->isExplicit; });
    if (isConstructible(implicit, arguments, span)) constructors = std::move(implicit);
  }
  const Candidate candidate = chooseFunction(call, constructors, arguments, nullptr);
  if (candidate.function->isDefaulted && isCopy(*candidate.function, node) &&
      !isCopiedByCalls(type, CopyBy::Construction)) {
    const syntax::Expression* const list = arguments[0].list;
    ExpressionPtr value = list != nullptr ? construct(type, *list) : makeValue(std::move(arguments[0]));
    if (value->type != type) value = classConversion(value, type, span, true);
    return make(Kind::Store, type, span, std::move(address), std::move(value));
  }
  if (candidate.callee.owner != type)
    return inheritedCall(type, candidate.callee, std::move(address), std::move(arguments), span);
  if (isCopied && candidate.function->isExplicit) {
    fail(span, fmt::format("this constructor of {} is explicit: = does not call it", type->name()),
         "write brackets in place of =");
  }
  return finishCall(call, candidate, std::move(arguments), std::move(address));
}

/// An object made of the arguments. `isCopied`: without explicit constructors, if others fit.
Checker::ExpressionPtr Checker::constructed(const Type* type, std::vector<Operand> arguments, SourceSpan span,
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
      fail(span, fmt::format("{} cannot become {} here", arguments[0].type->name(), type->name()),
           "write {…}");
    }
    ExpressionPtr result = make(Kind::Make, type, span);
    constructInto(type, nullptr, span, result->operands);
    return result;
  }
  const std::uint32_t temporary = addVariable("(temporary)", type, span, false);
  kernel_.variables[temporary].isAddressed = true;
  ExpressionPtr address = make(Kind::LocalAddress, kernel_.types->pointerTo(type, false, false), span);
  address->index = temporary;
  ExpressionPtr call = constructorCall(type, std::move(address), std::move(arguments), span, isCopied);
  return make(Kind::Sequence, type, span, std::move(call), wholeVariable(temporary, span));
}

/// `Vec v;`, `Vec v(1, 2);`, `Vec v{…};`, `Vec v = Vec(…);`: the object is made in its place.
typed::StatementPtr Checker::declareObject(const syntax::Statement& node, const Type* type,
                                           const syntax::Declarator& declarator) {
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
  const std::uint32_t variable = addVariable(declarator.name, type, declarator.span, isConst);
  declare(declarator.name, declarator.span, {Symbol::Kind::Variable, variable, type, 0, false, false});
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Expression, declarator.span);
  if (value != nullptr) {
    const SourceSpan span{declarator.span.begin, value->span.end};
    result->expression = setVariable(variable, 0, type, std::move(value), span);
    return result;
  }
  kernel_.variables[variable].isAddressed = true;
  ExpressionPtr address =
      make(Kind::LocalAddress, kernel_.types->pointerTo(type, false, false), declarator.span);
  address->index = variable;
  result->expression =
      constructorCall(type, std::move(address), std::move(arguments), declarator.span, isCopied);
  return result;
}

/// The objects of an array, each by its default constructor.
void Checker::constructElements(std::uint32_t variable, const Type* type, std::uint32_t offset,
                                SourceSpan span, typed::Statement& into) {
  Glvalue target{.isVariable = true, .variable = variable, .offset = offset, .type = type, .span = span};
  storeParts(std::move(target), nullptr, span, into);
}

// --- the members, by a constructor ---

Checker::ExpressionPtr Checker::storeInto(Glvalue target, ExpressionPtr value, SourceSpan span) {
  const Type* const type = target.type;
  if (target.bits.storage != nullptr) return storeBits(std::move(target), std::move(value), span);
  if (target.isVariable) return setVariable(target.variable, target.offset, type, std::move(value), span);
  return make(Kind::Store, type, span, std::move(target.address), std::move(value));
}

/// Stores the glvalue's initial values, an array's elements one by one. They come from the list, or if it is
/// null from the type, as for an object declared without values.
void Checker::storeParts(Glvalue target, const syntax::Expression* list, SourceSpan span,
                         typed::Statement& into) {
  const Type* const type = target.type;
  if (!type->isArray()) {
    ExpressionPtr value;
    if (list != nullptr) {
      value = initialValue(*list, type, span);
    } else if (findClass(type) != nullptr) {
      value = constructed(type, {}, span);
    } else {
      value = constant(type, 0, span);
      if (type->isStruct()) value = make(Kind::Make, type, span);
    }
    into.body.push_back(expressionStatement(storeInto(std::move(target), std::move(value), span), span));
    return;
  }
  if (type->count > kMaxConstructed) {
    fail(span,
         fmt::format("an array of more than {} elements with values to begin with is not simulated",
                     kMaxConstructed),
         "set them in a loop");
  }
  list = spelled(*type, list);
  if (list != nullptr && list->kind != syntax::Expression::Kind::List)
    fail(span, "an array's values need their own braces", "write {…}");
  if (list != nullptr && list->operands.size() > type->count)
    fail(span, fmt::format("{} values are given for {} elements", list->operands.size(), type->count),
         "remove some");
  for (std::uint32_t i = 0; i < type->count; ++i) {
    Field element;
    element.type = type->element;
    element.offset = i * type->element->size;
    Glvalue part = this->part(makeCopy(target), element, span);
    storeParts(std::move(part),
               list != nullptr && i < list->operands.size() ? list->operands[i].get() : nullptr, span, into);
  }
}

/// Copies or moves one glvalue to another of its type, an array's elements one by one. Parts with
/// constructors or assignments of their own are copied by these.
void Checker::copyParts(const Glvalue& from, const Glvalue& to, CopyBy by, bool isMove, SourceSpan span,
                        typed::Statement& into) {
  const auto add = [&](ExpressionPtr done) {
    into.body.push_back(expressionStatement(std::move(done), span));
  };
  if (to.type->isArray()) {
    if (to.type->count > kMaxConstructed) {
      fail(span, fmt::format("a copy of an array of more than {} elements is not simulated", kMaxConstructed),
           "copy them in a loop");
    }
    for (std::uint32_t i = 0; i < to.type->count; ++i) {
      Field element;
      element.type = to.type->element;
      element.offset = i * to.type->element->size;
      copyParts(part(makeCopy(from), element, span), part(makeCopy(to), element, span), by, isMove, span,
                into);
    }
    return;
  }
  Operand given = asOperand(makeCopy(from));
  given.isMoved = isMove;
  if (by == CopyBy::Construction && isCopiedByCalls(to.type, by))
    return add(constructorCall(to.type, makeAddress(makeCopy(to)), formatList(std::move(given)), span));
  if (by == CopyBy::Assignment && isCopiedByCalls(to.type, by)) {
    syntax::Expression node;
    node.span = node.operatorSpan = span;
    std::vector<Operand> operands = formatList(asOperand(makeCopy(to)), std::move(given));
    return add(overloaded("operator=", operands, node));
  }
  ExpressionPtr value = makeValue(std::move(given));
  add(by == CopyBy::Assignment && isPolymorphic(to.type) ? storeObject(makeCopy(to), std::move(value), span)
                                                         : storeInto(makeCopy(to), std::move(value), span));
}

/// The body of a copy or move constructor or assignment that C++ writes: each base and field is copied as
/// such
/// ([class.copy.ctor] 11.4.5.3/14, [class.copy.assign] 11.4.6/12). `other`: the parameter's variable.
void Checker::copyMembers(const syntax::Function& function, std::uint32_t other, typed::Statement& into) {
  const SourceSpan span = function.span;
  const CopyBy by = function.role == Role::Method ? CopyBy::Assignment : CopyBy::Construction;
  const bool isMove = function.parameters[0].type.isRvalue;
  const Type* const type = this_->type->element;
  Glvalue source{.address = wholeVariable(other, span), .type = type, .isConst = !isMove, .span = span};
  bool isMarked = by == CopyBy::Assignment || !isPolymorphic(type);
  for (const Field& field : type->fields) {
    if (field.name == kClassField) continue;
    if (!isMarked && !field.isBase) into.body.push_back(markClass(span));
    isMarked = isMarked || !field.isBase;
    Field held = field;
    held.isReference = false;
    copyParts(part(makeCopy(source), held, span), part(std::move(*thisOperand(span).glvalue), held, span), by,
              isMove && !field.isReference, span, into);
  }
  if (!isMarked) into.body.push_back(markClass(span));
  if (by == CopyBy::Construction) return;
  typed::StatementPtr last = makeStatement(typed::Statement::Kind::Return, span);
  last->expression = setVariable(resultVariable_, 0, returnType_, wholeVariable(this_->variable, span), span);
  into.body.push_back(std::move(last));
}

/// A copy of the glvalue of a variable, or of a place in the object of a constructor.
Glvalue Checker::makeCopy(const Glvalue& glvalue) {
  Glvalue result;
  result.isVariable = glvalue.isVariable;
  result.variable = glvalue.variable;
  result.offset = glvalue.offset;
  result.type = glvalue.type;
  result.isConst = glvalue.isConst;
  result.span = glvalue.span;
  result.bits = glvalue.bits;
  if (glvalue.address != nullptr) result.address = makeCopy(*glvalue.address);
  return result;
}

Checker::ExpressionPtr Checker::makeCopy(const typed::Expression& node) {
  ExpressionPtr result = make(node.kind, node.type, node.span);
  result->index = node.index;
  result->scale = node.scale;
  result->bits = node.bits;
  for (const ExpressionPtr& operand : node.operands) result->operands.push_back(makeCopy(*operand));
  return result;
}

/// The statements of a constructor before its body: bases and fields in order.
void Checker::memberInitials(const syntax::Function& function, typed::Statement& into) {
  const Type* const type = this_->type->element;
  const ClassInfo& info = *findClass(type);
  std::vector<const Field*> initialised;
  const auto findInitial = [&](const Field& field) -> const syntax::MemberInitial* {
    for (const syntax::MemberInitial& initial : function.initials) {
      if (!field.isBase && initial.name.base == field.name) return &initial;
      const bool mayBeBase = field.isBase && type->field(initial.name.base) == nullptr;
      if (mayBeBase && resolve(initial.name) == field.type) return &initial;
    }
    return nullptr;
  };
  for (const syntax::MemberInitial& initial : function.initials) {
    if (type->field(initial.name.base) != nullptr) continue;
    const Type* const named = resolve(initial.name);
    if (named != type) continue;
    ExpressionPtr address = wholeVariable(this_->variable, initial.span);  // a delegating constructor
    into.body.push_back(expressionStatement(
        constructorCall(type, std::move(address), readOperands(*initial.value, 0), initial.span),
        initial.span));
    return;
  }
  bool isMarked = !isPolymorphic(type);
  for (std::size_t i = 0; i < type->fields.size(); ++i) {
    const Field& field = type->fields[i];
    if (field.name == kClassField) continue;
    if (!isMarked && !field.isBase) into.body.push_back(markClass(function.span));
    isMarked = isMarked || !field.isBase;
    const syntax::MemberInitial* const given = findInitial(field);
    if (given != nullptr && given->value == nullptr) continue;  // an inherited constructor made it
    const syntax::Declarator* const declared = i < info.declared.size() ? info.declared[i] : nullptr;
    initialField(field, given != nullptr ? given->value.get() : nullptr, declared,
                 given != nullptr ? given->span : function.span, into);
  }
  if (!isMarked) into.body.push_back(markClass(function.span));
  for (const syntax::MemberInitial& initial : function.initials) {  // of anonymous unions
    const Field* const field = std::ranges::count(type->fields, initial.name.base, &Field::name) == 0
                                   ? type->field(initial.name.base)
                                   : nullptr;
    if (field != nullptr) initialField(*field, initial.value.get(), nullptr, initial.span, into);
  }
}

void Checker::initialField(const Field& field, const syntax::Expression* given,
                           const syntax::Declarator* declared, SourceSpan span, typed::Statement& into) {
  const bool hasDefault = declared != nullptr && declared->initial != nullptr;
  if (given == nullptr && !hasDefault && !needsConstruction(field.type)) return;
  Field held = field;
  held.isReference = false;
  Glvalue target = part(std::move(*thisOperand(span).glvalue), held, span);
  if (field.isReference) {
    const syntax::Expression* const source = given == nullptr          ? declared->initial.get()
                                             : given->operands.empty() ? nullptr
                                                                       : given->operands[0].get();
    if (source == nullptr) fail(span, "a reference needs what it refers to", "write : name(x)");
    into.body.push_back(expressionStatement(
        storeInto(std::move(target), referenceTo(field.type, operand(*source)), span), span));
    return;
  }
  if (field.type->isArray() || given == nullptr)
    return storeParts(std::move(target),
                      given != nullptr ? given
                      : hasDefault     ? declared->initial.get()
                                       : nullptr,
                      span, into);
  ExpressionPtr value = construct(field.type, *given);
  into.body.push_back(expressionStatement(storeInto(std::move(target), std::move(value), span), span));
}

// How objects end: destructors at the end of a scope, before break, continue and return, and on delete.

namespace {

/// Elements of an array of objects whose destructors are called one by one.
constexpr std::uint64_t kMaxDestroyed = 1024;

bool isEmpty(const syntax::Statement& node) {
  const auto kind = node.kind;
  return kind == syntax::Statement::Kind::Empty ||
         (kind == syntax::Statement::Kind::Block &&
          std::ranges::all_of(node.body, [](const auto& child) { return isEmpty(*child); }));
}

/// True if no lane continues behind the statement.
bool isLeft(const typed::Statement& node) {
  using Kind = typed::Statement::Kind;
  if (node.kind == Kind::Block) return !node.body.empty() && isLeft(*node.body.back());
  return node.kind == Kind::Return || node.kind == Kind::Break || node.kind == Kind::Continue ||
         node.kind == Kind::Goto;
}

}  // namespace

/// The class's own destructor if it does something, else null. A kernel ignores a destructor of the host.
const syntax::Function* Checker::findDestructor(const Type* type) const {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return nullptr;
  const auto& methods = info->node->methods;
  const auto found = std::ranges::find(methods, Role::Destructor, &syntax::Function::role);
  if (found == methods.end() || found->isDefaulted || found->isDeleted) return nullptr;
  if (found->body == nullptr) return found->isVirtual && found->diagnostics.empty() ? nullptr : &*found;
  return found->diagnostics.empty() && isEmpty(*found->body) ? nullptr : &*found;
}

/// True if the end of an object of the type runs code, its own or that of its parts.
bool Checker::needsDestruction(const Type* type) const {
  while (type->isArray()) type = type->element;
  const ClassInfo* const info = findClass(type);
  if (info == nullptr || info->node->isUnion) return false;
  if (findDestructor(type) != nullptr) return true;
  return std::ranges::any_of(
      type->fields, [&](const Field& field) { return !field.isReference && needsDestruction(field.type); });
}

bool Checker::hasVirtualDestructor(const Type* type) const {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr || !isPolymorphic(type)) return false;
  const bool isOwn = std::ranges::any_of(info->node->methods, [](const syntax::Function& method) {
    return method.role == Role::Destructor && method.isVirtual;
  });
  return isOwn || std::ranges::any_of(type->fields, [&](const Field& field) {
           return field.isBase && hasVirtualDestructor(field.type);
         });
}

/// Ends the object at the address: its destructor, then those of its fields and bases, the last first.
void Checker::destroyParts(const Type* type, const typed::Expression& address, SourceSpan span,
                           Values& into) {
  if (!needsDestruction(type)) return;
  if (type->isArray()) {
    if (type->count > kMaxDestroyed) {
      fail(span,
           fmt::format("an array of more than {} objects with destructors is not simulated", kMaxDestroyed),
           "allocate them with new");
    }
    for (std::uint32_t i = static_cast<std::uint32_t>(type->count); i-- > 0;) {
      const ExpressionPtr element = moved(makeCopy(address), i * type->element->size, type->element, false);
      destroyParts(type->element, *element, span, into);
    }
    return;
  }
  if (const syntax::Function* const destructor = findDestructor(type)) {
    if (isPolymorphic(type)) into.push_back(marked(type, address, span));
    syntax::Expression node;
    node.span = node.operatorSpan = span;
    Candidate own;
    own.callee = {destructor, type, 0};
    own.function = destructor;
    own.bound = findClass(type)->scope;
    bindClassParameters(*destructor, findClass(type)->arguments, own.bound);
    into.push_back(make(Kind::Call, scalar(Type::Kind::Void), span));
    const std::size_t call = into.size() - 1;
    into[call]->index = instantiate(own, node);
    into[call]->operands.push_back(moved(makeCopy(address), 0, type, false));
  }
  for (auto field = type->fields.rbegin(); field != type->fields.rend(); ++field) {
    if (field->isReference || !needsDestruction(field->type)) continue;
    const ExpressionPtr part = moved(makeCopy(address), field->offset, field->type, false);
    destroyParts(field->type, *part, span, into);
  }
}

/// The same as one expression without a value.
Checker::ExpressionPtr Checker::destroyed(const Type* type, const typed::Expression& address,
                                          SourceSpan span) {
  spend(1, span);
  const Type* const nothing = scalar(Type::Kind::Void);
  Values parts;
  destroyParts(type, address, span, parts);
  ExpressionPtr result;
  for (ExpressionPtr& part : parts) {
    result = result == nullptr ? std::move(part)
                               : make(Kind::Sequence, nothing, span, std::move(result), std::move(part));
  }
  return result;
}

/// For an object whose class is known only by its number. `held` is a variable with its address.
Checker::ExpressionPtr Checker::destroyedByClass(const Type* type, std::uint32_t held, SourceSpan span) {
  const Type* const nothing = scalar(Type::Kind::Void);
  const Type* const number = scalar(Type::Kind::U64);
  const auto use = [&] { return wholeVariable(held, span); };
  const std::uint32_t known = addVariable("(class)", number, span, false);
  ExpressionPtr found =
      make(Kind::Load, number, span, moved(use(), type->field(kClassField)->offset, number, true));
  ExpressionPtr chosen = make(Kind::Assert, nothing, span, constant(scalar(Type::Kind::Bool), 0, span));
  chosen->index = static_cast<std::uint32_t>(typed::AssertKind::NoCallee);
  bool isAny = false;
  for (const auto& [one, part] : listClasses(type)) {
    const ExpressionPtr whole = moved(use(), -std::int64_t{part}, one, false);
    ExpressionPtr ended = destroyed(one, *whole, span);
    isAny = isAny || ended != nullptr;
    if (ended == nullptr) ended = make(Kind::Constant, nothing, span);
    ExpressionPtr test = make(Kind::Binary, scalar(Type::Kind::Bool), span, wholeVariable(known, span),
                              constant(number, classNumber(*one, part), span));
    test->op = typed::BinaryOp::Equal;
    chosen = make(Kind::Conditional, nothing, span, std::move(test), std::move(ended), std::move(chosen));
  }
  if (!isAny) return nullptr;
  return make(Kind::Sequence, nothing, span, setVariable(known, 0, number, std::move(found), span),
              std::move(chosen));
}

/// For the object behind a pointer. Null if its end does nothing.
Checker::ExpressionPtr Checker::destroyedBehind(ExpressionPtr pointer, bool isVirtual, SourceSpan span) {
  const Type* const type = pointer->type;
  const std::uint32_t held = addVariable("(object)", type, span, false);
  const ExpressionPtr use = wholeVariable(held, span);
  ExpressionPtr ended = isVirtual && hasVirtualDestructor(type->element)
                            ? destroyedByClass(type->element, held, span)
                            : destroyed(type->element, *use, span);
  if (ended == nullptr) return nullptr;
  return make(Kind::Sequence, scalar(Type::Kind::Void), span,
              setVariable(held, 0, type, std::move(pointer), span), std::move(ended));
}

/// `p->~T();`. It does nothing unless T is a class.
Checker::ExpressionPtr Checker::destructorCall(const syntax::Expression& node) {
  Operand object = operand(*node.operands[0]);
  if (node.arrow) object = pointedTo(std::move(object), node);
  if (!object.glvalue) fail(node.span, "a destructor needs an object that has a place", "name the object");
  const bool isVirtual = !object.glvalue->isVariable;
  ExpressionPtr ended = destroyedBehind(makeAddress(std::move(*object.glvalue)), isVirtual, node.span);
  return ended != nullptr ? std::move(ended) : make(Kind::Constant, scalar(Type::Kind::Void), node.span);
}

// --- scopes ---

/// Notes a variable that was just declared if its end does something.
void Checker::noteAlive(const std::string& name) {
  if (name.empty()) return;
  const auto found = scope().find(name);
  if (found == scope().end()) return;
  const Symbol& symbol = found->second;
  if (symbol.kind == Symbol::Kind::Variable && !symbol.isReference && needsDestruction(symbol.type))
    alive_.push_back(symbol.index);
}

/// The ends of the objects from the given one on, the last first.
void Checker::destroyFrom(std::size_t first, SourceSpan span, typed::Statement& into,
                          std::optional<std::uint32_t> except) {
  std::vector<std::uint32_t> ended(alive_.begin() + static_cast<std::ptrdiff_t>(first), alive_.end());
  if (except) std::erase(ended, *except);
  destroyAll(ended, span, into);
}

/// The ends of these objects, the last first.
void Checker::destroyAll(const std::vector<std::uint32_t>& objects, SourceSpan span, typed::Statement& into) {
  for (std::size_t i = objects.size(); i-- > 0;) {
    const std::uint32_t variable = objects[i];
    const Type* const type = kernel_.variables[variable].type;
    kernel_.variables[variable].isAddressed = true;
    ExpressionPtr address = make(Kind::LocalAddress, kernel_.types->pointerTo(type, false, false), span);
    address->index = variable;
    if (ExpressionPtr ended = destroyed(type, *address, span))
      into.body.push_back(expressionStatement(std::move(ended), span));
  }
}

/// For the end of their scope.
void Checker::endObjects(std::size_t first, SourceSpan span, typed::Statement& into) {
  if (alive_.size() <= first) return;
  if (into.body.empty() || !isLeft(*into.body.back())) destroyFrom(first, span, into);
  alive_.resize(first);
}

/// A statement in its own scope: a branch or a loop's body.
typed::StatementPtr Checker::inScope(const syntax::Statement& node) {
  pushScope();
  const std::size_t alive = alive_.size();
  typed::StatementPtr result = statement(node);
  if (result == nullptr) result = makeStatement(typed::Statement::Kind::Block, node.span);
  if (alive_.size() > alive) {
    typed::StatementPtr block = makeStatement(typed::Statement::Kind::Block, node.span);
    block->body.push_back(std::move(result));
    endObjects(alive, node.span, *block);
    result = std::move(block);
  }
  popScope();
  return result;
}

/// True for an unnamed object that an expression statement makes: `Timer("sum");`, `make();`.
bool Checker::isTemporaryObject(const typed::Expression& value) const {
  if (!needsDestruction(value.type)) return false;
  if (value.kind == Kind::Call) return true;
  return value.kind == Kind::Sequence && value.operands[1]->kind == Kind::Variable &&
         kernel_.variables[value.operands[1]->index].name == "(temporary)";
}

/// Such an object ends with its statement.
typed::StatementPtr Checker::endedAtOnce(ExpressionPtr value, SourceSpan span) {
  typed::StatementPtr block = makeStatement(typed::Statement::Kind::Block, span);
  block->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  const Type* const type = value->type;
  const std::uint32_t variable = addVariable("(temporary)", type, span, false);
  block->body.push_back(expressionStatement(setVariable(variable, 0, type, std::move(value), span), span));
  const std::size_t alive = alive_.size();
  alive_.push_back(variable);
  endObjects(alive, span, *block);
  block->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  return block;
}

}  // namespace lanescope::checker
