#pragma once

#include <string_view>

namespace lanescope {

/// assets/glossary.md, as the build embedded it.
std::string_view glossaryText();

}  // namespace lanescope
