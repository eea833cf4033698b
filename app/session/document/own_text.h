#pragma once

#include <string>
#include <string_view>

#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// Whether the text is the strategy's own, but for the type of its elements.
bool isOwnText(const Strategy& strategy, std::string_view text);

/// What of a strategy's run is not the strategy's own, as headings say it: `edited`, `double`, `launch
/// changed`, or two of them: `double, launch changed`; "" for nothing. `hasForm`: a form launches it.
std::string changeNote(const Strategy& strategy, std::string_view text, bool hasForm);

}  // namespace lanescope
