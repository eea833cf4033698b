#include "kernels/strategies/experiment.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "sim/base/size_text.h"

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
    if (!lines_.next() || lines_.text() != "---") return "a head between two lines of --- is wanted.";
    while (lines_.next() && lines_.text() != "---") {
      const auto [key, value] = keyAndValue(lines_.text());
      if (key.empty()) return "'" + std::string(lines_.text()) + "' is no `key: value`.";
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
      if (experiment_.factors.empty()) return "a level (###) is wanted below its factor (##).";
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
    if (key.empty()) return "below a level, `key: value` or a ```diff is wanted.";
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
    if (change.from == change.to) return "a change changes nothing.";
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

}  // namespace lanescope
