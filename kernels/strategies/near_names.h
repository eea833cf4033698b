#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// The ids of the three strategies nearest to a word that is not an id, the nearest first: by the letters to
/// insert, to swap, to leave out or replace (each costs more than the one before). Capitals and '_' for '-'
/// cost nothing, and a word of three letters or more that is inside an id costs one.
std::vector<std::string_view> nearestStrategies(std::string_view word);

/// The advice for such a word: `The nearest strategies are baseline, butterfly and kahan; lanescope-cli list
/// names all 40.` A word with a dot or a slash, which no id has, is taken as a file's name.
std::string nearestStrategiesText(std::string_view word);

}  // namespace lanescope
