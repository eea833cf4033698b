#pragma once

#include <string_view>

namespace lanescope {

/// Takes the first line off a text; without its end, be that a line feed or a carriage return before one.
inline std::string_view takeLine(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace lanescope
