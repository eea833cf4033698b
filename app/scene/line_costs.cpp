#include "app/scene/line_costs.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/memory/counter_info.h"

namespace lanescope {

void LineCosts::follow(const Replay& replay, std::uint64_t generation) {
  const Trace& trace = replay.trace();
  if (generation != generation_) {
    generation_ = generation;
    steps_ = 0;
    lines_.assign(trace.launch.source->lineCount() + 1, {});
    // Wide enough for the end of the run, so that the text does not move on the way.
    for (const Step& step : trace.steps) add(trace, step, true);
    longest_ = 0;
    for (const Counters& line : lines_) longest_ = std::max(longest_, costText(line).size());
    lines_.assign(lines_.size(), {});
  }
  const std::uint32_t target = replay.cursor().steps;
  while (steps_ < target) add(trace, trace.steps[steps_++], true);
  while (steps_ > target) add(trace, trace.steps[--steps_], false);
}

const Counters& LineCosts::of(std::uint32_t line) const {
  static const Counters kNone;
  return line < lines_.size() ? lines_[line] : kNone;
}

void LineCosts::add(const Trace& trace, const Step& step, bool forward) {
  if (step.line >= lines_.size()) return;
  if (forward)
    lines_[step.line] += countersOf(trace, step);
  else
    lines_[step.line] -= countersOf(trace, step);
}

std::string costText(const Counters& counters) {
  if (counters.sharedWavefronts() > 0)
    return std::to_string(counters.sharedWavefronts()) + " · " + std::to_string(counters.bankConflicts());
  if (counters.globalSectors() > 0) return std::to_string(counters.globalSectors()) + " sec";
  return counters.divergentBranches > 0 ? std::to_string(counters.divergentBranches) + " div" : "";
}

std::string costTip(const Counters& counters) {
  if (counters.instructions == 0) return "";
  std::string tip = "So far on this line";
  for (const CounterInfo* counter : countersOn(kLineTip)) {
    const std::uint64_t count = counter->value(counters);
    if (count > 0) tip += fmt::format("\n{} {}", count, counter->plain);
  }
  return tip + "\n" + std::to_string((counters.activeLanes * 100 + counters.lanes / 2) / counters.lanes) +
         "% of lanes active";
}

}  // namespace lanescope
