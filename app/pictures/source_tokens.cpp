#include "app/pictures/code_rows.h"

#include <algorithm>
#include <array>

#include "sim/language/text/code_parts.h"

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

TokenKind kindOfWord(std::string_view word) {
  if (std::ranges::binary_search(kKeywords, word)) return TokenKind::Keyword;
  if (std::ranges::binary_search(kBuiltins, word) || word.starts_with("__") || word.starts_with("atomic")) {
    return TokenKind::Builtin;
  }
  return TokenKind::Plain;
}

TokenKind kindOfPart(const CodePart& part, std::string_view text) {
  switch (part.kind) {
    // Blanks have no ink: beside a comment they can have its colour.
    case CodePart::Kind::Blank:
      return part.of(text).find('/') == std::string_view::npos ? TokenKind::Plain : TokenKind::Comment;
    case CodePart::Kind::Word: return kindOfWord(part.of(text));
    case CodePart::Kind::Number: return TokenKind::Number;
    case CodePart::Kind::Literal:
    case CodePart::Kind::Punctuation:
    case CodePart::Kind::Other: break;
  }
  return TokenKind::Plain;
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
  std::size_t directiveEnd = 0;  // a directive looks like a comment
  for (const CodePart& part : splitCode(text)) {
    if (part.begin >= directiveEnd && part.of(text) == "#")
      directiveEnd = std::min(text.find('\n', part.begin), text.size());
    const std::size_t rest = std::clamp<std::size_t>(directiveEnd, part.begin, part.end);
    addToken(tokens, text, TokenKind::Comment, part.begin, rest);
    addToken(tokens, text, kindOfPart(part, text), rest, part.end);
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
