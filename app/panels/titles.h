#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// A sentence for the window: a strategy's id in quotation marks, as on the command line, is replaced by its
/// title.
std::string withTitles(std::string_view sentence);

}  // namespace lanescope
