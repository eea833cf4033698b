#pragma once

#include <string>

#include "sim/trace/trace.h"

namespace lanescope {

/// `lanescope.trace/1`: a phase an entry: label, active threads, every shared word when it ends. With
/// `symbolic` a word is what it was made of (`a0+a1`), else its number; null where nothing was stored.
/// Where threads hold values in registers, `values` has one entry a thread.
std::string traceJson(const Trace& trace, bool symbolic);

/// The number that a shared word holds when a phase ends, or the 64-bit value that begins in it.
std::string wordText(const Trace& trace, const Phase& phase, std::uint32_t cell);

}  // namespace lanescope
