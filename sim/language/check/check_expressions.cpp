#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"

// Operators, conversions and arithmetic, of numbers of 16 bits too.
namespace lanescope::checker {
Checker::ExpressionPtr Checker::expression(const syntax::Expression& node) {
  spend(1, node.span);
  if (node.expands) return expression(expandedPacks(node));
  if (const auto known = checked_.extract(&node)) return makeValue(std::move(known.mapped()));
  switch (node.kind) {
    case SyntaxKind::Integer: return integerLiteral(node);
    case SyntaxKind::Floating: return floatingLiteral(node);
    case SyntaxKind::Boolean:
      return constant(scalar(Type::Kind::Bool), node.text == "true" ? 1 : 0, node.span);
    case SyntaxKind::String: return load(text(node));
    case SyntaxKind::Name: return name(node);
    case SyntaxKind::Unary: return unary(node);
    case SyntaxKind::Postfix: return increment(node, true);
    case SyntaxKind::Binary: return binary(node);
    case SyntaxKind::Assign: return assign(node);
    case SyntaxKind::Conditional: return valueOrNothing(conditional(node));
    case SyntaxKind::Call: return call(node);
    case SyntaxKind::Index: return makeValue(indexed(node));
    case SyntaxKind::Member: return makeValue(member(node));
    case SyntaxKind::MemberCall: return memberCall(node);
    case SyntaxKind::Invoke: return invoke(node);
    case SyntaxKind::Lambda: return lambda(node);
    case SyntaxKind::New: return node.text == "new" ? newObject(node) : newArray(node);
    case SyntaxKind::Delete: return deleteObject(node);
    case SyntaxKind::Cast:
    case SyntaxKind::Construct: return cast(node);
    case SyntaxKind::List:
      fail(node.span, "values in braces have no place here", "name their type: float2{…}");
    case SyntaxKind::Designated:
      fail(node.span, "a field is named only in a list for a struct without constructors",
           "give the values in their order");
    case SyntaxKind::SizeOf: return node.text == "sizeof..." ? sizeOfPack(node) : computeSize(node);
    case SyntaxKind::Fold: return foldPacks(node);
    case SyntaxKind::Expansion:
      fail(node.span, "an expansion has no place here", "write it in a list or in the arguments of a call");
  }
  fail(node.span, "this expression is not in the subset that is simulated", "write it in simpler steps");
}

Checker::ExpressionPtr Checker::value(const syntax::Expression& node) {
  ExpressionPtr result = expression(node);
  if (result->type->kind == Type::Kind::Void) {
    fail(node.span, "this has no value", "use a function that returns one");
  }
  return result;
}

Checker::ExpressionPtr Checker::condition(const syntax::Expression& node) {
  if (node.kind == syntax::Expression::Kind::String) {  // assert(i < n && "why")
    return constant(scalar(Type::Kind::Bool), 1, node.span);
  }
  return toBool(value(node));
}

/// Marks an expression whose value is unused: an atomic with an unused result is a reduction.
void Checker::discard(typed::Expression& node) {
  if (node.isGlvalue) {  // the target of a function's reference is not read
    ExpressionPtr address = std::move(node.operands[0]);
    node = std::move(*address);
  }
  if (node.isBitField) {  // the value of the store is not read
    ExpressionPtr inner = std::move(node.operands[0]);
    while (inner->kind != Kind::Update && inner->kind != Kind::SetVariable && !inner->operands.empty()) {
      ExpressionPtr operand = std::move(inner->operands[0]);
      inner = std::move(operand);
    }
    node = std::move(*inner);
  }
  if (node.kind == Kind::Atomic || node.kind == Kind::Call) node.isResultUsed = false;
  const bool passesOn =
      node.kind == Kind::Sequence || (node.kind == Kind::Convert && node.type->kind == Type::Kind::Void);
  if (passesOn) discard(*node.operands.back());
  if (node.kind == Kind::Negate || node.kind == Kind::Convert) {
    const Kind inner = node.operands[0]->kind;
    if (inner == Kind::Atomic || inner == Kind::Call) node.operands[0]->isResultUsed = false;
  }
}

Checker::ExpressionPtr Checker::unary(const syntax::Expression& node) {
  const syntax::Expression& inner = *node.operands[0];
  if (node.text == "++" || node.text == "--") return increment(node, false);
  if (node.text == "*") return makeValue(followed(node));
  Operand given = this->operand(inner);
  const bool isFunction = given.value != nullptr && inner.kind == syntax::Expression::Kind::Name &&
                          given.type->isPointer() && makeSignature(given.type->element) != nullptr;
  if (node.text == "&" && isFunction) return std::move(given.value);
  if (node.text == "&" && given.variable) given.value = wholeVariable(*given.variable, node.span);
  if (node.text == "&") given = asPlace(std::move(given));
  if (node.text == "&") {
    if (!given.glvalue)
      fail(node.span, "this has no address", "take the address of a variable or an element");
    return makeAddress(std::move(*given.glvalue));
  }
  if (hasOperators(given)) {
    std::vector<Operand> operands = formatList(std::move(given));
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
    given = std::move(operands[0]);
    if (node.text != "!") given = asOperand(asScalar(makeValue(std::move(given))));
  }
  ExpressionPtr operand = promotedBits(makeValue(std::move(given)));
  operand->isGlvalue = false;
  if (node.text == "!") {
    return fold(make(Kind::LogicalNot, scalar(Type::Kind::Bool), node.span, toBool(std::move(operand))));
  }
  if (areHalves(*operand->type, *operand->type) && node.text != "~")
    return node.text == "+" ? std::move(operand) : negativeHalf(std::move(operand), node.span);
  if (node.text == "+" && operand->type->isPointer()) return operand;
  if (!operand->type->isArithmetic() || operand->type->isScoped ||
      (node.text == "~" && !operand->type->isInteger())) {
    refuseVectors(node.text, *operand->type, nullptr, node.span);
    fail(node.span, fmt::format("'{}' does not apply to {}", node.text, operand->type->name()),
         "use it on a number");
  }
  const Type* type = promoted(operand->type);
  operand = convert(std::move(operand), type);
  if (node.text == "+") return operand;
  return fold(make(node.text == "-" ? Kind::Negate : Kind::BitNot, type, node.span, std::move(operand)));
}

Checker::ExpressionPtr Checker::increment(const syntax::Expression& node, bool isPostfix) {
  Operand operand = this->operand(*node.operands[0]);
  if (hasOperators(operand)) {
    std::vector<Operand> operands = formatList(std::move(operand));
    if (isPostfix) operands.push_back(asOperand(constant(scalar(Type::Kind::I32), 0, node.span)));
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
    operand = std::move(operands[0]);
  }
  operand = asPlace(std::move(operand));
  if (!operand.glvalue) refuseStore(*node.operands[0]);
  if (!operand.glvalue)
    fail(node.span, "this cannot be assigned to", "assign to a variable or to an element of an array");
  Glvalue target = std::move(*operand.glvalue);
  if (target.isConst) fail(node.span, "this is const", "remove const from its declaration");
  const std::string_view sign = node.text == "++" ? "+" : "-";
  const Type* type = target.type;
  if ((!type->isArithmetic() && !type->isPointer() && !type->isHalf()) || type->isEnum()) {
    refuseVectors(node.text, *type, nullptr, node.span);
    fail(node.span, fmt::format("'{}' does not apply to {}", node.text, type->name()), "use it on a number");
  }
  ExpressionPtr one = constant(scalar(Type::Kind::I32), 1, node.span);
  if (target.bits.storage != nullptr)
    return updateBits(std::move(target), sign, std::move(one), node.span, isPostfix);
  if (type->isHalf()) one = convert(std::move(one), type);
  ExpressionPtr result;
  if (target.isVariable) {
    const std::uint32_t variable = target.variable;
    const std::uint32_t offset = target.offset;
    ExpressionPtr next = operate(sign, load(std::move(target)), std::move(one), node.span);
    result = setVariable(variable, offset, type, convert(std::move(next), type), node.span);
  } else {
    ExpressionPtr next = operate(sign, make(Kind::Held, type, node.span), std::move(one), node.span);
    result = make(Kind::Update, type, node.span, nullptr, std::move(target.address),
                  convert(std::move(next), type));
    result->isVolatile = target.isVolatile;
  }
  result->yieldsOld = isPostfix;
  return result;
}

Checker::ExpressionPtr Checker::binary(const syntax::Expression& node) {
  if (node.text == ",") return valueOrNothing(comma(node));
  if (node.text == "&&" || node.text == "||") return logical(node);
  std::vector<Operand> operands;
  for (const syntax::ExpressionPtr& side : node.operands) operands.push_back(operand(*side));
  if (std::ranges::any_of(operands, hasOperators)) {
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
    if (ExpressionPtr result = rewritten(operands, node)) return result;
  }
  ExpressionPtr left = asScalar(makeValue(std::move(operands[0])));
  ExpressionPtr right = asScalar(makeValue(std::move(operands[1])));
  return operate(node.text, std::move(left), std::move(right), node.span);
}

/// `a, b`: the second one, an lvalue if that is one ([expr.comma] 7.6.20).
Operand Checker::comma(const syntax::Expression& node) {
  std::vector<Operand> operands;
  for (const syntax::ExpressionPtr& side : node.operands) operands.push_back(operand(*side));
  if (std::ranges::any_of(operands, hasOperators)) {
    if (ExpressionPtr result = overloaded("operator,", operands, node)) return asOperand(std::move(result));
  }
  ExpressionPtr first = valueOrNothing(std::move(operands[0]));
  if (isTemporaryObject(*first)) first = std::move(materialised(std::move(first)).address);
  discard(*first);
  Operand second = std::move(operands[1]);
  Operand result;
  result.span = node.span;
  result.isPlace = second.isObject() && !second.ownType()->isArray() &&
                   (!second.glvalue || second.glvalue->bits.storage == nullptr);
  result.isConst = second.refersToConst();
  result.isMoved = second.isMoved;
  ExpressionPtr value = valueOrNothing(std::move(second));
  result.type = value->type;
  result.value = make(Kind::Sequence, result.type, node.span, std::move(first), std::move(value));
  return result;
}

/// `a && b`, `a || b`
Checker::ExpressionPtr Checker::logical(const syntax::Expression& node) {
  const bool isAnd = node.text == "&&";
  std::vector<Operand> operands;
  for (const syntax::ExpressionPtr& side : node.operands) {  // assert(i < n && "why")
    const Temporaries none(*this, false);
    operands.push_back(side->kind == SyntaxKind::String
                           ? asOperand(constant(scalar(Type::Kind::Bool), 1, side->span))
                           : operand(*side));
  }
  if (std::ranges::any_of(operands, hasOperators)) {
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
  }
  ExpressionPtr left = toBool(makeValue(std::move(operands[0])));
  ExpressionPtr right = toBool(makeValue(std::move(operands[1])));
  // A constant left side decides the result, or the result is the right side.
  if (left->kind == Kind::Constant) return (left->bits != 0) == isAnd ? std::move(right) : std::move(left);
  return fold(make(isAnd ? Kind::LogicalAnd : Kind::LogicalOr, scalar(Type::Kind::Bool), node.span,
                   std::move(left), std::move(right)));
}

/// Reports why a name cannot be assigned to: it is a constant, a type or an index.
void Checker::refuseStore(const syntax::Expression& node) {
  const syntax::Expression* named = &node;
  if (node.kind == syntax::Expression::Kind::Member && !node.arrow) named = node.operands[0].get();
  if (named->kind == syntax::Expression::Kind::Name && named->text != "this" && !named->type)
    namedGlvalue(*named);
}

Checker::ExpressionPtr Checker::assign(const syntax::Expression& node) {
  const bool isPlain = node.text == "=";
  const syntax::Expression& source = *node.operands[1];
  const bool isList = source.kind == syntax::Expression::Kind::List;
  std::vector<Operand> operands;
  for (const syntax::ExpressionPtr& side : node.operands) operands.push_back(operand(*side));
  if (std::ranges::any_of(operands, hasOperators)) {
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
  }
  operands[0] = asPlace(std::move(operands[0]));
  if (!operands[0].glvalue) {
    refuseStore(*node.operands[0]);
    fail(node.operands[0]->span, "this cannot be assigned to",
         "assign to a variable or to an element of an array");
  }
  Glvalue target = std::move(*operands[0].glvalue);
  ExpressionPtr right;
  const bool isOfClass = isPlain && !isList && findClass(target.type) != nullptr;
  if (isOfClass && operands[1].type != target.type)
    right = classConversion(operands[1], target.type, node.span);
  if (!isList && right == nullptr) right = makeValue(std::move(operands[1]));
  if (target.isConst) {
    fail(node.operands[0]->span, "this is const and cannot be assigned to",
         "remove const from its declaration");
  }
  if (target.type->isArray()) fail(node.span, "an array cannot be assigned to", "assign to its elements");
  const Type* type = target.type;
  if (isList) {
    if (!isPlain) fail(source.span, "values in braces have no place here", "write one value");
    right = construct(type, source);
  }
  if (!isPlain && !areHalves(*type, *right->type)) refuseVectors(node.text, *type, right->type, node.span);
  const std::string_view sign = std::string_view(node.text).substr(0, node.text.size() - 1);
  if (target.bits.storage != nullptr && isPlain)
    return storeBits(std::move(target), convertImplicitly(std::move(right), type, node.span), node.span);
  if (target.bits.storage != nullptr)
    return updateBits(std::move(target), sign, std::move(right), node.span, false);
  if (isPlain && isPolymorphic(type))
    return storeObject(std::move(target), convertImplicitly(std::move(right), type, node.span), node.span);
  if (target.isVariable) {
    const std::uint32_t variable = target.variable;
    const std::uint32_t offset = target.offset;
    if (!isPlain) {
      right = operate(sign, load(std::move(target)), std::move(right), node.span);
      typed::Expression* made = right.get();
      while (made->kind == Kind::Convert) made = made->operands[0].get();
      made->isRightFirst = true;
    }
    return setVariable(variable, offset, type, convertImplicitly(std::move(right), type, node.span),
                       node.span);
  }
  if (isPlain) {
    right = convertImplicitly(std::move(right), type, node.span);
    ExpressionPtr stored =
        make(Kind::Store, type, node.operands[0]->span, std::move(target.address), std::move(right));
    stored->isVolatile = target.isVolatile;
    return stored;
  }
  ExpressionPtr heldRight = make(Kind::Held, right->type, node.operands[1]->span);
  heldRight->index = 1;
  ExpressionPtr next = operate(sign, make(Kind::Held, type, node.span), std::move(heldRight), node.span);
  next = convertImplicitly(std::move(next), type, node.span);
  ExpressionPtr result = make(Kind::Update, type, node.operands[0]->span, std::move(right),
                              std::move(target.address), std::move(next));
  result->isVolatile = target.isVolatile;
  return result;
}

/// `test ? yes : no` ([expr.cond] 7.6.16): an lvalue if both sides are lvalues of one type.
Operand Checker::conditional(const syntax::Expression& node) {
  ExpressionPtr test = condition(*node.operands[0]);
  const Temporaries conditionally(*this, false);
  Operand yes = operand(*node.operands[1]);
  Operand no = operand(*node.operands[2]);
  if (yes.list != nullptr || no.list != nullptr) makeValue(std::move(yes.list != nullptr ? yes : no));
  if (yes.ownType() != no.ownType() && (yes.type->isStruct() || no.type->isStruct()))
    matchObjects(yes, no, node.span);
  const auto isPlain = [](const Operand& side) {
    return side.isObject() && (!side.glvalue || side.glvalue->bits.storage == nullptr);
  };
  Operand result;
  result.isPlace = isPlain(yes) && isPlain(no) && yes.ownType() == no.ownType() &&
                   !yes.ownType()->isArray() && yes.isMoved == no.isMoved;
  result.isMoved = result.isPlace && yes.isMoved;
  result.isConst = yes.refersToConst() || no.refersToConst();
  result.span = node.span;
  if (test->kind == Kind::Constant && result.isPlace && yes.refersToConst() == no.refersToConst())
    return std::move(test->bits != 0 ? yes : no);
  const bool isNothing = yes.type->kind == Type::Kind::Void && no.type->kind == Type::Kind::Void;
  ExpressionPtr first;
  ExpressionPtr second;
  if (isNothing) {
    discard(*yes.value);
    discard(*no.value);
    first = std::move(yes.value);
    second = std::move(no.value);
  } else if (result.isPlace) {
    first = makeValue(std::move(yes));
    second = makeValue(std::move(no));
  } else {
    first = copied(std::move(yes), node.operands[1]->span);
    second = copied(std::move(no), node.operands[2]->span);
    matchValues(first, second, node);
  }
  result.type = first->type;
  result.value = test->kind == Kind::Constant ? std::move(test->bits != 0 ? first : second)
                                              : make(Kind::Conditional, result.type, node.span,
                                                     std::move(test), std::move(first), std::move(second));
  return result;
}

/// Converts one side of `?:` to the class of the other, if only that is possible ([expr.cond] 7.6.16/4).
void Checker::matchObjects(Operand& yes, Operand& no, SourceSpan span) {
  const auto toBase = [&](Operand& side, const Operand& base) {
    Field part{.type = base.ownType(), .isBase = true};
    if (!isDerived(side.type, base.type, part.offset)) return false;
    const bool isMoved = side.isMoved;
    Operand place = asPlace(std::move(side));
    if (place.glvalue && base.isObject()) {
      side = asOperand(this->part(std::move(*place.glvalue), part, span));
      side.isMoved = isMoved;
    } else {
      side = asOperand(passed(std::move(place), base.type, span));
    }
    return true;
  };
  if (toBase(yes, no) || toBase(no, yes)) return;
  const bool isToYes = yes.type->isStruct() && conversion(no, yes.type).exists();
  const bool isToNo = no.type->isStruct() && conversion(yes, no.type).exists();
  if (isToYes == isToNo) {
    if (isToYes)
      fail(span, "each of the two values of ?: can become the other", "write the conversion that is meant");
    yes = asOperand(asScalar(makeValue(std::move(yes))));
    no = asOperand(asScalar(makeValue(std::move(no))));
    return;
  }
  Operand& given = isToYes ? no : yes;
  const Type* const type = isToYes ? yes.type : no.type;
  given = asOperand(passed(std::move(given), type, span));
}

/// Converts the values of `?:` to their common type ([expr.cond] 7.6.16/7).
void Checker::matchValues(ExpressionPtr& yes, ExpressionPtr& no, const syntax::Expression& node) {
  const Type* type = yes->type;
  const auto isNull = [](const typed::Expression& side) {  // nullptr, which converts to any pointer
    return side.kind == Kind::Constant && side.bits == 0 && side.type->isPointer() &&
           side.type->element->kind == Type::Kind::Void;
  };
  if (yes->type->isArithmetic() && no->type->isArithmetic()) {
    type = yes->type == no->type ? yes->type : common(yes->type, no->type);
  } else if (yes->type->isPointer() != no->type->isPointer()) {  // p ? p : nullptr
    type = yes->type->isPointer() ? yes->type : no->type;
  } else if (isNull(*yes) != isNull(*no) && yes->type->isPointer()) {
    type = isNull(*yes) ? no->type : yes->type;
  } else if (yes->type != no->type) {
    const bool isSame = yes->type->isPointer() && yes->type->element == no->type->element;
    std::uint32_t offset = 0;
    const bool arePointers = yes->type->isPointer() && no->type->isPointer();
    const bool isBase = arePointers && isDerived(yes->type->element, no->type->element, offset);
    if (isBase || (arePointers && isDerived(no->type->element, yes->type->element, offset))) {
      const Type* const base = isBase ? no->type->element : yes->type->element;
      type = kernel_.types->pointerTo(base, yes->type->elementIsConst || no->type->elementIsConst, false);
    } else if (!isSame) {
      fail(node.span,
           fmt::format("the two values of ?: differ: {} and {}", yes->type->name(), no->type->name()),
           "convert one of them");
    }
    if (isSame) type = yes->type->elementIsConst ? yes->type : no->type;
  }
  yes = convertImplicitly(std::move(yes), type, node.operands[1]->span);
  no = convertImplicitly(std::move(no), type, node.operands[2]->span);
}

using typed::BinaryOp;

namespace {

/// True if the operator takes only integers.
bool takesIntegers(BinaryOp op) {
  switch (op) {
    case BinaryOp::Remainder:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight: return true;
    default: return false;
  }
}

}  // namespace

Checker::ExpressionPtr Checker::convert(ExpressionPtr value, const Type* type) {
  if (value->type == type) return value;
  if ((value->type->isHalf() && type->kind != Type::Kind::Void) || type->isHalf())
    return convertHalf(std::move(value), type);
  const SourceSpan span = value->span;
  return fold(make(Kind::Convert, type, span, std::move(value)));
}

/// True for pointers that differ in const alone, which the second has more of (C++20 [conv.qual] 7.3.6).
bool addsConst(const Type* from, const Type* to) {
  while (from->isPointer() && to->isPointer() && (to->elementIsConst || !from->elementIsConst)) {
    if (from->element == to->element) return true;
    if (!to->elementIsConst) return false;
    from = from->element;
    to = to->element;
  }
  return false;
}

/// A conversion that is implicit in C++. Anything else is a fault.
Checker::ExpressionPtr Checker::convertImplicitly(ExpressionPtr value, const Type* type, SourceSpan span) {
  spend(1, span);
  const Type* from = value->type;
  if (type->takesGroup(*from)) return value;
  if (from == type || convertsNumbers(*from, *type)) return convert(std::move(value), type);
  if (from->isPointer() && type->kind == Type::Kind::Bool) return convert(std::move(value), type);
  const bool isNull = value->kind == Kind::Constant && value->bits == 0;
  if (isNull && type->isPointer() && (from->isPointer() || from->isInteger())) return constant(type, 0, span);
  const bool isToVoid = type->isPointer() && type->element->kind == Type::Kind::Void;
  if (from->isPointer() && type->isPointer() &&
      (from->element == type->element || isToVoid || addsConst(from, type))) {
    if (from->elementIsConst && !type->elementIsConst) {
      fail(span, fmt::format("{} cannot become {}: it would allow stores", from->name(), type->name()),
           "declare the pointer const");
    }
    return convert(std::move(value), type);
  }
  if (ExpressionPtr converted = classConversion(value, type, span)) return converted;
  fail(span, fmt::format("{} cannot become {} here", from->name(), type->name()),
       "convert it with a cast, or use the matching type");
}

Checker::ExpressionPtr Checker::toBool(ExpressionPtr value) {
  if (findClass(value->type) != nullptr) {
    const SourceSpan span = value->span;
    if (ExpressionPtr own = classConversion(value, scalar(Type::Kind::Bool), span, true)) return own;
  }
  if ((!value->type->isArithmetic() && !value->type->isPointer() && !value->type->isHalf()) ||
      value->type->isScoped) {
    fail(value->span, fmt::format("{} is neither true nor false", value->type->name()),
         "compare it with something");
  }
  return convert(std::move(value), scalar(Type::Kind::Bool));
}

Checker::ExpressionPtr Checker::pointerStep(ExpressionPtr pointer, ExpressionPtr index, bool negative,
                                            SourceSpan span) {
  const Type* type = pointer->type;
  if (type->element->size == 0) {
    fail(span, "a pointer to void or to an array without extent cannot be moved", "cast it");
  }
  const std::int64_t size = type->element->size;
  const Type* indexType = promoted(index->type);
  index = convert(std::move(index), indexType);
  ExpressionPtr result = make(Kind::PointerAdd, type, span, std::move(pointer), std::move(index));
  result->scale = negative ? -size : size;
  return result;
}

/// The pointer moved by bytes to a part of the object it points to.
Checker::ExpressionPtr Checker::moved(ExpressionPtr pointer, std::int64_t bytes, const Type* element,
                                      bool isConst) {
  const SourceSpan span = pointer->span;
  const Type* type = kernel_.types->pointerTo(element, isConst, false);
  if (bytes == 0) {
    pointer->type = type;
    return pointer;
  }
  ExpressionPtr one = constant(scalar(Type::Kind::I32), 1, span);
  ExpressionPtr result = make(Kind::PointerAdd, type, span, std::move(pointer), std::move(one));
  result->scale = bytes;
  return result;
}

/// The same within an object, from one of its bases to another. Null remains null.
Checker::ExpressionPtr Checker::movedUnlessNull(ExpressionPtr pointer, std::int64_t bytes,
                                                const Type* element, bool isConst) {
  const bool isAddress = pointer->kind == Kind::LocalAddress || pointer->kind == Kind::SharedAddress ||
                         pointer->kind == Kind::PointerAdd;
  if (bytes == 0 || isAddress) return moved(std::move(pointer), bytes, element, isConst);
  const SourceSpan span = pointer->span;
  const Type* const type = kernel_.types->pointerTo(element, isConst, false);
  const Type* const from = pointer->type;
  const std::uint32_t held = addVariable("(pointer)", from, span, false);
  ExpressionPtr set = setVariable(held, 0, from, std::move(pointer), span);
  ExpressionPtr chosen =
      make(Kind::Conditional, type, span, toBool(wholeVariable(held, span)),
           moved(wholeVariable(held, span), bytes, element, isConst), constant(type, 0, span));
  return make(Kind::Sequence, type, span, std::move(set), std::move(chosen));
}

/// Refuses an operator on a vector such as float4: only headers of samples have any. `b`: null for one
/// operand.
void Checker::refuseVectors(std::string_view sign, const Type& a, const Type* b, SourceSpan span) {
  const auto isBuiltIn = [&](const Type* type) {
    return type != nullptr && type->isStruct() && kernel_.types->named(type->structName) == type;
  };
  if (!isBuiltIn(&a) && !isBuiltIn(b)) return;
  failUnknown(span,
              b == nullptr ? fmt::format("'{}' does not apply to {}", sign, a.name())
                           : fmt::format("'{}' does not apply to {} and {}", sign, a.name(), b->name()),
              "CUDA has no operators for vectors: write it for x, y and the other components, or include "
              "helper_math.h of NVIDIA's samples");
}

Checker::ExpressionPtr Checker::arithmetic(BinaryOp op, ExpressionPtr a, ExpressionPtr b, SourceSpan span,
                                           std::string_view sign) {
  const bool needsIntegers = takesIntegers(op);
  const bool isScoped = a->type->isScoped || b->type->isScoped;
  const bool fits = isScoped        ? isComparison(op) && a->type == b->type
                    : needsIntegers ? a->type->isInteger() && b->type->isInteger()
                                    : a->type->isArithmetic() && b->type->isArithmetic();
  if (!fits) {
    refuseVectors(sign, *a->type, b->type, span);
    fail(span, fmt::format("'{}' does not apply to {} and {}", sign, a->type->name(), b->type->name()),
         needsIntegers ? "both sides must be integers" : "both sides must be numbers");
  }
  if (op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight) {
    const Type* type = promoted(a->type);
    a = convert(std::move(a), type);
    b = convert(std::move(b), type);
    ExpressionPtr result = make(Kind::Binary, type, span, std::move(a), std::move(b));
    result->op = op;
    return fold(std::move(result));
  }
  const Type* type = common(a->type, b->type);
  a = convert(std::move(a), type);
  b = convert(std::move(b), type);
  ExpressionPtr result = make(Kind::Binary, isComparison(op) ? scalar(Type::Kind::Bool) : type, span,
                              std::move(a), std::move(b));
  result->op = op;
  return fold(std::move(result));
}

/// `a sign b` for every operator except && || and the comma, including operators on pointers.
Checker::ExpressionPtr Checker::operate(std::string_view sign, ExpressionPtr a, ExpressionPtr b,
                                        SourceSpan span) {
  static const std::map<std::string_view, BinaryOp> kOps = {
      {"+", BinaryOp::Add},         {"-", BinaryOp::Subtract},  {"*", BinaryOp::Multiply},
      {"/", BinaryOp::Divide},      {"%", BinaryOp::Remainder}, {"&", BinaryOp::And},
      {"|", BinaryOp::Or},          {"^", BinaryOp::Xor},       {"<<", BinaryOp::ShiftLeft},
      {">>", BinaryOp::ShiftRight}, {"<", BinaryOp::Less},      {"<=", BinaryOp::LessEqual},
      {"==", BinaryOp::Equal},      {"!=", BinaryOp::NotEqual}};
  a = promotedBits(std::move(a));
  b = promotedBits(std::move(b));
  if (areHalves(*a->type, *b->type)) return operateOnHalves(sign, std::move(a), std::move(b), span);
  if (sign == ">" || sign == ">=") {
    // a > b is b < a; the operands here are evaluated without side effects on each other.
    return operate(sign == ">" ? "<" : "<=", std::move(b), std::move(a), span);
  }
  const bool left = a->type->isPointer();
  const bool right = b->type->isPointer();
  if (sign == "+" && left != right && (left ? b : a)->type->isInteger()) {
    return left ? pointerStep(std::move(a), std::move(b), false, span)
                : pointerStep(std::move(b), std::move(a), false, span);
  }
  if (sign == "-" && left && b->type->isInteger()) return pointerStep(std::move(a), std::move(b), true, span);
  const BinaryOp op = kOps.at(sign);
  if (isComparison(op) && left != right) {  // p == 0
    (left ? b : a) = convertImplicitly(std::move(left ? b : a), (left ? a : b)->type, span);
    return operate(sign, std::move(a), std::move(b), span);
  }
  if (isComparison(op) && left && right && a->type->element != b->type->element) {
    const bool toLeft = b->type->element->kind == Type::Kind::Void;
    (toLeft ? b : a)->type = (toLeft ? a : b)->type;
  }
  if (left && right && a->type->element == b->type->element) {
    if (op == BinaryOp::Subtract) {
      const std::int64_t size = a->type->element->size;
      ExpressionPtr result =
          make(Kind::PointerDifference, kernel_.types->named("long"), span, std::move(a), std::move(b));
      result->scale = size;
      return result;
    }
    if (isComparison(op)) {
      ExpressionPtr result = make(Kind::Binary, scalar(Type::Kind::Bool), span, std::move(a), std::move(b));
      result->op = op;
      return result;
    }
  }
  return arithmetic(op, std::move(a), std::move(b), span, sign);
}

// half and __nv_bfloat16: conversions and operators, by the functions that CUDA's headers use for them.

/// A conversion from or to a number of 16 bits, rounded once.
Checker::ExpressionPtr Checker::convertHalf(ExpressionPtr value, const Type* type) {
  const SourceSpan span = value->span;
  const auto call = [&](std::string_view name, ExpressionPtr operand) {
    return laneFunction(name, formatList(std::move(operand)), span);
  };
  const Type* from = value->type;
  if (from->isHalf()) {  // through float, which holds both
    ExpressionPtr wide =
        call(from->kind == Type::Kind::F16 ? "__half2float" : "__bfloat162float", std::move(value));
    return convert(std::move(wide), type);
  }
  const bool isHalf = type->kind == Type::Kind::F16;
  const std::string word = isHalf ? "half" : "bfloat16";
  if (from->isFloating()) {
    return call((from->kind == Type::Kind::F64 ? "__double2" : "__float2") + word, std::move(value));
  }
  const std::string_view prefix = from->size < 8 ? (from->isSigned() || from->size < 4 ? "__int2" : "__uint2")
                                  : from->isSigned() ? "__ll2"
                                                     : "__ull2";
  return call(fmt::format("{}{}_rn", prefix, word), std::move(value));
}

/// `a sign b` if one side is half, half2 or one of their bfloat16 counterparts (cuda_fp16.hpp, operators).
Checker::ExpressionPtr Checker::operateOnHalves(std::string_view sign, ExpressionPtr a, ExpressionPtr b,
                                                SourceSpan span) {
  static const std::map<std::string_view, std::pair<std::string_view, std::string_view>> kFunctions = {
      {"+", {"__hadd", "__hadd2"}}, {"-", {"__hsub", "__hsub2"}}, {"*", {"__hmul", "__hmul2"}},
      {"/", {"__hdiv", "__h2div"}}, {"==", {"__heq", "__hbeq2"}}, {"!=", {"__hneu", "__hbneu2"}},
      {"<", {"__hlt", "__hblt2"}},  {"<=", {"__hle", "__hble2"}}, {">", {"__hgt", "__hbgt2"}},
      {">=", {"__hge", "__hbge2"}}};
  const auto function = kFunctions.find(sign);
  if (a->type != b->type) {
    // With a number of another type, a half fits its own operator and float's equally well.
    fail(span, fmt::format("'{}' between {} and {} is ambiguous", sign, a->type->name(), b->type->name()),
         "convert one side: __half2float(h), __float2half(x)");
  }
  if (function == kFunctions.end()) {
    fail(span, fmt::format("'{}' does not apply to {}", sign, a->type->name()), "convert it to an integer");
  }
  const bool isPair = a->type->isHalf2();
  Values operands = formatList(std::move(a), std::move(b));
  return isPair ? libraryCall(function->second.second, std::move(operands), span)
                : laneFunction(function->second.first, std::move(operands), span);
}

Checker::ExpressionPtr Checker::negativeHalf(ExpressionPtr value, SourceSpan span) {
  const bool isPair = value->type->isHalf2();
  Values operands = formatList(std::move(value));
  return isPair ? libraryCall("__hneg2", std::move(operands), span)
                : laneFunction("__hneg", std::move(operands), span);
}

}  // namespace lanescope::checker
