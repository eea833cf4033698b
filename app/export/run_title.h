#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/launch/text_facts.h"
#include "kernels/strategies/catalogue.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The name of a run in exported files: it has all differences from the strategy's own launch.
struct RunTitle {
  /// `No divergence, N = 64, block 2 of 4 on nvidia`, `Baseline (edited), int, block 32 on nvidia`; a file's:
  /// `reduce (edited), 32 threads per block, on nvidia`.
  std::string text;
  std::string name;   ///< the same for files, without the machine: `baseline-edited-int-block-32`
  bool isOwn = true;  ///< false if the text, its elements, the operator or the launch is not the strategy's
};

/// The title of a strategy's run over `n` elements with `blocks` blocks, if its launch is that; for another
/// launch `n` and `blocks` are ignored. `facts`: of the launch's text. `traced`: the recorded block, or
/// nullptr for all of them.
RunTitle titleOfRun(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks, const Launch& launch,
                    const TextFacts& facts, const Dim3* traced);
/// The title of a file's run; `original`: the file's own text if it may have been edited, else empty.
RunTitle titleOfFile(const Launch& launch, std::string_view kernelName, std::string_view original = {});

}  // namespace lanescope
