#include "kernels/strategies/catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <stdexcept>
#include <utility>

namespace lanescope {
namespace {

template <class T>
using Names = std::span<const std::pair<std::string_view, T>>;

constexpr std::array<std::pair<std::string_view, Family>, 3> kFamilies{
    {{"reduction", Family::Reduction}, {"transpose", Family::Transpose}, {"elements", Family::Elements}}};
constexpr std::array<std::pair<std::string_view, ResultKind>, 7> kResults{
    {{"block-sums", ResultKind::BlockSums},
     {"partial-sums", ResultKind::PartialSums},
     {"sum", ResultKind::Sum},
     {"total", ResultKind::Total},
     {"transpose", ResultKind::Transpose},
     {"vector-sum", ResultKind::VectorSum},
     {"julia", ResultKind::Julia}}};
constexpr std::array<std::pair<std::string_view, Parameter>, 10> kParameters{
    {{"in", Parameter::In},
     {"b", Parameter::B},
     {"out", Parameter::Out},
     {"n", Parameter::N},
     {"width", Parameter::Width},
     {"height", Parameter::Height},
     {"partials", Parameter::Partials},
     {"scratch", Parameter::Scratch},
     {"next", Parameter::Next},
     {"counter", Parameter::Counter}}};
constexpr std::array<std::pair<std::string_view, SharedFloats>, 3> kShared{
    {{"thread", SharedFloats::PerThread}, {"warp", SharedFloats::PerWarp}, {"none", SharedFloats::None}}};
constexpr std::array<std::pair<std::string_view, ElementType>, 3> kTypes{
    {{"float", ElementType::Float}, {"double", ElementType::Double}, {"int", ElementType::Int}}};

enum class Grid { Fit, Any, OneThread };
constexpr std::array<std::pair<std::string_view, Grid>, 3> kGrids{
    {{"fit", Grid::Fit}, {"any", Grid::Any}, {"one-thread", Grid::OneThread}}};

/// One `key: value` line of a head.
struct Entry {
  std::string_view key;
  std::string_view value;

  [[noreturn]] void refuse(const std::string& wanted) const {
    throw std::invalid_argument("The head of a lesson says '" + std::string(key) + ": " + std::string(value) +
                                "', where " + wanted + " is wanted.");
  }

  template <class T>
  T number() const {
    T result{};
    std::string_view digits = value;
    std::uint64_t scale = 0;
    if (digits.starts_with("2^")) digits.remove_prefix(2), scale = 1;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
    if (code != std::errc{} || end != digits.data() + digits.size()) refuse("a whole number");
    return scale == 0 ? result : static_cast<T>(scale << static_cast<unsigned>(result));
  }

  template <class T>
  T parseName(Names<T> names, std::string_view word) const {
    for (const auto& [name, result] : names) {
      if (name == word) return result;
    }
    std::string wanted = "one of";
    for (const auto& [name, result] : names) wanted += " " + std::string(name);
    refuse(wanted);
  }

  std::vector<std::string_view> words() const {
    std::vector<std::string_view> result;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string_view word = rest.substr(0, comma);
      while (word.starts_with(' ')) word.remove_prefix(1);
      while (word.ends_with(' ')) word.remove_suffix(1);
      result.push_back(word);
      rest.remove_prefix(std::min(rest.size(), comma + 1));
    }
    return result;
  }

  template <class T>
  std::vector<T> listAll(Names<T> names) const {
    std::vector<T> result;
    for (const std::string_view word : words()) result.push_back(parseName(names, word));
    return result;
  }
};

void read(const Entry& entry, Strategy& strategy) {
  const std::string_view key = entry.key;
  if (key == "order") return void(strategy.order = entry.number<int>());
  if (key == "former-id") return void(strategy.formerId = entry.value);
  if (key == "chapter") return void(strategy.chapter = entry.value);
  if (key == "title") return void(strategy.title = entry.value);
  if (key == "summary") return void(strategy.summary = entry.value);
  if (key == "broken") return void(strategy.broken = entry.value);
  if (key == "kernel") return void(strategy.kernel = entry.value);
  if (key == "family") return void(strategy.family = entry.parseName<Family>(kFamilies, entry.value));
  if (key == "result") return void(strategy.result = entry.parseName<ResultKind>(kResults, entry.value));
  if (key == "arguments") return void(strategy.parameters = entry.listAll<Parameter>(kParameters));
  if (key == "types") return void(strategy.types = entry.listAll<ElementType>(kTypes));
  if (key == "blocks") {
    const Grid grid = entry.parseName<Grid>(kGrids, entry.value);
    strategy.stridesGrid = grid != Grid::Fit;
    strategy.isOneThread = grid == Grid::OneThread;
    return;
  }
  if (key == "blocks-per-sm") return void(strategy.blocksPerSm = entry.number<std::uint32_t>());
  if (key == "one-wave-to") return void(strategy.oneWaveTo = entry.number<std::uint64_t>());
  if (key == "opens-at") return void(strategy.opensAt = entry.number<std::uint64_t>());
  if (key == "largest-n") return void(strategy.largestN = entry.number<std::uint64_t>());
  if (key == "elements-per-thread") return void(strategy.elementsPerThread = entry.number<std::uint32_t>());
  if (key == "shared-float-per") {
    return void(strategy.shared = entry.parseName<SharedFloats>(kShared, entry.value));
  }
  if (key == "operators") {
    for (const std::string_view word : entry.words()) strategy.operators.emplace_back(word);
    return;
  }
  throw std::invalid_argument("The head of a lesson has the unknown key '" + std::string(key) + "'.");
}

/// The text without `<!-- … -->` and the space before it. Comments give the evidence for a sentence.
std::string withoutComments(std::string_view text) {
  constexpr std::string_view kBegin = "<!--";
  constexpr std::string_view kEnd = "-->";
  std::string rest;
  for (std::size_t begin = text.find(kBegin); begin != std::string_view::npos; begin = text.find(kBegin)) {
    const std::size_t end = text.find(kEnd, begin);
    if (end == std::string_view::npos)
      throw std::invalid_argument("A lesson has a comment without its `-->`.");
    rest += text.substr(0, begin);
    rest.erase(rest.find_last_not_of(" \n") + 1);
    text.remove_prefix(end + kEnd.size());
  }
  return rest.append(text);
}

}  // namespace

void readHeadEntry(std::string_view key, std::string_view value, Strategy& strategy) {
  read({key, value}, strategy);
}

void readFrontMatter(std::string_view text, Strategy& strategy) {
  constexpr std::string_view kFence = "---\n";
  if (!text.starts_with(kFence)) {
    throw std::invalid_argument("The lesson of " + std::string(strategy.file) + " has no head.");
  }
  text.remove_prefix(kFence.size());
  while (!text.empty() && !text.starts_with(kFence)) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) {
      throw std::invalid_argument("The head of a lesson has the line '" + std::string(line) +
                                  "', which is not `key: value`.");
    }
    read({line.substr(0, colon), line.substr(colon + 2)}, strategy);
  }
  text.remove_prefix(std::min(text.size(), kFence.size()));
  strategy.lesson = withoutComments(text);
}

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

namespace {

constexpr std::size_t kShown = 3;
constexpr std::size_t kLongestWord = 80;  ///< further letters cannot make a word any nearer
constexpr std::size_t kLeastPart = 3;
// A part of an id more often stands for that id than for another one of the same length.
constexpr std::size_t kLacking = 1;
constexpr std::size_t kSwapped = 2;
constexpr std::size_t kWrong = 4;

/// In the form of ids: small letters and dashes.
std::string plain(std::string_view word) {
  std::string text(word.substr(0, kLongestWord));
  for (char& letter : text) {
    if (letter == '_' || letter == ' ') letter = '-';
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

/// The cost of the edits that turn the word into the id, by the rows of Damerau's table.
std::size_t distance(std::string_view word, std::string_view id) {
  std::vector<std::size_t> older(id.size() + 1);
  std::vector<std::size_t> old(id.size() + 1);
  std::vector<std::size_t> row(id.size() + 1);
  for (std::size_t j = 0; j <= id.size(); ++j) old[j] = j * kLacking;
  for (std::size_t i = 1; i <= word.size(); ++i) {
    row[0] = i * kWrong;
    for (std::size_t j = 1; j <= id.size(); ++j) {
      const std::size_t replaced = old[j - 1] + (word[i - 1] == id[j - 1] ? 0 : kWrong);
      row[j] = std::min({old[j] + kWrong, row[j - 1] + kLacking, replaced});
      const bool isSwap = i > 1 && j > 1 && word[i - 1] == id[j - 2] && word[i - 2] == id[j - 1];
      if (isSwap) row[j] = std::min(row[j], older[j - 2] + kSwapped);
    }
    std::swap(older, old);
    std::swap(old, row);
  }
  return old[id.size()];
}

std::size_t computeCost(std::string_view word, std::string_view id) {
  const bool isPart = word.size() >= kLeastPart && id.find(word) != std::string_view::npos;
  return isPart ? std::size_t{word != id} : distance(word, id);
}

}  // namespace

std::vector<std::string_view> nearestStrategies(std::string_view word) {
  const std::string wanted = plain(word);
  std::vector<std::pair<std::size_t, std::string_view>> all;
  for (const Strategy& strategy : strategies())
    all.emplace_back(computeCost(wanted, strategy.id), strategy.id);
  std::ranges::stable_sort(all, {}, &std::pair<std::size_t, std::string_view>::first);
  std::vector<std::string_view> nearest;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) nearest.push_back(all[i].second);
  return nearest;
}

std::string nearestStrategiesText(std::string_view word) {
  if (word.find_first_of("./") != std::string_view::npos)
    return "Look at the folder and the spelling; lanescope-cli list names the strategies.";
  std::string text = "The nearest strategies are ";
  const std::vector<std::string_view> nearest = nearestStrategies(word);
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    if (i > 0) text += i + 1 == nearest.size() ? " and " : ", ";
    text += nearest[i];
  }
  return text + "; lanescope-cli list names all " + std::to_string(strategies().size()) + ".";
}

}  // namespace lanescope
