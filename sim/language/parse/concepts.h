#pragma once

#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope::syntax {

/// Writes the concepts of C++20 as C++17 has it: `template <std::integral T> T f(T x)` as `template <typename
/// T, std::enable_if_t<std::integral<T>, int> = 0> T f(T x)`, a concept as a template of a constant. What a
/// `requires {…}` asks counts as given, and so do the constraints of kernels, classes, parameter packs and
/// `auto`: the host's compiler has checked a whole program's.
void lowerConcepts(std::vector<Token>& tokens);

/// True of `integral` and the others of <concepts> that may be before a template's parameter or `auto`.
bool isStandardConcept(std::string_view word);

}  // namespace lanescope::syntax
