#include "sim/language/text/code_parts.h"

#include <deque>
#include <string>

#include "sim/language/text/scanner.h"

namespace lanescope {
namespace {

CodePart::Kind toPartKind(TokenKind kind) {
  switch (kind) {
    case TokenKind::Identifier: return CodePart::Kind::Word;
    case TokenKind::Integer:
    case TokenKind::Floating: return CodePart::Kind::Number;
    case TokenKind::String:
    case TokenKind::Character: return CodePart::Kind::Literal;
    case TokenKind::Punctuator: return CodePart::Kind::Punctuation;
    case TokenKind::End: break;
  }
  return CodePart::Kind::Other;
}

}  // namespace

std::vector<CodePart> splitCode(std::string_view text) {
  std::vector<Diagnostic> ofText;
  std::vector<Diagnostic> deferred;
  std::deque<std::string> spellings;
  Scanner scanner(text, {ofText, deferred}, spellings);
  std::vector<CodePart> parts;
  const auto add = [&](CodePart::Kind kind, std::size_t begin) {
    const SourceSpan span = scanner.spanFrom(begin);
    if (span.begin < span.end) parts.push_back({kind, span.begin, span.end});
  };
  while (true) {
    const std::size_t begin = scanner.position();
    scanner.skipBlank();
    add(CodePart::Kind::Blank, begin);
    if (scanner.atEnd()) return parts;
    const std::size_t token = scanner.position();
    const TokenKind kind = scanner.next().kind;
    add(toPartKind(kind), token);
  }
}

}  // namespace lanescope
