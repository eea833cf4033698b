#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/strategies/catalogue.h"
#include "sim/base/diagnostic.h"

/// Kernels that differ in one thing each. An experiment is a file of kernels/strategies/experiments, in the
/// format that README.md describes; its kernels are changes to strategies' texts, which remain the single
/// source.
namespace lanescope {

/// Whole lines of a strategy's text and their replacement.
struct TextChange {
  std::vector<std::string> conditions;  ///< all must hold: a strategy's id, or FACTOR=LEVEL; empty: always
  std::string from;                     ///< lines, each with its newline; must occur exactly once
  std::string to;
  std::size_t line = 0;  ///< of the experiment's file, from 1
};

/// `key: value` of a level: a key of the experiment's head or of the lesson's.
struct LevelSetting {
  std::string key;
  std::string value;
  std::size_t line = 0;
};

/// One of the variants of a factor.
struct ExperimentLevel {
  std::string name;
  std::vector<LevelSetting> settings;
  std::vector<TextChange> changes;
};

/// The one thing in which kernels differ. The others are compared with the first level.
struct ExperimentFactor {
  std::string name;
  std::vector<ExperimentLevel> levels;
};

/// A pair or a small factorial of kernels, and the sizes and settings of its runs.
struct Experiment {
  std::string id;    ///< `integer-division`: the file's name with '-' for '_'
  std::string file;  ///< `integer_division.md`
  std::string title;
  std::string question;              ///< Markdown, the text before the first factor
  std::vector<std::string> lessons;  ///< ids of the strategies whose lessons show it
  std::string strategy;  ///< the strategy whose text it changes, unless a level has another; can be empty
  std::uint64_t n = std::uint64_t{1} << 28U;
  std::uint64_t simulatedN = std::uint64_t{1} << 12U;  ///< elements in the simulator
  std::uint32_t block = 256;
  std::uint64_t blocks = 0;  ///< for strategies that stride over their grid; 0: their own choice
  ElementType type = ElementType::Float;
  bool isWarm = false;  ///< timed with the input in L2 if it fits
  std::vector<ExperimentFactor> factors;

  /// Every combination of levels: the product of the factors' numbers of levels.
  std::size_t variantCount() const;
};

/// Reads an experiment's file. The error names file and line: an invalid head or level, a factor with fewer
/// than two levels, no factor at all.
Result<Experiment> readExperiment(std::string_view file, std::string_view text);

/// Every experiment, by id. Throws std::invalid_argument with readExperiment's error: an experiment's author
/// sees it in the first test.
std::span<const Experiment> experiments();

/// The experiment of that id, or nullptr.
const Experiment* findExperiment(std::string_view id);

/// The experiments that a lesson shows, by id.
std::vector<const Experiment*> findExperiments(const Strategy& strategy);

/// The text of an experiment's file, as the build embedded it.
struct ExperimentText {
  std::string_view file;
  std::string_view text;
};
/// In the order of their names.
std::span<const ExperimentText> experimentTexts();

}  // namespace lanescope
