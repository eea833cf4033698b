#pragma once

#include <string>
#include <string_view>

#include "app/pictures/why_scene.h"
#include "app/analysis/floor_report.h"
#include "app/analysis/text_profiles.h"

namespace lanescope {

/// The text that the page "why" is about, and the data on it.
struct WhyText {
  const Strategy* strategy = nullptr;  ///< the strategy of the text, edited or not; nullptr: a file
  std::string title;                   ///< `Baseline`, `my.cu`
  std::string_view text;
  const FloorReport* floors = nullptr;  ///< if nullptr, `floorNote` says why
  std::string floorNote;
  double measuredUs = 0;  ///< of this exact text at the floors' N; 0: not measured
  double ownUs = 0;       ///< of the strategy's unedited text; 0: not measured
};

/// The GPU panel's page "why": the current text, its floors, and a bar for each strategy that was profiled.
WhyChart makeWhyChart(TextProfiles& profiles, const WhyText& text);

}  // namespace lanescope
