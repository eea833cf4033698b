#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope {

/// `word`, `words`, `passes`.
inline std::string pluralFor(std::uint64_t count, std::string_view noun) {
  const bool hisses = noun.ends_with('s') || noun.ends_with("ch");
  return std::string(noun) + (count == 1 ? "" : hisses ? "es" : "s");
}

/// `1 word`, `8 words`, `2 passes`.
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + pluralFor(count, noun);
}

constexpr std::string_view isOrAre(std::uint64_t count) { return count == 1 ? "is" : "are"; }

/// `add takes 1 to 2 arguments, but 3 are given`.
inline std::string takesText(std::string_view who, std::uint64_t least, std::uint64_t most,
                             std::string_view noun, std::uint64_t given) {
  std::string text(who);
  text += " takes " + (least == most ? "" : std::to_string(least) + " to ") + counted(most, noun);
  text += ", but " + std::to_string(given) + " ";
  text += isOrAre(given);
  return text + " given";
}

}  // namespace lanescope
