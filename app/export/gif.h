#pragma once

#include <filesystem>

#include "app/export/base/sequence.h"

namespace lanescope {

/// Writes the frames, PNGs of one size, as one animated GIF, two per second, over and over. Returns how many.
/// Errors: those of `write`; the file cannot be written; `goesOn` says no; the program was built without
/// giflib.
Result<std::size_t> writeGif(const std::filesystem::path& file, const std::shared_ptr<const Trace>& trace,
                             const std::vector<Cursor>& frames, const FrameWriter& write,
                             const FrameWatcher& goesOn = {});

}  // namespace lanescope
