#include "sim/base/printable.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lanescope {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Letter {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8
};

/// The letter that a text begins with (RFC 3629: no surrogates, and the shortest form).
Letter firstLetter(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t code = first & (0x7FU >> bytes);
  for (std::size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(at) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool isSurrogate = code >= 0xD800 && code < 0xE000;
  return code < kLeast[bytes] || isSurrogate || code > 0x10FFFF ? Letter{} : Letter{code, bytes};
}

bool isControl(char32_t code) {
  if (code == '\t' || code == '\n') return false;
  constexpr auto kRanges = std::to_array<std::pair<char32_t, char32_t>>({
      {0, 0x1F},         // C0
      {0x7F, 0x9F},      // DEL, C1
      {0x61C, 0x61C},    // Arabic letter mark
      {0x200E, 0x200F},  // left-to-right and right-to-left mark
      {0x2028, 0x202E},  // line and paragraph separator, embeddings, overrides
      {0x2066, 0x2069},  // isolates
  });
  return std::ranges::any_of(
      kRanges, [code](const auto& range) { return range.first <= code && code <= range.second; });
}

}  // namespace

std::string withoutControls(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Letter letter = firstLetter(text);
    if (letter.bytes == 0) {
      clean += kReplacement;
    } else if (isControl(letter.code)) {
      clean += ' ';
    } else {
      clean += text.substr(0, letter.bytes);
    }
    text.remove_prefix(std::max<std::size_t>(letter.bytes, 1));
  }
  return clean;
}

std::string printable(std::string_view text, std::size_t limit) {
  std::size_t end = std::min(limit, text.size());
  while (end > 0 && end + 3 > limit && isInsideCharacter(text, end)) --end;  // which has 4 bytes at most
  std::string clean = withoutControls(text.substr(0, end));
  std::ranges::replace_if(
      clean, [](char letter) { return letter == '\t' || letter == '\n'; }, ' ');
  return end < text.size() ? clean + "…" : clean;
}

}  // namespace lanescope
