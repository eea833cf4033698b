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
  bool hasOwn = std::ranges::any_of(type->fields,
                                    [&](const Field& field) { return !field.isBase && field.name == name; });
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
    return std::ranges::any_of(
        own, [&](const Callee& one) { return hasSameParameters(*one.function, *callee.function); });
  };
  hasOwn = hasOwn || !used.empty();
  std::erase_if(used, isHidden);
  for (Callee& callee : used) callee.isUsed = true;
  found.insert(found.end(), own.begin(), own.end());
  found.insert(found.end(), used.begin(), used.end());
  if (hasOwn || name == "operator=") return;  // each class has its own assignment
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
  Operand object = asPlace(operand(*node.operands[0]));
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
  if (needsDestruction(type) && !mayEnd_) {
    fail(span,
         fmt::format("a {} without a name is not simulated, since its destructor does something",
                     type->name()),
         "declare a variable with it");
  }
  const std::uint32_t temporary = addVariable("(temporary)", type, span, false);
  kernel_.variables[temporary].isAddressed = true;
  if (needsDestruction(type)) temporaries_.push_back(temporary);
  const Type* const pointer = kernel_.types->pointerTo(type, false, false);
  Glvalue result{.type = type, .span = span};
  ExpressionPtr address = make(Kind::LocalAddress, pointer, span);
  address->index = temporary;
  result.address = make(Kind::Sequence, pointer, span,
                        setVariable(temporary, 0, type, std::move(value), span), std::move(address));
  return result;
}

Checker::ExpressionPtr Checker::objectAddress(Operand object) {
  object = asPlace(std::move(object));
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
  std::vector<Callee> functions;
  if (operands[0].type != nullptr) functions = methodsNamed(operands[0].type, node, name);
  const bool isAssignment = name == "operator=";
  if (isAssignment) {
    if (operands[0].type == nullptr ||
        (functions.empty() && !isCopiedByCalls(operands[0].type, CopyBy::Assignment)))
      return nullptr;
    addImplicit(operands[0].type, true, functions);
  } else {
    addFileFunctions(node, name, functions);
    addFunctionsOfArguments(node, name, operands, functions);
  }
  if (functions.empty()) return nullptr;
  syntax::Expression call;
  call.text = name;
  call.span = node.span;
  std::string reason;
  const std::optional<Candidate> best = bestCandidate(call, functions, operands, nullptr, reason);
  if (best && best->function->role != Role::Method && !isOperatorFor(*best, operands)) return nullptr;
  const bool mayBeBuiltIn =
      isAssignment || name == "operator," || name == "operator&&" || name == "operator||";
  if (!best) {
    const bool needsOne = operands[0].type != nullptr && findClass(operands[0].type) != nullptr;
    if (needsOne && !mayBeBuiltIn && findConversions(operands[0].type).empty())
      fail(node.span, fmt::format("no {} fits: {}", name, reason),
           "convert an operand, or write the operator");
    return nullptr;
  }
  refuseFaulty(best->function->diagnostics);
  if (best->function->isDefaulted) {
    if (!isAssignment)
      fail(node.span, fmt::format("a defaulted {} is not simulated", name), "write its body");
    if (!isCopiedByCalls(operands[0].type, CopyBy::Assignment))
      return nullptr;  // a copy as for a class without one
  }
  if (best->function->role != Role::Method) return finishCall(call, *best, std::move(operands), nullptr);
  ExpressionPtr object = objectAddress(std::move(operands[0]));
  operands.erase(operands.begin());
  return finishCall(call, *best, std::move(operands), std::move(object));
}

/// `a != b` by `a == b`, and both by `b == a`, if the text has no other ([over.match.oper] 12.2.2.3/3.4).
Checker::ExpressionPtr Checker::rewritten(std::vector<Operand>& operands, const syntax::Expression& node) {
  const bool isDifferent = node.text == "!=";
  if (!isDifferent && node.text != "==") return nullptr;
  ExpressionPtr same;
  if (isDifferent) same = overloaded("operator==", operands, node);
  if (same == nullptr && operands[0].type != operands[1].type) {
    std::swap(operands[0], operands[1]);
    same = overloaded("operator==", operands, node);
    if (same == nullptr) std::swap(operands[0], operands[1]);
  }
  if (same == nullptr || !isDifferent) return same;
  return make(Kind::LogicalNot, scalar(Type::Kind::Bool), node.span, toBool(std::move(same)));
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

const Type* Checker::conversionType(const Candidate& conversion) {
  const Elsewhere elsewhere(*this, {conversion.bound});
  return resolve(conversion.function->returnType);
}

/// The value, converted by a conversion function of its class.
Checker::ExpressionPtr Checker::convertBy(const Candidate& conversion, Operand operand, SourceSpan span) {
  syntax::Expression call;
  call.text = conversion.callee.owner->name() + "'s conversion";
  call.span = span;
  ExpressionPtr object = objectAddress(std::move(operand));
  return finishCall(call, conversion, {}, std::move(object));
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

/// A conversion that a class of the text defines, or to a base. Null if there is none. Takes the operand only
/// if it converts. `isDirect`: as by a cast, which explicit ones are for, too.
Checker::ExpressionPtr Checker::classConversion(Operand& operand, const Type* type, SourceSpan span,
                                                bool isDirect) {
  const Type* const from = operand.type;
  if (from == nullptr) return nullptr;
  std::uint32_t offset = 0;
  if (isDerived(from, type, offset) || convertsExtent(*from, *type)) {
    ExpressionPtr result = make(Kind::Member, type, span, makeValue(std::move(operand)));
    result->scale = offset;
    return isPolymorphic(type) ? sliced(std::move(result)) : std::move(result);
  }
  const bool isBasePointer = from->isPointer() && type->isPointer() &&
                             (type->elementIsConst || !from->elementIsConst) &&
                             isDerived(from->element, type->element, offset);
  if (isBasePointer)
    return movedUnlessNull(makeValue(std::move(operand)), offset, type->element, type->elementIsConst);
  if (findClass(from) == nullptr && findClass(type) == nullptr) return nullptr;
  Conversion found;
  const std::optional<Candidate> best = classConversion(operand, type, isDirect, found);
  if (found.isAmbiguous) {
    fail(span, fmt::format("more than one conversion makes {} of {}", type->name(), from->name()),
         "write the conversion that is meant");
  }
  if (!best) return nullptr;
  if (best->function->role == Role::Constructor)
    return constructed(type, formatList(std::move(operand)), span, true);
  return convertImplicitly(convertBy(*best, std::move(operand), span), type, span);
}

/// The same for a value, which may have been loaded from memory.
Checker::ExpressionPtr Checker::classConversion(ExpressionPtr& value, const Type* type, SourceSpan span,
                                                bool isDirect) {
  if (findClass(value->type) == nullptr && findClass(type) == nullptr && !value->type->isPointer() &&
      !value->type->isStruct())
    return nullptr;
  Operand operand = value->type->isStruct() ? reloaded(std::move(value)) : asOperand(std::move(value));
  if (ExpressionPtr converted = classConversion(operand, type, span, isDirect)) return converted;
  value = makeValue(std::move(operand));
  return nullptr;
}

/// The number or pointer that an object of a class converts to, if there is one. Otherwise the value itself.
Checker::ExpressionPtr Checker::asScalar(ExpressionPtr value) {
  if (findClass(value->type) == nullptr) return value;
  Operand object = reloaded(std::move(value));
  std::optional<Candidate> best;
  const Type* made = nullptr;
  for (const Callee& callee : findConversions(object.type)) {
    if (callee.function->isExplicit || !callee.function->templateParameters.empty()) continue;
    Candidate candidate = conversionCandidate(callee, nullptr);
    candidate.conversions = {objectConversion(object, candidate)};
    if (!candidate.conversions[0].exists()) continue;
    const Type* const own = conversionType(candidate);
    if (made != nullptr && made != own && made->isArithmetic() && own->isArithmetic()) {
      fail(object.span,
           fmt::format("{} converts to {} and to {} here", object.type->name(), made->name(), own->name()),
           "write a cast to the one that is meant");
    }
    if (!best || compare(candidate.conversions[0], best->conversions[0]) > 0) {
      best = std::move(candidate);
      made = own;
    }
  }
  if (!best) return makeValue(std::move(object));
  const SourceSpan span = object.span;
  return convertBy(*best, std::move(object), span);
}

}  // namespace lanescope::checker
