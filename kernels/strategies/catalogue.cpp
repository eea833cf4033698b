#include "kernels/strategies/catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

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
  std::map<std::string, int> places;  // of the chapters
  for (const Strategy& strategy : all) {
    const auto [chapter, isNew] = places.try_emplace(strategy.chapter, strategy.order);
    chapter->second = std::min(chapter->second, strategy.order);
  }
  std::ranges::sort(all, {}, [&](const Strategy& strategy) {
    return std::pair(places.at(strategy.chapter), strategy.order);
  });
  return all;
}

bool hasWord(std::string_view text, std::string_view word) {
  const auto isSame = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), isSame) != text.end();
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

std::string courseNumber(const Strategy& strategy) {
  int chapter = 0;
  int place = 0;
  std::string_view last;
  for (const Strategy& lesson : strategies()) {
    const bool isFirst = lesson.chapter != last;
    chapter += isFirst ? 1 : 0;
    place = isFirst ? 1 : place + 1;
    last = lesson.chapter;
    if (lesson.id == strategy.id) break;
  }
  return std::to_string(chapter) + "." + std::to_string(place);
}

bool matches(const Strategy& strategy, std::string_view words) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const std::array<std::string_view, 5> texts{strategy.title, strategy.id, strategy.chapter,
                                                strategy.summary, strategy.lesson};
    if (std::ranges::none_of(texts, [&](std::string_view text) { return hasWord(text, word); })) return false;
  }
  return true;
}

const Strategy* findStrategy(std::string_view id) {
  for (const Strategy& strategy : strategies()) {
    if (strategy.id == id || (!id.empty() && strategy.formerId == id)) return &strategy;
  }
  return nullptr;
}

const Strategy* findStrategyOfText(std::string_view source) {
  const auto all = strategies();
  const auto found = std::ranges::find(all, source, &Strategy::source);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace lanescope
