#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/printable.h"

namespace lanescope {

/// The text if it is no wider than `width`, else as many of its letters as fit with an ellipsis after them;
/// empty if not even one does. UTF-8; `measure(text)` gives a width. No more than 4096 bytes are measured at
/// once: nothing has room for more.
template <std::invocable<std::string_view> Measure>
std::string cutText(std::string_view text, float width, const Measure& measure) {
  constexpr std::string_view kEllipsis = "\u2026";
  constexpr std::size_t kMost = 4096;
  if (text.size() <= kMost && measure(text) <= width) return std::string(text);
  const float room = width - measure(kEllipsis);
  std::size_t fits = 0;
  std::size_t tooLong = std::min(text.size(), kMost);
  while (fits + 1 < tooLong) {
    const std::size_t middle = (fits + tooLong) / 2;
    std::size_t start = middle;  // of the next letter
    while (start < tooLong && isInsideCharacter(text, start)) ++start;
    if (start < tooLong && measure(text.substr(0, start)) <= room)
      fits = start;
    else
      tooLong = middle;
  }
  while (fits > 0 && text[fits - 1] == ' ') --fits;
  if (fits == 0) return {};
  return std::string(text.substr(0, fits)).append(kEllipsis);
}

}  // namespace lanescope
