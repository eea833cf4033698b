#include "sim/host/declarations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace lanescope::host {
namespace {

bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Scan {
 public:
  explicit Scan(std::string_view text) { result_.text = text; }

  TokenText run() {
    bool isLineStart = true;
    while (at_ < text().size()) {
      const char c = text()[at_];
      if (c == '\n') {
        ++at_;
        ++line_;
        isLineStart = true;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else if (c == '#' && isLineStart) {
        directive();
      } else {
        isLineStart = false;
        token();
      }
    }
    return std::move(result_);
  }

 private:
  std::string_view text() const { return result_.text; }

  /// A line marker, or a pragma, which stays unchanged.
  void directive() {
    const std::size_t end = std::min(text().find('\n', at_), text().size());
    std::string_view line = text().substr(at_ + 1, end - at_ - 1);
    at_ = end;
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

  void token() {
    const std::size_t begin = at_;
    const std::uint32_t line = line_;
    Token::Kind kind = Token::Kind::Punctuation;
    const char c = text()[at_];
    if (c == '"' || c == '\'') {
      kind = Token::Kind::Literal;
      quoted(c);
    } else if (isWordPart(c)) {
      kind = word();
    } else {
      ++at_;
    }
    if (isSystem_) return;
    result_.tokens.push_back(
        {kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_), line, file_});
  }

  Token::Kind word() {
    const std::size_t begin = at_;
    const bool isNumber = std::isdigit(static_cast<unsigned char>(text()[at_])) != 0;
    while (at_ < text().size()) {
      const char c = text()[at_];
      const bool isSeparator =
          isNumber && c == '\'' && at_ + 1 < text().size() && isWordPart(text()[at_ + 1]);
      const bool isSign = isNumber && (c == '+' || c == '-') && at_ > begin &&
                          std::string_view("eEpP").find(text()[at_ - 1]) != std::string_view::npos &&
                          !isHexadecimalInteger(begin);
      if (!isWordPart(c) && !isSeparator && !isSign && !(isNumber && c == '.')) break;
      ++at_;
    }
    if (at_ >= text().size() || (text()[at_] != '"' && text()[at_] != '\'') || isNumber)
      return Token::Kind::Word;
    const std::string_view prefix = text().substr(begin, at_ - begin);
    if (prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R") {
      raw();
    } else if (prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8") {
      quoted(text()[at_]);
    } else {
      return Token::Kind::Word;
    }
    return Token::Kind::Literal;
  }

  /// 0x1e+2 is a sum; 0x1p+2 is a number.
  bool isHexadecimalInteger(std::size_t begin) const {
    const char mark = begin + 1 < text().size() ? text()[begin + 1] : ' ';
    const char last = text()[at_ - 1];
    return (mark == 'x' || mark == 'X') && (last == 'e' || last == 'E');
  }

  void quoted(char quote) {
    for (++at_; at_ < text().size() && text()[at_] != quote && text()[at_] != '\n'; ++at_) {
      if (text()[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text().size());
  }

  void raw() {
    const std::size_t open = text().find('(', at_);
    if (open == std::string_view::npos) {
      at_ = text().size();
      return;
    }
    const std::string close = ")" + std::string(text().substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = text().find(close, open);
    const std::size_t stop = end == std::string_view::npos ? text().size() : end + close.size();
    line_ += static_cast<std::uint32_t>(std::count(text().begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text().begin() + static_cast<std::ptrdiff_t>(stop), '\n'));
    at_ = stop;
  }

  TokenText result_;
  std::size_t at_ = 0;
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
