#include "sim/language/check/print_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <utility>

#include "sim/language/text/quoted_text.h"

namespace lanescope {
Result<typed::PrintFormat> parsePrintFormat(std::string_view quoted) {
  typed::PrintFormat format;
  const std::string_view text = quoted.size() >= 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
  std::string part;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      part += escapedCharacter(text, ++i);
      continue;
    }
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
    const std::int64_t most = std::clamp<std::int64_t>(width, isPrecision ? 0 : -400, 400);
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
