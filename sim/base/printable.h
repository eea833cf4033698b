#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// A text from elsewhere (a worker, a program, a file) as it may be shown in a window or on a terminal:
/// blanks in place of control characters (C0, DEL, C1: an escape sequence becomes letters) and of marks that
/// end a line or turn its direction; U+FFFD in place of bytes that are not UTF-8. Keeps tabs and line feeds.
std::string withoutControls(std::string_view text);

/// The same for a sentence: in one line, at most `limit` bytes, cut between characters.
std::string printable(std::string_view text, std::size_t limit = 160);

/// True if that byte continues a character of UTF-8.
inline bool isInsideCharacter(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

}  // namespace lanescope
