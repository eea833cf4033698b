#include "sim/language/text/scanner.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

namespace lanescope {
namespace {

/// Longest first, so that the first match is the longest one.
constexpr std::array<std::string_view, 49> kPunctuators = {
    "<<=", ">>=", "...", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
    "*=",  "/=",  "%=",  "&=", "|=", "^=", "##", "{",  "}",  "(",  ")",  "[",  "]",  ";",  ",",  ".",  "+",
    "-",   "*",   "/",   "%",  "&",  "|",  "^",  "~",  "!",  "<",  ">",  "=",  "?",  ":",  "#"};

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool Scanner::isFull() const { return diagnostics_.size() >= kMostFaults; }

void Scanner::report(SourceSpan span, std::string message, std::string hint) {
  if (!isFull()) diagnostics_.push_back({std::move(message), std::move(hint), span});
}

void Scanner::skipBlank() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') atLineStart_ = true;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.substr(at_, 2) == "/*") {
      const std::size_t begin = at_;
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
      if (end == std::string_view::npos) {
        report({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 2)},
               "this comment never ends", "close it with */");
      }
    } else {
      return;
    }
  }
}

Token Scanner::next() {
  const std::size_t begin = at_;
  const char c = text_[at_];
  atLineStart_ = false;
  if (isWordStart(c)) {
    while (at_ < text_.size() && isWord(text_[at_])) ++at_;
    return make(TokenKind::Identifier, begin);
  }
  if (isDigit(c) || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]))) return number();
  if (c == '"' || c == '\'') return quoted(c);
  for (const std::string_view punctuator : kPunctuators) {
    if (text_.substr(at_, punctuator.size()) == punctuator) {
      at_ += punctuator.size();
      return make(TokenKind::Punctuator, begin);
    }
  }
  ++at_;
  while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0u) == 0x80u) ++at_;
  report(spanFrom(begin), fmt::format("'{}' has no meaning here", text_.substr(begin, at_ - begin)),
         "remove it");
  return {};
}

Token Scanner::number() {
  const std::size_t begin = at_;
  const bool hex = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
  bool floating = false;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const char before = at_ > begin ? text_[at_ - 1] : '\0';
    const bool isExponent = hex ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
    const bool exponentSign = (c == '+' || c == '-') && isExponent;
    if (!isWord(c) && c != '.' && c != '\'' && !exponentSign) break;
    if (c == '.' || (hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E')) floating = true;
    ++at_;
  }
  return make(floating ? TokenKind::Floating : TokenKind::Integer, begin);
}

Token Scanner::quoted(char quote) {
  const std::size_t begin = at_++;
  while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
    at_ += text_[at_] == '\\' ? 2 : 1;
  }
  at_ = std::min(at_, text_.size());
  if (at_ >= text_.size() || text_[at_] != quote) {
    report({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 1)},
           "this quotation never ends", fmt::format("close it with {} on the same line", quote));
    return {};
  }
  ++at_;
  return make(quote == '"' ? TokenKind::String : TokenKind::Character, begin);
}

std::size_t Scanner::directiveEnd() const {
  for (std::size_t end = at_; end < text_.size(); ++end) {
    if (text_.substr(end, 2) == "/*") {
      const std::size_t close = text_.find("*/", end + 2);
      if (close == std::string_view::npos) break;
      end = close + 1;
    } else if (text_[end] == '\n') {
      const std::size_t last = text_[end - 1] == '\r' ? end - 2 : end - 1;
      if (text_[last] != '\\') return end;
    }
  }
  return text_.size();
}

void Scanner::skipInLine(std::size_t end) {
  while (at_ < end && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\\')) ++at_;
  if (text_.substr(at_, 2) == "//") at_ = end;
  if (text_.substr(at_, 2) != "/*") return;
  const std::size_t close = text_.find("*/", at_ + 2);
  if (close == std::string_view::npos) {
    report({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 2)}, "this comment never ends",
           "close it with */");
  }
  at_ = close == std::string_view::npos ? end : close + 2;
  skipInLine(end);
}

void Scanner::skipLine() {
  while (at_ < text_.size() && text_[at_] != '\n') {
    if (text_.substr(at_, 2) == "/*") {
      at_ = std::min(text_.find("*/", at_ + 2), text_.size());
    } else if (text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      ++at_;
    }
  }
}

}  // namespace lanescope
