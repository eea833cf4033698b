#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/export/frames.h"
#include "app/paint/png_painter.h"
#include "sim/base/diagnostic.h"

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

struct GifFileType;  // giflib's

namespace lanescope {

/// Writes an animated GIF that loops, frame by frame. Of each frame it stores the smallest rectangle that
/// holds all changes since the previous frame, with a palette of at most 255 colors of its own. A frame that
/// equals the previous one adds its time to that one.
class GifEncoder {
 public:
  /// Pixels of its sides, at most 65,535, and hundredths of a second per frame.
  GifEncoder(std::size_t width, std::size_t height, unsigned hundredths);
  ~GifEncoder();
  GifEncoder(const GifEncoder&) = delete;
  GifEncoder& operator=(const GifEncoder&) = delete;

  /// Adds a frame: rows from the top, each pixel 0xRRGGBB in its lower 24 bits; exactly width * height.
  void add(std::span<const std::uint32_t> pixels);
  /// The file with all frames so far; nothing can be added afterwards. Error: giflib's.
  Result<std::string> consume();

 private:
  struct Part {
    std::size_t x = 0, y = 0, width = 0, height = 0;
  };
  /// A frame is written only when the next one differs, as its duration is known then.
  struct Frame {
    Part part;
    std::vector<std::uint8_t> indices;  ///< rows of the part; 0: unchanged
    std::vector<std::uint32_t> colors;  ///< of the indices from 1
    unsigned hundredths = 0;
  };
  struct Closer {
    void operator()(GifFileType* file) const;
  };

  Part changedPart(std::span<const std::uint32_t> pixels) const;
  Frame makeFrame(std::span<const std::uint32_t> pixels, const Part& part) const;
  void begin();
  void writeHeld();
  /// Keeps the first error: `status` is the result of a giflib function.
  void check(int status);

  std::size_t width_;
  std::size_t height_;
  unsigned hundredths_;
  std::vector<std::uint32_t> shown_;  ///< the previous frame; empty: none
  std::optional<Frame> held_;
  std::string bytes_;
  int error_ = 0;                              ///< giflib's number; 0: none
  std::unique_ptr<GifFileType, Closer> file_;  ///< writes into bytes_; destroyed before them
};

}  // namespace lanescope
