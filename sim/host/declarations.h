#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/host/tokens.h"

/// Declarations in tokens: as much of C++ as the rewriting needs.
namespace lanescope::host {

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

}  // namespace lanescope::host
