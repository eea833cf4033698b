#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"

// Expressions and their operators.
namespace lanescope::checker {
/// The value of an expression, which may be void.
ExpressionPtr Checker::expression(const syntax::Expression& node) {
  Operand of = operand(node);
  const bool isReturned = of.isReturned;
  const bool isXvalue = of.isMoved;
  ExpressionPtr result = valueOrNothing(std::move(of));
  result->isGlvalue = isReturned && result->kind == Kind::Load;
  result->isXvalue = result->isGlvalue && isXvalue;
  return result;
}

ExpressionPtr Checker::value(const syntax::Expression& node) {
  ExpressionPtr result = expression(node);
  if (result->type->kind == Type::Kind::Void) {
    failTyping(node.span, "this has no value", "use a function that returns one");
  }
  return result;
}

ExpressionPtr Checker::condition(const syntax::Expression& node) {
  if (node.kind == SyntaxKind::String) {  // assert(i < n && "why")
    return constant(boolType(), 1, node.span);
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

ExpressionPtr Checker::unary(const syntax::Expression& node) {
  const syntax::Expression& inner = *node.operands[0];
  Operand given = this->operand(inner);
  const bool isFunction = given.value != nullptr && inner.kind == SyntaxKind::Name &&
                          given.type->isPointer() && makeSignature(given.type->element) != nullptr;
  if (node.text == "&") {
    if (isFunction) return std::move(given.value);
    if (given.variable) given.value = wholeVariable(*given.variable, node.span);
    given = asPlace(std::move(given));
    if (!given.glvalue)
      failTyping(node.span, "this has no address", "take the address of a variable or an element");
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
    return fold(make(Kind::LogicalNot, boolType(), node.span, toBool(std::move(operand))));
  }
  if (areHalves(*operand->type, *operand->type) && node.text != "~")
    return node.text == "+" ? std::move(operand) : negativeHalf(std::move(operand), node.span);
  if (node.text == "+" && operand->type->isPointer()) return operand;
  if (!operand->type->isArithmetic() || operand->type->isScoped ||
      (node.text == "~" && !operand->type->isInteger())) {
    refuseVectors(node.text, *operand->type, nullptr, node.span);
    failTyping(node.span, fmt::format("'{}' does not apply to {}", node.text, operand->type->name()),
               "use it on a number");
  }
  const Type* type = promoted(operand->type);
  operand = convert(std::move(operand), type);
  if (node.text == "+") return operand;
  return fold(make(node.text == "-" ? Kind::Negate : Kind::BitNot, type, node.span, std::move(operand)));
}

ExpressionPtr Checker::increment(const syntax::Expression& node, bool isPostfix) {
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
    failTyping(node.span, "this cannot be assigned to", "assign to a variable or to an element of an array");
  Glvalue target = std::move(*operand.glvalue);
  if (target.isConst) failTyping(node.span, "this is const", "remove const from its declaration");
  const Type* type = target.type;
  if ((!type->isArithmetic() && !type->isPointer() && !type->isHalf()) || type->isEnum()) {
    refuseVectors(node.text, *type, nullptr, node.span);
    failTyping(node.span, fmt::format("'{}' does not apply to {}", node.text, type->name()),
               "use it on a number");
  }
  ExpressionPtr one = constant(scalar(Type::Kind::I32), 1, node.span);
  if (type->isHalf()) one = convert(std::move(one), type);
  return update(std::move(target), std::move(one), node, true, isPostfix);
}

namespace {

/// True if it may change what another expression reads.
bool hasEffects(const typed::Expression& node) {
  switch (node.kind) {
    case typed::Expression::Kind::Call:
    case typed::Expression::Kind::SetVariable:
    case typed::Expression::Kind::Store:
    case typed::Expression::Kind::Update:
    case typed::Expression::Kind::Atomic: return true;
    default:
      return std::ranges::any_of(node.operands, [](const ExpressionPtr& operand) {
        return operand != nullptr && hasEffects(*operand);
      });
  }
}

}  // namespace

/// `target += right`, `++target` ([expr.ass] 7.6.19/6). `isStep`: the right side is a constant.
ExpressionPtr Checker::update(Glvalue target, ExpressionPtr right, const syntax::Expression& node,
                              bool isStep, bool yieldsOld) {
  const SourceSpan span = node.span;
  const std::string_view sign = std::string_view(node.text).substr(0, node.text.size() - 1);
  const Type* const type = target.type;
  const BitRange bits = std::exchange(target.bits, {});
  const bool isBits = bits.storage != nullptr;
  if (isBits) target.type = bits.storage;
  const Type* const held = target.type;
  ExpressionPtr before;  // of a variable that is read after the right side's effects
  if (isBits && target.isVariable && hasEffects(*right)) {
    std::uint32_t by = 0;
    before = hold("(held)", std::move(right), span, by);
    right = wholeVariable(by, span);
  }
  const auto old = [&] { return target.isVariable ? load(makeCopy(target)) : make(Kind::Held, held, span); };
  ExpressionPtr by;
  if (isStep || target.isVariable) {
    by = std::move(right);
  } else {
    by = make(Kind::Held, right->type, node.operands[1]->span);
    by->index = 1;
  }
  ExpressionPtr next = operate(sign, isBits ? bitFieldIn(old(), bits, type) : old(), std::move(by), span);
  if (target.isVariable && !isStep && !isBits) {
    typed::Expression* made = next.get();
    while (made->kind == Kind::Convert) made = made->operands[0].get();
    made->isRightFirst = true;
  }
  next = convertImplicitly(std::move(next), type, span);
  if (isBits) next = withBits(old(), bits, std::move(next));
  ExpressionPtr result = target.isVariable
                             ? setVariable(target.variable, target.offset, held, std::move(next), span)
                             : make(Kind::Update, held, isStep || isBits ? span : node.operands[0]->span,
                                    std::move(right), std::move(target.address), std::move(next));
  result->isVolatile = !target.isVariable && target.isVolatile;
  result->yieldsOld = yieldsOld;
  if (isBits) result = bitFieldIn(std::move(result), bits, type);
  return sequence(span, std::move(before), std::move(result));
}

ExpressionPtr Checker::binary(const syntax::Expression& node) {
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
  if (second.ownType() != nullptr && second.ownType()->isArray()) {
    ExpressionPtr address = makeAddress(std::move(*second.glvalue));
    second.glvalue = behind(sequence(node.span, std::move(first), std::move(address)), node.span);
    return second;
  }
  Operand result{.span = node.span};
  result.isPlace = second.isObject() && (!second.glvalue || second.glvalue->bits.storage == nullptr);
  result.isConst = second.refersToConst();
  result.isMoved = second.isMoved;
  ExpressionPtr value = valueOrNothing(std::move(second));
  result.type = value->type;
  result.value = make(Kind::Sequence, result.type, node.span, std::move(first), std::move(value));
  return result;
}

/// `a && b`, `a || b`
ExpressionPtr Checker::logical(const syntax::Expression& node) {
  const bool isAnd = node.text == "&&";
  std::vector<Operand> operands;
  for (const syntax::ExpressionPtr& side : node.operands) {  // assert(i < n && "why")
    const Temporaries none(*this, false);
    operands.push_back(side->kind == SyntaxKind::String ? asOperand(constant(boolType(), 1, side->span))
                                                        : operand(*side));
  }
  if (std::ranges::any_of(operands, hasOperators)) {
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
  }
  ExpressionPtr left = toBool(makeValue(std::move(operands[0])));
  ExpressionPtr right = toBool(makeValue(std::move(operands[1])));
  // A constant left side decides the result, or the result is the right side.
  if (left->kind == Kind::Constant) return (left->bits != 0) == isAnd ? std::move(right) : std::move(left);
  return fold(make(isAnd ? Kind::LogicalAnd : Kind::LogicalOr, boolType(), node.span, std::move(left),
                   std::move(right)));
}

/// Reports why a name cannot be assigned to: it is a constant, a type or an index.
void Checker::refuseStore(const syntax::Expression& node) {
  const syntax::Expression* named = &node;
  if (node.kind == SyntaxKind::Member && !node.arrow) named = node.operands[0].get();
  if (named->kind == SyntaxKind::Name && named->text != "this" && !named->type) namedGlvalue(*named);
}

ExpressionPtr Checker::assign(const syntax::Expression& node) {
  const bool isPlain = node.text == "=";
  const syntax::Expression& source = *node.operands[1];
  const bool isList = source.kind == SyntaxKind::List;
  std::vector<Operand> operands;
  for (const syntax::ExpressionPtr& side : node.operands) operands.push_back(operand(*side));
  if (std::ranges::any_of(operands, hasOperators)) {
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
  }
  operands[0] = asPlace(std::move(operands[0]));
  if (!operands[0].glvalue) {
    refuseStore(*node.operands[0]);
    failTyping(node.operands[0]->span, "this cannot be assigned to",
               "assign to a variable or to an element of an array");
  }
  Glvalue target = std::move(*operands[0].glvalue);
  ExpressionPtr right;
  const bool isOfClass = isPlain && !isList && findClass(target.type) != nullptr;
  if (isOfClass && operands[1].type != target.type)
    right = classConversion(operands[1], target.type, node.span);
  if (!isList && right == nullptr) right = makeValue(std::move(operands[1]));
  if (target.isConst) {
    failTyping(node.operands[0]->span, "this is const and cannot be assigned to",
               "remove const from its declaration");
  }
  if (target.type->isArray())
    failTyping(node.span, "an array cannot be assigned to", "assign to its elements");
  if (isPlain && isCopyDeleted(target.type, CopyBy::Assignment))
    failTyping(node.span, fmt::format("{} has a part that cannot be assigned to", target.type->name()),
               "assign to its members");
  const Type* type = target.type;
  if (isList) {
    if (!isPlain) fail(source.span, "values in braces have no place here", "write one value");
    right = construct(type, source);
  }
  if (!isPlain && !areHalves(*type, *right->type)) refuseVectors(node.text, *type, right->type, node.span);
  if (!isPlain) return update(std::move(target), std::move(right), node, false, false);
  right = convertImplicitly(std::move(right), type, node.span);
  if (isPolymorphic(type)) return storeObject(std::move(target), std::move(right), node.span);
  const bool isPlace = target.isVariable || target.bits.storage != nullptr;
  const SourceSpan span = isPlace ? node.span : node.operands[0]->span;
  return storeInto(std::move(target), std::move(right), span);
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
  result.isPlace = isPlain(yes) && isPlain(no) && yes.ownType() == no.ownType() && yes.isMoved == no.isMoved;
  result.isMoved = result.isPlace && yes.isMoved;
  result.isConst = yes.refersToConst() || no.refersToConst();
  result.span = node.span;
  if (test->kind == Kind::Constant && result.isPlace && yes.refersToConst() == no.refersToConst())
    return std::move(test->bits != 0 ? yes : no);
  if (result.isPlace && yes.ownType()->isArray()) {
    const Type* const pointer = kernel_.types->pointerTo(yes.ownType(), result.isConst, false);
    Glvalue chosen{.type = yes.ownType(), .isConst = result.isConst, .span = node.span};
    chosen.address = make(Kind::Conditional, pointer, node.span, std::move(test),
                          makeAddress(std::move(*yes.glvalue)), makeAddress(std::move(*no.glvalue)));
    Operand array = asOperand(std::move(chosen));
    array.isMoved = result.isMoved;
    return array;
  }
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
      failTyping(span, "each of the two values of ?: can become the other",
                 "write the conversion that is meant");
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
    const bool arePointers = yes->type->isPointer() && no->type->isPointer();
    const bool isBase = arePointers && isDerivedPart(yes->type->element, no->type->element);
    if (isBase || (arePointers && isDerivedPart(no->type->element, yes->type->element))) {
      const Type* const base = isBase ? no->type->element : yes->type->element;
      type = kernel_.types->pointerTo(base, yes->type->elementIsConst || no->type->elementIsConst, false);
    } else if (!isSame) {
      failTyping(node.span,
                 fmt::format("the two values of ?: differ: {} and {}", yes->type->name(), no->type->name()),
                 "convert one of them");
    }
    if (isSame) type = yes->type->elementIsConst ? yes->type : no->type;
  }
  yes = convertImplicitly(std::move(yes), type, node.operands[1]->span);
  no = convertImplicitly(std::move(no), type, node.operands[2]->span);
}

}  // namespace lanescope::checker
