#pragma once

#include <optional>
#include <string>

#include "kernels/strategies/catalogue.h"
#include "sim/trace/run.h"

namespace lanescope {

/// What a launch of a strategy left, held against what the strategy is for.
struct ResultCheck {
  bool isRight = true;
  /// `The result is 1953, but the sum of the 64 elements is 2016.`; of a right one `The result is 2016, the
  /// sum of the 64 elements.`, or `The result is 51890380, within the rounding error of the sum of the
  /// 1048576 elements, 51886472.`
  std::string sentence;
  std::string fix;            ///< of a wrong one: where to look, one sentence
  std::size_t output = 0;     ///< the argument that holds it
  std::uint64_t element = 0;  ///< of that, the first that is wrong; of a reduction the (first) result
};

/// Compares what a launch left with the strategy's result, taken anew from the elements as they start; of a
/// reduction by the operator that the kernel's name has. The text may be edited: the strategy's head says
/// what comes of it. Ints are compared as they wrap; so are whole numbers that float or double holds exactly;
/// larger floats may be off by what n additions (or products) can round.
///
/// Nothing where nothing is expected: another kernel of the text, arguments that are not the strategy's, a
/// product that no float holds. Of a wrong sum or product the trace shows which elements are missing; where
/// the run has none, the block is recorded once more. The run must have its buffers still.
std::optional<ResultCheck> checkResult(const Strategy& strategy, const Run& run);

}  // namespace lanescope
