#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanescope {

/// What the backslash in front of text[at] and what is behind it mean (`n`, `033`, `x1b`); `at` then is at
/// the last character of it.
char escapedCharacter(std::string_view text, std::size_t& at);

/// A text as written, quotes included, with what its backslashes mean.
std::string unquoted(std::string_view quoted);

}  // namespace lanescope
