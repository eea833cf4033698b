#include <fmt/format.h>

#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_folding.h"

namespace lanescope::checker {
namespace {

/// The most expressions of one kernel: nested templates and calls can need any number.
constexpr std::size_t kMaxWork = 2'000'000;

}  // namespace

Checker::ExpressionPtr Checker::expression(const syntax::Expression& node) {
  if (++work_ > kMaxWork)
    fail(node.span, "this kernel is too large to be simulated", "split it into smaller ones");
  if (node.expands) return expression(expandedPacks(node));
  if (const auto known = checked_.extract(&node)) return makeValue(std::move(known.mapped()));
  switch (node.kind) {
    case SyntaxKind::Integer: return integerLiteral(node);
    case SyntaxKind::Floating: return floatingLiteral(node);
    case SyntaxKind::Boolean:
      return constant(scalar(Type::Kind::Bool), node.text == "true" ? 1 : 0, node.span);
    case SyntaxKind::String: return text(node);
    case SyntaxKind::Name: return name(node);
    case SyntaxKind::Unary: return unary(node);
    case SyntaxKind::Postfix: return increment(node, true);
    case SyntaxKind::Binary: return binary(node);
    case SyntaxKind::Assign: return assign(node);
    case SyntaxKind::Conditional: return conditional(node);
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
  if (node.text == "&") {
    if (!given.glvalue)
      fail(node.span, "this has no address", "take the address of a variable or an element");
    return makeAddress(std::move(*given.glvalue));
  }
  if (given.type != nullptr && given.type->isStruct()) {
    std::vector<Operand> operands = formatList(std::move(given));
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
    given = asOperand(asScalar(makeValue(std::move(operands[0]))));
  }
  ExpressionPtr operand = promotedBits(makeValue(std::move(given)));
  if (node.text == "!") {
    return fold(make(Kind::LogicalNot, scalar(Type::Kind::Bool), node.span, toBool(std::move(operand))));
  }
  if (areHalves(*operand->type, *operand->type) && node.text != "~")
    return node.text == "+" ? std::move(operand) : negativeHalf(std::move(operand), node.span);
  if (!operand->type->isArithmetic() || (node.text == "~" && !operand->type->isInteger())) {
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
  if (operand.type != nullptr && operand.type->isStruct()) {
    std::vector<Operand> operands = formatList(std::move(operand));
    if (isPostfix) operands.push_back(asOperand(constant(scalar(Type::Kind::I32), 0, node.span)));
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
    operand = std::move(operands[0]);
  }
  if (!operand.glvalue) refuseStore(*node.operands[0]);
  if (!operand.glvalue)
    fail(node.span, "this cannot be assigned to", "assign to a variable or to an element of an array");
  Glvalue target = std::move(*operand.glvalue);
  if (target.isConst) fail(node.span, "this is const", "remove const where it is declared");
  const std::string_view sign = node.text == "++" ? "+" : "-";
  const Type* type = target.type;
  if (!type->isArithmetic() && !type->isPointer() && !type->isHalf()) {
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
  if (node.text == ",") {
    ExpressionPtr first = expression(*node.operands[0]);
    discard(*first);
    ExpressionPtr second = expression(*node.operands[1]);
    const Type* type = second->type;
    return make(Kind::Sequence, type, node.span, std::move(first), std::move(second));
  }
  if (node.text == "&&" || node.text == "||") {
    const bool isAnd = node.text == "&&";
    ExpressionPtr left = condition(*node.operands[0]);
    ExpressionPtr right = condition(*node.operands[1]);
    // A constant left side decides the result, or the result is the right side.
    if (left->kind == Kind::Constant) {
      return (left->bits != 0) == isAnd ? std::move(right) : std::move(left);
    }
    return fold(make(isAnd ? Kind::LogicalAnd : Kind::LogicalOr, scalar(Type::Kind::Bool), node.span,
                     std::move(left), std::move(right)));
  }
  std::vector<Operand> operands;
  for (const syntax::ExpressionPtr& side : node.operands) operands.push_back(operand(*side));
  if (isOfStruct(operands)) {
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
  }
  ExpressionPtr left = asScalar(makeValue(std::move(operands[0])));
  ExpressionPtr right = asScalar(makeValue(std::move(operands[1])));
  return operate(node.text, std::move(left), std::move(right), node.span);
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
  if (isOfStruct(operands)) {
    if (ExpressionPtr result = overloaded("operator" + node.text, operands, node)) return result;
  }
  if (!operands[0].glvalue) {
    refuseStore(*node.operands[0]);
    fail(node.operands[0]->span, "this cannot be assigned to",
         "assign to a variable or to an element of an array");
  }
  Glvalue target = std::move(*operands[0].glvalue);
  ExpressionPtr right;
  if (!isList) right = makeValue(std::move(operands[1]));
  if (target.isConst) {
    fail(node.operands[0]->span, "this is const and cannot be assigned to",
         "remove const where it is declared");
  }
  if (target.type->isArray()) fail(node.span, "an array cannot be assigned to", "assign to its elements");
  const Type* type = target.type;
  if (isList) {
    if (!isPlain) fail(source.span, "values in braces have no place here", "write one value");
    right = construct(type, source);
  }
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
    if (!isPlain) right = operate(sign, load(std::move(target)), std::move(right), node.span);
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

Checker::ExpressionPtr Checker::conditional(const syntax::Expression& node) {
  ExpressionPtr test = condition(*node.operands[0]);
  ExpressionPtr yes = value(*node.operands[1]);
  ExpressionPtr no = value(*node.operands[2]);
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
  if (test->kind == Kind::Constant) return test->bits != 0 ? std::move(yes) : std::move(no);
  return make(Kind::Conditional, type, node.span, std::move(test), std::move(yes), std::move(no));
}

}  // namespace lanescope::checker
