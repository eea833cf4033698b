#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <utility>

#include "sim/language/checker_impl.h"
#include "sim/language/constant_folding.h"

namespace lanescope::checker {
namespace {

using typed::BinaryOp;

std::string withoutSuffix(std::string text, std::string_view suffixes) {
  std::erase(text, '\'');
  while (!text.empty() && suffixes.find(text.back()) != std::string_view::npos) text.pop_back();
  return text;
}

}  // namespace

Checker::ExpressionPtr Checker::make(Kind kind, const Type* type, SourceSpan span) {
  auto node = std::make_unique<typed::Expression>();
  node->kind = kind;
  node->type = type;
  node->span = span;
  return node;
}

Checker::ExpressionPtr Checker::make(Kind kind, const Type* type, SourceSpan span, ExpressionPtr a) {
  ExpressionPtr node = make(kind, type, span);
  node->operands.push_back(std::move(a));
  return node;
}

Checker::ExpressionPtr Checker::make(Kind kind, const Type* type, SourceSpan span, ExpressionPtr a,
                                     ExpressionPtr b) {
  ExpressionPtr node = make(kind, type, span, std::move(a));
  node->operands.push_back(std::move(b));
  return node;
}

Checker::ExpressionPtr Checker::constant(const Type* type, std::uint64_t bits, SourceSpan span) {
  ExpressionPtr node = make(Kind::Constant, type, span);
  node->bits = bits;
  return node;
}

Checker::ExpressionPtr Checker::expression(const syntax::Expression& node) {
  using SyntaxKind = syntax::Expression::Kind;
  switch (node.kind) {
    case SyntaxKind::Integer: return integerLiteral(node);
    case SyntaxKind::Floating: return floatingLiteral(node);
    case SyntaxKind::Boolean:
      return constant(scalar(Type::Kind::Bool), node.text == "true" ? 1 : 0, node.span);
    case SyntaxKind::String:
      fail(node.span, "a text in quotes is not in the subset that is simulated", "remove it");
    case SyntaxKind::Name: return name(node);
    case SyntaxKind::Unary: return unary(node);
    case SyntaxKind::Postfix: return increment(node, true);
    case SyntaxKind::Binary: return binary(node);
    case SyntaxKind::Assign: return assign(node);
    case SyntaxKind::Conditional: return conditional(node);
    case SyntaxKind::Call: return call(node);
    case SyntaxKind::Index: return load(place(node));
    case SyntaxKind::Member: return member(node);
    case SyntaxKind::Cast: return cast(node);
    case SyntaxKind::SizeOf: return sizeOf(node);
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

Checker::ExpressionPtr Checker::condition(const syntax::Expression& node) { return toBool(value(node)); }

Checker::ExpressionPtr Checker::toBool(ExpressionPtr value) {
  return convert(std::move(value), scalar(Type::Kind::Bool));
}

Checker::ExpressionPtr Checker::integerLiteral(const syntax::Expression& node) {
  const bool isUnsigned = node.text.find_first_of("uU") != std::string::npos;
  const bool isLong = node.text.find_first_of("lL") != std::string::npos;
  std::string digits = withoutSuffix(node.text, "uUlL");
  int base = 0;
  if (digits.starts_with("0b") || digits.starts_with("0B")) {
    digits = digits.substr(2);
    base = 2;
  }
  errno = 0;
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(digits.c_str(), &end, base);
  if (errno != 0 || end == nullptr || *end != '\0' || digits.empty()) {
    fail(node.span, fmt::format("'{}' is not a number of at most 64 bits", node.text),
         "write another number");
  }
  // The first type that holds it, as C++ orders them; hexadecimal ones may become unsigned.
  const bool isDecimal = !node.text.starts_with("0") || node.text == "0";
  Type::Kind kind = Type::Kind::U64;
  if (!isLong && !isUnsigned && value <= 0x7fffffffu) {
    kind = Type::Kind::I32;
  } else if (!isLong && (isUnsigned || !isDecimal) && value <= 0xffffffffu) {
    kind = Type::Kind::U32;
  } else if (!isUnsigned && value <= 0x7fffffffffffffffu) {
    kind = Type::Kind::I64;
  }
  return constant(scalar(kind), value, node.span);
}

Checker::ExpressionPtr Checker::floatingLiteral(const syntax::Expression& node) {
  const bool isFloat = node.text.find_first_of("fF") != std::string::npos;
  const std::string digits = withoutSuffix(node.text, "fFlL");
  char* end = nullptr;
  const double wide = std::strtod(digits.c_str(), &end);
  if (end == nullptr || *end != '\0') {
    fail(node.span, fmt::format("'{}' is not a number", node.text), "write another number");
  }
  const Type* type = scalar(isFloat ? Type::Kind::F32 : Type::Kind::F64);
  // strtof rounds once where strtod and a conversion would round twice.
  const double exact = isFloat ? static_cast<double>(std::strtof(digits.c_str(), nullptr)) : wide;
  return constant(type, floatingBits(*type, exact), node.span);
}

Checker::ExpressionPtr Checker::name(const syntax::Expression& node) {
  const Symbol* symbol = find(node.text);
  if (symbol != nullptr && symbol->kind == Symbol::Kind::Constant) {
    return constant(symbol->type, symbol->bits, node.span);
  }
  if (symbol == nullptr && node.text == "warpSize") {
    ExpressionPtr result = make(Kind::BuiltIn, scalar(Type::Kind::I32), node.span);
    result->builtIn = typed::BuiltIn::WarpSize;
    return result;
  }
  return load(place(node));
}

Checker::ExpressionPtr Checker::member(const syntax::Expression& node) {
  static constexpr std::array<std::pair<std::string_view, typed::BuiltIn>, 4> kVectors = {
      {{"threadIdx", typed::BuiltIn::ThreadX},
       {"blockIdx", typed::BuiltIn::BlockX},
       {"blockDim", typed::BuiltIn::BlockDimX},
       {"gridDim", typed::BuiltIn::GridDimX}}};
  const syntax::Expression& base = *node.operands[0];
  for (const auto& [vector, first] : kVectors) {
    if (base.kind != syntax::Expression::Kind::Name || base.text != vector || node.arrow) continue;
    if (node.text != "x" && node.text != "y" && node.text != "z") {
      fail(node.span, fmt::format("{} has no member '{}'", vector, node.text), "its members are x, y and z");
    }
    ExpressionPtr result = make(Kind::BuiltIn, scalar(Type::Kind::U32), node.span);
    result->builtIn = static_cast<typed::BuiltIn>(static_cast<int>(first) + (node.text[0] - 'x'));
    return result;
  }
  fail(node.span, fmt::format("'.{}': structures are not in the subset that is simulated", node.text),
       "members are those of threadIdx, blockIdx, blockDim and gridDim");
}

Place Checker::place(const syntax::Expression& node) {
  using SyntaxKind = syntax::Expression::Kind;
  Place result;
  result.span = node.span;
  if (node.kind == SyntaxKind::Index) return indexed(node);
  if (node.kind == SyntaxKind::Unary && node.text == "*") {
    result.address = value(*node.operands[0]);
    if (!result.address->type->isPointer()) {
      fail(node.span, "only a pointer can be followed with *", "index an array with []");
    }
    result.type = result.address->type->element;
    result.isConst = result.address->type->elementIsConst;
    return result;
  }
  if (node.kind != SyntaxKind::Name) {
    fail(node.span, "this cannot be assigned to", "assign to a variable or to an element of an array");
  }
  const Symbol* symbol = find(node.text);
  if (symbol == nullptr) {
    const bool isBuiltIn = node.text == "threadIdx" || node.text == "blockIdx" || node.text == "blockDim" ||
                           node.text == "gridDim";
    fail(node.span,
         isBuiltIn ? fmt::format("{} has three members", node.text)
                   : fmt::format("'{}' is not declared", node.text),
         isBuiltIn ? fmt::format("write {}.x", node.text) : "declare it, or mend its spelling");
  }
  result.type = symbol->type;
  if (symbol->kind == Symbol::Kind::Variable) {
    result.isVariable = true;
    result.variable = symbol->index;
    result.isConst = kernel_.variables[symbol->index].isConst;
  } else if (symbol->kind == Symbol::Kind::SharedArray) {
    result.address =
        make(Kind::SharedAddress, kernel_.types->pointerTo(symbol->type, false, false), node.span);
    result.address->index = symbol->index;
  } else {
    fail(node.span, fmt::format("'{}' is a constant", node.text), "assign to a variable");
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
  if (place.isVariable) {
    ExpressionPtr result = make(Kind::Variable, place.type, place.span);
    result->index = place.variable;
    return result;
  }
  if (place.type->isArray()) {
    place.address->type = kernel_.types->pointerTo(place.type->element, place.isConst, false);
    return std::move(place.address);
  }
  if (place.type->kind == Type::Kind::Void) fail(place.span, "void* cannot be followed", "cast the pointer");
  return make(Kind::Load, place.type, place.span, std::move(place.address));
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

const Type* Checker::promoted(const Type* type) const {
  return type->isInteger() && type->size < 4 ? scalar(Type::Kind::I32) : type;
}

/// The usual arithmetic conversions, C++20 [expr.arith.conv].
const Type* Checker::common(const Type* a, const Type* b) const {
  if (a->kind == Type::Kind::F64 || b->kind == Type::Kind::F64) return scalar(Type::Kind::F64);
  if (a->kind == Type::Kind::F32 || b->kind == Type::Kind::F32) return scalar(Type::Kind::F32);
  a = promoted(a);
  b = promoted(b);
  if (a->size != b->size) return a->size > b->size ? a : b;
  return a->isSigned() ? b : a;
}

Checker::ExpressionPtr Checker::convert(ExpressionPtr value, const Type* type) {
  if (value->type == type) return value;
  const SourceSpan span = value->span;
  return fold(make(Kind::Convert, type, span, std::move(value)));
}

/// A conversion that C++ makes by itself; anything else is a fault.
Checker::ExpressionPtr Checker::convertImplicitly(ExpressionPtr value, const Type* type, SourceSpan span) {
  const Type* from = value->type;
  if (from == type || (from->isArithmetic() && type->isArithmetic())) return convert(std::move(value), type);
  if (from->isPointer() && type->kind == Type::Kind::Bool) return convert(std::move(value), type);
  if (from->isPointer() && type->isPointer() && from->element == type->element) {
    if (from->elementIsConst && !type->elementIsConst) {
      fail(span, fmt::format("{} cannot become {}: it would allow stores", from->name(), type->name()),
           "declare the pointer const");
    }
    return convert(std::move(value), type);
  }
  fail(span, fmt::format("{} cannot become {} here", from->name(), type->name()),
       "convert it with a cast, or use the matching type");
}

Checker::ExpressionPtr Checker::unary(const syntax::Expression& node) {
  const syntax::Expression& inner = *node.operands[0];
  if (node.text == "++" || node.text == "--") return increment(node, false);
  if (node.text == "*") return load(place(node));
  if (node.text == "&") {
    Place target = place(inner);
    if (target.isVariable) {
      fail(node.span, "a variable has no address in the subset that is simulated", "put it in shared memory");
    }
    target.address->type = kernel_.types->pointerTo(target.type, target.isConst, false);
    return std::move(target.address);
  }
  ExpressionPtr operand = value(inner);
  if (node.text == "!") {
    return fold(make(Kind::LogicalNot, scalar(Type::Kind::Bool), node.span, toBool(std::move(operand))));
  }
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
  Place target = place(*node.operands[0]);
  if (target.isConst) fail(node.span, "this is const", "remove const where it is declared");
  const std::string_view sign = node.text == "++" ? "+" : "-";
  const Type* type = target.type;
  ExpressionPtr one = constant(scalar(Type::Kind::I32), 1, node.span);
  ExpressionPtr result;
  if (target.isVariable) {
    ExpressionPtr next = operate(sign, load(std::move(target)), std::move(one), node.span);
    const std::uint32_t index = place(*node.operands[0]).variable;
    result = make(Kind::SetVariable, type, node.span, convert(std::move(next), type));
    result->index = index;
  } else {
    ExpressionPtr next = operate(sign, make(Kind::Held, type, node.span), std::move(one), node.span);
    result = make(Kind::Update, type, node.span, nullptr, std::move(target.address));
    result->operands.push_back(convert(std::move(next), type));
  }
  result->yieldsOld = isPostfix;
  return result;
}

Checker::ExpressionPtr Checker::arithmetic(BinaryOp op, ExpressionPtr a, ExpressionPtr b, SourceSpan span,
                                           std::string_view sign) {
  const bool needsIntegers = op == BinaryOp::Remainder || (op >= BinaryOp::And && op <= BinaryOp::ShiftRight);
  const bool fits = needsIntegers ? a->type->isInteger() && b->type->isInteger()
                                  : a->type->isArithmetic() && b->type->isArithmetic();
  if (!fits) {
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
  const bool isComparison = op >= BinaryOp::Less && op <= BinaryOp::NotEqual;
  ExpressionPtr result =
      make(Kind::Binary, isComparison ? scalar(Type::Kind::Bool) : type, span, std::move(a), std::move(b));
  result->op = op;
  return fold(std::move(result));
}

/// `a sign b` for every operator but && || and the comma, pointers included.
Checker::ExpressionPtr Checker::operate(std::string_view sign, ExpressionPtr a, ExpressionPtr b,
                                        SourceSpan span) {
  static const std::map<std::string_view, BinaryOp> kOps = {
      {"+", BinaryOp::Add},         {"-", BinaryOp::Subtract},  {"*", BinaryOp::Multiply},
      {"/", BinaryOp::Divide},      {"%", BinaryOp::Remainder}, {"&", BinaryOp::And},
      {"|", BinaryOp::Or},          {"^", BinaryOp::Xor},       {"<<", BinaryOp::ShiftLeft},
      {">>", BinaryOp::ShiftRight}, {"<", BinaryOp::Less},      {"<=", BinaryOp::LessEqual},
      {"==", BinaryOp::Equal},      {"!=", BinaryOp::NotEqual}};
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
  if (left && right && a->type->element == b->type->element) {
    if (op == BinaryOp::Subtract) {
      const std::int64_t size = a->type->element->size;
      ExpressionPtr result =
          make(Kind::PointerDifference, scalar(Type::Kind::I64), span, std::move(a), std::move(b));
      result->scale = size;
      return result;
    }
    if (op >= BinaryOp::Less && op <= BinaryOp::NotEqual) {
      ExpressionPtr result = make(Kind::Binary, scalar(Type::Kind::Bool), span, std::move(a), std::move(b));
      result->op = op;
      return result;
    }
  }
  return arithmetic(op, std::move(a), std::move(b), span, sign);
}

Checker::ExpressionPtr Checker::binary(const syntax::Expression& node) {
  if (node.text == ",") {
    ExpressionPtr first = expression(*node.operands[0]);
    ExpressionPtr second = expression(*node.operands[1]);
    const Type* type = second->type;
    return make(Kind::Sequence, type, node.span, std::move(first), std::move(second));
  }
  if (node.text == "&&" || node.text == "||") {
    const bool isAnd = node.text == "&&";
    ExpressionPtr left = condition(*node.operands[0]);
    ExpressionPtr right = condition(*node.operands[1]);
    // A constant left side decides, or leaves the right side alone.
    if (left->kind == Kind::Constant) {
      return (left->bits != 0) == isAnd ? std::move(right) : std::move(left);
    }
    return fold(make(isAnd ? Kind::LogicalAnd : Kind::LogicalOr, scalar(Type::Kind::Bool), node.span,
                     std::move(left), std::move(right)));
  }
  ExpressionPtr left = value(*node.operands[0]);
  ExpressionPtr right = value(*node.operands[1]);
  return operate(node.text, std::move(left), std::move(right), node.span);
}

Checker::ExpressionPtr Checker::assign(const syntax::Expression& node) {
  ExpressionPtr right = value(*node.operands[1]);
  Place target = place(*node.operands[0]);
  if (target.isConst) {
    fail(node.operands[0]->span, "this is const and cannot be assigned to",
         "remove const where it is declared");
  }
  if (target.type->isArray()) fail(node.span, "an array cannot be assigned to", "assign to its elements");
  const Type* type = target.type;
  const bool isPlain = node.text == "=";
  const std::string_view sign = std::string_view(node.text).substr(0, node.text.size() - 1);
  if (target.isVariable) {
    const std::uint32_t variable = target.variable;
    if (!isPlain) right = operate(sign, load(std::move(target)), std::move(right), node.span);
    ExpressionPtr result =
        make(Kind::SetVariable, type, node.span, convertImplicitly(std::move(right), type, node.span));
    result->index = variable;
    return result;
  }
  if (isPlain) {
    right = convertImplicitly(std::move(right), type, node.span);
    ExpressionPtr result =
        make(Kind::Store, type, node.operands[0]->span, std::move(target.address), std::move(right));
    return result;
  }
  ExpressionPtr heldRight = make(Kind::Held, right->type, node.operands[1]->span);
  heldRight->index = 1;
  ExpressionPtr next = operate(sign, make(Kind::Held, type, node.span), std::move(heldRight), node.span);
  next = convertImplicitly(std::move(next), type, node.span);
  ExpressionPtr result =
      make(Kind::Update, type, node.operands[0]->span, std::move(right), std::move(target.address));
  result->operands.push_back(std::move(next));
  return result;
}

Checker::ExpressionPtr Checker::conditional(const syntax::Expression& node) {
  ExpressionPtr test = condition(*node.operands[0]);
  ExpressionPtr yes = value(*node.operands[1]);
  ExpressionPtr no = value(*node.operands[2]);
  const Type* type = yes->type;
  if (yes->type->isArithmetic() && no->type->isArithmetic()) {
    type = yes->type == no->type ? yes->type : common(yes->type, no->type);
  } else if (yes->type != no->type) {
    fail(node.span,
         fmt::format("the two values of ?: differ: {} and {}", yes->type->name(), no->type->name()),
         "convert one of them");
  }
  yes = convert(std::move(yes), type);
  no = convert(std::move(no), type);
  if (test->kind == Kind::Constant) return test->bits != 0 ? std::move(yes) : std::move(no);
  ExpressionPtr result = make(Kind::Conditional, type, node.span, std::move(test), std::move(yes));
  result->operands.push_back(std::move(no));
  return result;
}

Checker::ExpressionPtr Checker::cast(const syntax::Expression& node) {
  const Type* type = resolve(*node.type);
  ExpressionPtr operand = value(*node.operands[0]);
  operand->span = node.span;
  const Type* from = operand->type;
  const bool isReinterpret = node.text == "reinterpret_cast";
  if (from->isPointer() && type->isPointer()) return convert(std::move(operand), type);
  if (from->isArithmetic() && type->isArithmetic() && (!isReinterpret || from == type)) {
    return convert(std::move(operand), type);
  }
  const bool addressBits = (from->isPointer() && type->isInteger() && type->size == 8) ||
                           (type->isPointer() && from->isInteger() && from->size == 8);
  if (addressBits) return convert(std::move(operand), type);
  fail(node.span, fmt::format("{} cannot be cast to {}", from->name(), type->name()),
       "use the matching type");
}

Checker::ExpressionPtr Checker::sizeOf(const syntax::Expression& node) {
  const Type* type = node.type ? resolve(*node.type) : nullptr;
  if (type == nullptr) {
    const syntax::Expression& inner = *node.operands[0];
    const Symbol* symbol = inner.kind == syntax::Expression::Kind::Name ? find(inner.text) : nullptr;
    type = symbol != nullptr ? symbol->type : value(inner)->type;
  }
  return constant(scalar(Type::Kind::U64), type->size, node.span);
}

}  // namespace lanescope::checker
