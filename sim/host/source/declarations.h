#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/host/source/tokens.h"

/// How declarations are made of tokens: as much of C++ as a rewriting needs.
namespace lanescope::host {

/// Index of the bracket that closes the one at `open` ((), [] or {}); the last token where none does.
std::size_t closing(const TokenText& text, std::size_t open);
/// The same for `<` of a template's parameters or arguments; `open` itself where it is no such bracket.
std::size_t closingAngle(const TokenText& text, std::size_t open);
/// Index of the bracket that opens what the one at `close` (`)`, `]`, `}` or `>`) ends.
std::size_t opening(const TokenText& text, std::size_t close);

/// The ranges [begin, end) between commas outside all brackets.
struct TokenRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};
std::vector<TokenRange> separated(const TokenText& text, TokenRange range);

/// A declaration with one of CUDA's words: which function or which variables it declares.
struct Declaration {
  std::size_t begin = 0;  ///< its first token, `template` included
  bool isKernel = false, isHost = false, isDevice = false, isVariable = false, isManaged = false;
  bool isConstant = false, isConstexpr = false, isExtern = false;
  std::optional<TokenRange> templateParameters;  ///< the innermost template<…>'s
  bool isFunction = false;
  std::size_t name = 0;                   ///< of a function
  std::optional<TokenRange> specialised;  ///< what is between < and > behind its name
  TokenRange parameters;                  ///< between its parentheses
  std::optional<std::size_t> body;        ///< its `{`
  std::size_t end = 0;                    ///< the token after it
  std::vector<std::size_t> variables;     ///< the names of variables
};

/// The declaration that the word at `marker` (`__global__`, `__device__` …) belongs to; nothing for that of a
/// lambda.
std::optional<Declaration> declarationAround(const TokenText& text, std::size_t marker);

/// True of `int`, `const` and their kin, which end no declarator.
bool isTypeWord(std::string_view word);

/// The name of a parameter, of a function or of a template; empty where it has none.
std::string parameterName(const TokenText& text, TokenRange parameter);

/// True of `T& name`: a kernel gets its address.
bool isReference(const TokenText& text, TokenRange parameter);

}  // namespace lanescope::host
