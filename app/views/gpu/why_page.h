#pragma once

#include "app/scene/charts/why_scene.h"
#include "app/session/profile/text_profiles.h"

namespace lanescope {

/// The GPU panel's page "why" for a strategy at hand (or nullptr), of what was profiled.
WhyChart whyChartOf(TextProfiles& profiles, const Strategy* atHand);

}  // namespace lanescope
