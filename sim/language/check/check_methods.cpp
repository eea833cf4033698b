#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

// Member functions: the search for them, and the objects that they are called on.
namespace lanescope::checker {

/// `object.method(…)`; a group's methods are the library's.
ExpressionPtr Checker::memberCall(const syntax::Expression& node) {
  if (node.text.starts_with("~")) return destructorCall(node);
  Operand object = asPlace(operand(*node.operands[0]));
  const bool isGroup =
      object.type != nullptr && (object.type->isGroup() || object.type->name() == "coalesced_group");
  if (isGroup && !node.arrow) return groupMethod(node);
  if (node.arrow) object = pointedTo(std::move(object), node);
  if (object.type == nullptr) object = asOperand(makeValue(std::move(object)));
  const Type* const type = object.ownType();
  if (findClass(type) == nullptr) return groupMethod(node);
  if (node.type) return qualifiedCall(node, std::move(object));
  const std::vector<Callee> methods = methodsNamed(type, node, node.text);
  if (!methods.empty()) return callWith(node, methods, readOperands(node, 1), std::move(object));
  if (type->field(node.text) == nullptr) {
    failTyping(node.operatorSpan, fmt::format("{} has no member function '{}'", type->name(), node.text),
               "mend its spelling, or write it in the struct");
  }
  const Field field = findField(type, node);  // an object with operator()
  return invokeOperand(node, asOperand(part(placed(std::move(object)), field, node.span)), 1);
}

/// `object.Base::f()`: the base's function, virtual or not.
ExpressionPtr Checker::qualifiedCall(const syntax::Expression& node, Operand object) {
  const Type* const type = resolve(*node.type);
  Operand base = asOperand(basePart(std::move(object), type, node));
  const std::vector<Callee> methods = methodsNamed(type, node, node.text);
  if (methods.empty())
    failTyping(node.operatorSpan, fmt::format("{} has no member function '{}'", type->name(), node.text),
               "mend its spelling");
  return callWith(node, methods, readOperands(node, 1), std::move(base), true);
}

/// `f(x)(y)`, a lambda that is called at once, `Plus()(a, b)`.
ExpressionPtr Checker::invoke(const syntax::Expression& node) {
  const syntax::Expression& callee = *node.operands[0];
  if (callee.kind == SyntaxKind::Name && !callee.type && find(callee) == nullptr) {  // (f)(x)
    std::vector<Callee> functions;
    addFileFunctions(callee, callee.text, functions);
    if (!functions.empty()) return callWith(callee, functions, readOperands(node, 1));
  }
  return invokeOperand(node, operand(*node.operands[0]), 1);
}

ExpressionPtr Checker::invokeOperand(const syntax::Expression& node, Operand callee,
                                     std::size_t firstArgument) {
  if (ExpressionPtr result = callThrough(node, callee, firstArgument)) return result;
  const Type* const type = callee.type;
  std::vector<Callee> functions;
  if (type != nullptr && type->isStruct()) functions = methodsNamed(type, node, "operator()");
  if (functions.empty()) {
    failTyping(node.span,
               fmt::format("{} cannot be called", type != nullptr ? type->name() : "a list in braces"),
               "call a function or an object with operator()");
  }
  return callWith(node, functions, readOperands(node, firstArgument), std::move(callee));
}

/// `Vec<float>::zero()`, `Base::update()` within a class that derives from it.
ExpressionPtr Checker::scopedCall(const syntax::Expression& node) {
  const Type* const type = resolve(*node.type);
  const std::string_view name = std::string_view(node.text).substr(node.text.rfind("::") + 2);
  const std::vector<Callee> functions = methodsNamed(type, node, name);
  if (functions.empty()) {
    failTyping(node.span, fmt::format("{} has no function '{}'", type->name(), name), "mend its spelling");
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
  return asOperand(behind(wholeVariable(this_->variable, span), span));
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
  std::uint32_t temporary = 0;
  ExpressionPtr set = hold("(temporary)", std::move(value), span, temporary);
  if (needsDestruction(type)) temporaries_.push_back(temporary);
  return behind(sequence(span, std::move(set), variableAddress(temporary, span)), span);
}

/// The object's glvalue. A value gets its own memory.
Glvalue Checker::placed(Operand object) {
  return object.glvalue ? std::move(*object.glvalue) : materialised(makeValue(std::move(object)));
}

/// `object.Base::`: its part of that class.
Glvalue Checker::basePart(Operand object, const Type* base, const syntax::Expression& node) {
  Field part{.type = base};
  if (object.ownType() != base && !isDerived(object.ownType(), base, part.offset))
    failTyping(node.operatorSpan,
               fmt::format("{} is not a base of {}", base->name(), object.ownType()->name()),
               "name a base of it");
  return this->part(placed(std::move(object)), part, node.span);
}

ExpressionPtr Checker::objectAddress(Operand object) {
  return makeAddress(placed(asPlace(std::move(object))));
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

// Operators that the text's own classes and functions define.

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

/// The conversions of the operands for the one of the language's own operators that fits best, an object by
/// its conversion function ([over.built] 12.5). Empty if there is none.
std::vector<Conversion> Checker::builtInConversions(std::string_view name, Operands operands) {
  const bool isLogical = name == "operator&&" || name == "operator||" || name == "operator!";
  const bool isOther = name == "operator," || name == "operator->" || name == "operator++" ||
                       name == "operator--" || (name == "operator&" && operands.size() == 1);
  std::vector<const Type*> types;
  for (const Operand& operand : operands) {
    const Type* type = operand.type;
    if (type != nullptr && type->isStruct()) {
      type = nullptr;
      for (const Callee& callee : findConversions(operand.type)) {
        if (callee.function->isExplicit || !callee.function->templateParameters.empty()) continue;
        const Candidate candidate = conversionCandidate(callee, nullptr);
        if (objectConversion(operand, candidate).exists() && isMet(candidate))
          type = conversionResult(candidate).type;
      }
    }
    if (type == nullptr || isOther || type->isScoped || !(type->isArithmetic() || type->isPointer()))
      return {};
    types.push_back(isLogical ? scalar(Type::Kind::Bool) : type->isArithmetic() ? promoted(type) : type);
  }
  const bool isOfPointer = std::ranges::any_of(types, &Type::isPointer);
  std::vector<Conversion> conversions;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool isStep = isOfPointer && !types[i]->isPointer();
    conversions.push_back(conversion(operands[i], isStep ? kernel_.types->named("long") : types[i]));
    if (!conversions.back().exists()) return {};
  }
  return conversions;
}

/// True if one of the language's own operators fits better than the text's.
bool Checker::isBuiltInBetter(const Candidate& own, std::string_view name, Operands operands,
                              SourceSpan span) {
  const std::string_view sign = name.substr(std::string_view("operator").size());
  const bool isComparison = sign == "==" || sign == "!=" || sign == "<=" || sign == ">=";
  const bool isStored = sign.ends_with("=") && !isComparison;
  if (isStored && operands[0].type != nullptr && operands[0].type->isStruct()) return false;
  static const syntax::Function kBuiltIn;
  Candidate builtIn;
  builtIn.function = &kBuiltIn;
  builtIn.conversions = builtInConversions(name, operands);
  if (builtIn.conversions.empty()) return false;
  const int order = compare(own, builtIn, 0);
  if (order == 0)
    fail(span, fmt::format("{} and that of the language fit equally well", name),
         "convert an operand to say which one is meant");
  return order < 0;
}

/// A call of the text's own operator for the operands. Null if none fits. The operands are then unchanged.
ExpressionPtr Checker::overloaded(std::string_view name, std::vector<Operand>& operands,
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
  const syntax::ExpressionPtr call = callOf(name, node.span);
  call->kind = node.kind;
  std::string reason;
  const std::optional<Candidate> best = bestCandidate(*call, functions, operands, nullptr, reason);
  if (best && best->function->role != Role::Method && !isOperatorFor(*best, operands)) return nullptr;
  if (best && !isAssignment && isBuiltInBetter(*best, name, operands, node.span)) return nullptr;
  const bool mayBeBuiltIn =
      isAssignment || name == "operator," || name == "operator&&" || name == "operator||";
  if (!best) {
    const bool needsOne = operands[0].type != nullptr && findClass(operands[0].type) != nullptr;
    if (needsOne && !mayBeBuiltIn && findConversions(operands[0].type).empty())
      failTyping(node.span, fmt::format("no {} fits: {}", name, reason),
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
  if (best->function->role != Role::Method) return finishCall(*call, *best, std::move(operands), nullptr);
  Operand object = std::move(operands[0]);
  operands.erase(operands.begin());
  if (isVirtualCall(*best, object)) return virtualCall(*call, *best, std::move(operands), std::move(object));
  return finishCall(*call, *best, std::move(operands), objectAddress(std::move(object)));
}

/// `a != b` by `a == b`, and both by `b == a`, if the text has no other ([over.match.oper] 12.2.2.3/3.4).
ExpressionPtr Checker::rewritten(std::vector<Operand>& operands, const syntax::Expression& node) {
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
  return make(Kind::LogicalNot, boolType(), node.span, toBool(std::move(same)));
}

}  // namespace lanescope::checker
