#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

// Memory that a kernel allocates: malloc and free, new and delete.
namespace lanescope::checker {

ExpressionPtr Checker::allocated(const syntax::Expression& node) {
  expectArguments(node, 1, 1);
  return make(Kind::Allocate, pointerTo(voidType()), node.span, argument(node, 0, Type::Kind::U64));
}

ExpressionPtr Checker::released(const syntax::Expression& node) {
  expectArguments(node, 1, 1);
  ExpressionPtr pointer = value(*node.operands[0]);
  if (!pointer->type->isPointer())
    fail(node.span, fmt::format("{} takes a pointer, not {}", node.text, pointer->type->name()),
         "pass what malloc gave");
  return make(Kind::Release, voidType(), node.span, std::move(pointer));
}

/// `new T(…)`: the memory and, if there is some, the object in it.
ExpressionPtr Checker::newObject(const syntax::Expression& node) {
  const std::size_t lists = node.arrow ? 1 : 0;
  const syntax::Expression* const list = node.operands.size() > lists ? node.operands[lists].get() : nullptr;
  const Type* const deduced = deducedClass(*node.type, list);
  const Type* const type = deduced != nullptr ? deduced : resolve(*node.type);
  if (type->size == 0 || type->isGroup()) fail(node.span, "this has no size", "allocate an object");
  const Type* const pointer = pointerTo(type);
  ExpressionPtr memory = node.arrow ? value(*node.operands[0])
                                    : make(Kind::Allocate, pointer, node.span,
                                           constant(scalar(Type::Kind::U64), type->size, node.span));
  if (!memory->type->isPointer()) fail(node.span, "new (…) takes a pointer to memory", "pass one");
  memory->type = pointer;
  std::uint32_t held = 0;
  ExpressionPtr set = hold("(new)", std::move(memory), node.span, held);
  const auto address = [&] { return wholeVariable(held, node.span); };
  ExpressionPtr object = begun(type, address(), list, node.span);
  if (object == nullptr) return sequence(node.span, std::move(set), address());
  ExpressionPtr result = make(Kind::Conditional, pointer, node.span, toBool(address()),
                              sequence(node.span, std::move(object), address()), address());
  return sequence(node.span, std::move(set), std::move(result));
}

/// The initial value of an object at the address. Null if there is none.
ExpressionPtr Checker::begun(const Type* type, ExpressionPtr address, const syntax::Expression* list,
                             SourceSpan span) {
  refuseAbstract(type, span);
  ExpressionPtr value;
  if (hasConstructors(type)) {
    std::vector<Operand> arguments;
    if (list != nullptr) arguments = readOperands(*list, 0);
    const bool isCopy =
        arguments.size() == 1 && arguments[0].type != nullptr && isSameOrDerived(arguments[0].type, type);
    if (!isCopy) return constructorCall(type, std::move(address), std::move(arguments), span);
    value = constructed(type, std::move(arguments), span);
  } else if (list != nullptr) {
    value = construct(type, *list);
  } else if (needsConstruction(type)) {
    value = constructed(type, {}, span);
  } else {
    return nullptr;
  }
  return make(Kind::Store, type, span, std::move(address), std::move(value));
}

/// `new T[n]`: objects with constructors are made by a loop in the library.
ExpressionPtr Checker::newArray(const syntax::Expression& node) {
  const Type* const type = resolve(*node.type);
  const syntax::Expression* const list = node.operands.size() > 1 ? node.operands[1].get() : nullptr;
  if (node.arrow) fail(node.span, "new (…) of an array is not simulated", "make the objects one by one");
  if (type->size == 0 || type->isGroup()) fail(node.span, "this has no size", "allocate an object");
  if (list != nullptr && !list->operands.empty() && hasConstructors(type))
    fail(list->span, "values of an array of new whose elements have constructors are not simulated",
         "store them");
  ExpressionPtr count = argument(node, 0, Type::Kind::U64);
  const bool isCounted = needsDestruction(type);
  if (list == nullptr && !needsConstruction(type) && !isCounted) {
    ExpressionPtr bytes =
        arithmetic(typed::BinaryOp::Multiply, std::move(count),
                   constant(scalar(Type::Kind::U64), type->size, node.span), node.span, "*");
    return make(Kind::Allocate, pointerTo(type), node.span, std::move(bytes));
  }
  const syntax::ExpressionPtr call = callOf(isCounted ? "__new_counted" : "__new_array", node.span);
  call->templateArguments.emplace_back().type = *node.type;
  ExpressionPtr array =
      callWith(*call, libraryFunctions(call->text), formatList(asOperand(std::move(count))));
  if (list == nullptr || list->operands.empty()) return array;
  return withValues(std::move(array), *list);
}

/// The array, if there is memory for it, with its first elements stored from the list.
ExpressionPtr Checker::withValues(ExpressionPtr array, const syntax::Expression& list) {
  const Type* const pointer = array->type;
  std::uint32_t held = 0;
  ExpressionPtr set = hold("(new)", std::move(array), list.span, held);
  const auto use = [&] { return wholeVariable(held, list.span); };
  ExpressionPtr filled = use();
  for (std::size_t i = list.operands.size(); i-- > 0;) {
    ExpressionPtr address =
        moved(use(), static_cast<std::uint32_t>(i * pointer->element->size), pointer->element, false);
    ExpressionPtr store = make(Kind::Store, pointer->element, list.span, std::move(address),
                               initialValue(*list.operands[i], pointer->element, list.operands[i]->span));
    filled = sequence(list.span, std::move(store), std::move(filled));
  }
  return sequence(list.span, std::move(set),
                  make(Kind::Conditional, pointer, list.span, toBool(use()), std::move(filled), use()));
}

/// `delete p;`: the object's destructor, of its own class if the destructor is virtual, then the memory.
/// `delete[] p;` if destructors have something to do: __new_counted made the array.
ExpressionPtr Checker::deleteObject(const syntax::Expression& node) {
  ExpressionPtr pointer = value(*node.operands[0]);
  if (!pointer->type->isPointer()) fail(node.span, "delete takes a pointer", "pass what new gave");
  const Type* const type = pointer->type->element;
  const Type* const nothing = voidType();
  if (node.text == "delete[]" && needsDestruction(type))
    return libraryCall("__delete_counted", formatList(std::move(pointer)), node.span);
  const bool isVirtual = hasVirtualDestructor(type);
  if (node.text == "delete[]" || (!isVirtual && !needsDestruction(type)))
    return make(Kind::Release, nothing, node.span, std::move(pointer));
  std::uint32_t held = 0;
  const Type* const pointerType = pointer->type;
  ExpressionPtr set = hold("(deleted)", std::move(pointer), node.span, held);
  const auto release = [&](std::uint32_t variable) {
    return make(Kind::Release, nothing, node.span, wholeVariable(variable, node.span));
  };
  ExpressionPtr destroyed = destroyedBehind(wholeVariable(held, node.span), true, node.span);
  if (destroyed == nullptr) return make(Kind::Release, nothing, node.span, std::move(set->operands[0]));
  if (isVirtual) {  // the object begins before the part that the pointer leads to
    const std::uint32_t whole = addVariable("(whole)", pointerType, node.span, false);
    ExpressionPtr begin = setVariable(whole, wholeObject(held, node.span), node.span);
    destroyed = sequence(node.span, std::move(begin), std::move(destroyed), release(whole));
  } else {
    destroyed = sequence(node.span, std::move(destroyed), release(held));
  }
  ExpressionPtr ended = make(Kind::Conditional, nothing, node.span, toBool(wholeVariable(held, node.span)),
                             std::move(destroyed), release(held));
  return sequence(node.span, std::move(set), std::move(ended));
}

}  // namespace lanescope::checker
