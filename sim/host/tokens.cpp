#include "sim/host/tokens.h"

#include <algorithm>
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

}  // namespace lanescope::host
