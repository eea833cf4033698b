#pragma once

#include <string>
#include <string_view>

#include "app/scene/charts/why_scene.h"
#include "app/session/floors/floor_report.h"
#include "app/session/profile/text_profiles.h"

namespace lanescope {

/// The text that the page "why" is about, and what is known of it.
struct WhyText {
  const Strategy* strategy = nullptr;  ///< whose text it is, edited or not; nullptr: a file
  std::string title;                   ///< `Baseline`, `my.cu`
  std::string_view text;
  const FloorReport* floors = nullptr;  ///< nullptr: `floorNote` says why
  std::string floorNote;
  double measuredUs = 0;  ///< of that very text at the floors' N; 0: not measured
  double ownUs = 0;       ///< of the strategy's own text; 0: not measured
};

/// The GPU panel's page "why": the text at hand, its floors, and a bar for each strategy that was profiled.
WhyChart whyChartOf(TextProfiles& profiles, const WhyText& text);

}  // namespace lanescope
