#pragma once

#include <string>
#include <string_view>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// The error for a `picture`, `page` or `sequence` that was stopped before it was written.
Error writingStopped(std::string_view what);

/// A field of a CSV line: quoted if it has a comma, a quote or a line's end (RFC 4180). A text that a
/// spreadsheet would take for a formula (it begins with =, +, -, @, a tab or a line's end, and is no number)
/// gets a ' before it.
std::string csvField(std::string_view text);

/// Returns freed memory to the system if the C library keeps it for later. For use after a large piece of
/// work: it takes about a millisecond.
void giveBackMemory();

}  // namespace lanescope
