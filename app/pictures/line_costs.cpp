#include "app/pictures/line_costs.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/pictures/picture_plan.h"
#include "app/workbench/text_buffer.h"
#include "sim/base/counted.h"

namespace lanescope {

namespace {

constexpr std::uint32_t kLeastStride = 1024;
constexpr std::size_t kMostPlaces = 256;

void count(const Trace& trace, const Step& step, std::vector<Counters>& lines) {
  if (step.line < lines.size()) lines[step.line] += computeCounters(trace, step);
}

}  // namespace

LinePlan planLines(const Trace& trace) {
  LinePlan plan;
  if (trace.launch.source == nullptr) return plan;
  const auto steps = static_cast<std::uint32_t>(trace.steps.size());
  plan.stride = std::max(kLeastStride, static_cast<std::uint32_t>(steps / kMostPlaces) + 1);
  std::vector<Counters> lines(trace.launch.source->lineCount() + 1);
  for (std::uint32_t index = 0; index < steps; ++index) {
    if (index % plan.stride == 0) plan.at.push_back(lines);
    count(trace, trace.steps[index], lines);
  }
  if (plan.at.empty()) plan.at.push_back(lines);
  const auto columnsOf = [](std::string_view text) {
    return columnsIn(text, 0, static_cast<std::uint32_t>(text.size()));
  };
  for (const Counters& line : lines) {
    // A branch can diverge before its line's access is counted: that text is then the line's.
    Counters branches;
    branches.divergentBranches = line.divergentBranches;
    plan.longest = std::max({plan.longest, columnsOf(costText(line)), columnsOf(costText(branches))});
  }
  return plan;
}

void LineCosts::syncTo(const Trace& trace, Cursor cursor, const std::shared_ptr<const PicturePlan>& plan) {
  const LinePlan& lines = *plan->lines;
  const std::uint32_t place = cursor.steps / lines.stride;
  const bool isFar = steps_ > cursor.steps + lines.stride || steps_ < place * lines.stride;
  if (plan_ != plan || isFar) {
    plan_ = plan;
    const std::size_t known = std::min<std::size_t>(place, lines.at.size() - 1);
    lines_ = lines.at[known];
    steps_ = static_cast<std::uint32_t>(known) * lines.stride;
  }
  while (steps_ < cursor.steps) count(trace, trace.steps[steps_++], lines_);
  while (steps_ > cursor.steps) {
    const Step step = trace.steps[--steps_];
    if (step.line < lines_.size()) lines_[step.line] -= computeCounters(trace, step);
  }
}

const Counters& LineCosts::of(std::uint32_t line) const {
  static const Counters kNothing;
  return line < lines_.size() ? lines_[line] : kNothing;
}

std::string costText(const Counters& counters) {
  if (counters.sharedWavefronts() > 0)
    return withCommas(counters.sharedWavefronts()) + " · " + withCommas(counters.bankConflicts());
  if (counters.globalSectors() > 0) return withCommas(counters.globalSectors()) + " sect.";
  const std::uint64_t diverging = counters.divergentBranches;
  return diverging > 0 ? "diverges " + withCommas(diverging) + "×" : "";
}

std::string_view costTitle(const Counters& total) {
  if (total.sharedWavefronts() > 0) return "wavefronts · conflicts";
  if (total.globalSectors() > 0) return "sectors";
  return total.divergentBranches > 0 ? "branches" : "";
}

ColorRole costColor(CounterGroup group) {
  return group == CounterGroup::Branches ? ColorRole::Divergence : ColorRole::Conflict;
}

ColorRole costColor(const Counters& counters) {
  if (counters.sharedWavefronts() > 0)
    return counters.bankConflicts() > 0 ? ColorRole::Conflict : ColorRole::TextDim;
  const bool diverges = counters.globalSectors() == 0 && counters.divergentBranches > 0;
  return diverges ? ColorRole::Divergence : ColorRole::TextDim;
}

namespace {

/// The meaning of the numbers in the margin.
std::string explained(const Counters& counters) {
  const std::string text = costText(counters);
  if (text.empty()) return {};
  if (counters.sharedWavefronts() > 0)
    return fmt::format("{}: {} of shared memory, {} of them beyond what is needed (bank conflicts)\n", text,
                       counted(counters.sharedWavefronts(), "wavefront"),
                       withCommas(counters.bankConflicts()));
  if (counters.globalSectors() > 0)
    return fmt::format("{}: {} of global memory moved\n", text, counted(counters.globalSectors(), "sector"));
  return fmt::format("{}: {} at which lanes of one warp went different ways\n", text,
                     counted(counters.divergentBranches, "branch"));
}

}  // namespace

std::string costTip(const Counters& counters) {
  if (counters.instructions == 0) return "";
  std::string tip = explained(counters) + "So far on this line";
  for (const CounterInfo* counter : countersOn(kLineTip)) {
    const std::uint64_t count = counter->value(counters);
    if (count > 0) tip += fmt::format("\n{} {}", count, counter->plain);
  }
  return tip + "\n" + std::to_string((counters.activeLanes * 100 + counters.lanes / 2) / counters.lanes) +
         "% of lanes active";
}

}  // namespace lanescope
