#pragma once

#include <string>
#include <vector>

#include "sim/machine/run/launch.h"
#include "sim/memory/counters.h"

namespace lanescope {

/// The final contents of a buffer that a kernel may write, summarized.
struct OutputSummary {
  std::size_t argument = 0;
  std::string member{};     ///< `A.elements`: for a struct argument; empty: the argument itself
  std::uint64_t count = 0;  ///< elements
  double sum = 0;           ///< of the elements, in double
  std::uint64_t fnv1a = 0;  ///< of the bytes
};

/// The output of a thread, in the order of blocks.
struct PrintedText {
  std::uint64_t block = 0;   ///< linear index in the grid
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint32_t line = 0;    ///< of the source
  std::string text;
};

/// The counters of one source line: its part of the launch's counters.
struct LineCounters {
  std::uint32_t line = 0;
  Counters counters;
};

struct Simulation {
  std::string kernel;
  Counters counters;
  std::uint64_t countedBlocks = 0;  ///< the blocks behind the counters
  std::vector<LineCounters> lines;  ///< by line, only lines that counted something; they add up to `counters`
  std::uint64_t executed = 0;       ///< bytecode instructions of all warps: the simulator's own work
  std::vector<OutputSummary> outputs;
  std::vector<PrintedText> printed;  ///< at most 10,000 per host thread
  /// Every buffer argument's bytes, in argument order, then the bytes of `symbols`, then of the buffers that
  /// structs point to.
  std::vector<std::vector<std::byte>> buffers;
  std::vector<std::string> symbols;  ///< variables at file scope that the kernel names
};

/// The mode of simulate(): Plain runs the compiled instructions one by one. Both give the same results.
enum class Pace : std::uint8_t { Fast, Plain };

/// Runs a launch, counting everything; blocks are spread over `threads` host threads (0: all cores). Errors:
/// all of prepare(), and a fault of the kernel with line, thread and array.
Result<Simulation> simulate(const Launch& launch, unsigned threads = 0, Pace pace = Pace::Fast);

}  // namespace lanescope
