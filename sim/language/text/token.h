#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// The most faults reported for a text: a file that is not text has one at every byte.
inline constexpr std::size_t kMostFaults = 20;

enum class TokenKind : std::uint8_t { Identifier, Integer, Floating, String, Character, Punctuator, End };

/// One token. Its text is a view into the source; for a macro's body, into the macro's definition.
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  SourceSpan span;           ///< the place that the reader sees: a macro's use, not its definition
  bool isSpaced = false;     ///< blanks are before it: `#` in a macro keeps them as one
  bool isQualified = false;  ///< a namespace was before it
  std::uint8_t pack = 0;     ///< the largest alignment of members by `#pragma pack`, in bytes; 0: no limit

  bool is(std::string_view punctuatorOrWord) const {
    return text == punctuatorOrWord && (kind == TokenKind::Punctuator || kind == TokenKind::Identifier);
  }
};

/// A text as tokens, the last of kind End.
struct TokenizedText {
  std::vector<Token> tokens;
  std::deque<std::string> made;      ///< texts of tokens that are not in the source: from `#`, `##`, splices
  std::vector<Diagnostic> deferred;  ///< faults with a place: they count if it is reached
  std::set<std::string> missing{};   ///< files that `#include` names but the text does not have, as written
};

/// Splits a kernel text into tokens. Comments, #include of the system's files and #pragma are skipped. Macros
/// are replaced by the rules of C++17 ([cpp.replace], with `__VA_OPT__`). #if and its relatives select the
/// lines that count. An #include of a file that came with the text is read, and its content has the place of
/// the #include. __CUDACC__ is 1, __CUDA_ARCH__ 900 and __cplusplus 201703. `diagnostics` gets the faults
/// that count even if the kernel does not use their place: an unknown directive, #error, an #if without its
/// #endif.
TokenizedText tokenize(const SourceText& source, std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope
