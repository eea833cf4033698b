#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/trace/trace.h"

namespace lanescope {

/// Who wrote an element last, and where.
struct ResultWrite {
  std::uint32_t steps = 0;  ///< as Cursor::steps, just behind it
  std::uint32_t thread = 0;
};

/// Of an element of a buffer argument; nothing where the traced block does not write it.
std::optional<ResultWrite> lastWriteOf(const Trace& trace, std::size_t argument, std::uint64_t element);

/// Which of the elements a0 to a(n - 1) of the buffer argument `input` the last value of `output`[0] was not
/// made of, or more than once, as `a1, a3 and a5 are not in it`. Empty where it has each of them once, where
/// nothing in the trace writes it, or where another operator than `joins` made it last.
std::string missingElementsText(const Trace& trace, std::size_t output, std::size_t input,
                                Provenance::Kind joins, std::uint32_t n);

}  // namespace lanescope
