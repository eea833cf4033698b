#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// A sentence as the window says it: where it names a strategy by its id in quotation marks, as the command
/// line does, its title is there.
std::string withTitles(std::string_view sentence);

}  // namespace lanescope
