// Member functions: the search for them, and the objects that they are called on.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {

/// The functions of that name in a class, else in its bases.
void Checker::addMethods(const Type* type, std::string_view name, std::uint32_t offset,
                         std::vector<Callee>& found) {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return;
  bool hasOwn = false;
  for (const syntax::Function& method : info->node->methods) {
    if (method.name != name || method.role == Role::Constructor || method.role == Role::Friend) continue;
    hasOwn = true;
    if (!method.isDeleted) found.push_back({&method, type, offset});
  }
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

}  // namespace lanescope::checker
