#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// `lanescope.trace/1`: one entry per phase: label, active threads, every shared word at its end; an element
/// of 8 bytes is one entry. With `symbolic` a word is its sum of input elements (`a0+a1`), else its number;
/// null if nothing was stored. If threads hold values in registers, `values` has one entry per thread.
/// `global` has the elements of buffers that the phase changes, by name: `out[0]`; left out if there are
/// none. `run` is the run's title (run_title.h), left out if that is empty.
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
