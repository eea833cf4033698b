#include <fmt/format.h>

#include <array>
#include <cctype>
#include <map>
#include <string>

#include "sim/language/token.h"

namespace lanescope {
namespace {

/// Longest first, so that the first match is the longest one.
constexpr std::array<std::string_view, 47> kPunctuators = {
    "<<=", ">>=", "...", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "{",  "}",  "(",  ")",  "[",  "]",  ";",  ",",  ".",
    "+",   "-",   "*",   "/",  "%",  "&",  "|",  "^",  "~",  "!",  "<",  ">",  "=",  "?",  ":"};

/// A macro may use macros; deeper than this it is taken to be defined by itself.
constexpr int kMaxMacroDepth = 32;
/// Tokens that a text may have, and grow to by its macros.
constexpr std::size_t kMaxTokens = 1u << 20;
/// Uses of macros in all: macros that use macros can ask for any number, also where they are empty.
constexpr std::size_t kMaxExpansions = 1u << 20;
/// Faults told; a text that is no text has one at every byte.
constexpr std::size_t kMaxDiagnostics = 20;

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  Lexer(const SourceText& source, std::vector<Diagnostic>& diagnostics)
      : text_(source.text()), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    while (skipBlank(), at_ < text_.size() && diagnostics_.size() < kMaxDiagnostics) {
      if (tokens_.size() > kMaxTokens) {
        report({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 1)},
               "this text is too long to be simulated", "keep the kernel alone in its file");
        break;
      }
      if (text_[at_] == '#' && atLineStart_) {
        directive();
        continue;
      }
      atLineStart_ = false;
      const Token token = next();
      stopped_ = false;
      if (token.kind != TokenKind::End) append(token, token.span, 0);
    }
    const auto end = static_cast<std::uint32_t>(text_.size());
    tokens_.push_back({TokenKind::End, {}, {end, end}});
    return std::move(tokens_);
  }

 private:
  void report(SourceSpan span, std::string message, std::string hint) {
    if (diagnostics_.size() >= kMaxDiagnostics) return;
    diagnostics_.push_back({std::move(message), std::move(hint), span});
  }

  SourceSpan spanFrom(std::size_t begin) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }

  void skipBlank() {
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

  Token next() {
    const std::size_t begin = at_;
    const char c = text_[at_];
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

  Token number() {
    const std::size_t begin = at_;
    const bool hex = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
    bool floating = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const char before = at_ > begin ? text_[at_ - 1] : '\0';
      const bool exponentSign = (c == '+' || c == '-') && !hex && (before == 'e' || before == 'E');
      if (!isWord(c) && c != '.' && c != '\'' && !exponentSign) break;
      if (c == '.' || (!hex && (c == 'e' || c == 'E'))) floating = true;
      ++at_;
    }
    return make(floating ? TokenKind::Floating : TokenKind::Integer, begin);
  }

  Token quoted(char quote) {
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

  Token make(TokenKind kind, std::size_t begin) const {
    return {kind, text_.substr(begin, at_ - begin), spanFrom(begin)};
  }

  /// Appends a token as seen at `place`, replacing macros. One that cannot be replaced is told once.
  void append(const Token& token, SourceSpan place, int depth) {
    if (stopped_) return;
    const auto macro = token.kind == TokenKind::Identifier ? macros_.find(token.text) : macros_.end();
    if (macro == macros_.end()) {
      tokens_.push_back({token.kind, token.text, place});
      return;
    }
    if (depth > kMaxMacroDepth) {
      stopped_ = true;
      report(place, fmt::format("the macro {} is defined by itself", token.text),
             "give it a value that does not use it");
      return;
    }
    if (++expansions_ > kMaxExpansions || tokens_.size() > kMaxTokens) {
      stopped_ = true;
      report(place, "macros make this text too long to be simulated", "write the text without them");
      return;
    }
    for (const Token& piece : macro->second) append(piece, place, depth + 1);
  }

  /// Where the directive at at_ ends: at a newline that neither a backslash nor a comment hides.
  std::size_t directiveEnd() const {
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

  void directive() {
    const std::size_t begin = at_;
    const std::size_t end = directiveEnd();
    ++at_;
    while (at_ < end && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    const std::size_t nameBegin = at_;
    while (at_ < end && isWord(text_[at_])) ++at_;
    const std::string_view name = text_.substr(nameBegin, at_ - nameBegin);
    if (name == "define") {
      define(end);
    } else if (name == "undef") {
      skipInLine(end);
      macros_.erase(at_ < end ? next().text : std::string_view());
    } else if (!name.empty() && name != "include" && name != "pragma") {
      report(spanFrom(begin), fmt::format("#{} is not in the subset of CUDA C++ that is simulated", name),
             "write the text as it is after preprocessing; #define NAME value is understood");
    }
    at_ = end;
  }

  void skipInLine(std::size_t end) {
    while (at_ < end && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\\')) ++at_;
    if (text_.substr(at_, 2) == "//") at_ = end;
    if (text_.substr(at_, 2) != "/*") return;
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) {
      report({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 2)},
             "this comment never ends", "close it with */");
    }
    at_ = close == std::string_view::npos ? end : close + 2;
    skipInLine(end);
  }

  void define(std::size_t end) {
    skipInLine(end);
    const std::size_t begin = at_;
    if (at_ >= end || !isWordStart(text_[at_])) {
      report(spanFrom(begin), "#define needs a name", "write #define NAME value");
      return;
    }
    const Token name = next();
    if (at_ < end && text_[at_] == '(') {
      report(name.span, "a macro with parameters is not in the subset that is simulated",
             "write a __device__ function");
      return;
    }
    std::vector<Token> body;
    for (skipInLine(end); at_ < end; skipInLine(end)) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
        continue;
      }
      const Token token = next();
      if (token.kind != TokenKind::End) body.push_back(token);
    }
    macros_[name.text] = std::move(body);
  }

  std::string_view text_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t at_ = 0;
  bool atLineStart_ = true;
  bool stopped_ = false;  ///< the macro that is being replaced was given up
  std::size_t expansions_ = 0;
  std::map<std::string_view, std::vector<Token>> macros_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  return Lexer(source, diagnostics).run();
}

}  // namespace lanescope
