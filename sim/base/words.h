#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// The parts of a text between separators. A final separator does not begin another part.
inline std::vector<std::string_view> splitAt(char separator, std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// The words of a list, separated by blanks.
inline std::set<std::string_view> wordsIn(std::string_view list) {
  const std::vector<std::string_view> words = splitAt(' ', list);
  return {words.begin(), words.end()};
}

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

/// The position of a word from there on, with no letters of names around it; npos if there is none.
std::size_t findWord(std::string_view text, std::string_view word, std::size_t from = 0);

/// The parts of a list between its commas, those within brackets aside. `brackets`: those that count, each
/// pair side by side; in an expression < and > may be operators.
std::vector<std::string_view> splitList(std::string_view list, std::string_view brackets = "(){}[]");

/// The arguments of a template, apart at the commas that are in no brackets: `128`, `Vec<float, 3>`.
std::vector<std::string> splitArguments(std::string_view list);

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

/// Removes the first line from a text and returns it without its end, a line feed with or without a carriage
/// return before it.
inline std::string_view splitLine(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace lanescope
