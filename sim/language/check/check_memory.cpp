#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/text/not_simulated.h"

// Expressions that name memory or a variable, and the memory that a kernel allocates.
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
  Glvalue glvalue;
  glvalue.span = value->span;
  glvalue.address = std::move(value->operands[0]);
  glvalue.type = result.type;
  glvalue.isConst = glvalue.address->type->elementIsConst;
  glvalue.isVolatile = glvalue.address->type->elementIsVolatile;
  result.glvalue = std::move(glvalue);
  result.isMoved = value->isXvalue;
  return result;
}

/// The operand that the expression gives, checked once. The caller decides if it must be a glvalue.
Operand Checker::operand(const syntax::Expression& node) {
  spend(1, node.span);
  if (auto known = checked_.extract(&node)) return std::move(known.mapped());
  switch (node.kind) {
    case SyntaxKind::List: {
      return {.list = &expandedPacks(node), .span = node.span};
    }
    case SyntaxKind::Integer: {
      Operand number = asOperand(expression(node));
      number.isZero = number.value->bits == 0 && !node.text.starts_with("'");
      return number;
    }
    case SyntaxKind::Name: {
      if (node.text == "nullptr" || node.text == "NULL") {
        Operand null = asOperand(expression(node));
        null.isZero = true;
        return null;
      }
      if (node.text == "this") break;
      const Symbol* const symbol = find(node);
      if (symbol == nullptr) {
        if (std::optional<Operand> field = scopedField(node)) return std::move(*field);
      }
      const Symbol* const scoped = symbol == nullptr && node.type ? scopedSymbol(node) : symbol;
      if (scoped != nullptr && scoped->kind == Symbol::Kind::Template && !node.templateArguments.empty())
        break;  // kBits<float>
      if (scoped != nullptr && scoped->kind != Symbol::Kind::Constant)
        return asOperand(symbolGlvalue(*scoped, node));
      if (scoped != nullptr && scoped->isConst) {
        Operand constant = asOperand(expression(node));
        constant.isPlace = constant.isConst = true;
        if (scoped->isStored) constant.variable = scoped->index;
        return constant;
      }
      break;
    }
    case SyntaxKind::Call:
      if (isMove(node)) return movedOperand(node);
      break;
    case SyntaxKind::String: return asOperand(text(node));
    case SyntaxKind::Index: return indexed(node);
    case SyntaxKind::Member: return member(node);
    case SyntaxKind::Conditional: return conditional(node);
    case SyntaxKind::Binary:
      if (node.text == ",") return comma(node);
      break;
    case SyntaxKind::Unary:
      if (node.text == "*") return followed(node);
      if (node.text == "++" || node.text == "--") return storedOperand(node);
      break;
    case SyntaxKind::Assign: return storedOperand(node);
    case SyntaxKind::Cast:
    case SyntaxKind::Construct: {
      Operand made = asOperand(expression(node));
      made.isConst = node.type->isConst && node.type->pointers == 0 && made.type->isStruct();
      return made;
    }
    default: break;
  }
  return asOperand(expression(node));
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
Operand Checker::storedOperand(const syntax::Expression& node) {
  Operand result = asOperand(expression(node));
  result.isPlace = result.value != nullptr && isOfPlace(*result.value);
  return result;
}

/// The operand as a glvalue if it is the value of an object that has an address.
Operand Checker::asPlace(Operand operand) {
  if (!operand.isPlace || operand.value == nullptr || !isOfPlace(*operand.value)) return operand;
  Glvalue place{.type = operand.type, .isConst = operand.isConst, .span = operand.span};
  place.address = placeOf(std::move(operand.value));
  place.address->type = kernel_.types->pointerTo(place.type, place.isConst, false);
  Operand result = asOperand(std::move(place));
  result.isMoved = operand.isMoved;
  return result;
}

/// The address of the object that the value is of, as isOfPlace() has it.
Checker::ExpressionPtr Checker::placeOf(ExpressionPtr value) {
  const SourceSpan span = value->span;
  const Type* const pointer = kernel_.types->pointerTo(value->type, false, false);
  const auto variable = [&] {
    Glvalue place{.isVariable = true, .type = value->type, .span = span};
    place.variable = value->index;
    place.offset = static_cast<std::uint32_t>(value->scale);
    return makeAddress(std::move(place));
  };
  const auto behind = [&](ExpressionPtr first, ExpressionPtr address) {
    return make(Kind::Sequence, pointer, span, std::move(first), std::move(address));
  };
  switch (value->kind) {
    case Kind::Variable: return variable();
    case Kind::Load: return std::move(value->operands[0]);
    case Kind::SetVariable: {
      ExpressionPtr address = variable();
      return behind(std::move(value), std::move(address));
    }
    case Kind::Sequence: return behind(std::move(value->operands[0]), placeOf(std::move(value->operands[1])));
    case Kind::Conditional:
      return make(Kind::Conditional, pointer, span, std::move(value->operands[0]),
                  placeOf(std::move(value->operands[1])), placeOf(std::move(value->operands[2])));
    default: break;
  }
  ExpressionPtr& address = value->operands[value->kind == Kind::Store ? 0 : 1];
  const Type* const type = address->type;
  const std::uint32_t held = addVariable("(address)", type, span, false);
  address = setVariable(held, 0, type, std::move(address), span);
  return behind(std::move(value), wholeVariable(held, span));
}

/// True for a place that can be named again after a store into it. It has no effect of its own and reads no
/// memory that the store may change: `x`, `*this`, `p->x`, `t[i].x`.
bool Checker::isPlainPlace(const syntax::Expression& node) {
  const auto isName = [](const syntax::Expression& one) { return one.kind == SyntaxKind::Name; };
  const auto isFixed = [&](const syntax::Expression& index) {  // no reference, which may be to the place of
                                                               // the store
    const Symbol* const symbol = isName(index) ? find(index) : nullptr;
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
Checker::ExpressionPtr Checker::valueOrNothing(Operand operand) {
  const bool isNothing = operand.value != nullptr && operand.type->kind == Type::Kind::Void;
  return isNothing ? std::move(operand.value) : makeValue(std::move(operand));
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
  const Symbol* symbol = find(node);
  if (symbol == nullptr) {
    for (const Type* const type : classScopes_) reportConstant(type, node.text);
    if (isIndexVector(node))
      fail(node.span, fmt::format("{} cannot be changed", node.text), "copy it to a variable");
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
  whole.isConst = (whole.isConst || field.isConst) && !field.isMutable;
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
  if (!node.arrow) {
    if (ExpressionPtr index = indexMember(node)) return asOperand(std::move(index));
  }
  Operand object = asPlace(operand(*node.operands[0]));
  if (node.arrow) object = pointedTo(std::move(object), node);
  if (object.list != nullptr) object = asOperand(makeValue(std::move(object)));
  const Type* type = object.glvalue ? object.glvalue->type : object.type;
  const Type* const base = node.type ? resolve(*node.type) : usedBase(type, node.text);
  if (base != nullptr) {  // object.Base::field
    Field part{.type = base};
    if (part.type != type && !isDerived(type, part.type, part.offset))
      fail(node.operatorSpan, fmt::format("{} is not a base of {}", part.type->name(), type->name()),
           "name a base of it");
    type = part.type;
    Glvalue whole = object.glvalue ? std::move(*object.glvalue) : materialised(std::move(object.value));
    object = asOperand(this->part(std::move(whole), part, node.span));
  }
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

// Memory that a kernel allocates: malloc and free, new and delete.

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
      syntax::makeExpression(SyntaxKind::Call, node.span, isCounted ? "__new_counted" : "__new_array");
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
