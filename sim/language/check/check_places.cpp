#include <fmt/format.h>

#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {

/// True for what names memory or a variable, as opposed to a value on its way.
bool Checker::isPlace(const syntax::Expression& node) {
  using SyntaxKind = syntax::Expression::Kind;
  switch (node.kind) {
    case SyntaxKind::Name: {
      const Symbol* symbol = find(node.text);
      return symbol != nullptr && symbol->kind != Symbol::Kind::Constant;
    }
    case SyntaxKind::Index: return true;
    case SyntaxKind::Unary: return node.text == "*";
    case SyntaxKind::Member: return node.arrow || isPlace(*node.operands[0]);
    default: return false;
  }
}

Place Checker::place(const syntax::Expression& node) {
  using SyntaxKind = syntax::Expression::Kind;
  if (node.kind == SyntaxKind::Index) return indexed(node);
  if (node.kind == SyntaxKind::Member) return memberPlace(node);
  if (node.kind == SyntaxKind::Name) return namedPlace(node);
  if (node.kind != SyntaxKind::Unary || node.text != "*") {
    fail(node.span, "this cannot be assigned to", "assign to a variable or to an element of an array");
  }
  Place result;
  result.span = node.span;
  result.address = value(*node.operands[0]);
  if (!result.address->type->isPointer()) {
    fail(node.span, "only a pointer can be followed with *", "index an array with []");
  }
  result.type = result.address->type->element;
  result.isConst = result.address->type->elementIsConst;
  return result;
}

Place Checker::namedPlace(const syntax::Expression& node) {
  Place result;
  result.span = node.span;
  const Symbol* symbol = find(node.text);
  if (symbol == nullptr) {
    if (isIndexVector(node))
      fail(node.span, fmt::format("{} cannot be changed", node.text), "copy it to a variable");
    rejectNotSimulated(node.text, node.span);
    failUnknown(node.span, fmt::format("'{}' is not declared", node.text),
                "declare it, or mend its spelling");
  }
  if (symbol->kind == Symbol::Kind::Unchecked) throw CheckFault{};
  result.type = symbol->type;
  if (symbol->kind == Symbol::Kind::SharedArray) {
    result.address =
        make(Kind::SharedAddress, kernel_.types->pointerTo(symbol->type, false, false), node.span);
    result.address->index = symbol->index;
  } else if (symbol->kind == Symbol::Kind::TypeName) {
    fail(node.span, fmt::format("'{}' is a type", node.text), "write a value here");
  } else if (symbol->kind == Symbol::Kind::Constant) {
    fail(node.span, fmt::format("'{}' is a constant", node.text), "use a variable that is not const");
  } else if (symbol->isReference) {
    result.address = make(Kind::Variable, symbol->type, node.span);
    result.address->index = symbol->index;
    result.type = symbol->type->element;
    result.isConst = symbol->type->elementIsConst;
  } else {
    result.isVariable = true;
    result.variable = symbol->index;
    result.isConst = kernel_.variables[symbol->index].isConst;
  }
  return result;
}

Place Checker::memberPlace(const syntax::Expression& node) {
  const syntax::Expression& base = *node.operands[0];
  Place result;
  if (node.arrow) {
    result.address = value(base);
    if (!result.address->type->isPointer()) {
      fail(node.span, fmt::format("-> needs a pointer, not {}", result.address->type->name()), "write '.'");
    }
    result.type = result.address->type->element;
    result.isConst = result.address->type->elementIsConst;
  } else {
    result = place(base);
  }
  const Field& field = fieldOf(result.type, node);
  result.span = node.span;
  result.type = field.type;
  result.offset += field.offset;
  if (!result.isVariable) {
    result.offset = 0;
    result.address = moved(std::move(result.address), field.offset, field.type, result.isConst);
  }
  return result;
}

Place Checker::indexed(const syntax::Expression& node) {
  ExpressionPtr base = value(*node.operands[0]);
  ExpressionPtr index = value(*node.operands[1]);
  if (!base->type->isPointer()) {
    fail(node.operands[0]->span, "only arrays and pointers can be indexed", "remove the [ ]");
  }
  if (!index->type->isInteger()) {
    fail(node.operands[1]->span, fmt::format("an index must be an integer, not {}", index->type->name()),
         "convert it with (int)");
  }
  Place result;
  result.span = node.span;
  result.type = base->type->element;
  result.isConst = base->type->elementIsConst;
  result.address = pointerStep(std::move(base), std::move(index), false, node.span);
  return result;
}

/// The value at a place; an array's is a pointer to its first element.
Checker::ExpressionPtr Checker::load(Place place) {
  if (place.type->isArray()) {
    const bool isConst = place.isConst;
    const Type* element = place.type->element;
    ExpressionPtr address = addressOf(std::move(place));
    address->type = kernel_.types->pointerTo(element, isConst, false);
    return address;
  }
  if (place.isVariable) {
    ExpressionPtr result = make(Kind::Variable, place.type, place.span);
    result->index = place.variable;
    result->scale = place.offset;
    return result;
  }
  if (place.type->kind == Type::Kind::Void) fail(place.span, "void* cannot be followed", "cast the pointer");
  return make(Kind::Load, place.type, place.span, std::move(place.address));
}

/// A pointer to a place. A variable moves to the thread's local memory for it.
Checker::ExpressionPtr Checker::addressOf(Place place) {
  const Type* type = kernel_.types->pointerTo(place.type, place.isConst, false);
  if (!place.isVariable) {
    place.address->type = type;
    return std::move(place.address);
  }
  if (place.type->isGroup()) fail(place.span, "a group has no address", "pass it by value");
  kernel_.variables[place.variable].isAddressed = true;
  ExpressionPtr result = make(Kind::LocalAddress, type, place.span);
  result->index = place.variable;
  result->scale = place.offset;
  return result;
}

}  // namespace lanescope::checker
