#include "app/views/gpu/why_page.h"

#include <fmt/format.h>

#include "app/views/gpu/gpu_charts.h"

namespace lanescope {
namespace {

WhyRow rowOf(const TextProfile& profile, const Strategy* atHand) {
  const Diagnosis& diagnosis = profile.diagnosis;
  WhyRow row;
  const std::string& id = profile.profile->kernel.strategy;
  row.label = contenderTitle(id);
  row.parts = whyParts(diagnosis);
  row.highlight = atHand != nullptr && atHand->id == id;
  row.tooltip = row.label + "\n" + diagnosis.sentence;
  for (const StallShare& stall : diagnosis.stalls) {
    if (stall.share >= 0.02)
      row.tooltip +=
          fmt::format("\n{:.0f}% {} ({})", 100 * stall.share, stall.reason.words,
                      stall.reason.nsight.empty() ? std::string_view(stall.id) : stall.reason.nsight);
  }
  row.tooltip += "\n" + profile.origin;
  if (!diagnosis.lines.empty()) {
    const LineShare& line = diagnosis.lines.front();
    row.note = fmt::format("line {}, {:.0f}%", line.line, 100 * line.share);
    row.tooltip += fmt::format("\nline {}: {}", line.line, line.text);
  }
  return row;
}

}  // namespace

WhyChart whyChartOf(TextProfiles& profiles, const Strategy* atHand) {
  WhyChart chart;
  if (!profiles.problem().empty()) {
    chart.sentence = profiles.problem();
    return chart;
  }
  for (const TextProfile* profile : profiles.ofStrategies()) {
    chart.rows.push_back(rowOf(*profile, atHand));
    chart.origin = profile->origin;
  }
  if (atHand == nullptr) return chart;
  if (const TextProfile* const own = profiles.of(atHand->source)) {
    chart.units = own->diagnosis.units;
    chart.sentence = atHand->title + ". " + own->diagnosis.sentence;
  } else {
    chart.sentence =
        fmt::format("No profile of {} was recorded; lanescope-gpu profile {} --record FILE makes one.",
                    atHand->title, atHand->id);
  }
  if (!chart.origin.empty()) chart.sentence += " Measured on " + chart.origin + ".";
  return chart;
}

}  // namespace lanescope
