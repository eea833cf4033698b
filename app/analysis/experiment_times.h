#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/analysis/bench_data.h"
#include "app/analysis/recording.h"
#include "kernels/strategies/variant.h"

namespace lanescope {

/// The times of an experiment's kernels in one run.
struct ExperimentTimes {
  const Experiment* experiment = nullptr;
  std::vector<Variant> variants;                      ///< as makeVariants()
  std::vector<std::optional<ResultMessage>> results;  ///< one for each; nullopt if it was not timed
  std::string source;                                 ///< GPU and date: `NVIDIA H200, 2026-11-23`

  /// The median of a kernel, microseconds; 0 if there is none, or its result was wrong.
  double us(std::size_t variant) const;
  /// True if every kernel was timed and right.
  bool isComplete() const;
};

/// The times of an experiment's kernels that a worker or a recording gave, at `n` elements; 0: the
/// experiment's own N. Throws std::invalid_argument if the experiment's file is wrong.
ExperimentTimes readTimes(const Experiment& experiment, const BenchData& data, std::uint64_t n = 0);

/// The names of the parts in a kernel's name: `addressing, guard`
std::string factorNames(const Experiment& experiment);
/// `guard: comparison instead of division`
std::string effectTitle(const Experiment& experiment, const Effect& effect);
/// The place of an effect: the other factors' levels, `interleaved`; empty if there is one factor.
std::string effectPlace(const Experiment& experiment, const Variant& variant, std::size_t factor);

/// The recording of every experiment that ships with the program. The error says that it is missing.
Result<Recording> shippedExperiments();

}  // namespace lanescope
