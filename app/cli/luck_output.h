#pragma once

#include <string>

#include "sim/machine/luck/luck.h"

namespace lanescope::cli {

/// `lanescope.luck/1`: the verdict, and what each order left different first.
std::string luckJson(const Launch& launch, const LuckReport& report);
/// The same for a person: a line an order, and the verdict in a sentence.
std::string luckText(const LuckReport& report);

}  // namespace lanescope::cli
