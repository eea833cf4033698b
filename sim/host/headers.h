#pragma once

#include <span>
#include <string_view>

namespace lanescope::host {

/// A header of sim/host/include that the binary carries: its path there and its text.
struct HeaderText {
  std::string_view name;
  std::string_view text;
};
std::span<const HeaderText> headerTexts();

}  // namespace lanescope::host
