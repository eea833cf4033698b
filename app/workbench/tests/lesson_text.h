#pragma once

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>

namespace lanescope {

/// The lesson with each of its blocks, a paragraph or an item of a list, on one line.
inline std::string onLines(std::string_view lesson) {
  static const std::regex gap(R"(\n\s*\n\s*|\n(?=- ))");
  static const std::regex space(R"([ \n]+)");
  const std::string marked = std::regex_replace(std::string(lesson), gap, "\r");
  std::string text = std::regex_replace(marked, space, " ");
  std::ranges::replace(text, '\r', '\n');
  return text;
}

}  // namespace lanescope
