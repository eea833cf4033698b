#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// A text from elsewhere (a worker, a program, a file) as it may be shown in a window or on a terminal:
/// blanks in place of control characters (C0, DEL, C1: an escape sequence becomes letters) and of marks that
/// end a line or turn its direction; U+FFFD in place of bytes that are not UTF-8. Keeps tabs and line feeds.
std::string withoutControls(std::string_view text);

/// The same for a sentence: in one line, cut after `limit` bytes.
std::string printable(std::string_view text, std::size_t limit = 160);

}  // namespace lanescope
