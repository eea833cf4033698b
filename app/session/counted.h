#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope {

/// `1 word`, `8 words`, `2 passes`.
inline std::string counted(std::uint64_t count, std::string_view noun) {
  std::string text = std::to_string(count) + " ";
  text += noun;
  const bool hisses = noun.ends_with('s') || noun.ends_with("ch");
  return count == 1 ? text : text + (hisses ? "es" : "s");
}

}  // namespace lanescope
