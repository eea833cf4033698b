#include "app/panels/experiment_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/course/glossary.h"
#include "app/panels/base/markdown_layout.h"
#include "app/panels/base/widgets.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kLeastForTimes = 240;  ///< units, of the column

/// `1,245 µs`
std::string microsecondsText(double us) {
  return (us >= 100 ? withCommas(static_cast<std::uint64_t>(std::llround(us))) : fmt::format("{:.1f}", us)) +
         " µs";
}

/// `1,245 µs, 0.50`
std::string barText(double us, double first) {
  return first > 0 ? fmt::format("{}, {:.2f}", microsecondsText(us), us / first) : microsecondsText(us);
}

}  // namespace

BarChart experimentBars(const ExperimentTimes& times, const ExperimentProfiles& profiles) {
  BarChart chart;
  chart.empty = "Not timed yet.";
  const double first = times.us(0);
  for (std::size_t i = 0; i < times.variants.size(); ++i) {
    const auto& result = times.results[i];
    if (!result) continue;
    BarEntry bar;
    bar.label = times.variants[i].name;
    bar.wrong = !result->verified;
    bar.value = times.us(i);
    bar.text = bar.wrong ? "wrong result" : barText(bar.value, first);
    bar.highlight = i == 0;
    bar.lowerQuartile = result->q1Us;
    bar.upperQuartile = result->q3Us;
    if (result->registers > 0)
      bar.note = std::to_string(result->registers) + " registers, at most " +
                 std::to_string(result->residentBlocks) + " blocks per SM";
    if (i < profiles.clauses.size() && !profiles.clauses[i].empty())
      bar.note += (bar.note.empty() ? "" : "\n") + profiles.clauses[i];
    chart.bars.push_back(std::move(bar));
  }
  return chart;
}

BarChart narrowBars(BarChart chart) {
  if (chart.bars.empty()) return chart;
  const double first = chart.bars.front().highlight ? chart.bars.front().value : 0;
  std::string group;
  for (BarEntry& bar : chart.bars) {
    if (!bar.wrong && first > 0) {
      bar.text = fmt::format("{:.2f}", bar.value / first);
      bar.note = microsecondsText(bar.value) + (bar.note.empty() ? "" : "\n" + bar.note);
    }
    const std::size_t comma = bar.label.rfind(", ");
    if (comma == std::string::npos) continue;
    const std::string name = bar.label;
    if (name.substr(0, comma) == group) {
      bar.label = "· " + name.substr(comma + 2);
      bar.note = name + (bar.note.empty() ? "" : "\n" + bar.note);
    }
    group = name.substr(0, comma);
  }
  return chart;
}

void ExperimentPage::read(const Strategy& strategy) {
  if (!isLoaded_) {
    if (const auto recording = shippedExperiments()) recorded_ = recording->data();
    if (auto profiles = shippedExperimentProfiles()) profiled_ = std::move(profiles).value();
    isLoaded_ = true;
  }
  shown_ = &strategy;
  entries_.clear();
  parts_.clear();
  for (const Experiment* experiment : findExperiments(strategy)) {
    const ExperimentTimes times = readTimes(*experiment, recorded_);
    Entry entry;
    const ExperimentProfiles profiles = readProfiles(times.variants, profiled_);
    entry.bars = experimentBars(times, profiles);
    if (entry.bars.bars.empty()) continue;  // not recorded
    entry.narrow = narrowBars(entry.bars);
    entry.text = parseMarkdown("## Experiment: " + experiment->title + "\n\n" + experiment->question + "\n");
    markTerms(entry.text);
    const bool isProfiled =
        std::ranges::any_of(profiles.clauses, [](const std::string& clause) { return !clause.empty(); });
    entry.foot = times.source.empty() ? ""
                                      : "Bars: " + factorNames(*experiment) + ". " + times.source +
                                            ": medians, and ratios to the first." +
                                            (isProfiled ? " Point at a bar to see what limits it." : "");
    entries_.push_back(std::move(entry));
  }
}

void ExperimentPage::draw(const ViewContext& context, const Strategy& strategy) {
  if (shown_ != &strategy) read(strategy);
  for (std::size_t i = 0; i < entries_.size(); ++i)
    parts_.draw(i, [&] { drawEntry(context, entries_[i], fmt::format("experiment {}", i)); });
}

void ExperimentPage::drawEntry(const ViewContext& context, const Entry& entry, const std::string& id) {
  for (const MarkdownBlock& block : entry.text) drawMarkdownBlock(context, block);
  const float width = ImGui::GetContentRegionAvail().x;
  const BarChart& bars = width < kLeastForTimes * context.unit ? entry.narrow : entry.bars;
  const SceneContext layout =
      context.scene(ImVec2(width, leastBarChartHeight(bars, context.unit) + 4 * context.unit));
  showScene(context, barChartScene(bars, layout, context.measure), id.c_str());
  wrappedText(context, entry.foot, ColorRole::TextDim);
  ImGui::Dummy(ImVec2(0, 4 * context.unit));
}

}  // namespace lanescope
