#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// `1,048,576`
inline std::string withCommas(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

/// `word`, `words`, `passes`.
inline std::string pluralFor(std::uint64_t count, std::string_view noun) {
  const bool hisses = noun.ends_with('s') || noun.ends_with("ch");
  return std::string(noun) + (count == 1 ? "" : hisses ? "es" : "s");
}

/// `1 word`, `8 words`, `2 passes`, `1,024 words`.
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return withCommas(count) + " " + pluralFor(count, noun);
}

/// A measured number, to three digits: `1.23`, `12.3`, `432`, `4,394`.
inline std::string figure(double value) {
  if (value >= 999.5) return withCommas(static_cast<std::uint64_t>(std::llround(value)));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  return text.data();
}

/// `12.3 µs`, `4,394 µs`.
inline std::string microsecondsText(double us) { return figure(us) + " µs"; }

/// `1 second`, `30 seconds`; if they are not whole, `1,500 milliseconds`.
inline std::string secondsText(std::chrono::duration<double> time) {
  const auto milliseconds = static_cast<std::uint64_t>(std::llround(time.count() * 1000));
  return milliseconds % 1000 == 0 ? counted(milliseconds / 1000, "second")
                                  : counted(milliseconds, "millisecond");
}

/// Ascending numbers, consecutive ones as a range: `0-3, 8`.
inline std::string rangesText(std::span<const std::uint32_t> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += std::to_string(numbers[i]);
    if (end - i > 1) text += "-" + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
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
