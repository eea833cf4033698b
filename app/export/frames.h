#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/export/pictures.h"
#include "app/export/sequence.h"
#include "app/export/image.h"

namespace lanescope {

/// A picture at each of a walk's frames.
struct FrameSeries {
  std::shared_ptr<const Trace> trace;
  std::vector<Cursor> frames;
  Picture picture;
  PictureOptions options;
};

enum class FrameFormat : std::uint8_t { Pngs, Gif };

/// Draws the series with a writer of PNGs, as writeSequence() or writeGif(), with their errors. Returns the
/// number of frames.
Result<std::size_t> writeFrames(const std::filesystem::path& path, FrameFormat format,
                                const FrameSeries& series, const ImageWriter& writer,
                                const FrameWatcher& goesOn);

}  // namespace lanescope
