#pragma once

#include <string_view>

namespace lanescope {

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
