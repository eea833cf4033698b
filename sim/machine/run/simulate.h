#pragma once

#include <string>
#include <vector>

#include "sim/machine/run/launch.h"
#include "sim/memory/counters.h"

namespace lanescope {

/// What a kernel left in a buffer that it may write.
struct OutputSummary {
  std::size_t argument = 0;
  std::string member{};     ///< `A.elements`: of a struct argument; empty: the argument itself
  std::uint64_t count = 0;  ///< elements
  double sum = 0;           ///< of the elements, in double
  std::uint64_t fnv1a = 0;  ///< of the bytes
};

/// What a thread printed, in the order of blocks.
struct PrintedText {
  std::uint64_t block = 0;   ///< linear index in the grid
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint32_t line = 0;    ///< of the source
  std::string text;
};

/// What one line of the source did: the part of the launch's counters that is its own.
struct LineCounters {
  std::uint32_t line = 0;
  Counters counters;
};

struct Simulation {
  std::string kernel;
  Counters counters;
  std::uint64_t countedBlocks = 0;  ///< that the counters are of
  std::vector<LineCounters> lines;  ///< by line, those that counted something; they add up to `counters`
  std::uint64_t executed = 0;       ///< bytecode instructions of all warps: the simulator's own work
  std::vector<OutputSummary> outputs;
  std::vector<PrintedText> printed;  ///< at most 10,000 a host thread
  /// Every buffer argument's bytes, in argument order, then those of `symbols`, then those that structs point
  /// to.
  std::vector<std::vector<std::byte>> buffers;
  std::vector<std::string> symbols;  ///< variables at file scope that the kernel names
};

/// How simulate() runs: Plain takes the compiled instructions one by one. Both give the same.
enum class Pace : std::uint8_t { Fast, Plain };

/// Runs a launch, counting everything; blocks are spread over `threads` host threads (0: all cores).
/// Errors: those of prepare(), and a fault of the kernel with line, thread and array.
Result<Simulation> simulate(const Launch& launch, unsigned threads = 0, Pace pace = Pace::Fast);

}  // namespace lanescope
