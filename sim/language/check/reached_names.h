#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"

namespace lanescope::checker {

/// Every name in a kernel's text and, recursively, in the functions that it names: all names that it can
/// reach.
std::set<std::string_view> reachedNames(const syntax::Unit& unit, const syntax::Function& kernel);

/// Names in the text's functions and in the initial values at file scope, except the names of called
/// functions.
std::set<std::string_view> namesWithoutCalls(const syntax::Unit& unit);

/// The names among these that are an instance of a template: `add<int>`.
std::vector<const syntax::Expression*> instancesWithoutCalls(const syntax::Unit& unit);

/// True if the expression, which may be null, has one of the names in it.
bool containsAnyName(const std::set<std::string_view>& names, const syntax::Expression* expression);

}  // namespace lanescope::checker
