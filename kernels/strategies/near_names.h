#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// The ids of the three strategies nearest to a word that is none, the nearest first: by the letters to
/// insert, to swap, to leave out or replace (each dearer than the one before), where capitals and '_' for '-'
/// cost nothing and a word of three letters or more that is inside an id costs one.
std::vector<std::string_view> nearestStrategies(std::string_view word);

/// The way out for such a word: `The nearest strategies are baseline, butterfly and kahan; lanescope-cli
/// list names all 40.` One with a dot or a slash, which no id has, is meant to be a file's name.
std::string nearestStrategiesText(std::string_view word);

}  // namespace lanescope
