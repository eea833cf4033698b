#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/diagnostic.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// The most frames that a sequence may have.
inline constexpr std::size_t kMostFrames = 20000;

/// The grains' names on a command line: `phase`, `instruction`, `wavefront`.
std::string_view grainName(Grain grain);
std::vector<std::string> grainNames();
/// The grain of that name, or nothing.
std::optional<Grain> findGrain(std::string_view name);

/// Every place that stepping from the start to the end at a grain stops at, the start and the end
/// among them. The error: more than kMostFrames.
Result<std::vector<Cursor>> framesOf(const std::shared_ptr<const Trace>& trace, Grain grain);

/// The bytes of a frame, or why there are none.
using FrameWriter = std::function<Result<std::string>(const Replay& replay)>;

/// Asked before each frame, with how many are done; false stops the sequence.
using FrameWatcher = std::function<bool(std::size_t done)>;

/// Writes `0001.png`, `0002.png` … into a folder, which must be new or empty: all of them or, where
/// one fails or `goesOn` says no, none. Returns how many. Errors: the folder cannot be written, or
/// has something in it; those of `write`.
Result<std::size_t> writeSequence(const std::filesystem::path& folder,
                                  const std::shared_ptr<const Trace>& trace,
                                  const std::vector<Cursor>& frames, const FrameWriter& write,
                                  const FrameWatcher& goesOn = {});

}  // namespace lanescope
