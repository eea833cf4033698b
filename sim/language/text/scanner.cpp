#include "sim/language/text/scanner.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "sim/base/printable.h"

namespace lanescope {
namespace {

/// The digits of `base` starting at text[at], at most `most`, as a character. `at` is then behind them.
unsigned numbered(std::string_view text, std::size_t& at, int base, std::size_t most) {
  unsigned value = 0;
  const char* const begin = text.data() + at;
  const char* const end = begin + std::min(most, text.size() - at);
  at += static_cast<std::size_t>(std::from_chars(begin, end, value, base).ptr - begin);
  return value;
}

/// The character of that number in Unicode, in UTF-8.
std::string encoded(unsigned code) {
  if (code < 0x80) return {static_cast<char>(code)};
  std::string tail;
  unsigned first = 0x3f;  // the most that fits into the first byte
  for (; code > first; code >>= 6, first = first == 0x3f ? 0x1f : first >> 1)
    tail.insert(tail.begin(), static_cast<char>(0x80 | (code & 0x3f)));
  return static_cast<char>(~(2 * first + 1) | code) + tail;
}

/// The character, in UTF-8, that a backslash before text[at] and the text from there mean (`n`, `033`,
/// `x1b`). `at` is then the index of its last character.
std::string escapedCharacter(std::string_view text, std::size_t& at) {
  constexpr std::string_view kLetters = "ntrabfv";
  constexpr std::string_view kMeanings = "\n\t\r\a\b\f\v";
  const char c = text[at];
  if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos)
    return {kMeanings[letter]};
  const bool isOctal = c >= '0' && c <= '7';
  const bool isUnicode = c == 'u' || c == 'U';
  if (!isOctal && ((c != 'x' && !isUnicode) || at + 1 == text.size())) return {c};
  std::size_t end = isOctal ? at : at + 1;
  const std::size_t most = isOctal ? 3 : c == 'u' ? 4 : c == 'U' ? 8 : text.size();
  const unsigned number = numbered(text, end, isOctal ? 8 : 16, most);
  at = end - 1;
  return isUnicode ? encoded(number) : std::string{static_cast<char>(number)};
}

}  // namespace

std::string unquoted(std::string_view quoted) {
  const std::string_view text = quoted.size() >= 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == quoted.front()) continue;  // between adjacent texts
    plain += text[i] == '\\' && i + 1 < text.size() ? escapedCharacter(text, ++i) : std::string{text[i]};
  }
  return plain;
}

namespace {

/// The most faults with a place that are kept. 20 of the reached ones are reported.
constexpr std::size_t kMostDeferred = 1000;

/// Longest first, so that the first match is the longest one.
constexpr std::array<std::string_view, 49> kPunctuators = {
    "<<=", ">>=", "...", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
    "*=",  "/=",  "%=",  "&=", "|=", "^=", "##", "{",  "}",  "(",  ")",  "[",  "]",  ";",  ",",  ".",  "+",
    "-",   "*",   "/",   "%",  "&",  "|",  "^",  "~",  "!",  "<",  ">",  "=",  "?",  ":",  "#"};

/// Words that are punctuators ([lex.digraph]).
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kAlternatives = {{{"and", "&&"},
                                                                                          {"and_eq", "&="},
                                                                                          {"bitand", "&"},
                                                                                          {"bitor", "|"},
                                                                                          {"compl", "~"},
                                                                                          {"not", "!"},
                                                                                          {"not_eq", "!="},
                                                                                          {"or", "||"},
                                                                                          {"or_eq", "|="},
                                                                                          {"xor", "^"},
                                                                                          {"xor_eq", "^="}}};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool Scanner::isFull() const { return faults_.ofText.size() >= kMostFaults; }

void Scanner::report(SourceSpan span, std::string message, std::string hint) {
  if (!isFull()) faults_.ofText.push_back({std::move(message), std::move(hint), span});
}

void Scanner::reportDeferred(SourceSpan span, std::string message, std::string hint) {
  if (faults_.deferred.size() < kMostDeferred)
    faults_.deferred.push_back({std::move(message), std::move(hint), span});
}

std::size_t Scanner::spliceAt(std::size_t at) const {
  if (at >= text_.size() || text_[at] != '\\') return 0;
  if (text_.substr(at + 1, 1) == "\n") return 2;
  return text_.substr(at + 1, 2) == "\r\n" ? 3 : 0;
}

void Scanner::skipLineComment() {
  while (at_ < text_.size() && text_[at_] != '\n') at_ += std::max<std::size_t>(1, spliceAt(at_));
}

void Scanner::skipBlank() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') atLineStart_ = true;
    if (const std::size_t bytes = spliceAt(at_); bytes > 0) {
      at_ += bytes;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (text_.substr(at_, 2) == "//") {
      skipLineComment();
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

/// Bytes of the character of a name there: a letter, a digit, or any UTF-8 character but a sign ([lex.name]).
/// 0: none.
std::size_t Scanner::wordBytes(std::size_t at, bool isFirst) const {
  if (at >= text_.size()) return 0;
  const auto c = static_cast<unsigned char>(text_[at]);
  if (c < 0x80) {
    const bool isLetter = std::isalpha(c) != 0 || c == '_' || c == '$';
    return isLetter || (!isFirst && std::isdigit(c) != 0) ? 1 : 0;
  }
  const std::size_t bytes = c >= 0xF0 && c < 0xF5   ? 4
                            : c >= 0xE0 && c < 0xF0 ? 3
                            : c >= 0xC2 && c < 0xE0 ? 2
                                                    : 0;
  if (bytes == 0 || at + bytes > text_.size()) return 0;
  std::uint32_t code = c & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text_[at + i]);
    if ((next & 0xC0u) != 0x80u) return 0;
    code = (code << 6u) | (next & 0x3Fu);
  }
  const bool isSign = code < 0xAA || code == 0xD7 || code == 0xF7 || (code >= 0x2000 && code < 0x2070) ||
                      (code >= 0x2190 && code < 0x2C00) || (code >= 0x3000 && code < 0x3004) ||
                      (code >= 0x3008 && code < 0x3021) || (code >= 0xD800 && code < 0xF900) ||
                      (code >= 0xFE10 && code < 0xFE70) || (code >= 0xFF00 && code < 0xFF10);
  return isSign ? 0 : bytes;
}

Token Scanner::make(TokenKind kind, std::size_t begin) {
  std::string_view text = text_.substr(begin, at_ - begin);
  const bool isSpaced = begin > 0 && std::isspace(static_cast<unsigned char>(text_[begin - 1])) != 0;
  const bool isSplit =
      text.find('\\') != std::string_view::npos &&
      (text.find("\\\n") != std::string_view::npos || text.find("\\\r\n") != std::string_view::npos);
  if (isSplit) {
    std::string& whole = spellings_.emplace_back();
    for (std::size_t i = begin; i < at_;) {
      const std::size_t bytes = spliceAt(i);
      if (bytes == 0) whole += text_[i];
      i += std::max<std::size_t>(1, bytes);
    }
    text = whole;
  }
  return {kind, text, spanFrom(begin), isSpaced};
}

Token Scanner::next() {
  const std::size_t begin = at_;
  const char c = text_[at_];
  atLineStart_ = false;
  if (wordBytes(at_, true) > 0) {
    while (const std::size_t bytes = wordBytes(at_, false)) {
      at_ += bytes;
      skipSplices();
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (current() == '"' && (word == "R" || word == "LR" || word == "u8R" || word == "uR" || word == "UR"))
      return rawString(begin);
    if (current() == '\'' && (word == "L" || word == "u8" || word == "u" || word == "U"))
      return quoted('\'', begin);
    Token token = make(TokenKind::Identifier, begin);
    for (const auto& [alternative, punctuator] : kAlternatives) {
      if (word == alternative) token = {TokenKind::Punctuator, punctuator, token.span, token.isSpaced};
    }
    return token;
  }
  if (isDigit(c) || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]))) return number();
  if (c == '"' || c == '\'') return quoted(c, begin);
  for (const std::string_view punctuator : kPunctuators) {
    if (punctuator.front() == c && text_.substr(at_, punctuator.size()) == punctuator) {
      at_ += punctuator.size();
      return make(TokenKind::Punctuator, begin);
    }
  }
  ++at_;
  while (isInsideCharacter(text_, at_)) ++at_;
  // Compilers stop here too, even in host code.
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
    if (wordBytes(at_, false) != 1 && c != '.' && c != '\'' && !exponentSign) break;
    if (c == '.' || (hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E')) floating = true;
    ++at_;
    skipSplices();
  }
  return make(floating ? TokenKind::Floating : TokenKind::Integer, begin);
}

Token Scanner::quoted(char quote, std::size_t begin) {
  ++at_;
  while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
    const std::size_t bytes = spliceAt(at_);
    at_ += bytes > 0 ? bytes : text_[at_] == '\\' ? 2 : 1;
  }
  at_ = std::min(at_, text_.size());
  if (at_ >= text_.size() || text_[at_] != quote) {
    reportDeferred({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 1)},
                   "this quotation never ends", fmt::format("close it with {} on the same line", quote));
    return {};
  }
  ++at_;
  return make(quote == '"' ? TokenKind::String : TokenKind::Character, begin);
}

/// R"x(…)x", as the string in quotation marks that means the same.
Token Scanner::rawString(std::size_t begin) {
  const std::size_t open = text_.find('(', at_);
  const std::size_t delimiter = open == std::string_view::npos ? 0 : open - at_ - 1;
  std::size_t end = std::string_view::npos;
  if (open != std::string_view::npos && delimiter <= 16)
    end = text_.find(")" + std::string(text_.substr(at_ + 1, delimiter)) + "\"", open);
  if (end == std::string_view::npos) {
    at_ = text_.size();
    reportDeferred({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 2)},
                   "this raw string never ends", "close it with )\" and its delimiter");
    return {};
  }
  std::string& text = spellings_.emplace_back("\"");
  for (const char c : text_.substr(open + 1, end - open - 1)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  text += '"';
  at_ = end + delimiter + 2;
  return {TokenKind::String, text, spanFrom(begin)};
}

std::size_t Scanner::directiveEnd() const {
  for (std::size_t end = at_; end < text_.size(); ++end) {
    if (const std::size_t bytes = spliceAt(end); bytes > 0) {
      end += bytes - 1;
    } else if (text_[end] == '\n') {
      return end;
    } else if (text_.substr(end, 2) == "/*") {
      const std::size_t close = text_.find("*/", end + 2);
      if (close == std::string_view::npos) break;
      end = close + 1;
    } else if (text_.substr(end, 2) == "//") {
      while (end + 1 < text_.size() && text_[end + 1] != '\n')
        end += std::max<std::size_t>(1, spliceAt(end + 1));
    } else if (text_[end] == '"') {
      while (end + 1 < text_.size() && text_[end + 1] != '"' && text_[end + 1] != '\n')
        end += spliceAt(end + 1) > 0 ? spliceAt(end + 1) : text_[end + 1] == '\\' ? 2 : 1;
      if (end + 1 < text_.size() && text_[end + 1] == '"') ++end;
    }
  }
  return text_.size();
}

void Scanner::skipInLine(std::size_t end) {
  while (at_ < end) {
    if (text_[at_] == ' ' || text_[at_] == '\t' || spliceAt(at_) > 0) {
      at_ += std::max<std::size_t>(1, spliceAt(at_));
    } else if (text_.substr(at_, 2) == "//") {
      at_ = end;
    } else if (text_.substr(at_, 2) == "/*") {
      const std::size_t close = text_.find("*/", at_ + 2);
      if (close == std::string_view::npos) {
        report({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 2)},
               "this comment never ends", "close it with */");
      }
      at_ = close == std::string_view::npos ? end : close + 2;
    } else {
      return;
    }
  }
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
