#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/language/text/diagnostic.h"

namespace lanescope {

/// Faults reported for a text; one that is no text has one at every byte.
inline constexpr std::size_t kMostFaults = 20;

enum class TokenKind : std::uint8_t { Identifier, Integer, Floating, String, Character, Punctuator, End };

/// One token. Its text is a view into the source; for a macro's body, into the macro's definition.
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  SourceSpan span;  ///< where the reader sees it: a macro's use, not its definition

  bool is(std::string_view punctuatorOrWord) const {
    return text == punctuatorOrWord && (kind == TokenKind::Punctuator || kind == TokenKind::Identifier);
  }
};

/// Splits a kernel text into tokens, the last of kind End. Comments, #include and #pragma are passed
/// over; #define macros, with and without parameters, are replaced; #if and its kin decide what counts.
/// __CUDACC__ is 1 and __CUDA_ARCH__ 900. An unknown directive is a diagnostic.
std::vector<Token> tokenize(const SourceText& source, std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope
