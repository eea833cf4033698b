#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
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
  SourceSpan span;           ///< where the reader sees it: a macro's use, not its definition
  bool isSpaced = false;     ///< blanks are before it: what `#` in a macro makes of it shows
  bool isQualified = false;  ///< a namespace was before it
  std::uint8_t pack = 0;     ///< bytes that `#pragma pack` aligns members to at most; 0: as they are

  bool is(std::string_view punctuatorOrWord) const {
    return text == punctuatorOrWord && (kind == TokenKind::Punctuator || kind == TokenKind::Identifier);
  }
};

/// A text as tokens, the last of kind End.
struct TokenizedText {
  std::vector<Token> tokens;
  std::deque<std::string> made;      ///< texts of tokens that the source does not have: of `#`, `##`, splices
  std::vector<Diagnostic> deferred;  ///< faults at a place of their own: they count where it is reached
  std::set<std::string> missing{};   ///< what `#include` names and the text came without, as it is written
};

/// Splits a kernel text into tokens. Comments, #include of the system's files and #pragma are passed over;
/// macros are replaced as C++17 has it ([cpp.replace]; `__VA_OPT__` too); #if and its kin decide what counts;
/// an #include of a file that came with the text is read, and what is in it is seen at the #include.
/// __CUDACC__ is 1, __CUDA_ARCH__ 900 and __cplusplus 201703. `diagnostics` gets what is wrong with the text
/// whatever of it is used: an unknown directive, #error, an #if without its #endif.
TokenizedText tokenize(const SourceText& source, std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope
