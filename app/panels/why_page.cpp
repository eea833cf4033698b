#include "app/panels/why_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/gpu_charts.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

WhyRow findRow(const TextProfile& profile, const Strategy* atHand) {
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
  if (const LineShare* const line = diagnosis.costliestLine()) {
    row.note = fmt::format("line {}, {:.0f}%", line->line, 100 * line->share);
    row.tooltip += fmt::format("\nline {}: {}", line->line, line->text);
  }
  return row;
}

}  // namespace

namespace {

/// The part of the page about the current text.
void describeText(WhyChart& chart, TextProfiles& profiles, const WhyText& text) {
  const Strategy* const strategy = text.strategy;
  if (const TextProfile* const own = profiles.of(text.text)) {
    chart.units = own->diagnosis.units;
    chart.sentence = text.title + ". " + own->diagnosis.sentence + " Measured on " + own->origin + ".";
  } else if (strategy != nullptr && text.text == strategy->source) {
    chart.sentence =
        fmt::format("No profile of {} was recorded; lanescope-gpu profile {} --record FILE makes one.",
                    strategy->title, strategy->id);
  } else {
    chart.sentence =
        text.title + " was not profiled: Profile does it, on a connected GPU with Nsight Compute.";
  }
}

/// The possible gain from a change of a strategy's text, if only its unedited text was timed.
std::string changeSentence(const Floors& floors, double ownUs) {
  return fmt::format(
      " The strategy's own text takes {:.1f} µs, so that a change can make it {:.2f} times as fast at best.",
      ownUs, ownUs / floors.us());
}

void describeFloors(WhyChart& chart, TextProfiles& profiles, const WhyText& text) {
  if (text.floors == nullptr) {
    chart.floorSentence = text.floorNote;
    return;
  }
  const FloorReport& report = *text.floors;
  const Floors& floors = report.floors;
  const TextProfile* const own = profiles.of(text.text);
  const bool isEdited = text.strategy != nullptr && text.text != text.strategy->source;
  const double us = text.measuredUs > 0 || isEdited ? text.measuredUs : text.ownUs;
  const std::string where = report.n == 0 ? "Its launch"
                                          : fmt::format("N = {}, {} per block", sizeText(report.n),
                                                        counted(report.threads, "thread"));
  chart.floorSentence = fmt::format("{} on {}. {}", where, report.gpu.gpu, floorSentence(floors, us));
  if (us <= 0 && isEdited && text.ownUs > 0 && floors.us() > 0)
    chart.floorSentence += changeSentence(floors, text.ownUs);
  const std::string waiting = waitingSentence(floors, us, own == nullptr ? nullptr : &own->diagnosis);
  if (!waiting.empty()) chart.floorSentence += " " + waiting;
  if (report.isOfText) chart.floorSentence.append(" ").append(report.textNote());
  for (const UnitFloor& unit : floors.units) {
    chart.floors.push_back(
        {std::string(unitName(unit.unit)) + ", floor", unit.us,
         fmt::format("{} µs{}", microseconds(unit.us), unit.rate.isMeasured ? "" : " (datasheet)")});
  }
  chart.floorScaleUs = std::max(us, floors.us());
}

}  // namespace

WhyChart makeWhyChart(TextProfiles& profiles, const WhyText& text) {
  WhyChart chart;
  describeText(chart, profiles, text);
  describeFloors(chart, profiles, text);
  if (!profiles.problem().empty()) {
    chart.sentence += " " + profiles.problem();
    return chart;
  }
  for (const TextProfile* profile : profiles.ofStrategies()) {
    chart.rows.push_back(findRow(*profile, text.strategy));
    chart.origin = profile->origin;
  }
  return chart;
}

}  // namespace lanescope
