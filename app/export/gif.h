#pragma once

#include <filesystem>

#include "app/export/sequence.h"

namespace lanescope {

/// Writes the frames as one animated GIF, two a second, over and over, with the ffmpeg or ImageMagick of this
/// machine. Returns how many. Errors: there is neither; what it says; those of writeSequence().
Result<std::size_t> writeGif(const std::filesystem::path& file, const std::shared_ptr<const Trace>& trace,
                             const std::vector<Cursor>& frames, const FrameWriter& write,
                             const FrameWatcher& goesOn = {});

}  // namespace lanescope
