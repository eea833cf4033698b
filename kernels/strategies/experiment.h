#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/shape.h"
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

/// The work of a variant instead of its kernel, for effects that no kernel can show: on the host, or between
/// it and the GPU.
enum class HostWork {
  None,           ///< the kernel
  CopyPageable,   ///< the input from memory as malloc() gives it to the GPU
  CopyPinned,     ///< the same from page-locked memory
  CpuOneThread,   ///< the sum on the CPU, with vector instructions
  CpuAllThreads,  ///< the same by a thread per core
};

/// One kernel of an experiment: a level of each factor.
struct Variant {
  std::vector<std::size_t> levels;  ///< by factor: which of its levels
  std::string name;                 ///< the levels' names: `interleaved, division`
  std::string series;  ///< the name of its recorded times: `integer-division: interleaved, division`
  const Strategy* base = nullptr;  ///< the strategy whose text it changes
  std::shared_ptr<const std::string> text;
  Strategy strategy;  ///< as the base, with this text and the levels' settings
  std::uint32_t block = 256;
  std::uint64_t blocks = 0;
  std::uint64_t outElements = 0;  ///< of `out`; 0: those of the strategy's result
  HostWork work = HostWork::None;

  /// Its launch over n elements on a GPU of `sms` multiprocessors. Errors: those of shapeOfThreads.
  Result<StrategyShape> shape(std::uint64_t n, std::uint32_t sms, ElementType type) const;
};

/// Every combination of levels, the last factor's changing fastest; the first has every factor's first level.
/// The error names the experiment's file and line: lines that do not occur exactly once in the text, an
/// invalid setting, an unknown strategy.
Result<std::vector<Variant>> makeVariants(const Experiment& experiment);

/// The effect of one factor's level, everything else being equal.
struct Effect {
  std::size_t factor = 0;
  std::size_t level = 0;  ///< 1 or more
  std::size_t from = 0;   ///< the variant with the factor's first level
  std::size_t to = 0;     ///< the variant that differs from it in this factor alone
};

/// Each level of each factor against the factor's first, for every combination of the other factors' levels,
/// by factor. Indices are those of makeVariants().
std::vector<Effect> listEffects(const Experiment& experiment);

}  // namespace lanescope
