#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope {

/// A token of a text as it is written, or what is between two of them.
struct CodePart {
  enum class Kind : std::uint8_t {
    Blank,  ///< blanks and comments
    Word,
    Number,
    Literal,      ///< a string or a character
    Punctuation,  ///< `<<=`, also `and`
    Other         ///< no token: a quotation without its end, to the line's end; a letter without a meaning
  } kind = Kind::Blank;
  std::uint32_t begin = 0;  ///< bytes of the text, half-open
  std::uint32_t end = 0;

  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

/// Splits a text as the Scanner reads it, directives like all else and without macros. The parts cover it
/// without gaps. Any text has parts.
std::vector<CodePart> splitCode(std::string_view text);

}  // namespace lanescope
