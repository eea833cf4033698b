#pragma once

#include <algorithm>
#include <set>
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

}  // namespace lanescope
