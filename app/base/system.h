#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// Writes a text to a file, by way of a new one beside it, so that nothing is lost if that fails. A link's
/// target is written, and keeps its permissions. The error is one sentence with the path.
std::optional<Error> writeFile(const std::filesystem::path& path, const std::string& text);

/// The error for a `picture`, `page` or `sequence` that was stopped before it was written.
Error writingStopped(std::string_view what);

/// A field of a CSV line: quoted if it has a comma, a quote or a line's end (RFC 4180).
std::string csvField(std::string_view text);

/// Returns freed memory to the system if the C library keeps it for later. For use after a large piece of
/// work: it takes about a millisecond.
void giveBackMemory();

}  // namespace lanescope
