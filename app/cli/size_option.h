#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "kernels/worker/bench_rules.h"
#include "kernels/worker/protocol.h"

namespace lanescope {

/// For options that take a count: what parseSize() reads (`1024`, `2^10`), from `least` to `most`. Give it to
/// transform(); the option's number then is that count.
inline CLI::Validator sizeFrom(std::uint64_t least, std::uint64_t most) {
  const auto read = [least, most](std::string& text) -> std::string {
    const auto size = parseSize(text);
    if (!size) return "'" + printable(text, 40) + "' is no size; write a number such as 1024 or 2^10";
    if (*size < least || *size > most)
      return text + " is not from " + std::to_string(least) + " to " + std::to_string(most);
    text = std::to_string(*size);
    return {};
  };
  return CLI::Validator(read, "", "size");
}

/// Reads `1280x720`, each side from `least` to `most`; nothing where it is not that.
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
