#pragma once

#include <optional>
#include <string>

#include "kernels/strategies/catalogue.h"
#include "sim/trace/run.h"

namespace lanescope {

/// The result of a strategy's launch, compared with the strategy's purpose.
struct ResultCheck {
  bool isRight = true;
  /// `The result is 1953, but the sum of the 64 elements is 2016.`; if it is right `The result is 2016, the
  /// sum of the 64 elements.`, or `The result is 51890380, within the rounding error of the sum of the
  /// 1048576 elements, 51886472.`
  std::string sentence;
  std::string fix;            ///< for a wrong one: the place to look at, one sentence
  std::size_t output = 0;     ///< the argument that holds it
  std::uint64_t element = 0;  ///< its first wrong element; for a reduction the (first) result
};

/// Compares a launch's result with the strategy's, computed anew from the elements as they start; for a
/// reduction by the operator that the kernel's name has. The text may be edited: the strategy's head gives
/// the expected result. Ints are compared as they wrap; so are whole numbers that float or double holds
/// exactly; larger floats may be off by what n additions (or products) can round.
///
/// Nullopt if no result is expected: another kernel of the text, arguments that are not the strategy's, a
/// product that no float holds. For a wrong sum or product the trace shows which elements are missing; if the
/// run has none, the block is recorded once more. The run must have its buffers still.
std::optional<ResultCheck> checkResult(const Strategy& strategy, const Run& run);

}  // namespace lanescope
