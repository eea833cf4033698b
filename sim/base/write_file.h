#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// Writes a text to a file, by way of a draft beside it that then takes its place and permissions, so that
/// nothing is lost if that fails. A link's target is written, also one that does not exist yet; a device or a
/// pipe with a reader is written to. A file of several names (hard links) keeps them: it is overwritten once
/// the draft is complete, which stays if that fails. A file whose folder takes no draft, or that cannot be
/// replaced (a bind mount), is overwritten, too. The error is one sentence with the path: a folder, a
/// write-protected file, a pipe without a reader, a full disk. `lasts`: it is on the disk when that returns;
/// a power cut leaves the old text or the new one, but of a file that is overwritten maybe a part of the new
/// one, and the draft, if there is one, with all of it.
std::optional<Error> writeFile(const std::filesystem::path& path, std::string_view text, bool lasts = false);
/// The same for a text in parts.
std::optional<Error> writeFile(const std::filesystem::path& path, std::span<const std::string_view> parts,
                               bool lasts = false);

}  // namespace lanescope
