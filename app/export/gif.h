#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "app/export/sequence.h"
#include "app/paint/png_painter.h"

namespace lanescope {

/// Returns the pixels of a frame, or an error.
using FramePainter = std::function<Result<Pixels>(const Replay& replay)>;

/// Writes the frames, all of one size, as one animated GIF that loops, two per second. Returns their number.
/// Errors: those of `paint`; the file cannot be written; `goesOn` returned false; the program was built
/// without giflib.
Result<std::size_t> writeGif(const std::filesystem::path& file, const std::shared_ptr<const Trace>& trace,
                             const std::vector<Cursor>& frames, const FramePainter& paint,
                             const FrameWatcher& goesOn = {});

}  // namespace lanescope
