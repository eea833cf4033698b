#pragma once

#include <array>
#include <cstddef>
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
  SourceSpan span;               ///< the place that the reader sees: a macro's use, not its definition
  bool isSpaced = false;         ///< blanks are before it: `#` in a macro keeps them as one
  std::string_view qualifier{};  ///< the namespaces before it: `a::b`, `::a::b`, `::`; set by the parser
  std::uint8_t pack = 0;  ///< the largest alignment of members by `#pragma pack`, in bytes; 0: no limit

  bool is(std::string_view punctuatorOrWord) const {
    return text == punctuatorOrWord && (kind == TokenKind::Punctuator || kind == TokenKind::Identifier);
  }
};

/// A text as tokens, the last of kind End.
struct TokenizedText {
  std::vector<Token> tokens;
  std::deque<std::string> spellings;  ///< texts of tokens that are not in the source: from `#`, `##`, splices
  std::vector<Diagnostic> deferred;   ///< faults with a place: they count if it is reached
  std::set<std::string> missing{};    ///< files that `#include` names but the text does not have, as written
};

/// Splits a kernel text into tokens. Comments, #include of the system's files and #pragma are skipped. Macros
/// are replaced by the rules of C++17 ([cpp.replace], with `__VA_OPT__`). #if and its relatives select the
/// lines that count. An #include of a file that came with the text is read, and its content has the place of
/// the #include. __CUDACC__ is 1, __CUDA_ARCH__ 900 and __cplusplus 201703. `diagnostics` gets the faults
/// that count even if the kernel does not use their place: an unknown directive, #error, an #if without its
/// #endif.
TokenizedText tokenize(const SourceText& source, std::vector<Diagnostic>& diagnostics);

/// Binary operators by binding strength, weakest first, for expressions and for `#if`.
inline constexpr std::array<std::array<std::string_view, 4>, 10> kBinaryOperators = {{
    {"||"},
    {"&&"},
    {"|"},
    {"^"},
    {"&"},
    {"==", "!="},
    {"<", ">", "<=", ">="},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%"},
}};

/// A text as written, including quotes, with its escape sequences replaced. `"ab""cd"` is one text.
std::string unquoted(std::string_view quoted);

/// Lists of faults: those of the whole text, and those that count only if their place is reached.
struct FaultLists {
  std::vector<Diagnostic>& ofText;
  std::vector<Diagnostic>& deferred;
};

/// Reads raw tokens off a text, without directives and macros: the lower half of the preprocessor. A
/// backslash at the end of a line continues it ([lex.phases]), also within a token.
class Scanner {
 public:
  /// `made` keeps the text of tokens that are split over lines, and of raw strings.
  Scanner(std::string_view text, FaultLists faults, std::deque<std::string>& spellings)
      : text_(text), faults_(faults), spellings_(spellings) {}

  /// Skips blanks and comments up to the next token or directive.
  void skipBlank();
  /// Skips blanks, comments and continued lines, but stops at `end`.
  void skipInLine(std::size_t end);
  /// Skips the rest of the line, with the comments in it.
  void skipLine();
  bool atEnd() const { return at_ >= text_.size(); }
  bool atDirective() const { return atLineStart_ && !atEnd() && text_[at_] == '#'; }
  /// The token here. If there is none, a token of kind End and a diagnostic.
  Token next();
  /// The end of the directive here: a newline that neither a backslash nor a comment hides.
  std::size_t directiveEnd() const;

  std::string_view text() const { return text_; }
  std::size_t position() const { return at_; }
  void moveTo(std::size_t position) { at_ = position; }
  char current() const { return atEnd() ? '\0' : text_[at_]; }
  SourceSpan spanFrom(std::size_t begin) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }
  /// Reports a fault of the text, up to 20 of them.
  void report(SourceSpan span, std::string message, std::string hint);
  /// Reports a fault with a place.
  void reportDeferred(SourceSpan span, std::string message, std::string hint);
  bool isFull() const;

 private:
  Token number();
  Token quoted(char quote, std::size_t begin);
  Token rawString(std::size_t begin);
  Token make(TokenKind kind, std::size_t begin);
  /// Bytes of the backslash and the newline there. 0 if there are none.
  std::size_t spliceAt(std::size_t at) const;
  void skipSplices() {
    while (const std::size_t bytes = spliceAt(at_)) at_ += bytes;
  }
  void skipLineComment();
  std::size_t wordBytes(std::size_t at, bool isFirst) const;

  std::string_view text_;
  FaultLists faults_;
  std::deque<std::string>& spellings_;
  std::size_t at_ = 0;
  bool atLineStart_ = true;
};

}  // namespace lanescope
