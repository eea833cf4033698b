#include "app/panels/gpu_words.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/analysis/bench_text.h"
#include "app/panels/gpu_blocks.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/listed.h"

namespace lanescope {
namespace {

/// The pinned runs that have a bar, or a line, by number from 1.
std::set<std::size_t> runsIn(const BenchNumbers& numbers, const BenchChoice& choice, bool overN) {
  std::set<std::size_t> runs;
  if (overN) {
    for (const LineSeries& series : gpuLines(numbers, choice).series) runs.insert(series.run);
    return runs;
  }
  for (const BarEntry& bar : gpuBars(numbers, choice, false).bars) {
    for (const PinnedBar& pinned : bar.pinned) runs.insert(pinned.run);
  }
  return runs;
}

}  // namespace

std::string pinsLeftOut(const BenchNumbers& numbers, const BenchChoice& choice, bool overN) {
  if (numbers.pins.empty()) return {};
  const std::set<std::size_t> shown = runsIn(numbers, choice, overN);
  const auto n = overN ? std::nullopt : std::optional(choice.n);
  // Runs with the same reason share a sentence.
  std::vector<std::pair<BenchDifference, std::vector<std::string>>> reasons;
  for (std::size_t run = 1; run <= numbers.pins.size(); ++run) {
    if (shown.contains(run)) continue;
    const BenchDifference why = computeDifference(numbers.pins[run - 1].data, choice.setting, n);
    auto reason = std::ranges::find(reasons, why, [](const auto& known) { return known.first; });
    if (reason == reasons.end()) reason = reasons.insert(reason, {why, {}});
    reason->second.push_back(std::to_string(run));
  }
  std::string text;
  for (const auto& [why, runs] : reasons) {
    const bool isOne = runs.size() == 1;
    if (!text.empty()) text += ' ';
    text += isOne ? "Pin " : "Pins ";
    text += listed(runs) + (isOne ? " has no " : " have no ") + (overN ? "lines" : "bars") + " here: ";
    switch (why.kind) {
      case BenchDifference::Kind::None: text += "none of the strategies shown was timed so."; break;
      case BenchDifference::Kind::Nothing: text += "nothing was timed."; break;
      case BenchDifference::Kind::Elsewhere:
        text += (isOne ? "it was timed " : "they were timed ") + why.how + ".";
        break;
    }
  }
  return text;
}

std::string wordsBelow(const GpuSession& gpu, const BenchChoice& choice, bool overN,
                       const std::string& news) {
  std::string missing = pinsLeftOut({gpu.data(), gpu.title(), gpu.pins()}, choice, overN);
  if (missing.empty()) missing = GpuBlocks::missing(choice, gpu);
  const std::string& rest = missing.empty() ? news : missing;
  if (gpu.source() != GpuSource::Live || gpu.leftOut().empty()) return rest;
  return rest.empty() ? gpu.leftOut() : gpu.leftOut() + " " + rest;
}

std::set<std::string> tickedIds(const BenchChoice& choice) {
  const std::vector<std::string> chosen = contendersToRun(choice);
  if (!chosen.empty()) return {chosen.begin(), chosen.end()};
  BenchRequest request;
  request.n = choice.n;
  request.block = choice.setting.block;
  request.scope = choice.setting.scope;
  request.type = choice.setting.type;
  std::set<std::string> ids;
  if (const auto contenders = makeContenders(request); contenders) {
    for (const Contender& contender : *contenders) ids.insert(contender.id);
  }
  return ids;
}

std::string picksText(const BenchChoice& choice) {
  const std::string all = std::to_string(contenderIds().size());
  const std::string ticked = std::to_string(tickedIds(choice).size());
  if (choice.picks.empty()) return "all that can: " + ticked + " of " + all;
  return ticked == all ? "all " + all : ticked + " of " + all;
}

void setPicked(BenchChoice& choice, const std::string& id, bool isPicked) {
  std::set<std::string> ids = tickedIds(choice);
  if (isPicked) {
    ids.insert(id);
  } else if (ids.size() > 1) {
    ids.erase(id);
  }
  choice.picks = std::move(ids);
}

}  // namespace lanescope
