#pragma once

#include <string>
#include <vector>

#include "app/pictures/chart_scene.h"
#include "app/base/markdown.h"
#include "app/analysis/experiment_times.h"
#include "app/analysis/experiment_profiles.h"
#include "app/panels/parts_in_sight.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// A bar for each kernel that was timed, with its time and its ratio to the first. Its tooltip says what
/// limits it, if it was profiled.
BarChart experimentBars(const ExperimentTimes& times, const ExperimentProfiles& profiles = {});

/// The same for a column without room for times and long names: only ratios. If a kernel differs from the one
/// above it only in its last level, only that level, `· warp 0 alone`. Time and name are in the tooltip.
BarChart narrowBars(BarChart chart);

/// The experiments of a lesson that were recorded, below its text: each with its question and a chart of the
/// times.
class ExperimentPage {
 public:
  void draw(const ViewContext& context, const Strategy& strategy);

 private:
  struct Entry {
    std::vector<MarkdownBlock> text;
    BarChart bars;
    BarChart narrow;  ///< for a column without room for the times
    std::string foot;
  };
  void read(const Strategy& strategy);
  static void drawEntry(const ViewContext& context, const Entry& entry, const std::string& id);

  const Strategy* shown_ = nullptr;
  bool isLoaded_ = false;
  BenchData recorded_;         ///< empty if no recording of experiments ships
  ProfileRecording profiled_;  ///< the profiles of these experiments
  std::vector<Entry> entries_;
  PartsInSight parts_;  ///< by entry
};

}  // namespace lanescope
