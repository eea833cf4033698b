#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/trace/trace.h"

namespace lanescope {

/// The last write of an element: its thread and place.
struct ResultWrite {
  std::uint32_t steps = 0;  ///< as Cursor::steps, just after it
  std::uint32_t thread = 0;
};

/// For an element of a buffer argument; nullopt if the traced block does not write it.
std::optional<ResultWrite> findLastWrite(const Trace& trace, std::size_t argument, std::uint64_t element);

/// The elements a0 to a(n - 1) of the buffer argument `input` that the last value of `output`[0] was not made
/// of, or more than once, as `a1, a3 and a5 are not in it`. Empty if it has each of them once, if nothing in
/// the trace writes it, or if another operator than `joins` made it last.
std::string missingElementsText(const Trace& trace, std::size_t output, std::size_t input,
                                Provenance::Kind joins, std::uint32_t n);

}  // namespace lanescope
