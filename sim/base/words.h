#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/split.h"

namespace lanescope {

inline bool isSpace(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

/// True if a C++ name may contain it.
inline bool isOfName(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// True for a letter of a name, and for one that takes several bytes in UTF-8.
inline bool isOfWord(char letter) {
  return isOfName(letter) || (static_cast<unsigned char>(letter) & 0x80U) != 0;
}

/// Without the blanks at both ends: spaces, tabs, and the line's own end.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// The lines of a text, without their ends.
inline std::vector<std::string_view> readLines(std::string_view text) { return splitAt('\n', text); }

inline void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// `text` with runs of white space as one blank and at most `limit` bytes, then an ellipsis.
inline std::string oneLine(std::string_view text, std::size_t limit) {
  std::string line;
  for (const char letter : text) {
    const bool isBlank = isSpace(letter);
    if (isBlank && (line.empty() || line.back() == ' ')) continue;
    const bool isWithinLetter = (static_cast<unsigned char>(letter) & 0xC0U) == 0x80U;
    if (line.size() >= limit && !isWithinLetter) return line + "\u2026";
    line += isBlank ? ' ' : letter;
  }
  return std::string(trimmed(line));
}

}  // namespace lanescope
