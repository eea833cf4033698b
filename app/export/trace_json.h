#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// `lanescope.trace/1`: a phase an entry: label, active threads, every shared word when it ends; an element
/// of 8 bytes is one entry. With `symbolic` it is what it was made of (`a0+a1`), else its number; null where
/// nothing was stored. Where threads hold values in registers, `values` has one entry a thread.
/// `global` has the elements of buffers that the phase changes, by name: `out[0]`; left out where there are
/// none. `run` is what the run is called (run_title.h), left out where that is empty.
std::string traceJson(const Trace& trace, bool symbolic, std::string_view run = {});

/// Whether an element begins in that shared word: of one of 8 bytes the second word begins none.
bool beginsElement(const Trace& trace, std::uint32_t cell);
/// The number that a shared word holds when a phase ends, or the 64-bit value that begins in it.
std::string wordText(const Trace& trace, const Phase& phase, std::uint32_t cell);

/// An element of a buffer that a phase changes, as it is when the phase ends.
struct GlobalResult {
  const TracedArray* array = nullptr;
  std::uint32_t element = 0;
  std::uint64_t bits = 0;
  ProvenanceId from = kNoProvenance;
};
/// Those of a phase, by stores and atomics, in the order of buffers and elements.
std::vector<GlobalResult> globalResultsOf(const Trace& trace, const Phase& phase);

}  // namespace lanescope
