#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope {

/// Reads raw tokens off a text: no directives, no macros. The preprocessor's lower half.
class Scanner {
 public:
  Scanner(std::string_view text, std::vector<Diagnostic>& diagnostics)
      : text_(text), diagnostics_(diagnostics) {}

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

  std::size_t position() const { return at_; }
  void moveTo(std::size_t position) { at_ = position; }
  char current() const { return atEnd() ? '\0' : text_[at_]; }
  SourceSpan spanFrom(std::size_t begin) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }
  /// Tells a fault; past 20 of them no more.
  void report(SourceSpan span, std::string message, std::string hint);
  bool isFull() const;

 private:
  Token number();
  Token quoted(char quote);
  Token make(TokenKind kind, std::size_t begin) const {
    return {kind, text_.substr(begin, at_ - begin), spanFrom(begin)};
  }

  std::string_view text_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t at_ = 0;
  bool atLineStart_ = true;
};

}  // namespace lanescope
