#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/analysis/edited_run.h"
#include "sim/machine/run/simulate.h"

namespace lanescope {

/// True if two launches have the same text, kernel, extents and arguments.
bool sameLaunch(const Launch& a, const Launch& b);

/// A launch as the worker takes it: its text without the host's part, its extents and arguments. If the
/// kernel name in `launch` is empty, it is `kernel`, as Simulation::kernel names it.
TextLaunch makeTextLaunch(const Launch& launch, const std::string& kernel = {});

/// The first element in which simulator and GPU differ.
struct FirstDifference {
  std::uint64_t index = 0;  ///< element of its buffer
  std::string simulated;    ///< value and bits: `12.5 (0x41480000)`
  std::string measured;
  std::string writer;  ///< its last writer in the simulator: `block 0, thread 5`; empty if unknown
};

/// One buffer of both.
struct BufferComparison {
  std::size_t argument = 0;
  bool equal = false;
  std::optional<FirstDifference> first;  ///< if it differs and came back whole
};

struct EditedComparison {
  std::vector<BufferComparison> buffers;  ///< in argument order; empty if the GPU gave no output
  bool equal = false;                     ///< every bit of every buffer
  std::string sentence;                   ///< the result in words
};

/// Compares the GPU's buffers with the simulator's, bit for bit, and names the first difference. Both must be
/// of `launch`.
EditedComparison compareWithSimulator(const Launch& launch, const Simulation& simulation,
                                      const EditedRun& run);

}  // namespace lanescope
