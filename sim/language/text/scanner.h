#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope {

/// Where what is wrong goes: faults of the whole text, and those that count only where their place is
/// reached.
struct FaultLists {
  std::vector<Diagnostic>& ofText;
  std::vector<Diagnostic>& deferred;
};

/// Reads raw tokens off a text: no directives, no macros. The preprocessor's lower half. A backslash at the
/// end of a line continues it ([lex.phases]), also within a token.
class Scanner {
 public:
  /// `made` keeps the text of tokens that are split over lines, and of raw strings.
  Scanner(std::string_view text, FaultLists faults, std::deque<std::string>& made)
      : text_(text), faults_(faults), made_(made) {}

  /// On to the next token or directive, over blanks and comments.
  void skipBlank();
  /// Over blanks, comments and continued lines, but not past `end`.
  void skipInLine(std::size_t end);
  /// On to the end of the line, over comments in it.
  void skipLine();
  bool atEnd() const { return at_ >= text_.size(); }
  bool atDirective() const { return atLineStart_ && !atEnd() && text_[at_] == '#'; }
  /// The token here; of kind End (and a diagnostic) where there is none.
  Token next();
  /// Where the directive here ends: at a newline that neither a backslash nor a comment hides.
  std::size_t directiveEnd() const;

  std::string_view text() const { return text_; }
  std::size_t position() const { return at_; }
  void moveTo(std::size_t position) { at_ = position; }
  char current() const { return atEnd() ? '\0' : text_[at_]; }
  SourceSpan spanFrom(std::size_t begin) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }
  /// Reports a fault of the text; past 20 of them no more.
  void report(SourceSpan span, std::string message, std::string hint);
  /// Reports a fault of a place.
  void reportDeferred(SourceSpan span, std::string message, std::string hint);
  bool isFull() const;

 private:
  Token number();
  Token quoted(char quote);
  Token rawString(std::size_t begin);
  Token make(TokenKind kind, std::size_t begin);
  /// Bytes of the backslash and the newline there; 0 where there are none.
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
