#include "sim/language/check/print_format.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdio>

namespace lanescope {
namespace {

/// What a backslash and the character behind it mean.
char escaped(char c) {
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case '0': return '\0';
    default: return c;
  }
}

}  // namespace

Result<typed::PrintFormat> parsePrintFormat(std::string_view quoted) {
  typed::PrintFormat format;
  const std::string_view text = quoted.size() >= 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
  std::string part;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      part += escaped(text[++i]);
      continue;
    }
    if (text[i] != '%' || text.substr(i, 2) == "%%") {
      part += text[i];
      if (text[i] == '%') ++i;
      continue;
    }
    const std::size_t begin = i++;
    std::size_t end = text.find_first_not_of("-+ #0123456789.", i);
    const std::string flags(text.substr(i, std::min(end, text.size()) - i));
    while (end < text.size() && std::string_view("hlzjt").find(text[end]) != std::string_view::npos) ++end;
    const char conversion = end < text.size() ? text[end] : '\0';
    if (std::string_view("diuxXocaAeEfFgGp").find(conversion) == std::string_view::npos ||
        flags.size() > 12) {
      return Error{
          fmt::format("'{}' is no conversion that the simulator prints", text.substr(begin, end + 1 - begin)),
          "use %d, %u, %x, %c, %f, %g or %p; two %% print one"};
    }
    format.texts.push_back(std::move(part));
    part.clear();
    format.conversions.push_back("%" + flags + conversion);
    i = end;
  }
  format.texts.push_back(std::move(part));
  return format;
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
    return fmt::format("{:#x}", bits);
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
