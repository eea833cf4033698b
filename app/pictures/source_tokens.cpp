#include "app/pictures/source_scene.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lanescope {
namespace {

using TokenKind = SourceToken::Kind;

constexpr std::array<std::string_view, 43> kKeywords{"__device__", "__forceinline__",
                                                     "__global__", "__restrict__",
                                                     "__shared__", "auto",
                                                     "bool",       "break",
                                                     "case",       "char",
                                                     "const",      "constexpr",
                                                     "continue",   "default",
                                                     "do",         "double",
                                                     "else",       "enum",
                                                     "extern",     "false",
                                                     "float",      "for",
                                                     "goto",       "if",
                                                     "inline",     "int",
                                                     "long",       "return",
                                                     "short",      "signed",
                                                     "sizeof",     "static",
                                                     "struct",     "switch",
                                                     "template",   "true",
                                                     "typedef",    "typename",
                                                     "unsigned",   "using",
                                                     "void",       "volatile",
                                                     "while"};
constexpr std::array<std::string_view, 5> kBuiltins{"blockDim", "blockIdx", "gridDim", "threadIdx",
                                                    "warpSize"};

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

TokenKind kindOfWord(std::string_view word) {
  if (std::ranges::binary_search(kKeywords, word)) return TokenKind::Keyword;
  if (std::ranges::binary_search(kBuiltins, word) || word.starts_with("__") || word.starts_with("atomic")) {
    return TokenKind::Builtin;
  }
  return TokenKind::Plain;
}

/// Length and kind of the token at the front of a non-empty text that is not in a block comment.
std::size_t tokenLength(std::string_view text, TokenKind& kind) {
  kind = TokenKind::Plain;
  const auto lengthWhile = [text](auto accept) {
    std::size_t length = 1;
    while (length < text.size() && accept(text[length])) ++length;
    return length;
  };
  if (text.starts_with("//") || (text[0] == '#')) {
    kind = TokenKind::Comment;
    return std::min(text.find('\n'), text.size());
  }
  if (isDigit(text[0])) {
    kind = TokenKind::Number;
    return lengthWhile([](char c) { return isWord(c) || c == '.'; });
  }
  if (isWord(text[0])) {
    const std::size_t length = lengthWhile(isWord);
    kind = kindOfWord(text.substr(0, length));
    return length;
  }
  return 1;
}

/// Adds a token, split at line ends, and joined to the previous one if both look the same.
void addToken(std::vector<SourceToken>& tokens, std::string_view text, TokenKind kind, std::size_t begin,
              std::size_t end) {
  while (begin < end) {
    const std::size_t newline = text.find('\n', begin);
    const std::size_t stop = newline < end ? newline + 1 : end;
    const bool joins = !tokens.empty() && tokens.back().kind == kind && text[begin - 1] != '\n';
    if (joins) {
      tokens.back().end = static_cast<std::uint32_t>(stop);
    } else {
      tokens.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(stop)});
    }
    begin = stop;
  }
}

}  // namespace

std::vector<SourceToken> colourTokens(std::string_view text) {
  std::vector<SourceToken> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    TokenKind kind = TokenKind::Plain;
    std::size_t length = 0;
    if (text.substr(at).starts_with("/*")) {
      kind = TokenKind::Comment;
      const std::size_t close = text.find("*/", at + 2);
      length = (close == std::string_view::npos ? text.size() : close + 2) - at;
    } else {
      length = tokenLength(text.substr(at), kind);
    }
    addToken(tokens, text, kind, at, at + length);
    at += length;
  }
  return tokens;
}

ColorRole tokenColor(SourceToken::Kind kind) {
  switch (kind) {
    case SourceToken::Kind::Keyword: return ColorRole::Accent;
    case SourceToken::Kind::Builtin: return ColorRole::Syntax;
    case SourceToken::Kind::Comment: return ColorRole::TextDim;
    case SourceToken::Kind::Number:
    case SourceToken::Kind::Plain: break;
  }
  return ColorRole::Text;
}

}  // namespace lanescope
