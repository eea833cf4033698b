#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/pictures/base/scene.h"

namespace lanescope {

/// A stretch of source text in one colour.
struct SourceToken {
  enum class Kind : std::uint8_t { Plain, Keyword, Builtin, Number, Comment } kind = Kind::Plain;
  std::uint32_t begin = 0;  ///< byte offsets in the text, half-open
  std::uint32_t end = 0;
};

/// Splits a kernel text for colouring: the tokens cover it without gaps, and none crosses a line's end. Never
/// fails: unknown text is Plain.
std::vector<SourceToken> colourTokens(std::string_view text);

/// The colour that a kind of token is written in.
ColorRole tokenColor(SourceToken::Kind kind);

}  // namespace lanescope
