#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/strategies/experiment.h"
#include "kernels/strategies/shape.h"

namespace lanescope {

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
