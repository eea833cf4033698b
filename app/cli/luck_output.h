#pragma once

#include <string>

#include "sim/trace/luck.h"

namespace lanescope::cli {

/// `lanescope.luck/1`: the verdict, and the first difference that each order left.
std::string luckJson(const Launch& launch, const LuckReport& report);
/// The same as text: one line per order, and the verdict in a sentence.
std::string luckText(const LuckReport& report);

}  // namespace lanescope::cli
