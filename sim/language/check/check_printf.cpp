#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/check/typed_tree.h"
#include "sim/language/text/scanner.h"

namespace lanescope {
namespace {

/// The most of a width, or of a precision.
constexpr std::int64_t kMostWidth = 400;

/// The largest of the numbers between other characters. 0 if there are none.
std::int64_t largestNumber(std::string_view text) {
  std::int64_t largest = 0;
  std::int64_t number = 0;
  for (const char c : text) {
    const bool isDigit = c >= '0' && c <= '9';
    number = isDigit ? std::min<std::int64_t>(number * 10 + (c - '0'), INT32_MAX) : 0;
    largest = std::max(largest, number);
  }
  return largest;
}

}  // namespace

Result<typed::PrintFormat> parsePrintFormat(std::string_view quoted) {
  typed::PrintFormat format;
  const std::string text = unquoted(quoted);
  std::string part;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || text.substr(i, 2) == "%%") {
      part += text[i];
      if (text[i] == '%') ++i;
      continue;
    }
    const std::size_t begin = i++;
    std::size_t end = text.find_first_not_of("-+ #0123456789.*", i);
    const std::string flags(text.substr(i, std::min(end, text.size()) - i));
    while (end < text.size() && std::string_view("hlzjt").find(text[end]) != std::string_view::npos) ++end;
    const char conversion = end < text.size() ? text[end] : '\0';
    if (std::string_view("diuxXocaAeEfFgGps").find(conversion) == std::string_view::npos ||
        flags.size() > 12) {
      return Error{fmt::format("'{}' is not a conversion that the simulator prints",
                               text.substr(begin, end + 1 - begin)),
                   "use %d, %u, %x, %c, %f, %g, %p or %s; two %% print one"};
    }
    if (largestNumber(flags) > kMostWidth) {
      return Error{fmt::format("'{}' is wider than the {} characters that the simulator prints",
                               text.substr(begin, end + 1 - begin), kMostWidth),
                   "use a smaller width"};
    }
    for (const char flag : flags) {  // a width or precision among the values, before the value itself
      if (flag != '*') continue;
      format.texts.push_back(std::exchange(part, {}));
      format.conversions.emplace_back("*");
    }
    format.texts.push_back(std::move(part));
    part.clear();
    format.conversions.push_back("%" + flags + conversion);
    i = end;
  }
  format.texts.push_back(std::move(part));
  return format;
}

std::string withWidths(std::string conversion, std::span<const std::int64_t> widths) {
  for (const std::int64_t width : widths) {
    const std::size_t star = conversion.find('*');
    const bool isPrecision = star > 0 && conversion[star - 1] == '.';
    // A negative precision counts as none. A negative width prints as in %-8ld.
    const std::int64_t most = std::clamp<std::int64_t>(width, isPrecision ? 0 : -kMostWidth, kMostWidth);
    conversion.replace(star, 1, std::to_string(most));
    if (isPrecision && width < 0) conversion.erase(star - 1, 2);
  }
  return conversion;
}

std::string formatPrintedText(const std::string& conversion, const std::string& text) {
  std::array<char, 512> written{};
  const int length = std::snprintf(written.data(), written.size(), conversion.c_str(), text.c_str());
  if (length >= static_cast<int>(written.size())) return text;
  return std::string(written.data(), static_cast<std::size_t>(std::max(0, length)));
}

std::string formatPrinted(const std::string& conversion, const Type& type, std::uint64_t bits) {
  std::array<char, 512> text{};
  const char last = conversion.back();
  std::string form = conversion.substr(0, conversion.size() - 1);
  int length = 0;
  if (type.isFloating()) {
    form += last;
    length = std::snprintf(text.data(), text.size(), form.c_str(), std::bit_cast<double>(bits));
  } else if (last == 'c') {
    length = std::snprintf(text.data(), text.size(), (form + last).c_str(), static_cast<int>(bits & 0xffu));
  } else if (last == 'p') {
    const std::string address = bits == 0 ? "(nil)" : fmt::format("{:#x}", bits);
    length = std::snprintf(text.data(), text.size(), (form + 's').c_str(), address.c_str());
  } else {
    const bool isSigned = last == 'd' || last == 'i';
    if (type.size == 4) {  // as the variadic call passes it: 32 bits
      bits = isSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(bits)))
                      : static_cast<std::uint32_t>(bits);
    }
    form += "ll";
    length = std::snprintf(text.data(), text.size(), (form + last).c_str(), bits);
  }
  const auto written = static_cast<std::size_t>(std::max(0, length));
  return std::string(text.data(), std::min(written, text.size() - 1));
}

}  // namespace lanescope

// printf: the argument that each conversion of its text prints.
namespace lanescope::checker {

namespace {

/// The display name of a string literal's buffer: short, and one word.
std::string shownText(std::string_view quoted) {
  constexpr std::size_t kMost = 24;
  std::string shown = unquoted(quoted).substr(0, kMost);
  for (char& c : shown) {
    if (std::isgraph(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return shown;
}

/// A string literal, or a choice between two of them.
bool isWrittenText(const syntax::Expression& node) {
  if (node.kind == SyntaxKind::String) return true;
  return node.kind == SyntaxKind::Conditional && isWrittenText(*node.operands[1]) &&
         isWrittenText(*node.operands[2]);
}

}  // namespace

ExpressionPtr Checker::print(const syntax::Expression& node) {
  const bool isLiteral = !node.operands.empty() && node.operands[0]->kind == SyntaxKind::String;
  const bool isAlone = !isLiteral && node.operands.size() == 1;  // printf(text): it has no values
  if (!isLiteral && !isAlone) {
    fail(node.span, "'printf' needs its text first", "write printf(\"%d\\n\", x)");
  }
  auto format = parsePrintFormat(isAlone ? "\"%s\"" : node.operands[0]->text);
  if (!format) fail(node.operands[0]->span, format.error().message, format.error().hint);
  const std::size_t first = isAlone ? 0 : 1;
  const std::size_t given = node.operands.size() - first;
  if (format->conversions.size() != given) {
    fail(node.span,
         fmt::format("the text asks for {}, but {} {} given", counted(format->conversions.size(), "value"),
                     given, isOrAre(given)),
         "give one for each %");
  }
  if (given > 32) fail(node.span, "'printf' takes at most 32 values", "print in two calls");
  ExpressionPtr result = make(Kind::Print, scalar(Type::Kind::I32), node.span);
  for (std::size_t i = 0; i < given; ++i) {
    const syntax::Expression& value = *node.operands[first + i];
    const std::string conversion = format->conversions[i];
    const bool isText = conversion.back() == 's';
    if (isText) format->types.push_back(scalar(Type::Kind::U64));
    result->operands.push_back(isText ? printedText(value, *format) : printed(value, conversion, *format));
  }
  result->index = static_cast<std::uint32_t>(kernel_.formats.size());
  kernel_.formats.push_back(std::move(*format));
  return result;
}

/// A number or a pointer, in 64 bits.
ExpressionPtr Checker::printed(const syntax::Expression& node, const std::string& conversion,
                               typed::PrintFormat& format) {
  ExpressionPtr argument = value(node);
  const char letter = conversion.back();
  const Type* given = argument->type;
  const bool wantsFloat = std::string_view("aAeEfFgG").find(letter) != std::string_view::npos;
  const bool fits =
      letter == 'p' ? given->isPointer() : (wantsFloat ? given->isFloating() : given->isInteger());
  if (!fits) {
    fail(node.span,
         letter == '*' ? fmt::format("the width of a conversion is an int, not {}", given->name())
                       : fmt::format("%{} does not print {}", letter, given->name()),
         given->isHalf()       ? "write __half2float(h) or (float)h, and %f"
         : given->isFloating() ? "write %f"
         : given->isPointer()  ? "write %p"
                               : "write %d");
  }
  const Type* type = scalar(wantsFloat                             ? Type::Kind::F64
                            : given->isSigned() || given->size < 4 ? Type::Kind::I64
                                                                   : Type::Kind::U64);
  if (given->isPointer()) type = scalar(Type::Kind::U64);
  format.types.push_back(promoted(given));
  return convert(std::move(argument), type);
}

/// A string literal: a buffer with its characters, shared by equal literals.
Glvalue Checker::text(const syntax::Expression& node) {
  const Type* const character = scalar(Type::Kind::I8);
  const auto [known, isNew] = texts_.emplace(node.text, 0);
  if (isNew) {
    typed::GlobalSymbol symbol;
    symbol.name = fmt::format("\"{}\"#{}", shownText(node.text), texts_.size());
    symbol.isText = true;
    const std::string characters = unquoted(node.text);
    symbol.type = kernel_.types->findArray(character, characters.size() + 1);
    symbol.bytes.resize(characters.size() + 1);
    std::memcpy(symbol.bytes.data(), characters.data(), characters.size());
    known->second = addVariable(symbol.name, pointerTo(symbol.type, true), node.span, true);
    symbol.variable = known->second;
    kernel_.symbols.push_back(std::move(symbol));
  }
  Glvalue literal{.address = wholeVariable(known->second, node.span), .isConst = true, .span = node.span};
  literal.type = literal.address->type->element;
  return literal;
}

/// A text for %s: if it is a literal or a choice of two (`ok ? "yes" : "no"`), its number among the format's
/// texts, else its address.
ExpressionPtr Checker::printedText(const syntax::Expression& node, typed::PrintFormat& format) {
  const Type* number = scalar(Type::Kind::U64);
  if (node.kind == SyntaxKind::String) {
    format.strings.push_back(unquoted(node.text));
    return constant(number, format.strings.size() - 1, node.span);
  }
  if (!isWrittenText(node)) {
    ExpressionPtr address = value(node);
    const bool isText = address->type->isPointer() && address->type->element->size == 1;
    if (!isText) {
      fail(node.span, fmt::format("%s prints a text, not {}", address->type->name()),
           address->type->isFloating() ? "write %f" : "write %d, or give a pointer to char");
    }
    format.types.back() = address->type;
    return convert(std::move(address), number);
  }
  ExpressionPtr test = condition(*node.operands[0]);
  ExpressionPtr yes = printedText(*node.operands[1], format);
  ExpressionPtr no = printedText(*node.operands[2], format);
  return make(Kind::Conditional, number, node.span, std::move(test), std::move(yes), std::move(no));
}

}  // namespace lanescope::checker
