#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope {

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
  Scanner(std::string_view text, FaultLists faults, std::deque<std::string>& made)
      : text_(text), faults_(faults), made_(made) {}

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
  Token quoted(char quote);
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
  std::deque<std::string>& made_;
  std::size_t at_ = 0;
  bool atLineStart_ = true;
};

}  // namespace lanescope
