#pragma once

#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope::syntax {

/// Writes the concepts of C++20 in C++17: `template <std::integral T> T f(T x)` becomes `template <typename
/// T, std::enable_if_t<std::integral<T>, int> = 0> T f(T x)`, and a concept becomes a template of a constant.
/// The requirements in `requires {…}` count as met, and so do the constraints of kernels, classes, parameter
/// packs and `auto`: the host's compiler has checked them in a whole program.
void lowerConcepts(std::vector<Token>& tokens);

/// True for `integral` and the other names of <concepts> that can be before a template's parameter or `auto`.
bool isStandardConcept(std::string_view word);

}  // namespace lanescope::syntax
