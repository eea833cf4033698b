#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/pictures.h"
#include "sim/base/diagnostic.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// The most frames that a sequence may have.
inline constexpr std::size_t kMostFrames = 20000;

/// The grains' names on a command line: `phase`, `instruction`, `wavefront`.
std::string_view grainName(Grain grain);
std::vector<std::string> grainNames();
/// The grain of that name, or empty.
std::optional<Grain> findGrain(std::string_view name);

/// Every place at which stepping from the start to the end at a grain stops, including the start and the end.
/// Error: more than kMostFrames.
Result<std::vector<Cursor>> makeFrames(const std::shared_ptr<const Trace>& trace, Grain grain);

/// Returns the bytes of a frame, or an error.
using FrameWriter = std::function<Result<std::string>(const Replay& replay)>;

/// Called before each frame with the number of frames done; false stops the sequence.
using FrameWatcher = std::function<bool(std::size_t done)>;

/// Writes `0001.png`, `0002.png` … into a folder, which must be new or empty. Writes all of them or, if one
/// fails or `goesOn` returns false, none. Returns their number. Errors: the folder cannot be written, or is
/// not empty; those of `write`.
Result<std::size_t> writeSequence(const std::filesystem::path& folder,
                                  const std::shared_ptr<const Trace>& trace,
                                  const std::vector<Cursor>& frames, const FrameWriter& write,
                                  const FrameWatcher& goesOn = {});

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
