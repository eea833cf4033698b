#include "sim/language/text/quoted_text.h"

#include <algorithm>
#include <charconv>

namespace lanescope {
namespace {

/// The digits of `base` starting at text[at], at most `most`, as a character. `at` is then behind them.
char numbered(std::string_view text, std::size_t& at, int base, std::size_t most) {
  unsigned value = 0;
  const char* const begin = text.data() + at;
  const char* const end = begin + std::min(most, text.size() - at);
  at += static_cast<std::size_t>(std::from_chars(begin, end, value, base).ptr - begin);
  return static_cast<char>(value);
}

}  // namespace

char escapedCharacter(std::string_view text, std::size_t& at) {
  constexpr std::string_view kLetters = "ntrabfv";
  constexpr std::string_view kMeanings = "\n\t\r\a\b\f\v";
  const char c = text[at];
  if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) return kMeanings[letter];
  const bool isOctal = c >= '0' && c <= '7';
  if (!isOctal && (c != 'x' || at + 1 == text.size())) return c;
  std::size_t end = isOctal ? at : at + 1;
  const char result = isOctal ? numbered(text, end, 8, 3) : numbered(text, end, 16, 2);
  at = end - 1;
  return result;
}

std::string unquoted(std::string_view quoted) {
  const std::string_view text = quoted.size() >= 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    plain += text[i] == '\\' && i + 1 < text.size() ? escapedCharacter(text, ++i) : text[i];
  return plain;
}

}  // namespace lanescope
