#pragma once

#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// Reads the head of a lesson (`key: value` lines between two lines of `---`, README.md) into the strategy,
/// and the rest into its lesson. Throws std::invalid_argument, naming the key, if the head is invalid: a
/// strategy's author sees it in the first test.
void readFrontMatter(std::string_view text, Strategy& strategy);

/// Reads one `key: value` of a head. Throws std::invalid_argument as above.
void readHeadEntry(std::string_view key, std::string_view value, Strategy& strategy);

}  // namespace lanescope
