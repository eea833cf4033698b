#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/text/not_simulated.h"

// Expressions that name memory or a variable: their places, values and addresses.
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
    result.isConst = value->isConst;
    result.value = std::move(value);
    return result;
  }
  result.glvalue = behind(std::move(value->operands[0]), value->span);
  result.glvalue->type = result.type;
  result.isReturned = true;
  result.isMoved = value->isXvalue;
  return result;
}

/// The object that a pointer leads to.
Glvalue Checker::behind(ExpressionPtr pointer, SourceSpan span) {
  const Type& type = *pointer->type;
  Glvalue result{.address = std::move(pointer), .type = type.element, .isConst = type.elementIsConst};
  result.isVolatile = type.elementIsVolatile;
  result.span = span;
  return result;
}

/// The operand that the expression gives, checked once. The caller decides if it must be a glvalue.
Operand Checker::operand(const syntax::Expression& node) {
  spend(1, node.span);
  if (auto known = checked_.extract(&node)) return std::move(known.mapped().first);
  if (node.kind == SyntaxKind::List) return {.list = &expandedPacks(node), .span = node.span};
  if (node.expands) return operand(expandedPacks(node));
  switch (node.kind) {
    case SyntaxKind::Integer: {
      Operand number = asOperand(integerLiteral(node));
      number.isZero = number.value->bits == 0 && !node.text.starts_with("'");
      return number;
    }
    case SyntaxKind::Floating: return asOperand(floatingLiteral(node));
    case SyntaxKind::Boolean: return asOperand(constant(boolType(), node.text == "true" ? 1 : 0, node.span));
    case SyntaxKind::String: return asOperand(text(node));
    case SyntaxKind::Name: return named(node);
    case SyntaxKind::Unary:
      if (node.text == "*") return followed(node);
      if (node.text == "++" || node.text == "--") return storedOperand(increment(node, false));
      return asOperand(unary(node));
    case SyntaxKind::Postfix: return asOperand(increment(node, true));
    case SyntaxKind::Binary: return node.text == "," ? comma(node) : asOperand(binary(node));
    case SyntaxKind::Assign: return storedOperand(assign(node));
    case SyntaxKind::Conditional: return conditional(node);
    case SyntaxKind::Call: return isMove(node) ? movedOperand(node) : asOperand(call(node));
    case SyntaxKind::Index: return indexed(node);
    case SyntaxKind::Member: return member(node);
    case SyntaxKind::MemberCall: return asOperand(memberCall(node));
    case SyntaxKind::Invoke: return asOperand(invoke(node));
    case SyntaxKind::Lambda: return asOperand(lambda(node));
    case SyntaxKind::New: return asOperand(node.text == "new" ? newObject(node) : newArray(node));
    case SyntaxKind::Delete: return asOperand(deleteObject(node));
    case SyntaxKind::Cast:
    case SyntaxKind::Construct: {
      Operand made = asOperand(cast(node));
      made.isConst = node.type->isConst && node.type->pointers == 0 && made.type->isStruct();
      return made;
    }
    case SyntaxKind::SizeOf:
      return asOperand(node.text == "sizeof..." ? sizeOfPack(node) : computeSize(node));
    case SyntaxKind::Fold: return asOperand(foldPacks(node));
    case SyntaxKind::Designated:
      fail(node.span, "a field is named only in a list for a struct without constructors",
           "give the values in their order");
    case SyntaxKind::Expansion:
      fail(node.span, "an expansion has no place here", "write it in a list or in the arguments of a call");
    case SyntaxKind::List: break;
  }
  fail(node.span, "this expression is not in the subset that is simulated", "write it in simpler steps");
}

namespace {

/// True if the value is that of an object, read or just stored.
bool isOfPlace(const typed::Expression& value) {
  using Kind = typed::Expression::Kind;
  switch (value.kind) {
    case Kind::Variable:
    case Kind::Load:
    case Kind::Store: return true;
    case Kind::SetVariable:
    case Kind::Update: return !value.yieldsOld;
    case Kind::Sequence: return isOfPlace(*value.operands[1]);
    case Kind::Conditional: return isOfPlace(*value.operands[1]) && isOfPlace(*value.operands[2]);
    default: return false;
  }
}

}  // namespace

/// `a = b`, `a += b`, `++a`: unless it is an operator of the text, the value of the lvalue a.
Operand Checker::storedOperand(ExpressionPtr value) {
  Operand result = asOperand(std::move(value));
  result.isPlace = result.value != nullptr && isOfPlace(*result.value);
  return result;
}

/// The operand as a glvalue if it is the value of an object that has an address.
Operand Checker::asPlace(Operand operand) {
  if (!operand.isPlace || operand.value == nullptr || !isOfPlace(*operand.value)) return operand;
  Glvalue place{.type = operand.type, .isConst = operand.isConst, .span = operand.span};
  place.address = placeOf(std::move(operand.value));
  place.address->type = pointerTo(place.type, place.isConst);
  Operand result = asOperand(std::move(place));
  result.isMoved = operand.isMoved;
  return result;
}

/// The address of the object that the value is of, as isOfPlace() has it.
ExpressionPtr Checker::placeOf(ExpressionPtr value) {
  const SourceSpan span = value->span;
  const Type* const pointer = kernel_.types->pointerTo(value->type, false, false);
  const auto variable = [&] {
    Glvalue place{.isVariable = true, .type = value->type, .span = span};
    place.variable = value->index;
    place.offset = static_cast<std::uint32_t>(value->scale);
    return makeAddress(std::move(place));
  };
  const auto after = [&](ExpressionPtr first, ExpressionPtr address) {
    return make(Kind::Sequence, pointer, span, std::move(first), std::move(address));
  };
  switch (value->kind) {
    case Kind::Variable: return variable();
    case Kind::Load: return std::move(value->operands[0]);
    case Kind::SetVariable: {
      ExpressionPtr address = variable();
      return after(std::move(value), std::move(address));
    }
    case Kind::Sequence: return after(std::move(value->operands[0]), placeOf(std::move(value->operands[1])));
    case Kind::Conditional:
      return make(Kind::Conditional, pointer, span, std::move(value->operands[0]),
                  placeOf(std::move(value->operands[1])), placeOf(std::move(value->operands[2])));
    default: break;
  }
  ExpressionPtr& address = value->operands[value->kind == Kind::Store ? 0 : 1];
  std::uint32_t held = 0;
  address = hold("(address)", std::move(address), span, held);
  return after(std::move(value), wholeVariable(held, span));
}

/// `std::move(x)`, `std::forward<T>(x)`: the operand x. Its value may be moved from unless T is a reference.
Operand Checker::movedOperand(const syntax::Expression& written) {
  const syntax::Expression& node = expandedPacks(written);
  Operand result = operand(*node.operands[0]);
  bool isKept = false;
  if (node.text == "std::forward" && node.templateArguments.size() == 1 && node.templateArguments[0].type) {
    const syntax::TypeName& type = *node.templateArguments[0].type;
    const Symbol* const symbol = find(type);
    isKept = (type.isReference && !type.isRvalue) ||
             (symbol != nullptr && symbol->kind == Symbol::Kind::TypeName && symbol->isReference);
  }
  result.isMoved = result.isObject() && !isKept;
  return result;
}

/// The value of an expression, which may be void.
ExpressionPtr Checker::valueOrNothing(Operand operand) {
  const bool isNothing = operand.value != nullptr && operand.type->kind == Type::Kind::Void;
  return isNothing ? std::move(operand.value) : makeValue(std::move(operand));
}

/// The value of an expression that must have one.
ExpressionPtr Checker::makeValue(Operand operand) {
  if (operand.list != nullptr) {
    fail(operand.span, "values in braces have no place here", "name their type: float2{…}");
  }
  if (operand.glvalue) return load(std::move(*operand.glvalue));
  if (operand.type->kind == Type::Kind::Void) {
    failTyping(operand.span, "this has no value", "use a function that returns one");
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
  if (hasOperators(base)) {
    std::vector<Operand> operands = formatList(std::move(base));
    if (ExpressionPtr result = overloaded("operator*", operands, node)) return asOperand(std::move(result));
    base = asOperand(asScalar(makeValue(std::move(operands[0]))));
  }
  ExpressionPtr pointer = makeValue(std::move(base));
  if (!pointer->type->isPointer())
    failTyping(node.span, "only a pointer can be followed with *", "index an array with []");
  return asOperand(behind(std::move(pointer), node.span));
}

Glvalue Checker::namedGlvalue(const syntax::Expression& node) {
  const Symbol* symbol = find(node);
  if (symbol == nullptr) {
    for (const Type* const type : classScopes_) reportConstant(type, node.text);
    if (isIndexVector(node))
      failTyping(node.span, fmt::format("{} cannot be changed", node.text), "copy it to a variable");
    rejectNotSimulated(node.text, node.span);
    if (unit_.index.items.contains(node.text))
      fail(node.span, fmt::format("'{}' is not declared before this place", node.text),
           "declare it above, or name its namespace");
    failUnknown(node.span, fmt::format("'{}' is not declared", node.text), wayToDeclare(node.text));
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
    Field field{node.text, symbol.type, symbol.index, symbol.isReference, false, symbol.bitField};
    field.isConst = symbol.isConst;
    field.isMutable = symbol.isMutable;
    return part(std::move(*object.glvalue), field, node.span);
  }
  if (symbol.kind == Symbol::Kind::SharedArray) {
    result.address = make(Kind::SharedAddress, pointerTo(symbol.type), node.span);
    result.address->index = symbol.index;
    result.isVolatile = symbol.isVolatile;
  } else if (symbol.kind == Symbol::Kind::TypeName || symbol.kind == Symbol::Kind::Template) {
    fail(node.span, fmt::format("'{}' is a type", node.text), "write a value here");
  } else if (symbol.kind == Symbol::Kind::Constant) {
    fail(node.span, fmt::format("'{}' is a constant", node.text), "use a variable that is not const");
  } else if (symbol.isReference) {
    ExpressionPtr pointer = make(Kind::Variable, symbol.type, node.span);
    pointer->index = symbol.index;
    return behind(std::move(pointer), node.span);
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
  return asOperand(behind(load(part(std::move(*lambda.glvalue), held, span)), span));
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
  whole.isConst = (whole.isConst || field.isConst) && !field.isMutable;
  if (whole.isVariable) {
    whole.offset += field.offset;
  } else {
    whole.address = moved(std::move(whole.address), field.offset, field.type, whole.isConst);
  }
  return field.isReference ? behind(load(std::move(whole)), span) : std::move(whole);
}

/// `object.field`, `pointer->field`, or a constant of the class.
Operand Checker::member(const syntax::Expression& node) {
  if (!node.arrow) {
    if (ExpressionPtr index = indexMember(node)) return asOperand(std::move(index));
  }
  Operand object = asPlace(operand(*node.operands[0]));
  const bool isMoved = !node.arrow && !object.isLvalue();  // of an xvalue, or of a temporary object
  if (node.arrow) object = pointedTo(std::move(object), node);
  if (object.list != nullptr) object = asOperand(makeValue(std::move(object)));
  const Type* type = object.ownType();
  if (const Type* const base = node.type ? resolve(*node.type) : usedBase(type, node.text)) {
    object = asOperand(basePart(std::move(object), base, node));
    type = base;
  }
  rejectHostClass(type, node.span);
  if (const Symbol* const symbol = memberNamed(type, node.text);
      symbol != nullptr && symbol->kind == Symbol::Kind::Constant) {
    Operand value = asOperand(constant(symbol->type, symbol->bits, node.span));
    value.isPlace = value.isConst = symbol->isConst;  // no enumerator
    return value;
  }
  const Field& field = findField(type, node);
  const bool needsPlace = field.type->isArray() || field.isReference || type->hasUnion ||
                          needsDestruction(type) || choosesCopy(field.type, CopyBy::Construction);
  if (!object.glvalue && needsPlace) object = asOperand(materialised(std::move(object.value)));
  if (object.glvalue) {
    Operand result = asOperand(part(std::move(*object.glvalue), field, node.span));
    result.isMoved = isMoved && !field.isReference;
    return result;
  }
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
  ExpressionPtr pointer = makeValue(std::move(object));
  if (!pointer->type->isPointer())
    fail(node.span, fmt::format("-> needs a pointer, not {}", pointer->type->name()), "write '.'");
  return asOperand(behind(std::move(pointer), node.span));
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
  const bool isMoved = whole.isMoved && whole.ownType() != nullptr && whole.ownType()->isArray();
  ExpressionPtr base = makeValue(std::move(whole));
  ExpressionPtr index = asScalar(value(*node.operands[1]));
  if (!base->type->isPointer()) {
    failTyping(node.operands[0]->span, "only arrays and pointers can be indexed", "remove the [ ]");
  }
  if (!index->type->isInteger()) {
    failTyping(node.operands[1]->span,
               fmt::format("an index must be an integer, not {}", index->type->name()),
               "convert it with (int)");
  }
  Operand element =
      asOperand(behind(pointerStep(std::move(base), std::move(index), false, node.span), node.span));
  element.isMoved = isMoved;
  return element;
}

/// The value of a glvalue; an array's is a pointer to its first element.
ExpressionPtr Checker::load(Glvalue glvalue) {
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
    failTyping(glvalue.span, "void* cannot be followed", "cast the pointer");
  ExpressionPtr result = make(Kind::Load, glvalue.type, glvalue.span, std::move(glvalue.address));
  result->isVolatile = glvalue.isVolatile;
  return result;
}

/// A pointer to a glvalue. The variable is moved to the thread's local memory for it.
ExpressionPtr Checker::makeAddress(Glvalue glvalue) {
  if (glvalue.bits.storage != nullptr)
    fail(glvalue.span, "a bit-field has no address", "copy it to a variable");
  const Type* type = kernel_.types->pointerTo(glvalue.type, glvalue.isConst, glvalue.isVolatile);
  if (!glvalue.isVariable) {
    glvalue.address->type = type;
    return std::move(glvalue.address);
  }
  if (glvalue.type->isGroup()) fail(glvalue.span, "a group has no address", "pass it by value");
  ExpressionPtr result = variableAddress(glvalue.variable, glvalue.span);
  result->type = type;
  result->scale = glvalue.offset;
  return result;
}

}  // namespace lanescope::checker
