#include <fmt/format.h>

#include <charconv>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/language/text/scanner.h"

namespace lanescope::checker {
namespace {

constexpr std::array<std::pair<std::string_view, typed::BuiltIn>, 4> kIndexVectors = {
    {{"threadIdx", typed::BuiltIn::ThreadX},
     {"blockIdx", typed::BuiltIn::BlockX},
     {"blockDim", typed::BuiltIn::BlockDimX},
     {"gridDim", typed::BuiltIn::GridDimX}}};

/// The first of a built-in vector's three variables, or none.
std::optional<typed::BuiltIn> indexVector(const syntax::Expression& node) {
  if (node.kind != SyntaxKind::Name) return std::nullopt;
  for (const auto& [name, first] : kIndexVectors) {
    if (node.text == name) return first;
  }
  return std::nullopt;
}

typed::BuiltIn nth(typed::BuiltIn first, int component) {
  return static_cast<typed::BuiltIn>(static_cast<int>(first) + component);
}

std::string withoutSuffix(std::string text, std::string_view suffixes) {
  std::erase(text, '\'');
  while (!text.empty() && suffixes.find(text.back()) != std::string_view::npos) text.pop_back();
  return text;
}

}  // namespace

ExpressionPtr Checker::integerLiteral(const syntax::Expression& node) {
  if (node.text.ends_with("'")) return characterLiteral(node);
  const bool isUnsigned = node.text.find_first_of("uU") != std::string::npos;
  std::string digits = withoutSuffix(node.text, "uUlL");
  int base = 0;
  if (digits.starts_with("0b") || digits.starts_with("0B")) {
    digits = digits.substr(2);
    base = 2;
  }
  errno = 0;
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(digits.c_str(), &end, base);
  if (std::isalpha(static_cast<unsigned char>(*end)) != 0 && end != digits.c_str()) {
    fail(node.span, fmt::format("'{}' is not a number: '{}' is not a suffix of one", node.text, end),
         fmt::format("write an operator before '{}', or delete it", end));
  }
  if (errno != 0 || digits.empty() || *end != '\0') {
    fail(node.span, fmt::format("'{}' is not a number of at most 64 bits", node.text),
         "write another number");
  }
  // The first type that holds it (C++20 [lex.icon] 5.13.2): only one with digits for bits, or with u, is
  // unsigned.
  const bool isDecimal = !node.text.starts_with("0") || node.text == "0";
  const auto longs = std::ranges::count(node.text, 'l') + std::ranges::count(node.text, 'L');
  const bool mayBeUnsigned = isUnsigned || !isDecimal;
  const auto type = [&]() -> const Type* {
    if (longs == 0 && !isUnsigned && value <= 0x7fffffffu) return scalar(Type::Kind::I32);
    if (longs == 0 && mayBeUnsigned && value <= 0xffffffffu) return scalar(Type::Kind::U32);
    const bool isSigned = !isUnsigned && value <= 0x7fffffffffffffffu;
    if (longs == 2) return scalar(isSigned ? Type::Kind::I64 : Type::Kind::U64);
    return isSigned ? kernel_.types->named("long") : sizeType();
  };
  return constant(type(), value, node.span);
}

/// C++20 [lex.ccon] 5.13.3; several characters are an int as GCC has them, the first in the highest byte.
ExpressionPtr Checker::characterLiteral(const syntax::Expression& node) {
  const std::size_t quote = node.text.find('\'');
  const std::string_view prefix = std::string_view(node.text).substr(0, quote);
  const std::string_view inside = std::string_view(node.text).substr(quote + 1, node.text.size() - quote - 2);
  const std::string bytes = unquoted(std::string_view(node.text).substr(quote));
  const bool isNumber = inside.size() > 2 && inside[0] == '\\' &&
                        std::string_view("xuU").find(inside[1]) != std::string_view::npos;
  std::uint32_t number = 0;
  if (isNumber) {
    const char* const end = inside.data() + inside.size();
    const auto read = std::from_chars(inside.data() + 2, end, number, 16);
    if (read.ec != std::errc{} || (read.ptr != end && !prefix.empty()))
      fail(node.span, "this is not one character", "write one character, or its number");
  }
  const bool isAscii = bytes.size() == 1 && static_cast<unsigned char>(bytes[0]) < 128;
  if (bytes.empty() || bytes.size() > 4 || (!prefix.empty() && !isNumber && !isAscii) ||
      (prefix.empty() && isNumber && inside[1] != 'x'))
    fail(node.span, "this is not one character", "write one character, or its number");
  if (!prefix.empty()) {
    const Type* const type = kernel_.types->named(prefix == "L"    ? "wchar_t"
                                                  : prefix == "u8" ? "char8_t"
                                                  : prefix == "u"  ? "char16_t"
                                                                   : "char32_t");
    const std::uint32_t code = isNumber ? number : static_cast<unsigned char>(bytes[0]);
    return constant(type, constantBits(*type, code), node.span);
  }
  const Type* const type = scalar(bytes.size() == 1 ? Type::Kind::I8 : Type::Kind::I32);
  std::uint32_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return constant(type, constantBits(*type, static_cast<std::int32_t>(value)), node.span);
}

ExpressionPtr Checker::floatingLiteral(const syntax::Expression& node) {
  const bool isFloat = node.text.back() == 'f' || node.text.back() == 'F';  // 0xfp3 has one elsewhere
  const std::string digits = withoutSuffix(node.text, "fFlL");
  char* end = nullptr;
  const double wide = std::strtod(digits.c_str(), &end);
  if (end == nullptr || *end != '\0') {
    fail(node.span, fmt::format("'{}' is not a number", node.text), "write another number");
  }
  const Type* type = scalar(isFloat ? Type::Kind::F32 : Type::Kind::F64);
  // strtof rounds once. strtod and a conversion would round twice.
  const double exact = isFloat ? static_cast<double>(std::strtof(digits.c_str(), nullptr)) : wide;
  return constant(type, floatingBits(*type, exact), node.span);
}

bool Checker::isIndexVector(const syntax::Expression& node) { return indexVector(node).has_value(); }

/// The operand that a name is.
Operand Checker::named(const syntax::Expression& node) {
  if (node.text == "this") {
    if (!this_)
      fail(node.span, "'this' is for member functions that are not static", "take the object as a parameter");
    return asOperand(wholeVariable(this_->variable, node.span));
  }
  if (node.text.starts_with("std::") && !node.templateArguments.empty() &&
      !variableTemplates_.contains(node.text))
    return asOperand(standardTemplate(node));
  const Symbol* symbol = find(node);
  if (symbol == nullptr && node.type) {
    if (std::optional<Operand> field = scopedField(node)) return std::move(*field);
    symbol = scopedSymbol(node);
  }
  if (symbol != nullptr && symbol->kind == Symbol::Kind::Template) {
    if (ExpressionPtr value = variableInstance(node)) return asOperand(std::move(value));
  }
  if (symbol != nullptr && symbol->kind != Symbol::Kind::Constant)
    return asOperand(symbolGlvalue(*symbol, node));
  if (symbol != nullptr) {
    Operand result = asOperand(constant(symbol->type, symbol->bits, node.span));
    result.isPlace = result.isConst = symbol->isConst;
    if (symbol->isStored) result.variable = symbol->index;
    return result;
  }
  if (node.text == "warpSize") return asOperand(builtIn(typed::BuiltIn::WarpSize, node.span));
  if (node.text == "nullptr" || node.text == "NULL") {
    Operand null = asOperand(constant(pointerTo(voidType()), 0, node.span));
    null.isZero = true;
    return null;
  }
  if (ExpressionPtr standard = standardConstant(node)) return asOperand(std::move(standard));
  if (const auto first = indexVector(node)) {
    const bool isExtent = *first == typed::BuiltIn::BlockDimX || *first == typed::BuiltIn::GridDimX;
    ExpressionPtr result = make(Kind::Make, kernel_.types->named(isExtent ? "dim3" : "uint3"), node.span);
    for (int i = 0; i < 3; ++i) result->operands.push_back(builtIn(nth(*first, i), node.span));
    return asOperand(std::move(result));
  }
  if (ExpressionPtr function = functionAddress(node)) return asOperand(std::move(function));
  return asOperand(namedGlvalue(node));
}

const Field& Checker::findField(const Type* type, const syntax::Expression& node) {
  if (!type->isStruct()) {
    failTyping(node.span, fmt::format("{} has no members", type->name()),
               type->isPointer() ? "write -> to go through the pointer" : "remove what follows the '.'");
  }
  if (const Field* field = type->field(node.text)) {
    refuseSecret(field->isPrivate, field->name, node.span);
    return *field;
  }
  std::string list;
  for (const Field& field : type->fields) {
    if (!field.name.empty() && field.name != kClassField) list += (list.empty() ? "" : ", ") + field.name;
  }
  for (const Field& field : type->inherited) list += (list.empty() ? "" : ", ") + field.name;
  failTyping(node.operatorSpan, fmt::format("{} has no member '{}'", type->name(), node.text),
             fmt::format("its members are {}", list));
}

/// threadIdx.x and similar names. Null for anything else.
ExpressionPtr Checker::indexMember(const syntax::Expression& node) {
  const syntax::Expression& base = *node.operands[0];
  const auto vector = indexVector(base);
  if (!vector || find(base) != nullptr) return nullptr;
  if (node.text != "x" && node.text != "y" && node.text != "z") {
    failTyping(node.span, fmt::format("{} has no member '{}'", base.text, node.text),
               "its members are x, y and z");
  }
  return builtIn(nth(*vector, node.text[0] - 'x'), node.span);
}

ExpressionPtr Checker::cast(const syntax::Expression& node) {
  const Type* const type = typeMade(node);
  refuseAbstract(type, node.span);
  if (node.kind == SyntaxKind::Construct) return construct(type, *node.operands[0]);
  if (type->kind == Type::Kind::Void) {
    ExpressionPtr operand = expression(*node.operands[0]);
    discard(*operand);
    return make(Kind::Convert, type, node.span, std::move(operand));
  }
  if (findClass(type) != nullptr)
    return constructed(type, formatList(this->operand(*node.operands[0])), node.span);
  Operand given = this->operand(*node.operands[0]);
  if (ExpressionPtr converted = explicitly(given, type, node.span)) return converted;
  ExpressionPtr operand = makeValue(std::move(given));
  operand->isGlvalue = false;
  operand->span = at(node.span);
  const Type* from = operand->type;
  std::uint32_t baseOffset = 0;
  const bool isReinterpret = node.text == "reinterpret_cast";
  const bool arePointers = from->isPointer() && type->isPointer() && !isReinterpret;
  if (arePointers && isDerived(from->element, type->element, baseOffset))
    return movedUnlessNull(std::move(operand), baseOffset, type->element, type->elementIsConst);
  if (arePointers && isDerived(type->element, from->element, baseOffset) && baseOffset > 0)
    return movedUnlessNull(std::move(operand), -std::int64_t{baseOffset}, type->element,
                           type->elementIsConst);
  if (from == type) return operand;
  const bool isStatic = node.text == "static_cast";
  if (from->isPointer() && type->isPointer()) {
    const bool isRelated = from->element == type->element || from->element->kind == Type::Kind::Void ||
                           type->element->kind == Type::Kind::Void || addsConst(from, type) ||
                           addsConst(type, from) || isDerivedPart(type->element, from->element);
    if (isStatic && !isRelated)
      failTyping(node.span, fmt::format("{} cannot become {} by static_cast", from->name(), type->name()),
                 "write reinterpret_cast");
    const bool dropsConst = from->elementIsConst && !type->elementIsConst;
    if (dropsConst && (isReinterpret || isStatic)) {
      failTyping(node.span, fmt::format("{} cannot cast const away", node.text),
                 "keep const, or use const_cast");
    }
    return convert(std::move(operand), type);
  }
  const bool areNumbers =
      (from->isArithmetic() || from->isHalf()) && (type->isArithmetic() || type->isHalf());
  if (areNumbers && !isReinterpret && node.text != "const_cast") {
    return convert(std::move(operand), type);
  }
  const bool addressBits =
      (from->isPointer() && type->isInteger() && type->size == 8) || (type->isPointer() && from->isInteger());
  const bool isNull = operand->kind == Kind::Constant && operand->bits == 0;
  if (addressBits && isStatic && !isNull)
    failTyping(node.span, fmt::format("{} cannot become {} by static_cast", from->name(), type->name()),
               "write reinterpret_cast");
  if (addressBits && from->isInteger()) operand = convert(std::move(operand), scalar(Type::Kind::U64));
  if (addressBits) return convert(std::move(operand), type);
  failTyping(
      node.span, fmt::format("{} cannot be cast to {}", from->name(), type->name()),
      from->isPointer() && !type->isPointer() ? "follow the pointer first: *p" : "use the matching type");
}

ExpressionPtr Checker::computeOffset(const syntax::Expression& node) {
  const Type* type = resolve(*node.type);
  std::uint64_t offset = 0;
  for (const syntax::ExpressionPtr& part : node.operands) {
    if (part->kind == SyntaxKind::Designated) {
      const Field* const field = type->isStruct() ? type->field(part->text) : nullptr;
      if (field == nullptr || field->bits.isBits) {
        fail(part->span, fmt::format("{} has no field '{}' with an offset", type->name(), part->text),
             "name a field of the struct");
      }
      offset += field->offset;
      type = field->type;
    } else {
      if (!type->isArray())
        fail(part->span, fmt::format("{} is not an array", type->name()), "remove the index");
      const ExpressionPtr index = asConstant(value(*part));
      if (index->kind != Kind::Constant || !index->type->isInteger() || index->bits > type->count)
        fail(part->span, "this index must be a constant within the array", "write a number");
      offset += index->bits * type->element->size;
      type = type->element;
    }
  }
  return constant(sizeType(), offset, node.span);
}

ExpressionPtr Checker::computeSize(const syntax::Expression& node) {
  const Type* type = nullptr;
  if (node.text == "offsetof") return computeOffset(node);
  if (node.type) {
    type = meaning(*node.type).type;
  } else {
    Operand of = operand(*node.operands[0]);
    type = of.glvalue ? of.glvalue->type : makeValue(std::move(of))->type;
  }
  return constant(sizeType(), node.text == "alignof" ? type->alignment : type->size, node.span);
}

}  // namespace lanescope::checker
