#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope {

/// Reads a size in any of the forms that input fields and options accept: `1024`, or a power of two, `2^10`.
/// Empty for any other text, and over 64 bits.
inline std::optional<std::uint64_t> readSize(std::string_view text) {
  const bool isPower = text.starts_with("2^");
  if (isPower) text.remove_prefix(2);
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc{} || read != end || (isPower && number >= 64)) return std::nullopt;
  return isPower ? std::uint64_t{1} << number : number;
}

}  // namespace lanescope
