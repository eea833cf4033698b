#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanescope {

/// The character that a backslash before text[at] and the text from there mean (`n`, `033`, `x1b`). `at` is
/// then the index of its last character.
char escapedCharacter(std::string_view text, std::size_t& at);

/// A text as written, including quotes, with its escape sequences replaced.
std::string unquoted(std::string_view quoted);

}  // namespace lanescope
