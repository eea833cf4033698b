#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::host {

/// A token of preprocessed C++: an identifier or number, a string or character literal, or one punctuation
/// character.
struct Token {
  enum class Kind : std::uint8_t { Word, Literal, Punctuation } kind = Kind::Punctuation;
  std::uint32_t begin = 0;  ///< bytes of the text
  std::uint32_t end = 0;
  std::uint32_t line = 0;  ///< in the file that the preprocessor read
  std::uint32_t file = 0;  ///< its number in TokenText::files
};

/// A preprocessed text's tokens, without those of system headers, which are not rewritten.
struct TokenText {
  std::string_view text;
  std::vector<Token> tokens;
  std::vector<std::string> files;  ///< the files of these tokens, without the system's

  std::string_view at(std::size_t token) const {
    if (token >= tokens.size()) return {};
    return text.substr(tokens[token].begin, tokens[token].end - tokens[token].begin);
  }
  bool isWord(std::size_t token) const {
    return token < tokens.size() && tokens[token].kind == Token::Kind::Word;
  }
};

/// Scans what `c++ -E` wrote: line markers (`# 12 "file" 3`) give each token its file and line, and the flag
/// 3 marks a system header. `text` must outlive the result. A text that is not C++ gives some tokens, and no
/// error.
TokenText scanPreprocessed(std::string_view text);

/// A part of such a text on one line, without its line markers.
std::string textOnOneLine(std::string_view text);

}  // namespace lanescope::host
