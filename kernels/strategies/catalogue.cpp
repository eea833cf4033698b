#include "kernels/strategies/catalogue.h"

#include <algorithm>
#include <vector>

#include "kernels/strategies/strategy_texts.h"

namespace lanescope {
namespace {

/// Reads `key: value` lines between two lines of `---`; what follows is the lesson.
void readFrontMatter(std::string_view text, Strategy& strategy) {
  constexpr std::string_view kFence = "---\n";
  if (!text.starts_with(kFence)) {
    strategy.lesson = text;
    return;
  }
  text.remove_prefix(kFence.size());
  while (!text.empty() && !text.starts_with(kFence)) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, colon);
    const std::string value(line.substr(colon + 2));
    if (key == "order") strategy.order = std::stoi(value);
    if (key == "title") strategy.title = value;
    if (key == "summary") strategy.summary = value;
    if (key == "elements-per-thread") {
      strategy.elementsPerThread = static_cast<std::uint32_t>(std::stoul(value));
    }
    if (key == "shared-float-per") strategy.sharedPerWarp = value == "warp";
  }
  text.remove_prefix(std::min(text.size(), kFence.size()));
  strategy.lesson = text;
}

std::vector<Strategy> readCatalogue() {
  std::vector<Strategy> all;
  for (const StrategyText& text : strategyTexts()) {
    Strategy strategy;
    strategy.id = text.id;
    strategy.kernel = text.kernel;
    strategy.file = text.file;
    strategy.source = text.source;
    readFrontMatter(text.lesson, strategy);
    all.push_back(std::move(strategy));
  }
  std::ranges::stable_sort(all, {}, &Strategy::order);
  return all;
}

}  // namespace

std::uint64_t Strategy::sharedBytes(std::uint32_t blockThreads, std::uint32_t warpSize) const {
  const std::uint64_t floats = sharedPerWarp ? (blockThreads + warpSize - 1) / warpSize : blockThreads;
  return floats * sizeof(float);
}

std::span<const Strategy> strategies() {
  static const std::vector<Strategy> kAll = readCatalogue();
  return kAll;
}

const Strategy* findStrategy(std::string_view id) {
  for (const Strategy& strategy : strategies()) {
    if (strategy.id == id) return &strategy;
  }
  return nullptr;
}

std::string strategyIds() {
  std::string ids;
  for (const Strategy& strategy : strategies()) {
    if (!ids.empty()) ids += ", ";
    ids += strategy.id;
  }
  return ids;
}

}  // namespace lanescope
