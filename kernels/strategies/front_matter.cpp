#include "kernels/strategies/front_matter.h"

#include <algorithm>
#include <array>
#include <charconv>
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
                                  "', which is no `key: value`.");
    }
    read({line.substr(0, colon), line.substr(colon + 2)}, strategy);
  }
  text.remove_prefix(std::min(text.size(), kFence.size()));
  strategy.lesson = withoutComments(text);
}

}  // namespace lanescope
