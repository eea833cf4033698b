#include "sim/host/declarations.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <string>
#include <utility>

#include "sim/base/words.h"
#include "sim/language/text/scanner.h"

namespace lanescope::host {
namespace {

class Scan {
 public:
  explicit Scan(std::string_view text) : scanner_(text, {faults_, faults_}, spellings_) {
    result_.text = text;
  }

  TokenText run() {
    while (true) {
      // A system header's own text is not needed; the line marker behind it gives the line.
      if (isSystem_) scanner_.moveTo(std::min(text().find("\n#", scanner_.position()), text().size()));
      const std::size_t blank = scanner_.position();
      scanner_.skipBlank();
      countLines(blank);
      if (scanner_.atEnd()) return std::move(result_);
      if (scanner_.atDirective())
        directive();
      else
        token();
    }
  }

 private:
  std::string_view text() const { return result_.text; }

  void countLines(std::size_t begin) {
    const std::string_view passed = text().substr(begin, scanner_.position() - begin);
    line_ += static_cast<std::uint32_t>(std::ranges::count(passed, '\n'));
  }

  /// A line marker, or a pragma, which stays unchanged.
  void directive() {
    const std::size_t begin = scanner_.position() + 1;
    scanner_.moveTo(std::min(text().find('\n', begin), text().size()));
    std::string_view line = text().substr(begin, scanner_.position() - begin);
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (line.starts_with("line ")) line.remove_prefix(5);
    std::uint32_t number = 0;
    const auto [after, failure] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (failure != std::errc{}) return;
    line_ = number - 1;  // the number of the line that follows
    line.remove_prefix(static_cast<std::size_t>(after - line.data()));
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    if (open == std::string_view::npos || close <= open) return;
    const std::string name(line.substr(open + 1, close - open - 1));
    isSystem_ = line.substr(close + 1).find('3') != std::string_view::npos;
    if (isSystem_) return;
    const auto known = std::ranges::find(result_.files, name);
    file_ = static_cast<std::uint32_t>(known - result_.files.begin());
    if (known == result_.files.end()) result_.files.push_back(name);
  }

  /// True before the quotation in `L"..."`.
  bool isPrefix(std::size_t begin) const {
    const std::string_view word = text().substr(begin, scanner_.position() - begin);
    const bool isQuoted = scanner_.current() == '"' || scanner_.current() == '\'';
    return isQuoted && (word == "L" || word == "u" || word == "U" || word == "u8");
  }

  void token() {
    const std::size_t begin = scanner_.position();
    const std::uint32_t line = line_;
    TokenKind kind = scanner_.next().kind;
    if (kind == TokenKind::Identifier && isPrefix(begin)) kind = scanner_.next().kind;
    const std::size_t end = scanner_.position();
    countLines(begin);  // a raw string has some
    const auto add = [&](Token::Kind as, std::size_t from, std::size_t to) {
      result_.tokens.push_back(
          {as, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), line, file_});
    };
    const char first = text()[begin];
    if (kind == TokenKind::String || kind == TokenKind::Character || first == '"' || first == '\'')
      return add(Token::Kind::Literal, begin, end);
    if (kind == TokenKind::End) return add(Token::Kind::Punctuation, begin, end);
    if (kind != TokenKind::Punctuator || isOfName(first))  // `and` is a punctuator
      return add(Token::Kind::Word, begin, end);
    for (std::size_t at = begin; at < end; ++at) add(Token::Kind::Punctuation, at, at + 1);
  }

  TokenText result_;
  std::vector<Diagnostic> faults_;
  std::deque<std::string> spellings_;
  Scanner scanner_;
  std::uint32_t line_ = 1;
  std::uint32_t file_ = 0;
  bool isSystem_ = false;
};

}  // namespace

TokenText scanPreprocessed(std::string_view text) { return Scan(text).run(); }

std::string textOnOneLine(std::string_view text) {
  std::string joined;
  bool isMarkerLine = false;
  for (std::size_t c = 0; c < text.size(); ++c) {
    if (text[c] == '\n') isMarkerLine = text.substr(c + 1).starts_with("# ");
    if (!isMarkerLine) joined += text[c] == '\n' ? ' ' : text[c];
  }
  return joined;
}

namespace {

bool isOpen(std::string_view t) { return t == "(" || t == "[" || t == "{"; }
bool isClose(std::string_view t) { return t == ")" || t == "]" || t == "}"; }

/// Words whose parentheses are their own, not a function's.
bool takesParentheses(std::string_view word) {
  constexpr std::array kWords{
      "__launch_bounds__", "__attribute__",    "alignas",     "decltype", "__declspec",
      "__maxnreg__",       "__cluster_dims__", "noexcept",    "typeof",   "__typeof__",
      "__block_size__",    "explicit",         "__alignas__", "sizeof"};
  return std::ranges::find(kWords, word) != kWords.end();
}

bool isAccess(std::string_view word) { return word == "public" || word == "private" || word == "protected"; }

/// First token of the declaration around `marker`.
std::size_t findBegin(const TokenText& text, std::size_t marker) {
  std::size_t at = marker;
  while (at > 0) {
    const std::string_view t = text.at(at - 1);
    if (t == ";" || t == "{" || t == "}") break;
    if (t == ":" && at > 1 && isAccess(text.at(at - 2))) break;
    if (text.tokens[at - 1].kind == Token::Kind::Literal && at > 1 && text.at(at - 2) != "extern") break;
    if (t == ")" || t == "]" || t == ">") {
      const std::size_t open = opening(text, at - 1);
      if (open < at - 1) {
        at = open;
        continue;
      }
    }
    --at;
  }
  return at;
}

/// True for the `{` behind `struct` or `union U`, in a declaration of a variable with its type.
bool opensMembers(const TokenText& text, std::size_t brace) {
  const auto isClassWord = [&](std::size_t t) {
    return text.at(t) == "struct" || text.at(t) == "union" || text.at(t) == "class";
  };
  if (brace < 2 || text.at(brace) != "{") return false;
  return isClassWord(brace - 1) || (text.isWord(brace - 1) && isClassWord(brace - 2));
}

void readWords(const TokenText& text, std::size_t begin, std::size_t end, Declaration& found) {
  for (std::size_t t = begin; t < end; ++t) {
    const std::string_view word = text.at(t);
    if (opensMembers(text, t)) {
      t = closing(text, t);
      continue;
    }
    if (word == "template" && text.at(t + 1) == "<") {
      const std::size_t close = closingAngle(text, t + 1);
      found.templateParameters = TokenRange{t + 2, close};
      t = close;
      continue;
    }
    found.isKernel |= word == "__global__";
    found.isHost |= word == "__host__";
    found.isDevice |= word == "__device__";
    found.isConstant |= word == "__constant__";
    found.isManaged |= word == "__managed__";
    found.isConstexpr |= word == "constexpr" || word == "consteval";
    found.isExtern |=
        word == "extern" && text.tokens[std::min(t + 1, text.tokens.size() - 1)].kind != Token::Kind::Literal;
  }
}

/// Skips `const`, `noexcept(…)`, `-> T` and a constructor's initialisers: returns the `{` or `;` that follows
/// parameters.
std::size_t afterParameters(const TokenText& text, std::size_t at) {
  bool isInitialising = false;
  while (at < text.tokens.size()) {
    const std::string_view t = text.at(at);
    if (t == ";" || t == "=" || t == "}") return at;
    if (t == ":") isInitialising = true;
    if (t == "{") {
      const std::string_view before = text.at(at - 1);
      const bool isInitialiser = isInitialising && before != ")" && before != "}" && text.isWord(at - 1);
      if (!isInitialiser) return at;
    }
    at = isOpen(t) ? closing(text, at) + 1 : at + 1;
  }
  return at;
}

/// True at the `(` of `Vec up(0, 1, 0)`: one of the parts between the brackets does not begin as a parameter
/// does.
bool holdsValues(const TokenText& text, std::size_t open) {
  const std::vector<TokenRange> arguments = separated(text, {open + 1, closing(text, open)});
  return std::ranges::any_of(arguments, [&](const TokenRange& argument) {
    const std::string_view first = text.at(argument.begin);
    const bool isNumber = !first.empty() && first.front() >= '0' && first.front() <= '9';
    return isNumber || text.tokens[argument.begin].kind == Token::Kind::Literal || first == "-" ||
           first == "true" || first == "false" || first == "nullptr";
  });
}

void readFunction(const TokenText& text, std::size_t open, Declaration& found) {
  found.isFunction = true;
  found.name = open == 0 ? 0 : open - 1;
  if (text.at(found.name) == ">") {
    const std::size_t angle = opening(text, found.name);
    if (angle < found.name && angle > 0) {
      found.specialised = TokenRange{angle + 1, found.name};
      found.name = angle - 1;
    }
  }
  const std::size_t close = closing(text, open);
  found.parameters = {open + 1, close};
  found.end = afterParameters(text, close + 1);
  if (text.at(found.end) == "{") {
    found.body = found.end;
    found.end = closing(text, found.end) + 1;
  }
}

void readVariables(const TokenText& text, std::size_t begin, std::size_t first, Declaration& found) {
  std::size_t at = first;
  bool isName = true;  // the next mark ends a name
  for (; at < text.tokens.size(); ++at) {
    const std::string_view t = text.at(at);
    const bool isEnd = t == ";";
    if (isName && (isEnd || t == "[" || t == "=" || t == "{" || t == "(" || t == ",") && at > begin &&
        text.isWord(at - 1)) {
      found.variables.push_back(at - 1);
      isName = false;
    }
    if (isEnd) break;
    if (t == ",") isName = true;
    if (isOpen(t)) at = closing(text, at);
  }
  found.end = at;
}

}  // namespace

bool isTypeWord(std::string_view word) {
  constexpr std::array kWords{"int",      "float",  "double", "char",   "short", "long",
                              "unsigned", "signed", "bool",   "size_t", "const", "volatile",
                              "typename", "class",  "auto",   "void"};
  return std::ranges::find(kWords, word) != kWords.end();
}

std::size_t closing(const TokenText& text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t t = open; t < text.tokens.size(); ++t) {
    if (text.tokens[t].kind != Token::Kind::Punctuation) continue;
    if (isOpen(text.at(t))) ++depth;
    if (isClose(text.at(t)) && --depth == 0) return t;
  }
  return text.tokens.empty() ? 0 : text.tokens.size() - 1;
}

std::size_t closingAngle(const TokenText& text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t t = open; t < text.tokens.size(); ++t) {
    const std::string_view token = text.at(t);
    if (token == ";" || token == "{" || isClose(token)) return open;
    if (isOpen(token)) {
      t = closing(text, t);
    } else if (token == "<") {
      ++depth;
    } else if (token == ">" && text.at(t - 1) != "-" && --depth == 0) {
      return t;
    }
  }
  return open;
}

std::size_t opening(const TokenText& text, std::size_t close) {
  const bool isAngle = text.at(close) == ">";
  std::size_t depth = 0;
  for (std::size_t t = close + 1; t-- > 0;) {
    if (text.tokens[t].kind != Token::Kind::Punctuation) continue;
    const std::string_view token = text.at(t);
    if (isAngle && (token == ";" || token == "{" || token == "}")) return close;
    if (isAngle && (token == ")" || token == "]")) {
      t = opening(text, t);
      continue;
    }
    if (isAngle ? token == ">" : isClose(token)) ++depth;
    if ((isAngle ? token == "<" : isOpen(token)) && --depth == 0) return t;
  }
  return close;
}

std::vector<TokenRange> separated(const TokenText& text, TokenRange range) {
  std::vector<TokenRange> parts;
  std::size_t begin = range.begin;
  for (std::size_t t = range.begin; t < range.end; ++t) {
    const std::string_view token = text.at(t);
    if (isOpen(token)) {
      t = closing(text, t);
    } else if (token == "<") {
      t = std::min(closingAngle(text, t), range.end);
    } else if (token == ",") {
      parts.push_back({begin, t});
      begin = t + 1;
    }
  }
  if (begin < range.end) parts.push_back({begin, range.end});
  return parts;
}

std::optional<Declaration> declarationAround(const TokenText& text, std::size_t marker) {
  if (marker > 0 && (text.at(marker - 1) == "]" || text.at(marker - 1) == ")")) {
    const std::size_t open = opening(text, marker - 1);
    if (text.at(open) == "[" && (open == 0 || text.at(open - 1) != "[")) return std::nullopt;
  }
  Declaration found;
  found.begin = findBegin(text, marker);
  std::size_t at = marker;
  for (; at < text.tokens.size(); ++at) {
    const std::string_view t = text.at(at);
    if (takesParentheses(t) && text.at(at + 1) == "(") {
      at = closing(text, at + 1);
    } else if (t == "operator") {
      for (++at; at < text.tokens.size() && text.at(at) != "("; ++at) {
      }
      if (text.at(at + 1) == ")" && text.at(at + 2) == "(") at += 2;
      readFunction(text, at, found);
      break;
    } else if (t == "<" && text.isWord(at - 1)) {
      at = closingAngle(text, at);
    } else if (opensMembers(text, at) || (t == "[" && text.at(at + 1) == "[")) {
      at = closing(text, at);
    } else if (t == "(" && !holdsValues(text, at)) {
      readFunction(text, at, found);
      break;
    } else if (t == "(" || t == ";" || t == "=" || t == "[" || t == "{" || t == "," || t == "}") {
      readVariables(text, found.begin, at, found);
      break;
    }
  }
  readWords(text, found.begin, found.isFunction ? found.name : std::min(at, text.tokens.size()), found);
  found.isVariable = !found.isFunction;
  return found;
}

std::string parameterName(const TokenText& text, TokenRange parameter) {
  std::size_t end = parameter.begin;
  for (; end < parameter.end && text.at(end) != "=" && text.at(end) != "["; ++end) {
    if (text.at(end) == "(" && text.at(end + 1) == "*") {  // a pointer to a function, or to an array
      const std::size_t close = closing(text, end);
      return text.isWord(close - 1) ? std::string(text.at(close - 1)) : "";
    }
    if (text.at(end) == "<") end = closingAngle(text, end);
  }
  if (end == parameter.begin || !text.isWord(end - 1) || isTypeWord(text.at(end - 1))) return "";
  const bool isAlone = end - parameter.begin < 2;
  const bool isQualified = !isAlone && text.at(end - 2) == ":";
  return isAlone || isQualified ? "" : std::string(text.at(end - 1));
}

bool isReference(const TokenText& text, TokenRange parameter) {
  const std::size_t last = parameter.end - parameter.begin < 3 ? parameter.begin : parameter.end - 2;
  return text.at(last) == "&" && text.at(last - 1) != "&";
}

}  // namespace lanescope::host
