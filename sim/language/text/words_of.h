#pragma once

#include <algorithm>
#include <set>
#include <string_view>

namespace lanescope {

/// The words of a list, which are apart by blanks.
inline std::set<std::string_view> wordsOf(std::string_view list) {
  std::set<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    words.insert(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

}  // namespace lanescope
