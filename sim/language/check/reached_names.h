#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"

namespace lanescope::checker {

/// Every name in a kernel's text and in those of the functions that it names, and so on: what it may reach.
std::set<std::string_view> reachedNames(const syntax::Unit& unit, const syntax::Function& kernel);

/// Names in the text's functions and in the initial values at file scope, but for those that are called.
std::set<std::string_view> namesWithoutCalls(const syntax::Unit& unit);

/// Of these, what names an instance of a template: `add<int>`.
std::vector<const syntax::Expression*> instancesWithoutCalls(const syntax::Unit& unit);

/// True where the expression, which may be null, has one of the names in it.
bool namesAnyOf(const std::set<std::string_view>& names, const syntax::Expression* expression);

}  // namespace lanescope::checker
