#include "kernels/strategies/catalogue.h"

#include <algorithm>

#include "kernels/strategies/front_matter.h"
#include "kernels/strategies/strategy_texts.h"

namespace lanescope {
namespace {

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

std::string_view elementTypeName(ElementType type) {
  switch (type) {
    case ElementType::Float: return "float";
    case ElementType::Double: return "double";
    case ElementType::Int: return "int";
  }
  return {};
}

std::uint64_t elementBytes(ElementType type) { return type == ElementType::Double ? 8 : 4; }

bool Strategy::takes(ElementType type) const { return std::ranges::find(types, type) != types.end(); }

bool Strategy::reducesToOne() const {
  return result == ResultKind::BlockSums || result == ResultKind::PartialSums || result == ResultKind::Sum ||
         result == ResultKind::Total;
}

std::uint64_t Strategy::sharedBytes(std::uint32_t blockThreads, std::uint32_t warpSize,
                                    ElementType type) const {
  switch (shared) {
    case SharedFloats::PerThread: return blockThreads * elementBytes(type);
    case SharedFloats::PerWarp: return (blockThreads + warpSize - 1) / warpSize * elementBytes(type);
    case SharedFloats::None: return 0;
  }
  return 0;
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

}  // namespace lanescope
