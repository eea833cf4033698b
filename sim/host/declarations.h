#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

// Declarations in tokens: as much of C++ as the rewriting needs.

/// Index of the bracket that closes the one at `open` ((), [] or {}); the last token if none does.
std::size_t closing(const TokenText& text, std::size_t open);
/// closing() for the `<` of a template's parameters or arguments; `open` itself if it is not such a bracket.
std::size_t closingAngle(const TokenText& text, std::size_t open);
/// Index of the bracket that opens the pair closed by the one at `close` (`)`, `]`, `}` or `>`).
std::size_t opening(const TokenText& text, std::size_t close);

/// The ranges [begin, end) between commas outside all brackets.
struct TokenRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};
std::vector<TokenRange> separated(const TokenText& text, TokenRange range);

/// A declaration with one of CUDA's words, and the function or variables that it declares.
struct Declaration {
  std::size_t begin = 0;  ///< its first token, `template` included
  bool isKernel = false, isHost = false, isDevice = false, isVariable = false, isManaged = false;
  bool isConstant = false, isConstexpr = false, isExtern = false;
  std::optional<TokenRange> templateParameters;  ///< the innermost template<…>'s
  bool isFunction = false;
  std::size_t name = 0;                   ///< the function's name
  std::optional<TokenRange> specialised;  ///< the part between < and > behind its name
  TokenRange parameters;                  ///< between its parentheses
  std::optional<std::size_t> body;        ///< its `{`
  std::size_t end = 0;                    ///< the token after it
  std::vector<std::size_t> variables;     ///< the names of variables
};

/// The declaration that the word at `marker` (`__global__`, `__device__` …) belongs to; nullopt if it belongs
/// to a lambda.
std::optional<Declaration> declarationAround(const TokenText& text, std::size_t marker);

/// True for `int`, `const` and their kin, which end no declarator.
bool isTypeWord(std::string_view word);

/// The name of a parameter, of a function or of a template; empty if it has none.
std::string parameterName(const TokenText& text, TokenRange parameter);

/// True for `T& name`: a kernel gets its address.
bool isReference(const TokenText& text, TokenRange parameter);

// Lambdas that kernels may take: `[=] __device__ (int i) { y[i] = a * x[i]; }`.

struct DeviceLambda {
  struct Capture {
    std::string name;
    std::string value;  ///< its initial value
  };
  std::size_t begin = 0;  ///< its `[`
  std::vector<Capture> captures;
  std::optional<TokenRange> parameters;  ///< between its parentheses; empty if it has none
  bool isHost = false;                   ///< also for the host
  bool isMutable = false;
  std::string result;    ///< behind `->`; empty if missing
  std::size_t body = 0;  ///< its `{`
  std::size_t end = 0;   ///< its `}`
};

/// The lambda that the word at `marker` (`__device__`, `__host__`) belongs to; nullopt if it does not belong
/// to a lambda, or to one that captures a reference or `this`. The captures of `[=]` follow from how the
/// enclosing function declares names.
std::optional<DeviceLambda> lambdaAround(const TokenText& text, std::size_t marker);

/// A class for the front end that behaves as the lambda does, with a template parameter for the type of each
/// capture.
std::string classText(const TokenText& text, const DeviceLambda& lambda, const std::string& name);
/// The texts before the lambda's parameters, between them and its body, and behind it on the host: an object
/// of a local class that names that class with the types that its captures have.
struct LambdaParts {
  std::string head, middle, tail;
};
LambdaParts hostParts(const DeviceLambda& lambda, const std::string& name);

}  // namespace lanescope::host
