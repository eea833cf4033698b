#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/launch/kernel_cache.h"
#include "kernels/strategies/catalogue.h"
#include "sim/machine/run/launch.h"
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

// Counters as tables for other programs.

/// A header, the total, and a row for each line of the source with counters:
/// `kernel,machine,scope,number,text`, the counters and `run`: the run's title, with semicolons
/// for commas. `scope` is `total` or `line`; `number` and `text` are the line's. Fields with a comma or a
/// quote are quoted (RFC 4180).
std::string countersCsv(const Launch& launch, const Simulation& simulation, std::string_view run);

/// As above for a traced block, and between them a row for each phase: `scope` is `phase`, `text` its label.
std::string countersCsv(const Trace& trace, std::string_view run);

/// The counters of a run, and its title.
struct CountedRun {
  const Counters& counters;
  std::string_view name;
};
/// A header, `counter`, the names of the two runs and `difference`; a row for each counter. The difference is
/// right - left.
std::string differencesCsv(const CountedRun& left, const CountedRun& right);

/// `lanescope.trace/1`: one entry per phase: label, active threads, every shared word at its end; an element
/// of 8 bytes is one entry. With `symbolic` a word is its sum of input elements (`a0+a1`), else its number;
/// null if nothing was stored. If threads hold values in registers, `values` has one entry per thread.
/// `global` has the elements of buffers that the phase changes, by name: `out[0]`; left out if there are
/// none. `run` is the run's title, left out if that is empty.
std::string traceJson(const Trace& trace, bool symbolic, std::string_view run = {});

/// True if an element begins in that shared word: false for the second word of one of 8 bytes.
bool beginsElement(const Trace& trace, std::uint32_t cell);
/// The number in a shared word at the end of a phase, or the 64-bit value that begins in it.
std::string wordText(const Trace& trace, const Phase& phase, std::uint32_t cell);

/// An element of a buffer that a phase changes, with its value at the end of the phase.
struct GlobalResult {
  const TracedArray* array = nullptr;
  std::uint32_t element = 0;
  std::uint64_t bits = 0;
  ProvenanceId from = kNoProvenance;
};
/// The results of a phase, by stores and atomics, in the order of buffers and elements.
std::vector<GlobalResult> findGlobalResults(const Trace& trace, const Phase& phase);

}  // namespace lanescope
