#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// Writes a text to a file, by way of a draft beside it that then takes its place and permissions, so that
/// nothing is lost if that fails. A link's target is written, also one that does not exist yet; a device or a
/// pipe with a reader is written to; a file of several names (hard links) keeps them. The error is one
/// sentence with the path: a folder, a write-protected file, a pipe without a reader, a full disk.
std::optional<Error> writeFile(const std::filesystem::path& path, const std::string& text);

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
