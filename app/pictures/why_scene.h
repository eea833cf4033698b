#pragma once

#include <string>
#include <vector>

#include "app/analysis/diagnosis.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// A part of a bar: the share of a kernel's samples that are stalled for one group of reasons.
struct WhyPart {
  StallGroup group = StallGroup::Other;
  double share = 0;  ///< 0 to 1
};

/// A kernel's bar.
struct WhyRow {
  std::string label;
  std::vector<WhyPart> parts;  ///< in the order of StallGroup; together 1
  std::string note;            ///< at the bar's end: `line 11, 51%`
  std::string tooltip;
  bool highlight = false;
};

/// The least time that one unit needs for the current kernel.
struct FloorBar {
  std::string name;
  double us = 0;
  std::string note;  ///< at the bar's end: `491.5 µs`
};

/// The distribution of kernels' time: for the current kernel a sentence and its units, and a bar for each
/// kernel.
struct WhyChart {
  std::string sentence;          ///< the diagnosis of the current kernel, or that there is none
  std::vector<UnitLoad> units;   ///< of the current kernel; empty if no throughputs were recorded
  std::string floorSentence;     ///< the floor of the current kernel, or why it has none; can be empty
  std::vector<FloorBar> floors;  ///< by unit, the longest first
  double floorScaleUs = 0;       ///< that a bar of the whole width is
  std::vector<WhyRow> rows;
  std::string origin;  ///< the GPU and the day of all this
};

/// The parts of a profile's bar: its stall reasons by group.
std::vector<WhyPart> whyParts(const Diagnosis& diagnosis);

/// The colour of a group in bar and legend.
ColorRole stallColor(StallGroup group);

/// The least height in which every bar can be read, in logical pixels at the context's width and unit.
float leastWhyHeight(const WhyChart& chart, const SceneContext& context, const TextMeasure& measure);

/// The sentence, the units' shares of their peaks, the floors, a legend, and a stacked bar for each row.
/// Hits: Strategy (index: the row's).
Scene whyScene(const WhyChart& chart, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
