#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

// Member functions: the search for them, and the objects that they are called on.
namespace lanescope::checker {

namespace {

/// True if the functions hide each other in a derived class ([namespace.udecl]).
bool hasSameParameters(const syntax::Function& a, const syntax::Function& b) {
  const auto isSame = [](const syntax::Parameter& one, const syntax::Parameter& other) {
    return one.type.base == other.type.base && one.type.pointers == other.type.pointers &&
           one.type.isReference == other.type.isReference && one.type.isRvalue == other.type.isRvalue &&
           (one.type.isConst == other.type.isConst || (one.type.pointers == 0 && !one.type.isReference));
  };
  return a.isConst == b.isConst && a.templateParameters.size() == b.templateParameters.size() &&
         std::ranges::equal(a.parameters, b.parameters, isSame);
}

}  // namespace

/// The functions of that name in a class and those that `using` brings there, else in its bases
/// ([class.member.lookup]).
void Checker::addMethods(const Type* type, std::string_view name, std::uint32_t offset,
                         std::vector<Callee>& found) {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return;
  spend(1, info->node->span);
  std::vector<Callee> own;
  bool hasOwn = std::ranges::any_of(type->fields, [&](const Field& field) { return !field.isBase && field.name == name; });
  for (const syntax::Function& method : info->node->methods) {
    if (method.name != name || method.role == Role::Constructor || method.role == Role::Friend) continue;
    hasOwn = true;
    if (!method.isDeleted) own.push_back({&method, type, offset});
  }
  std::vector<Callee> used;
  for (const auto& [base, member] : info->node->usings) {
    if (member != name) continue;
    const Elsewhere elsewhere(*this, {info->scope});
    const Type* const of = resolve(base);
    std::uint32_t within = 0;
    if (isDerived(type, of, within)) addMethods(of, name, offset + within, used);
  }
  const auto isHidden = [&](const Callee& callee) {
    return std::ranges::any_of(own, [&](const Callee& one) { return hasSameParameters(*one.function, *callee.function); });
  };
  hasOwn = hasOwn || !used.empty();
  std::erase_if(used, isHidden);
  found.insert(found.end(), own.begin(), own.end());
  found.insert(found.end(), used.begin(), used.end());
  if (hasOwn) return;
  for (const Field& field : type->fields) {
    if (field.isBase) addMethods(field.type, name, offset + field.offset, found);
  }
}

std::vector<Callee> Checker::methodsNamed(const Type* type, const syntax::Expression& node,
                                          std::string_view name) {
  std::vector<Callee> found;
  addMethods(type, name, 0, found);
  const ClassInfo* const info = findClass(type);
  if (found.empty() && info != nullptr && info->node->hostMethods.contains(name)) {
    fail(node.span,
         fmt::format("{}::{} is a function of the host, which a kernel cannot call", type->name(), name),
         "write __device__ before it");
  }
  for (const Callee& callee : found) refuseFaulty(callee.function->diagnostics);
  if (node.isTemplateId)
    std::erase_if(found, [](const Callee& callee) { return callee.function->templateParameters.empty(); });
  return found;
}

/// `object.method(…)`; a group's methods are the library's.
Checker::ExpressionPtr Checker::memberCall(const syntax::Expression& node) {
  if (node.text.starts_with("~")) return destructorCall(node);
  Operand object = operand(*node.operands[0]);
  const bool isGroup =
      object.type != nullptr && (object.type->isGroup() || object.type->name() == "coalesced_group");
  if (isGroup && !node.arrow) return groupMethod(node);
  if (node.arrow) object = pointedTo(std::move(object), node);
  if (object.type == nullptr) object = asOperand(makeValue(std::move(object)));
  const Type* const type = object.glvalue ? object.glvalue->type : object.type;
  if (findClass(type) == nullptr) return groupMethod(node);
  if (node.type) return qualifiedCall(node, std::move(object));
  const std::vector<Callee> methods = methodsNamed(type, node, node.text);
  if (!methods.empty()) return callWith(node, methods, readOperands(node, 1), std::move(object));
  if (type->field(node.text) == nullptr) {
    fail(node.operatorSpan, fmt::format("{} has no member function '{}'", type->name(), node.text),
         "mend its spelling, or write it in the struct");
  }
  const Field field = findField(type, node);  // an object with operator()
  Glvalue whole = object.glvalue ? std::move(*object.glvalue) : materialised(std::move(object.value));
  return invokeOperand(node, asOperand(part(std::move(whole), field, node.span)), 1);
}

/// `object.Base::f()`: the base's function, virtual or not.
Checker::ExpressionPtr Checker::qualifiedCall(const syntax::Expression& node, Operand object) {
  const Type* const type = resolve(*node.type);
  const Type* const own = object.glvalue ? object.glvalue->type : object.type;
  Field base{.type = type};
  if (own != type && !isDerived(own, type, base.offset))
    fail(node.operatorSpan, fmt::format("{} is not a base of {}", type->name(), own->name()),
         "name a base of it");
  const std::vector<Callee> methods = methodsNamed(type, node, node.text);
  if (methods.empty())
    fail(node.operatorSpan, fmt::format("{} has no member function '{}'", type->name(), node.text),
         "mend its spelling");
  Glvalue whole = object.glvalue ? std::move(*object.glvalue) : materialised(std::move(object.value));
  return callWith(node, methods, readOperands(node, 1), asOperand(part(std::move(whole), base, node.span)),
                  true);
}

/// `f(x)(y)`, a lambda that is called at once, `Plus()(a, b)`.
Checker::ExpressionPtr Checker::invoke(const syntax::Expression& node) {
  const syntax::Expression& callee = *node.operands[0];
  if (callee.kind == SyntaxKind::Name && !callee.type && find(callee) == nullptr) {  // (f)(x)
    std::vector<Callee> functions;
    addFileFunctions(callee, callee.text, functions);
    if (!functions.empty()) return callWith(callee, functions, readOperands(node, 1));
  }
  return invokeOperand(node, operand(*node.operands[0]), 1);
}

Checker::ExpressionPtr Checker::invokeOperand(const syntax::Expression& node, Operand callee,
                                              std::size_t firstArgument) {
  if (ExpressionPtr result = callThrough(node, callee, firstArgument)) return result;
  const Type* const type = callee.type;
  std::vector<Callee> functions;
  if (type != nullptr && type->isStruct()) functions = methodsNamed(type, node, "operator()");
  if (functions.empty()) {
    fail(node.span, fmt::format("{} cannot be called", type != nullptr ? type->name() : "a list in braces"),
         "call a function or an object with operator()");
  }
  return callWith(node, functions, readOperands(node, firstArgument), std::move(callee));
}

/// `Vec<float>::zero()`, `Base::update()` within a class that derives from it.
Checker::ExpressionPtr Checker::scopedCall(const syntax::Expression& node) {
  const Type* const type = resolve(*node.type);
  const std::string_view name = std::string_view(node.text).substr(node.text.rfind("::") + 2);
  const std::vector<Callee> functions = methodsNamed(type, node, name);
  if (functions.empty()) {
    fail(node.span, fmt::format("{} has no function '{}'", type->name(), name), "mend its spelling");
  }
  std::optional<Operand> object;
  std::uint32_t offset = 0;
  if (this_ && (this_->type->element == type || isDerived(this_->type->element, type, offset))) {
    Field base{.type = type, .offset = offset};
    object = asOperand(part(std::move(*thisOperand(node.span).glvalue), base, node.span));
  }
  return callWith(node, functions, readOperands(node, 0), std::move(object), true);
}

/// The object of the current member function.
Operand Checker::thisOperand(SourceSpan span) {
  if (!this_) {
    fail(span, "a member of the class needs an object here",
         "a static function and a default value have none");
  }
  Glvalue object;
  object.span = span;
  object.address = wholeVariable(this_->variable, span);
  object.type = this_->type->element;
  object.isConst = this_->type->elementIsConst;
  return asOperand(std::move(object));
}

/// A value in its own memory, for an operation that needs an address.
Glvalue Checker::materialised(ExpressionPtr value) {
  const SourceSpan span = value->span;
  const Type* const type = value->type;
  if (needsDestruction(type)) {
    fail(span,
         fmt::format("a {} without a name is not simulated, since its destructor does something",
                     type->name()),
         "declare a variable with it");
  }
  const std::uint32_t temporary = addVariable("(temporary)", type, span, false);
  kernel_.variables[temporary].isAddressed = true;
  const Type* const pointer = kernel_.types->pointerTo(type, false, false);
  Glvalue result{.type = type, .span = span};
  ExpressionPtr address = make(Kind::LocalAddress, pointer, span);
  address->index = temporary;
  result.address = make(Kind::Sequence, pointer, span,
                        setVariable(temporary, 0, type, std::move(value), span), std::move(address));
  return result;
}

Checker::ExpressionPtr Checker::objectAddress(Operand object) {
  if (object.glvalue) return makeAddress(std::move(*object.glvalue));
  return std::move(materialised(makeValue(std::move(object))).address);
}

/// True when the type derives from the base; the offset is the base's in it.
bool Checker::isDerived(const Type* type, const Type* base, std::uint32_t& offset) const {
  if (!type->isStruct() || !base->isStruct() || type == base) return false;
  for (const Field& field : type->fields) {
    if (!field.isBase) continue;
    std::uint32_t within = 0;
    if (field.type != base && !isDerived(field.type, base, within)) continue;
    offset = field.offset + within;
    return true;
  }
  return false;
}

// Operators and conversions that the text's own classes and functions define.

/// True for an object and for an enumeration: the text may define operators for their types.
bool hasOperators(const Operand& operand) {
  return operand.type != nullptr && (operand.type->isStruct() || operand.type->isEnum());
}

namespace {

/// Of operands without a class, one at least is an enumeration that the operator has a parameter for (C++20
/// [over.match.oper] 12.4.2.3/3.2).
bool isOperatorFor(const Candidate& candidate, const std::vector<Operand>& operands) {
  for (std::size_t i = 0; i < operands.size() && i < candidate.parameters.size(); ++i) {
    const Type* const type = operands[i].type;
    const Type* const taken = candidate.parameters[i];
    const bool isIt =
        type == taken || (passesAddress(candidate.function->parameters[i], *taken) && type == taken->element);
    if (type != nullptr && (type->isStruct() || (type->isEnum() && isIt))) return true;
  }
  return false;
}

}  // namespace

/// A call of the text's own operator for the operands. Null if none fits. The operands are then unchanged.
Checker::ExpressionPtr Checker::overloaded(std::string_view name, std::vector<Operand>& operands,
                                           const syntax::Expression& node) {
  if (librarySpan_) return nullptr;
  std::vector<Callee> members;
  if (operands[0].type != nullptr) members = methodsNamed(operands[0].type, node, name);
  std::vector<Callee> others;
  addFileFunctions(node, name, others);
  addFunctionsOfArguments(node, name, operands, others);
  if (members.empty() && others.empty()) return nullptr;
  syntax::Expression call;
  call.text = name;
  call.span = node.span;
  std::string reason;
  std::vector<Operand> arguments;
  for (std::size_t i = 1; i < operands.size(); ++i) arguments.push_back(std::move(operands[i]));
  std::optional<Candidate> member;
  if (!members.empty()) member = bestCandidate(call, members, arguments, &operands[0], reason);
  arguments.insert(arguments.begin(), std::move(operands[0]));
  std::optional<Candidate> other;
  if (!others.empty()) other = bestCandidate(call, others, arguments, nullptr, reason);
  if (other && !isOperatorFor(*other, arguments)) other.reset();
  const auto isDefaulted = [](const std::optional<Candidate>& one) {
    return one && one->function->isDefaulted;
  };
  if (isDefaulted(member) || isDefaulted(other)) {
    operands = std::move(arguments);
    if (name != "operator=")
      fail(node.span, fmt::format("a defaulted {} is not simulated", name), "write its body");
    return nullptr;  // a copy as for a class without one
  }
  if (!member && !other) {
    const bool needsOne = arguments[0].type != nullptr && findClass(arguments[0].type) != nullptr;
    operands = std::move(arguments);
    if (needsOne && name != "operator=" && findConversions(operands[0].type).empty())
      fail(node.span, fmt::format("no {} fits: {}", name, reason),
           "convert an operand, or write the operator");
    return nullptr;
  }
  if (other) refuseFaulty(other->function->diagnostics);
  if (!member || (other && other->cost < member->cost))
    return finishCall(call, *other, std::move(arguments), nullptr);
  ExpressionPtr object = objectAddress(std::move(arguments[0]));
  arguments.erase(arguments.begin());
  return finishCall(call, *member, std::move(arguments), std::move(object));
}

// --- conversions ---

std::vector<Callee> Checker::findConversions(const Type* type) {
  std::vector<Callee> found;
  if (type == nullptr || findClass(type) == nullptr) return found;
  for (const syntax::Function& method : findClass(type)->node->methods) {
    if (method.role == Role::Conversion && method.diagnostics.empty()) found.push_back({&method, type});
  }
  for (const Field& field : type->fields) {
    if (!field.isBase) continue;
    for (Callee callee : findConversions(field.type)) {
      callee.offset += field.offset;
      found.push_back(callee);
    }
  }
  return found;
}

const Type* Checker::conversionType(const Callee& conversion) {
  const Elsewhere elsewhere(*this, {findClass(conversion.owner)->scope});
  return resolve(conversion.function->returnType);
}

/// The cost of a conversion to or from a class by the text's own conversions. -1: not possible.
int Checker::classConversionCost(const Operand& operand, const Type* type) {
  constexpr int kOwn = 8;
  int best = -1;
  for (const Callee& conversion : findConversions(operand.type)) {
    if (conversion.function->isExplicit) continue;
    Operand result{.type = conversionType(conversion)};
    const int cost = standardCost(result, type);
    if (cost >= 0 && (best < 0 || cost + kOwn < best)) best = cost + kOwn;
  }
  if (best >= 0 || operand.type == nullptr || findClass(type) == nullptr || !hasConstructors(type))
    return best;
  for (const syntax::Function& method : findClass(type)->node->methods) {
    const bool takesOne = method.role == Role::Constructor && !method.isExplicit && !method.isDeleted &&
                          method.diagnostics.empty() && !method.parameters.empty() &&
                          method.templateParameters.empty() &&
                          std::all_of(method.parameters.begin() + 1, method.parameters.end(),
                                      [](const syntax::Parameter& p) { return p.initial != nullptr; });
    if (!takesOne) continue;
    const Elsewhere elsewhere(*this, {findClass(type)->scope});
    syntax::TypeName name = method.parameters[0].type;
    name.isReference = false;
    const Type* const taken = resolve(name);
    const int cost = taken == type ? -1 : standardCost(operand, taken);
    if (cost >= 0 && (best < 0 || cost + kOwn < best)) best = cost + kOwn;
  }
  return best;
}

/// The value, converted by a conversion function of its class.
Checker::ExpressionPtr Checker::convertBy(const Callee& conversion, ExpressionPtr value, SourceSpan span) {
  syntax::Expression call;
  call.text = conversion.owner->name() + "'s conversion";
  call.span = span;
  Candidate candidate;
  candidate.callee = conversion;
  candidate.function = conversion.function;
  candidate.bound = findClass(conversion.owner)->scope;
  ExpressionPtr object = objectAddress(reloaded(std::move(value)));
  return finishCall(call, candidate, {}, std::move(object));
}

/// The memory that the value was loaded from, if there is any: its address then needs no copy.
Operand Checker::reloaded(ExpressionPtr value) {
  Glvalue glvalue{.type = value->type, .span = value->span};
  if (value->kind == Kind::Load) {
    glvalue.address = std::move(value->operands[0]);
    glvalue.isConst = glvalue.address->type->elementIsConst;
    glvalue.isVolatile = value->isVolatile;
    return asOperand(std::move(glvalue));
  }
  if (value->kind != Kind::Variable || kernel_.variables[value->index].name.ends_with(")"))
    return asOperand(std::move(value));
  glvalue.isVariable = true;
  glvalue.variable = value->index;
  glvalue.offset = static_cast<std::uint32_t>(value->scale);
  glvalue.isConst = kernel_.variables[value->index].isConst;
  return asOperand(std::move(glvalue));
}

/// A conversion that a class of the text defines. Null if there is none. Takes the value only if it converts.
Checker::ExpressionPtr Checker::classConversion(ExpressionPtr& value, const Type* type, SourceSpan span) {
  const Type* const from = value->type;
  std::uint32_t offset = 0;
  if (isDerived(from, type, offset) || convertsExtent(*from, *type)) {
    ExpressionPtr result = make(Kind::Member, type, span, std::move(value));
    result->scale = offset;
    return isPolymorphic(type) ? sliced(std::move(result)) : std::move(result);
  }
  const bool isBasePointer = from->isPointer() && type->isPointer() &&
                             (type->elementIsConst || !from->elementIsConst) &&
                             isDerived(from->element, type->element, offset);
  if (isBasePointer) return movedUnlessNull(std::move(value), offset, type->element, type->elementIsConst);
  std::optional<Callee> best;
  int cost = 0;
  for (const Callee& conversion : findConversions(from)) {
    Operand result{.type = conversionType(conversion)};
    const int own = standardCost(result, type);
    if (own >= 0 && (!best || own < cost)) {
      best = conversion;
      cost = own;
    }
  }
  if (best) return convertImplicitly(convertBy(*best, std::move(value), span), type, span);
  if (findClass(type) == nullptr || !hasConstructors(type)) return nullptr;
  Operand given{.type = from};
  if (classConversionCost(given, type) < 0) return nullptr;
  return constructed(type, formatList(reloaded(std::move(value))), span);
}

/// The number or pointer that an object of a class converts to, if there is one. Otherwise the value itself.
Checker::ExpressionPtr Checker::asScalar(ExpressionPtr value) {
  if (findClass(value->type) == nullptr) return value;
  const bool isConst = value->kind == Kind::Load && value->operands[0]->type->elementIsConst;
  std::optional<Callee> best;
  for (const Callee& conversion : findConversions(value->type)) {
    if (conversion.function->isExplicit || (isConst && !conversion.function->isConst)) continue;
    if (!best || (best->function->isConst && !isConst)) best = conversion;
  }
  if (!best) return value;
  const SourceSpan span = value->span;
  return convertBy(*best, std::move(value), span);
}

}  // namespace lanescope::checker
