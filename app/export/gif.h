#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "app/export/base/sequence.h"
#include "app/paint/png_painter.h"

namespace lanescope {

/// The pixels of a frame, or why there are none.
using FramePainter = std::function<Result<Pixels>(const Replay& replay)>;

/// Writes the frames, all of one size, as one animated GIF, two per second, over and over. Returns how many.
/// Errors: those of `paint`; the file cannot be written; `goesOn` says no; the program was built without
/// giflib.
Result<std::size_t> writeGif(const std::filesystem::path& file, const std::shared_ptr<const Trace>& trace,
                             const std::vector<Cursor>& frames, const FramePainter& paint,
                             const FrameWatcher& goesOn = {});

}  // namespace lanescope
