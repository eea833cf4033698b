#include "kernels/strategies/experiment.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "kernels/strategies/catalogue.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

/// Iterates over a file's lines.
class ExperimentLines {
 public:
  explicit ExperimentLines(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    text_ = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(rest_.size(), text_.size() + 1));
    ++number_;
    return true;
  }
  std::string_view text() const { return text_; }
  std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view text_;
  std::size_t number_ = 0;
};

std::vector<std::string> splitWords(std::string_view value, std::string_view separator) {
  std::vector<std::string> words;
  while (!value.empty()) {
    const std::size_t at = std::min(value.find(separator), value.size());
    if (at > 0) words.emplace_back(value.substr(0, at));
    value.remove_prefix(std::min(value.size(), at + separator.size()));
  }
  return words;
}

/// Reads one file; every function returns the problem of the current line, or empty if there is none.
class ExperimentReader {
 public:
  ExperimentReader(std::string_view file, std::string_view text) : lines_(text) {
    experiment_.file = file;
    experiment_.id = file.substr(0, file.rfind('.'));
    std::ranges::replace(experiment_.id, '_', '-');
  }

  Result<Experiment> read() {
    auto problem = readHead();
    while (!problem && lines_.next()) problem = readLine();
    if (!problem) problem = checkFactors();
    if (problem) {
      return Error{"experiments/" + experiment_.file + ":" + std::to_string(lines_.number()) + ": " +
                   *problem};
    }
    while (experiment_.question.ends_with('\n')) experiment_.question.pop_back();
    return std::move(experiment_);
  }

 private:
  using Problem = std::optional<std::string>;

  Problem readHead() {
    if (!lines_.next() || lines_.text() != "---") return "a head between two lines of --- is missing.";
    while (lines_.next() && lines_.text() != "---") {
      const auto [key, value] = keyAndValue(lines_.text());
      if (key.empty()) return "'" + std::string(lines_.text()) + "' is not `key: value`.";
      if (auto problem = readKey(key, value)) return problem;
    }
    return std::nullopt;
  }

  static std::pair<std::string, std::string> keyAndValue(std::string_view line) {
    const std::size_t colon = line.find(": ");
    const auto isOfKey = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
    if (colon == std::string_view::npos || colon == 0 || !std::ranges::all_of(line.substr(0, colon), isOfKey))
      return {};
    return {std::string(line.substr(0, colon)), std::string(line.substr(colon + 2))};
  }

  Problem readKey(const std::string& key, const std::string& value) {
    if (key == "title") return experiment_.title = value, std::nullopt;
    if (key == "lessons") return experiment_.lessons = splitWords(value, ", "), std::nullopt;
    if (key == "strategy") return experiment_.strategy = value, std::nullopt;
    if (key == "n") return readNumber(value, experiment_.n);
    if (key == "simulated-n") return readNumber(value, experiment_.simulatedN);
    if (key == "block") return readNumber(value, experiment_.block);
    if (key == "blocks") return readNumber(value, experiment_.blocks);
    if (key == "cache" && (value == "cold" || value == "warm"))
      return experiment_.isWarm = value == "warm", std::nullopt;
    for (const ElementType type : {ElementType::Float, ElementType::Double, ElementType::Int}) {
      if (key == "element" && value == elementTypeName(type)) return experiment_.type = type, std::nullopt;
    }
    return "the head has '" + key + ": " + value + "', which is not a key, or not a value of one.";
  }

  template <class Number>
  static Problem readNumber(const std::string& value, Number& number) {
    const auto read = readSize(value);
    if (!read || *read == 0 || *read > static_cast<Number>(-1)) return "'" + value + "' is not a size.";
    number = static_cast<Number>(*read);
    return std::nullopt;
  }

  Problem readLine() {
    const std::string_view line = lines_.text();
    if (line.starts_with("### ")) {
      if (experiment_.factors.empty()) return "a level (###) is missing below its factor (##).";
      experiment_.factors.back().levels.push_back({std::string(line.substr(4)), {}, {}});
      return std::nullopt;
    }
    if (line.starts_with("## ")) {
      experiment_.factors.push_back({std::string(line.substr(3)), {}});
      return std::nullopt;
    }
    if (experiment_.factors.empty()) {
      if (!line.empty() || !experiment_.question.empty()) experiment_.question += std::string(line) + "\n";
      return std::nullopt;
    }
    if (line.empty()) return std::nullopt;
    if (experiment_.factors.back().levels.empty()) return "a factor (##) is followed by its levels (###).";
    if (line.starts_with("```diff")) return readChanges(line.substr(7));
    auto [key, value] = keyAndValue(line);
    if (key.empty()) return "below a level, `key: value` or a ```diff is missing.";
    level().settings.push_back({std::move(key), std::move(value), lines_.number()});
    return std::nullopt;
  }

  ExperimentLevel& level() { return experiment_.factors.back().levels.back(); }

  /// The lines of a ```diff, up to its end: hunks, with @@ between them.
  Problem readChanges(std::string_view conditions) {
    const std::vector<std::string> words = splitWords(conditions, " ");
    const auto begin = [&] { level().changes.push_back({words, {}, {}, lines_.number() + 1}); };
    begin();
    while (lines_.next()) {
      const std::string_view line = lines_.text();
      TextChange& change = level().changes.back();
      if (line == "```") return checkChange(change);
      if (line == "@@") {
        if (auto problem = checkChange(change)) return problem;
        begin();
        continue;
      }
      const char mark = line.empty() ? ' ' : line.front();
      if (mark != ' ' && mark != '-' && mark != '+') return "a line of a diff begins with ' ', '-' or '+'.";
      const std::string content = std::string(line.substr(line.empty() ? 0 : 1)) + "\n";
      if (mark != '+') change.from += content;
      if (mark != '-') change.to += content;
    }
    return "the ```diff has no end.";
  }

  static Problem checkChange(const TextChange& change) {
    if (change.from.empty()) return "a change names no line of the text that it is in.";
    if (change.from == change.to) return "a change has no effect.";
    return std::nullopt;
  }

  Problem checkFactors() const {
    if (experiment_.title.empty()) return "the head has no title.";
    if (experiment_.question.empty()) return "there is no question before the first factor.";
    if (experiment_.factors.empty()) return "there is no factor (##).";
    for (const ExperimentFactor& factor : experiment_.factors) {
      if (factor.levels.size() < 2) return "the factor '" + factor.name + "' has fewer than two levels.";
    }
    return std::nullopt;
  }

  ExperimentLines lines_;
  Experiment experiment_;
};

std::vector<Experiment> readAll() {
  std::vector<Experiment> all;
  for (const ExperimentText& text : experimentTexts()) {
    auto experiment = readExperiment(text.file, text.text);
    if (!experiment) throw std::invalid_argument(experiment.error().sentence());
    all.push_back(std::move(experiment).value());
  }
  std::ranges::sort(all, {}, &Experiment::id);
  return all;
}

}  // namespace

std::size_t Experiment::variantCount() const {
  std::size_t count = 1;
  for (const ExperimentFactor& factor : factors) count *= factor.levels.size();
  return count;
}

Result<Experiment> readExperiment(std::string_view file, std::string_view text) {
  return ExperimentReader(file, text).read();
}

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> kAll = readAll();
  return kAll;
}

const Experiment* findExperiment(std::string_view id) {
  const auto all = experiments();
  const auto found = std::ranges::find(all, id, &Experiment::id);
  return found == all.end() ? nullptr : &*found;
}

std::vector<const Experiment*> findExperiments(const Strategy& strategy) {
  std::vector<const Experiment*> found;
  for (const Experiment& experiment : experiments()) {
    if (std::ranges::find(experiment.lessons, strategy.id) != experiment.lessons.end())
      found.push_back(&experiment);
  }
  return found;
}

namespace {

Error errorAtLine(const Experiment& experiment, std::size_t line, const std::string& what) {
  return Error{"experiments/" + experiment.file + ":" + std::to_string(line) + ": " + what};
}

/// The number of times that whole lines occur in a text, and the first place.
struct Occurrences {
  std::size_t count = 0;
  std::size_t at = 0;
};

Occurrences findOccurrences(const std::string& lines, const std::string& text) {
  Occurrences found;
  for (std::size_t at = text.find(lines); at != std::string::npos; at = text.find(lines, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    if (found.count++ == 0) found.at = at;
  }
  return found;
}

/// Builds one variant.
class VariantBuilder {
 public:
  VariantBuilder(const Experiment& experiment, std::vector<std::size_t> levels) : experiment_(experiment) {
    variant_.levels = std::move(levels);
    variant_.block = experiment.block;
    variant_.blocks = experiment.blocks;
    for (std::size_t f = 0; f < experiment.factors.size(); ++f) {
      variant_.name += (f == 0 ? "" : ", ") + findLevel(f).name;
    }
    variant_.series = experiment.id + ": " + variant_.name;
  }

  Result<Variant> build() {
    if (auto problem = findBase()) return *problem;
    std::string text(variant_.base->source);
    for (std::size_t f = 0; f < experiment_.factors.size(); ++f) {
      for (const TextChange& change : findLevel(f).changes) {
        if (!applies(change)) continue;
        if (auto problem = replace(change, text)) return *problem;
      }
    }
    variant_.strategy = *variant_.base;
    variant_.text = std::make_shared<const std::string>(std::move(text));
    variant_.strategy.source = *variant_.text;
    for (std::size_t f = 0; f < experiment_.factors.size(); ++f) {
      for (const LevelSetting& setting : findLevel(f).settings) {
        if (auto problem = apply(setting)) return *problem;
      }
    }
    return std::move(variant_);
  }

 private:
  using Problem = std::optional<Error>;

  const ExperimentLevel& findLevel(std::size_t factor) const {
    return experiment_.factors[factor].levels[variant_.levels[factor]];
  }

  Problem findBase() {
    std::string id = experiment_.strategy;
    std::size_t line = 1;
    for (std::size_t f = 0; f < experiment_.factors.size(); ++f) {
      for (const LevelSetting& setting : findLevel(f).settings) {
        if (setting.key != "strategy") continue;
        id = setting.value;
        line = setting.line;
      }
    }
    variant_.base = findStrategy(id);
    if (variant_.base != nullptr) return std::nullopt;
    return errorAtLine(experiment_, line, "there is no strategy '" + id + "'. " + nearestStrategiesText(id));
  }

  bool holds(const std::string& condition) const {
    const std::size_t equals = condition.find('=');
    if (equals == std::string::npos) return condition == variant_.base->id;
    for (std::size_t f = 0; f < experiment_.factors.size(); ++f) {
      if (experiment_.factors[f].name == condition.substr(0, equals))
        return findLevel(f).name == condition.substr(equals + 1);
    }
    return false;
  }

  bool applies(const TextChange& change) const {
    return std::ranges::all_of(change.conditions, [&](const std::string& one) { return holds(one); });
  }

  Problem replace(const TextChange& change, std::string& text) const {
    const Occurrences found = findOccurrences(change.from, text);
    if (found.count != 1) {
      return errorAtLine(experiment_, change.line,
                         "its lines are in " + std::string(variant_.base->file) + " " +
                             std::to_string(found.count) + " times and must be there once.");
    }
    text.replace(found.at, change.from.size(), change.to);
    return std::nullopt;
  }

  Problem apply(const LevelSetting& setting) {
    const auto number = [&](auto& value) -> Problem {
      const auto read = readSize(setting.value);
      if (!read || *read == 0)
        return errorAtLine(experiment_, setting.line, "'" + setting.value + "' is not a size.");
      value = static_cast<std::remove_reference_t<decltype(value)>>(*read);
      return std::nullopt;
    };
    if (setting.key == "strategy") return std::nullopt;
    if (setting.key == "block") return number(variant_.block);
    if (setting.key == "blocks") return number(variant_.blocks);
    if (setting.key == "out-elements") return number(variant_.outElements);
    if (setting.key == "work") return readWork(setting);
    try {
      readHeadEntry(setting.key, setting.value, variant_.strategy);
    } catch (const std::invalid_argument& failure) {
      return errorAtLine(experiment_, setting.line, failure.what());
    }
    return std::nullopt;
  }

  Problem readWork(const LevelSetting& setting) {
    constexpr std::array<std::pair<std::string_view, HostWork>, 4> kWorks{
        {{"copy-pageable", HostWork::CopyPageable},
         {"copy-pinned", HostWork::CopyPinned},
         {"cpu-one-thread", HostWork::CpuOneThread},
         {"cpu-all-threads", HostWork::CpuAllThreads}}};
    for (const auto& [name, work] : kWorks) {
      if (setting.value != name) continue;
      variant_.work = work;
      return std::nullopt;
    }
    return errorAtLine(experiment_, setting.line, "'" + setting.value + "' is not work of the host.");
  }

  const Experiment& experiment_;
  Variant variant_;
};

/// The levels of variant `index`.
std::vector<std::size_t> listLevels(const Experiment& experiment, std::size_t index) {
  std::vector<std::size_t> levels(experiment.factors.size());
  for (std::size_t f = levels.size(); f-- > 0;) {
    const std::size_t count = experiment.factors[f].levels.size();
    levels[f] = index % count;
    index /= count;
  }
  return levels;
}

/// A condition is a strategy of this experiment, or one of its levels: any other would never hold.
std::optional<Error> checkConditions(const Experiment& experiment) {
  const auto isKnown = [&](const std::string& condition) {
    if (condition.find('=') == std::string::npos) return findStrategy(condition) != nullptr;
    return std::ranges::any_of(experiment.factors, [&](const ExperimentFactor& factor) {
      return std::ranges::any_of(factor.levels, [&](const ExperimentLevel& level) {
        return condition == factor.name + "=" + level.name;
      });
    });
  };
  for (const ExperimentFactor& factor : experiment.factors) {
    for (const ExperimentLevel& level : factor.levels) {
      for (const TextChange& change : level.changes) {
        const auto unknown = std::ranges::find_if_not(change.conditions, isKnown);
        if (unknown != change.conditions.end())
          return errorAtLine(experiment, change.line,
                             "'" + *unknown + "' is neither a strategy nor FACTOR=LEVEL.");
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<StrategyShape> Variant::shape(std::uint64_t n, std::uint32_t sms, ElementType type) const {
  constexpr std::uint32_t kWarpSize = 32;
  const std::uint64_t mostBlocks = ownMostBlocks(strategy, n, block, sms);
  auto shape = shapeOfThreads(strategy, n, block, mostBlocks, kWarpSize, type, blocks);
  if (shape && outElements > 0) shape->outElements = outElements;
  return shape;
}

Result<std::vector<Variant>> makeVariants(const Experiment& experiment) {
  if (auto problem = checkConditions(experiment)) return *problem;
  std::vector<Variant> variants;
  for (std::size_t i = 0; i < experiment.variantCount(); ++i) {
    auto variant = VariantBuilder(experiment, listLevels(experiment, i)).build();
    if (!variant) return variant.error();
    variants.push_back(std::move(variant).value());
  }
  return variants;
}

std::vector<Effect> listEffects(const Experiment& experiment) {
  std::vector<Effect> effects;
  std::size_t stride = experiment.variantCount();
  for (std::size_t f = 0; f < experiment.factors.size(); ++f) {
    const std::size_t count = experiment.factors[f].levels.size();
    stride /= count;
    for (std::size_t i = 0; i < experiment.variantCount(); ++i) {
      const std::size_t level = i / stride % count;
      if (level > 0) effects.push_back({f, level, i - level * stride, i});
    }
  }
  return effects;
}

}  // namespace lanescope
