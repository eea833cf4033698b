#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/protocol.h"

namespace lanescope {

/// For options that take a count, read by parseSize() (`1024`, `2^10`), from `least` to `most`. Pass it to
/// transform(); the option's number then is that count.
inline CLI::Validator sizeFrom(std::uint64_t least, std::uint64_t most) {
  const auto read = [least, most](std::string& text) -> std::string {
    const auto size = parseSize(text);
    if (!size) return "'" + printable(text, 40) + "' is not a size; write a number such as 1024 or 2^10";
    if (*size < least || *size > most)
      return text + " is not from " + std::to_string(least) + " to " + std::to_string(most);
    text = std::to_string(*size);
    return {};
  };
  return CLI::Validator(read, "", "size");
}

}  // namespace lanescope
