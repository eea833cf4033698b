// Memory that a kernel allocates: malloc and free, new and delete.
#include <fmt/format.h>

#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {

Checker::ExpressionPtr Checker::allocate(ExpressionPtr bytes, const Type* pointer, SourceSpan span) {
  return make(Kind::Allocate, pointer, span, std::move(bytes));
}

Checker::ExpressionPtr Checker::allocated(const syntax::Expression& node) {
  expectArguments(node, 1, 1);
  ExpressionPtr bytes = convertImplicitly(value(*node.operands[0]), scalar(Type::Kind::U64), node.span);
  return allocate(std::move(bytes), kernel_.types->pointerTo(scalar(Type::Kind::Void), false, false),
                  node.span);
}

Checker::ExpressionPtr Checker::released(const syntax::Expression& node) {
  expectArguments(node, 1, 1);
  ExpressionPtr pointer = value(*node.operands[0]);
  if (!pointer->type->isPointer())
    fail(node.span, fmt::format("{} takes a pointer, not {}", node.text, pointer->type->name()),
         "pass what malloc gave");
  return make(Kind::Release, scalar(Type::Kind::Void), node.span, std::move(pointer));
}

/// `new T(…)`: the memory and, if there is some, the object in it.
Checker::ExpressionPtr Checker::newObject(const syntax::Expression& node) {
  const std::size_t lists = node.arrow ? 1 : 0;
  const syntax::Expression* const list = node.operands.size() > lists ? node.operands[lists].get() : nullptr;
  const Type* const deduced = deducedClass(*node.type, list);
  const Type* const type = deduced != nullptr ? deduced : resolve(*node.type);
  if (type->size == 0 || type->isGroup()) fail(node.span, "this has no size", "allocate an object");
  const Type* const pointer = kernel_.types->pointerTo(type, false, false);
  ExpressionPtr memory =
      node.arrow ? value(*node.operands[0])
                 : allocate(constant(scalar(Type::Kind::U64), type->size, node.span), pointer, node.span);
  if (!memory->type->isPointer()) fail(node.span, "new (…) takes a pointer to memory", "pass one");
  memory->type = pointer;
  const std::uint32_t held = addVariable("(new)", pointer, node.span, false);
  const auto address = [&] { return wholeVariable(held, node.span); };
  ExpressionPtr set = setVariable(held, 0, pointer, std::move(memory), node.span);
  ExpressionPtr object = begun(type, address(), list, node.span);
  if (object == nullptr) return make(Kind::Sequence, pointer, node.span, std::move(set), address());
  ExpressionPtr result =
      make(Kind::Conditional, pointer, node.span, toBool(address()),
           make(Kind::Sequence, pointer, node.span, std::move(object), address()), address());
  return make(Kind::Sequence, pointer, node.span, std::move(set), std::move(result));
}

/// The initial value of an object at the address. Null if there is none.
Checker::ExpressionPtr Checker::begun(const Type* type, ExpressionPtr address, const syntax::Expression* list,
                                      SourceSpan span) {
  ExpressionPtr value;
  if (hasConstructors(type)) {
    std::vector<Operand> arguments;
    if (list != nullptr) arguments = readOperands(*list, 0);
    const bool isCopy = arguments.size() == 1 && arguments[0].type == type;
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
Checker::ExpressionPtr Checker::newArray(const syntax::Expression& node) {
  const Type* const type = resolve(*node.type);
  const syntax::Expression* const list = node.operands.size() > 1 ? node.operands[1].get() : nullptr;
  if (node.arrow) fail(node.span, "new (…) of an array is not simulated", "make the objects one by one");
  if (type->size == 0 || type->isGroup()) fail(node.span, "this has no size", "allocate an object");
  if (list != nullptr && !list->operands.empty() && hasConstructors(type))
    fail(list->span, "values of an array of new whose elements have constructors are not simulated",
         "store them");
  ExpressionPtr count = convertImplicitly(value(*node.operands[0]), scalar(Type::Kind::U64), node.span);
  const bool isCounted = needsDestruction(type);
  if (list == nullptr && !needsConstruction(type) && !isCounted) {
    ExpressionPtr bytes =
        arithmetic(typed::BinaryOp::Multiply, std::move(count),
                   constant(scalar(Type::Kind::U64), type->size, node.span), node.span, "*");
    return allocate(std::move(bytes), kernel_.types->pointerTo(type, false, false), node.span);
  }
  const syntax::ExpressionPtr call =
      syntax::made(SyntaxKind::Call, node.span, isCounted ? "__new_counted" : "__new_array");
  call->templateArguments.emplace_back().type = *node.type;
  ExpressionPtr array =
      callWith(*call, libraryFunctions(call->text), formatList(asOperand(std::move(count))));
  if (list == nullptr || list->operands.empty()) return array;
  return withValues(std::move(array), *list);
}

/// The array, if there is memory for it, with its first elements stored from the list.
Checker::ExpressionPtr Checker::withValues(ExpressionPtr array, const syntax::Expression& list) {
  const Type* const pointer = array->type;
  const std::uint32_t held = addVariable("(new)", pointer, list.span, false);
  const auto use = [&] { return wholeVariable(held, list.span); };
  ExpressionPtr filled = use();
  for (std::size_t i = list.operands.size(); i-- > 0;) {
    ExpressionPtr address =
        moved(use(), static_cast<std::uint32_t>(i * pointer->element->size), pointer->element, false);
    ExpressionPtr store = make(Kind::Store, pointer->element, list.span, std::move(address),
                               initialValue(*list.operands[i], pointer->element, list.operands[i]->span));
    filled = make(Kind::Sequence, pointer, list.span, std::move(store), std::move(filled));
  }
  ExpressionPtr chosen = make(Kind::Conditional, pointer, list.span, toBool(use()), std::move(filled), use());
  return make(Kind::Sequence, pointer, list.span, setVariable(held, 0, pointer, std::move(array), list.span),
              std::move(chosen));
}

/// `delete p;`: the object's destructor, of its own class if the destructor is virtual, then the memory.
/// `delete[] p;` if destructors have something to do: __new_counted made the array.
Checker::ExpressionPtr Checker::deleteObject(const syntax::Expression& node) {
  ExpressionPtr pointer = value(*node.operands[0]);
  if (!pointer->type->isPointer()) fail(node.span, "delete takes a pointer", "pass what new gave");
  const Type* const type = pointer->type->element;
  const Type* const nothing = scalar(Type::Kind::Void);
  if (node.text == "delete[]" && needsDestruction(type))
    return libraryCall("__delete_counted", formatList(std::move(pointer)), node.span);
  const bool isVirtual = hasVirtualDestructor(type);
  if (node.text == "delete[]" || (!isVirtual && !needsDestruction(type)))
    return make(Kind::Release, nothing, node.span, std::move(pointer));
  const Type* const held = pointer->type;
  const std::uint32_t variable = addVariable("(deleted)", held, node.span, false);
  const auto use = [&] { return wholeVariable(variable, node.span); };
  ExpressionPtr destroyed = destroyedBehind(use(), true, node.span);
  if (destroyed == nullptr) return make(Kind::Release, nothing, node.span, std::move(pointer));
  const std::uint32_t whole = isVirtual ? addVariable("(whole)", held, node.span, false) : variable;
  destroyed = make(Kind::Sequence, nothing, node.span, std::move(destroyed),
                   make(Kind::Release, nothing, node.span, wholeVariable(whole, node.span)));
  if (isVirtual) {
    destroyed =
        make(Kind::Sequence, nothing, node.span,
             setVariable(whole, 0, held, wholeObject(variable, node.span), node.span), std::move(destroyed));
  }
  ExpressionPtr ended = make(Kind::Conditional, nothing, node.span, toBool(use()), std::move(destroyed),
                             make(Kind::Release, nothing, node.span, use()));
  ExpressionPtr set = setVariable(variable, 0, held, std::move(pointer), node.span);
  return make(Kind::Sequence, nothing, node.span, std::move(set), std::move(ended));
}

}  // namespace lanescope::checker
