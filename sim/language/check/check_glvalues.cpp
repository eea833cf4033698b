#include <fmt/format.h>

#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/text/not_simulated.h"

namespace lanescope::checker {

Operand Checker::asOperand(Glvalue glvalue) {
  Operand result{.type = glvalue.type, .span = glvalue.span};
  if (glvalue.type->isArray())
    result.type = kernel_.types->pointerTo(glvalue.type->element, glvalue.isConst, glvalue.isVolatile);
  result.glvalue = std::move(glvalue);
  return result;
}

Operand Checker::asOperand(ExpressionPtr value) {
  Operand result{.type = value->type, .span = value->span};
  if (!value->isGlvalue) {
    result.value = std::move(value);
    return result;
  }
  Glvalue glvalue;
  glvalue.span = value->span;
  glvalue.address = std::move(value->operands[0]);
  glvalue.type = result.type;
  glvalue.isConst = glvalue.address->type->elementIsConst;
  glvalue.isVolatile = glvalue.address->type->elementIsVolatile;
  result.glvalue = std::move(glvalue);
  return result;
}

/// The operand that the expression gives, checked once. The caller decides if it must be a glvalue.
Operand Checker::operand(const syntax::Expression& node) {
  if (auto known = checked_.extract(&node)) return std::move(known.mapped());
  switch (node.kind) {
    case SyntaxKind::List: {
      return {.list = &expandedPacks(node), .span = node.span};
    }
    case SyntaxKind::Name: {
      if (node.text == "this") break;
      const Symbol* const symbol = find(node.text);
      const Symbol* const scoped = symbol == nullptr && node.type ? scopedSymbol(node) : symbol;
      if (scoped != nullptr && scoped->kind == Symbol::Kind::Template && !node.templateArguments.empty())
        break;  // kBits<float>
      if (scoped != nullptr && scoped->kind != Symbol::Kind::Constant)
        return asOperand(symbolGlvalue(*scoped, node));
      if (scoped != nullptr && scoped->isConst) {
        Operand constant = asOperand(expression(node));
        constant.isConstant = true;
        return constant;
      }
      break;
    }
    case SyntaxKind::Call:
      if (isMove(node)) return movedOperand(node);
      break;
    case SyntaxKind::Index: return indexed(node);
    case SyntaxKind::Member: return member(node);
    case SyntaxKind::Unary:
      if (node.text == "*") return followed(node);
      break;
    default: break;
  }
  return asOperand(expression(node));
}

/// True for a place that can be named again after a store into it. It has no effect of its own and reads no
/// memory that the store may change: `x`, `*this`, `p->x`, `t[i].x`.
bool Checker::isPlainPlace(const syntax::Expression& node) {
  const auto isName = [](const syntax::Expression& one) { return one.kind == SyntaxKind::Name; };
  const auto isFixed = [&](const syntax::Expression& index) {  // no reference, which may be to the place of
                                                               // the store
    const Symbol* const symbol = isName(index) ? find(index.text) : nullptr;
    return index.kind == SyntaxKind::Integer || (symbol != nullptr && !symbol->isReference);
  };
  switch (node.kind) {
    case SyntaxKind::Name: return true;
    case SyntaxKind::Unary: return node.text == "*" && isName(*node.operands[0]);
    case SyntaxKind::Member: return node.arrow ? isName(*node.operands[0]) : isPlainPlace(*node.operands[0]);
    case SyntaxKind::Index: return isPlainPlace(*node.operands[0]) && isFixed(*node.operands[1]);
    default: return false;
  }
}

/// The left operand of `a = b`, `a += b` or `++a` as a place, if a reference is to be bound to it. Any other
/// expression is unchanged.
Operand Checker::makePlace(const syntax::Expression& node) {
  Operand result = operand(node);
  const bool isStep = node.kind == SyntaxKind::Unary && (node.text == "++" || node.text == "--");
  const bool isLeft = node.kind == SyntaxKind::Assign || isStep;
  if (!isLeft || result.glvalue || !isPlainPlace(*node.operands[0])) return result;
  Operand left = operand(*node.operands[0]);
  if (!left.glvalue || left.glvalue->type != result.type || left.glvalue->bits.storage != nullptr)
    return result;
  ExpressionPtr done = std::move(result.value);
  discard(*done);
  Glvalue place{.type = left.glvalue->type, .isConst = left.glvalue->isConst, .span = node.span};
  const Type* const pointer = kernel_.types->pointerTo(place.type, place.isConst, false);
  place.address =
      make(Kind::Sequence, pointer, node.span, std::move(done), makeAddress(std::move(*left.glvalue)));
  return asOperand(std::move(place));
}

/// `std::move(x)`, `std::forward<T>(x)`: the operand x. Its value may be moved from unless T is a reference.
Operand Checker::movedOperand(const syntax::Expression& written) {
  const syntax::Expression& node = expandedPacks(written);
  Operand result = operand(*node.operands[0]);
  bool isKept = false;
  if (node.text == "std::forward" && node.templateArguments.size() == 1 && node.templateArguments[0].type) {
    const syntax::TypeName& type = *node.templateArguments[0].type;
    const Symbol* const symbol = find(type.base);
    isKept = (type.isReference && !type.isRvalue) ||
             (symbol != nullptr && symbol->kind == Symbol::Kind::TypeName && symbol->isReference);
  }
  result.isMoved = result.glvalue.has_value() && !isKept;
  return result;
}

/// The value of an expression that must have one.
Checker::ExpressionPtr Checker::makeValue(Operand operand) {
  if (operand.list != nullptr) {
    fail(operand.span, "values in braces have no place here", "name their type: float2{…}");
  }
  if (operand.glvalue) return load(std::move(*operand.glvalue));
  if (operand.type->kind == Type::Kind::Void) {
    fail(operand.span, "this has no value", "use a function that returns one");
  }
  return std::move(operand.value);
}

Operand Checker::followed(const syntax::Expression& node) {
  if (node.operands[0]->text == "this" && this_) {
    Operand object = thisOperand(node.span);
    object.glvalue->span = node.span;
    return object;
  }
  Operand base = operand(*node.operands[0]);
  if (base.type != nullptr && base.type->isStruct()) {
    std::vector<Operand> operands = formatList(std::move(base));
    if (ExpressionPtr result = overloaded("operator*", operands, node)) return asOperand(std::move(result));
    base = asOperand(asScalar(makeValue(std::move(operands[0]))));
  }
  Glvalue result{.address = makeValue(std::move(base)), .span = node.span};
  if (!result.address->type->isPointer()) {
    fail(node.span, "only a pointer can be followed with *", "index an array with []");
  }
  result.type = result.address->type->element;
  result.isConst = result.address->type->elementIsConst;
  result.isVolatile = result.address->type->elementIsVolatile;
  return asOperand(std::move(result));
}

Glvalue Checker::namedGlvalue(const syntax::Expression& node) {
  const Symbol* symbol = find(node.text);
  if (symbol == nullptr) {
    for (const Type* const type : classScopes_) reportConstant(type, node.text);
    if (isIndexVector(node))
      fail(node.span, fmt::format("{} cannot be changed", node.text), "copy it to a variable");
    rejectNotSimulated(node.text, node.span);
    failUnknown(node.span, fmt::format("'{}' is not declared", node.text),
                "declare it, or mend its spelling");
  }
  return symbolGlvalue(*symbol, node);
}

Glvalue Checker::symbolGlvalue(const Symbol& symbol, const syntax::Expression& node) {
  if (symbol.kind == Symbol::Kind::Unchecked) throw CheckFault{};
  if (symbol.kind == Symbol::Kind::Pack) failPack(node.text, node.span);
  Glvalue result{.type = symbol.type, .span = node.span};
  if (symbol.kind == Symbol::Kind::Field) {
    Operand object = thisOperand(node.span);
    if (symbol.isOfOuter) object = outerObject(std::move(object), node.span);
    const Field field{node.text, symbol.type, symbol.index, symbol.isReference, false, symbol.bitField};
    return part(std::move(*object.glvalue), field, node.span);
  }
  if (symbol.kind == Symbol::Kind::SharedArray) {
    result.address =
        make(Kind::SharedAddress, kernel_.types->pointerTo(symbol.type, false, false), node.span);
    result.address->index = symbol.index;
    result.isVolatile = symbol.isVolatile;
  } else if (symbol.kind == Symbol::Kind::TypeName || symbol.kind == Symbol::Kind::Template) {
    fail(node.span, fmt::format("'{}' is a type", node.text), "write a value here");
  } else if (symbol.kind == Symbol::Kind::Constant) {
    fail(node.span, fmt::format("'{}' is a constant", node.text), "use a variable that is not const");
  } else if (symbol.isReference) {
    result.address = make(Kind::Variable, symbol.type, node.span);
    result.address->index = symbol.index;
    result.type = symbol.type->element;
    result.isConst = symbol.type->elementIsConst;
    result.isVolatile = symbol.type->elementIsVolatile;
  } else {
    result.isVariable = true;
    result.variable = symbol.index;
    result.isConst = kernel_.variables[symbol.index].isConst;
  }
  return result;
}

/// The object of the method that a lambda was made in, through the pointer that the lambda holds.
Operand Checker::outerObject(Operand lambda, SourceSpan span) {
  const Field& held = *lambda.glvalue->type->field("(this)");
  Glvalue result;
  result.span = span;
  result.address = load(part(std::move(*lambda.glvalue), held, span));
  result.type = held.type->element;
  result.isConst = held.type->elementIsConst;
  return asOperand(std::move(result));
}

/// An object of the host's C++ library, in memory shared with the device: a kernel can only skip it.
void Checker::rejectHostClass(const Type* type, SourceSpan span) {
  while (type != nullptr && type->isArray()) type = type->element;
  if (type == nullptr || !type->isOfHost) return;
  const Diagnostic fault = hostClassFault(type->structName, span);
  fail(span, fault.message, fault.hint);
}

/// A field of a glvalue.
Glvalue Checker::part(Glvalue whole, const Field& field, SourceSpan span) {
  rejectHostClass(field.type, span);
  whole.span = span;
  whole.type = field.type;
  whole.bits = field.bits;
  if (whole.isVariable) {
    whole.offset += field.offset;
  } else {
    whole.address = moved(std::move(whole.address), field.offset, field.type, whole.isConst);
  }
  if (!field.isReference) return whole;
  Glvalue result;
  result.span = span;
  result.type = field.type->element;
  result.isConst = field.type->elementIsConst;
  result.address = load(std::move(whole));
  return result;
}

/// `object.field`, `pointer->field`, or a constant of the class.
Operand Checker::member(const syntax::Expression& node) {
  const syntax::Expression& base = *node.operands[0];
  if (!node.arrow) {
    if (ExpressionPtr index = indexMember(node)) return asOperand(std::move(index));
  }
  Operand object = operand(base);
  if (node.arrow) object = pointedTo(std::move(object), node);
  if (object.list != nullptr) object = asOperand(makeValue(std::move(object)));
  const Type* type = object.glvalue ? object.glvalue->type : object.type;
  rejectHostClass(type, node.span);
  if (const Symbol* const symbol = memberNamed(type, node.text);
      symbol != nullptr && symbol->kind == Symbol::Kind::Constant) {
    return asOperand(constant(symbol->type, symbol->bits, node.span));
  }
  const Field& field = findField(type, node);
  if (!object.glvalue && (field.type->isArray() || field.isReference || type->hasUnion))
    object = asOperand(materialised(std::move(object.value)));
  if (object.glvalue) return asOperand(part(std::move(*object.glvalue), field, node.span));
  const bool isBits = field.bits.storage != nullptr;
  ExpressionPtr result =
      make(Kind::Member, isBits ? field.bits.storage : field.type, node.span, std::move(object.value));
  result->scale = field.offset;
  return asOperand(isBits ? bitFieldIn(std::move(result), field.bits, field.type) : std::move(result));
}

/// The object that `->` leads to.
Operand Checker::pointedTo(Operand object, const syntax::Expression& node) {
  for (int steps = 0; object.type != nullptr && object.type->isStruct() && steps < 16; ++steps) {
    std::vector<Operand> operands = formatList(std::move(object));
    ExpressionPtr next = overloaded("operator->", operands, node);
    object =
        next != nullptr ? asOperand(std::move(next)) : asOperand(asScalar(makeValue(std::move(operands[0]))));
    if (next == nullptr && object.type->isStruct()) break;
  }
  Glvalue result{.address = makeValue(std::move(object)), .span = node.span};
  if (!result.address->type->isPointer()) {
    fail(node.span, fmt::format("-> needs a pointer, not {}", result.address->type->name()), "write '.'");
  }
  result.type = result.address->type->element;
  result.isConst = result.address->type->elementIsConst;
  result.isVolatile = result.address->type->elementIsVolatile;
  return asOperand(std::move(result));
}

Operand Checker::indexed(const syntax::Expression& node) {
  Operand whole = operand(*node.operands[0]);
  if (whole.type != nullptr && whole.type->isStruct()) {
    std::vector<Operand> operands = formatList(std::move(whole));
    if (node.operands[0]->text == "(range)") {  // the position of a loop over an object
      if (ExpressionPtr result = overloaded("operator*", operands, node)) return asOperand(std::move(result));
    }
    operands.push_back(operand(*node.operands[1]));
    if (ExpressionPtr result = overloaded("operator[]", operands, node)) return asOperand(std::move(result));
    whole = asOperand(asScalar(makeValue(std::move(operands[0]))));
  }
  ExpressionPtr base = makeValue(std::move(whole));
  ExpressionPtr index = asScalar(value(*node.operands[1]));
  if (!base->type->isPointer()) {
    fail(node.operands[0]->span, "only arrays and pointers can be indexed", "remove the [ ]");
  }
  if (!index->type->isInteger()) {
    fail(node.operands[1]->span, fmt::format("an index must be an integer, not {}", index->type->name()),
         "convert it with (int)");
  }
  Glvalue result;
  result.span = node.span;
  result.type = base->type->element;
  result.isConst = base->type->elementIsConst;
  result.isVolatile = base->type->elementIsVolatile;
  result.address = pointerStep(std::move(base), std::move(index), false, node.span);
  return asOperand(std::move(result));
}

/// The value of a glvalue; an array's is a pointer to its first element.
Checker::ExpressionPtr Checker::load(Glvalue glvalue) {
  if (glvalue.bits.storage != nullptr) {
    const BitRange bits = std::exchange(glvalue.bits, {});
    const Type* const type = std::exchange(glvalue.type, bits.storage);
    return bitFieldIn(load(std::move(glvalue)), bits, type);
  }
  if (glvalue.type->isArray()) {
    const Type* const pointer =
        kernel_.types->pointerTo(glvalue.type->element, glvalue.isConst, glvalue.isVolatile);
    ExpressionPtr address = makeAddress(std::move(glvalue));
    address->type = pointer;
    return address;
  }
  if (glvalue.isVariable) {
    ExpressionPtr result = make(Kind::Variable, glvalue.type, glvalue.span);
    result->index = glvalue.variable;
    result->scale = glvalue.offset;
    return result;
  }
  if (glvalue.type->kind == Type::Kind::Void)
    fail(glvalue.span, "void* cannot be followed", "cast the pointer");
  ExpressionPtr result = make(Kind::Load, glvalue.type, glvalue.span, std::move(glvalue.address));
  result->isVolatile = glvalue.isVolatile;
  return result;
}

/// A pointer to a glvalue. The variable is moved to the thread's local memory for it.
Checker::ExpressionPtr Checker::makeAddress(Glvalue glvalue) {
  if (glvalue.bits.storage != nullptr)
    fail(glvalue.span, "a bit-field has no address", "copy it to a variable");
  const Type* type = kernel_.types->pointerTo(glvalue.type, glvalue.isConst, glvalue.isVolatile);
  if (!glvalue.isVariable) {
    glvalue.address->type = type;
    return std::move(glvalue.address);
  }
  if (glvalue.type->isGroup()) fail(glvalue.span, "a group has no address", "pass it by value");
  kernel_.variables[glvalue.variable].isAddressed = true;
  ExpressionPtr result = make(Kind::LocalAddress, type, glvalue.span);
  result->index = glvalue.variable;
  result->scale = glvalue.offset;
  return result;
}

}  // namespace lanescope::checker
