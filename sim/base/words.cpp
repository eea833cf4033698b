#include "sim/base/words.h"

namespace lanescope {

std::size_t findWord(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !isOfName(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !isOfName(text[end]))) return at;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> splitList(std::string_view list, std::string_view brackets) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= list.size() && !list.empty(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    const std::size_t bracket = brackets.find(c);
    if (bracket != std::string_view::npos) depth += bracket % 2 == 0 ? 1 : -1;
    if (at < list.size() && (c != ',' || depth > 0)) continue;
    parts.push_back(trimmed(list.substr(begin, at - begin)));
    begin = at + 1;
  }
  return parts;
}

std::vector<std::string> splitArguments(std::string_view list) {
  const std::vector<std::string_view> parts = splitList(list, "<>(){}[]");
  return {parts.begin(), parts.end()};
}

}  // namespace lanescope
