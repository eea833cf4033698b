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

/// Nesting of default values of members.
constexpr int kMaxDefaultDepth = 32;

constexpr std::array<std::pair<std::string_view, typed::BuiltIn>, 4> kIndexVectors = {
    {{"threadIdx", typed::BuiltIn::ThreadX},
     {"blockIdx", typed::BuiltIn::BlockX},
     {"blockDim", typed::BuiltIn::BlockDimX},
     {"gridDim", typed::BuiltIn::GridDimX}}};

/// The first of a built-in vector's three variables, or none.
std::optional<typed::BuiltIn> indexVector(const syntax::Expression& node) {
  if (node.kind != syntax::Expression::Kind::Name) return std::nullopt;
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

Checker::ExpressionPtr Checker::integerLiteral(const syntax::Expression& node) {
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
Checker::ExpressionPtr Checker::characterLiteral(const syntax::Expression& node) {
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

Checker::ExpressionPtr Checker::floatingLiteral(const syntax::Expression& node) {
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

Checker::ExpressionPtr Checker::name(const syntax::Expression& node) {
  if (node.text == "this") {
    if (!this_)
      fail(node.span, "'this' is for member functions that are not static", "take the object as a parameter");
    return wholeVariable(this_->variable, node.span);
  }
  if (node.text.starts_with("std::") && !node.templateArguments.empty() &&
      !variableTemplates_.contains(node.text))
    return standardTemplate(node);
  const Symbol* symbol = find(node);
  if (symbol == nullptr && node.type) {
    if (std::optional<Operand> field = scopedField(node)) return makeValue(std::move(*field));
  }
  if (symbol == nullptr && node.type) symbol = scopedSymbol(node);
  if (symbol != nullptr) {
    if (symbol->kind == Symbol::Kind::Template) {
      if (ExpressionPtr value = variableInstance(node)) return value;
    }
    if (symbol->kind == Symbol::Kind::Constant) return constant(symbol->type, symbol->bits, node.span);
    return load(symbolGlvalue(*symbol, node));
  }
  if (node.text == "warpSize") return builtIn(typed::BuiltIn::WarpSize, node.span);
  if (node.text == "nullptr" || node.text == "NULL") {
    return constant(kernel_.types->pointerTo(scalar(Type::Kind::Void), false, false), 0, node.span);
  }
  if (ExpressionPtr standard = standardConstant(node)) return standard;
  if (const auto first = indexVector(node)) {
    const bool isExtent = *first == typed::BuiltIn::BlockDimX || *first == typed::BuiltIn::GridDimX;
    ExpressionPtr result = make(Kind::Make, kernel_.types->named(isExtent ? "dim3" : "uint3"), node.span);
    for (int i = 0; i < 3; ++i) result->operands.push_back(builtIn(nth(*first, i), node.span));
    return result;
  }
  if (ExpressionPtr function = functionAddress(node)) return function;
  return load(namedGlvalue(node));
}

const Field& Checker::findField(const Type* type, const syntax::Expression& node) {
  if (!type->isStruct()) {
    fail(node.span, fmt::format("{} has no members", type->name()),
         type->isPointer() ? "write -> to go through the pointer" : "remove what follows the '.'");
  }
  if (const Field* field = type->field(node.text)) return *field;
  std::string list;
  for (const Field& field : type->fields) {
    if (!field.name.empty() && field.name != kClassField) list += (list.empty() ? "" : ", ") + field.name;
  }
  for (const Field& field : type->inherited) list += (list.empty() ? "" : ", ") + field.name;
  fail(node.operatorSpan, fmt::format("{} has no member '{}'", type->name(), node.text),
       fmt::format("its members are {}", list));
}

/// threadIdx.x and similar names. Null for anything else.
Checker::ExpressionPtr Checker::indexMember(const syntax::Expression& node) {
  const syntax::Expression& base = *node.operands[0];
  const auto vector = indexVector(base);
  if (!vector || find(base) != nullptr) return nullptr;
  if (node.text != "x" && node.text != "y" && node.text != "z") {
    fail(node.span, fmt::format("{} has no member '{}'", base.text, node.text), "its members are x, y and z");
  }
  return builtIn(nth(*vector, node.text[0] - 'x'), node.span);
}

/// A value of the type from a list in braces or brackets.
Checker::ExpressionPtr Checker::construct(const Type* type, const syntax::Expression& written) {
  const syntax::Expression& list = expandedPacks(written);
  if (type->isStruct()) {
    if (hasConstructors(type) || isCopyList(type, list))
      return constructed(type, readOperands(list, 0), list.span);
    if (type->isUnion) return constructUnion(type, list);
    ExpressionPtr result = make(Kind::Make, type, list.span);
    constructInto(type, &list, list.span, result->operands);
    return result;
  }
  if (list.operands.size() > 1) {
    fail(list.span, fmt::format("{} values are given for one {}", list.operands.size(), type->name()),
         "give one value");
  }
  if (list.operands.empty()) return constant(type, 0, list.span);
  if (type->isFixed) {  // C++20 [dcl.init.list] 9.4.4/3.8
    ExpressionPtr given = value(*list.operands[0]);
    return given->type->isInteger() && !given->type->isEnum()
               ? convert(std::move(given), type)
               : convertImplicitly(std::move(given), type, list.span);
  }
  return initialValue(*list.operands[0], type, list.span);
}

/// `Pair{other}`, `Pair(other)`, `float3(v)`: a copy, or a conversion to its base, unless the value is a
/// part.
bool Checker::isCopyList(const Type* type, const syntax::Expression& list) {
  if (list.operands.size() != 1) return false;
  const syntax::Expression& value = *list.operands[0];
  if (value.kind == syntax::Expression::Kind::List || value.kind == syntax::Expression::Kind::Designated)
    return false;
  const bool mayBePart =
      !type->fields.empty() && (type->fields[0].type->isStruct() || !type->fields[0].type->isArray());
  return mayBePart ? isOfType(value, type) : findClass(type) != nullptr;
}

/// True for a value of the type, which is checked again at its use. Of an expression nested deeper than a few
/// levels only a variable's name is checked.
bool Checker::isOfType(const syntax::Expression& node, const Type* type) {
  constexpr int kMostTrials = 4;
  const bool isNumber = node.kind == SyntaxKind::Integer || node.kind == SyntaxKind::Floating ||
                        node.kind == SyntaxKind::Boolean;
  if (isNumber) return false;
  if (node.kind == SyntaxKind::Name || trials_ >= kMostTrials) return isNamedObject(node, type);
  const std::size_t before = diagnostics_.size();
  bool isIt = false;
  ++trials_;
  const Temporaries unused(*this, mayEnd_);
  try {
    const Operand given = operand(node);
    std::uint32_t offset = 0;
    isIt = given.type == type || (given.type != nullptr && isDerived(given.type, type, offset));
  } catch (const CheckFault&) {
    diagnostics_.resize(before);  // reported when the value is used
  }
  --trials_;
  return isIt;
}

/// True for a variable of the type.
bool Checker::isNamedObject(const syntax::Expression& node, const Type* type) {
  if (node.kind != syntax::Expression::Kind::Name) return false;
  const Symbol* const symbol = find(node);
  if (symbol == nullptr || symbol->kind == Symbol::Kind::Constant) return false;
  const Type* const own = symbol->isReference ? symbol->type->element : symbol->type;
  std::uint32_t offset = 0;
  return own == type || (own != nullptr && isDerived(own, type, offset));
}

/// A union is initialized by its first field.
Checker::ExpressionPtr Checker::constructUnion(const Type* type, const syntax::Expression& list) {
  if (list.operands.empty() || type->fields.empty()) return make(Kind::Make, type, list.span);
  if (list.operands.size() > 1) fail(list.span, "a list for a union has one value", "give the first field's");
  if (list.operands[0]->kind == syntax::Expression::Kind::Designated)
    fail(list.span, "naming the field of a union is not simulated", "store to the field");
  const std::uint32_t temporary = addVariable("(temporary)", type, list.span, false);
  const Type* const first = type->fields[0].type;
  if (first->isArray())
    fail(list.span, "a list for a union of arrays is not simulated", "store the elements");
  ExpressionPtr cleared = setVariable(temporary, 0, type, make(Kind::Make, type, list.span), list.span);
  ExpressionPtr value = initialValue(*list.operands[0], first, list.span);
  const BitRange& bits = type->fields[0].bits;
  if (bits.storage != nullptr) value = withBits(constant(bits.storage, 0, list.span), bits, std::move(value));
  const Type* const held = bits.storage != nullptr ? bits.storage : first;
  ExpressionPtr stored = setVariable(temporary, 0, held, std::move(value), list.span);
  return make(Kind::Sequence, type, list.span, std::move(cleared),
              make(Kind::Sequence, type, list.span, std::move(stored), wholeVariable(temporary, list.span)));
}

/// Appends values that together are the leaves of the type. Parts that the list leaves out are zero.
void Checker::constructInto(const Type* type, const syntax::Expression* list, SourceSpan span,
                            Values& leaves) {
  spend(1, span);
  if (list != nullptr) list = &expandedPacks(*spelled(*type, list));
  const bool isList = list != nullptr && list->kind == syntax::Expression::Kind::List;
  if (!type->isStruct() && !type->isArray()) {
    leaves.push_back(list == nullptr ? constant(type, 0, span) : initialValue(*list, type, span));
    return;
  }
  const bool isOwn = hasConstructors(type) || type->isUnion;
  if (isOwn && list == nullptr && !type->isUnion) {
    leaves.push_back(constructed(type, {}, span));
    return;
  }
  if (isOwn && (list == nullptr || isList)) {
    leaves.push_back(list != nullptr ? construct(type, *list) : make(Kind::Make, type, span));
    return;
  }
  if (list != nullptr && !isList) {
    if (type->isArray()) fail(span, "an array's values need their own braces", "write {…}");
    leaves.push_back(initialValue(*list, type, span));
    return;
  }
  std::size_t next = 0;
  constructParts(type, list, next, span, leaves);
  if (list != nullptr) refuseRest(*type, *list, next);
}

/// The value that a list gives for a part of a struct or an array. Null if it names another field.
const syntax::Expression* Checker::givenFor(const Type& type, std::size_t part,
                                            const syntax::Expression& list, std::size_t next) {
  const syntax::Expression& given = *list.operands[next];
  if (given.kind != syntax::Expression::Kind::Designated) return &given;
  if (type.isArray())
    fail(given.span, "only the fields of a struct can be named", "give the elements in order");
  return type.fields[part].name == given.text ? given.operands[0].get() : nullptr;
}

/// Refuses the values of a list from `next` on, for which the type has no part.
void Checker::refuseRest(const Type& type, const syntax::Expression& list, std::size_t next) {
  if (next >= list.operands.size()) return;
  const syntax::Expression& first = *list.operands[next];
  if (first.kind == syntax::Expression::Kind::Designated) {
    fail(first.span,
         type.field(first.text) == nullptr ? fmt::format("{} has no field '{}'", type.name(), first.text)
                                           : fmt::format("the field '{}' is named out of order", first.text),
         "name fields of the struct, in the order of their declaration");
  }
  const std::uint64_t count = type.isArray() ? type.count : type.fields.size();
  fail(list.span, fmt::format("{} values are given, but {} has {}", list.operands.size(), type.name(), count),
       "remove some");
}

/// The parts of an aggregate from a list's values, starting at `next`. The values of an array within it can
/// be without braces: `int m[2][2] = {1, 2, 3, 4}`.
void Checker::constructParts(const Type* type, const syntax::Expression* list, std::size_t& next,
                             SourceSpan span, Values& leaves) {
  const std::size_t all = list != nullptr ? list->operands.size() : 0;
  const std::uint64_t count = type->isArray() ? type->count : type->fields.size();
  constexpr std::uint64_t kMostParts = 4096;    // before an aggregate within this one
  constexpr std::uint64_t kMostValues = 65536;  // of a thread's largest array
  if (leaves.size() > kMostParts || count > kMostValues)
    fail(span, "this value is too large to be simulated", "use a smaller array");
  const ClassInfo* const info = findClass(type);
  for (std::size_t i = 0; i < count; ++i) {
    const Type* part = type->isArray() ? type->element : type->fields[i].type;
    const syntax::Expression* const given = next < all ? givenFor(*type, i, *list, next) : nullptr;
    if (!type->isArray() && type->fields[i].bits.storage != nullptr) {
      constructBits(*type, i, given, span, leaves);
      next += given != nullptr ? 1 : 0;
    } else if (given == nullptr && type->structName == "dim3") {  // parts that a dim3 leaves out are 1
      leaves.push_back(constant(part, 1, span));
    } else if (given == nullptr) {
      const syntax::Declarator* const declared =
          info != nullptr && i < info->declared.size() ? info->declared[i] : nullptr;
      constructDefault(part, declared, type, span, leaves);
    } else if (part->isArray() && given->kind != SyntaxKind::List && !isText(*part, *given)) {
      constructParts(part, list, next, span, leaves);
    } else {
      ++next;
      constructInto(part, given, span, leaves);
    }
  }
}

/// A bit-field of an aggregate: a part of the leaf that it shares with previous ones.
void Checker::constructBits(const Type& type, std::size_t field, const syntax::Expression* given,
                            SourceSpan span, Values& leaves) {
  const Field& own = type.fields[field];
  const ClassInfo* const info = findClass(&type);
  Values values;
  if (given != nullptr) {
    constructInto(own.type, given, span, values);
  } else {
    const syntax::Declarator* const declared =
        info != nullptr && field < info->declared.size() ? info->declared[field] : nullptr;
    constructDefault(own.type, declared, &type, span, values);
  }
  const Field* const before = field > 0 ? &type.fields[field - 1] : nullptr;
  const bool isShared = before != nullptr && before->bits.storage != nullptr && before->offset == own.offset;
  if (!isShared) leaves.push_back(constant(own.bits.storage, 0, span));
  leaves.back() = withBits(std::move(leaves.back()), own.bits, std::move(values.front()));
}

/// A field that a list leaves out: its default value, which sees the names of its class, or zero.
void Checker::constructDefault(const Type* part, const syntax::Declarator* declared, const Type* type,
                               SourceSpan span, Values& leaves) {
  if (declared == nullptr || declared->initial == nullptr) return constructInto(part, nullptr, span, leaves);
  Scope names = findClass(type)->scope;
  const Elsewhere elsewhere(*this, {std::move(names)});
  if (++defaultDepth_ > kMaxDefaultDepth) {
    fail(span, fmt::format("the default values of {} need each other", type->name()),
         "give one of them a number");
  }
  constructInto(part, declared->initial.get(), span, leaves);
  --defaultDepth_;
}

/// The value of `T x = …`: converted to the type, or made of a list.
Checker::ExpressionPtr Checker::initialValue(const syntax::Expression& node, const Type* type,
                                             SourceSpan span) {
  if (node.kind == syntax::Expression::Kind::List) return construct(type, node);
  return passed(operand(node), type, span);
}

Checker::ExpressionPtr Checker::cast(const syntax::Expression& node) {
  const Type* const type = typeMade(node);
  if (node.kind == syntax::Expression::Kind::Construct) return construct(type, *node.operands[0]);
  if (type->kind == Type::Kind::Void) {
    ExpressionPtr operand = expression(*node.operands[0]);
    discard(*operand);
    return make(Kind::Convert, type, node.span, std::move(operand));
  }
  if (findClass(type) != nullptr)
    return constructed(type, formatList(this->operand(*node.operands[0])), node.span);
  Operand given = this->operand(*node.operands[0]);
  if (given.type != nullptr && given.type->isStruct()) {
    if (ExpressionPtr converted = classConversion(given, type, node.span, true)) return converted;
  }
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
  if (from->isPointer() && type->isPointer()) {
    const bool dropsConst = from->elementIsConst && !type->elementIsConst;
    if (dropsConst && (isReinterpret || node.text == "static_cast")) {
      fail(node.span, fmt::format("{} cannot cast const away", node.text), "keep const, or use const_cast");
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
  if (addressBits && from->isInteger()) operand = convert(std::move(operand), scalar(Type::Kind::U64));
  if (addressBits) return convert(std::move(operand), type);
  fail(node.span, fmt::format("{} cannot be cast to {}", from->name(), type->name()),
       from->isPointer() && !type->isPointer() ? "follow the pointer first: *p" : "use the matching type");
}

Checker::ExpressionPtr Checker::computeOffset(const syntax::Expression& node) {
  const Type* type = resolve(*node.type);
  std::uint64_t offset = 0;
  for (const syntax::ExpressionPtr& part : node.operands) {
    if (part->kind == syntax::Expression::Kind::Designated) {
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

Checker::ExpressionPtr Checker::computeSize(const syntax::Expression& node) {
  const Type* type = nullptr;
  if (node.text == "offsetof") return computeOffset(node);
  if (node.type) {
    type = resolve(*node.type);
  } else {
    Operand of = operand(*node.operands[0]);
    type = of.glvalue ? of.glvalue->type : makeValue(std::move(of))->type;
  }
  return constant(sizeType(), node.text == "alignof" ? type->alignment : type->size, node.span);
}

}  // namespace lanescope::checker
