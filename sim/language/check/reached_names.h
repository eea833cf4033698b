#pragma once

#include <set>
#include <string_view>

#include "sim/language/parse/syntax.h"

namespace lanescope::checker {

/// Every name in a kernel's text and in those of the functions that it names, and so on: what it may reach.
std::set<std::string_view> reachedNames(const syntax::Unit& unit, const syntax::Function& kernel);

}  // namespace lanescope::checker
