#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

namespace lanescope {

/// Reads `1280x720`, each side from `least` to `most`; no value if it has another format.
inline std::optional<std::pair<int, int>> readWidthAndHeight(const std::string& text, int least, int most) {
  int width = 0;
  int height = 0;
  int length = 0;
  const bool isRead = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &length) == 2 &&
                      static_cast<std::size_t>(length) == text.size();
  const auto fits = [&](int side) { return side >= least && side <= most; };
  if (!isRead || !fits(width) || !fits(height)) return std::nullopt;
  return std::pair(width, height);
}

}  // namespace lanescope
