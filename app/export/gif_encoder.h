#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope {

/// Writes an animated GIF (GIF89a) that loops, frame by frame. Of each frame it stores the smallest rectangle
/// that holds all changes since the previous frame, with a palette of at most 255 colors of its own. A frame
/// that equals the previous one adds its time to that one.
class GifEncoder {
 public:
  /// Of so many pixels a side, at most 65,535, and hundredths of a second per frame.
  GifEncoder(std::size_t width, std::size_t height, unsigned hundredths);

  /// Adds a frame: rows from the top, each pixel 0xRRGGBB in its lower 24 bits; exactly width * height.
  void add(std::span<const std::uint32_t> pixels);
  /// The file, with all frames so far; nothing can be added any more.
  std::string take();

 private:
  struct Part {
    std::size_t x = 0, y = 0, width = 0, height = 0;
  };
  Part changedPart(std::span<const std::uint32_t> pixels) const;
  void write(std::span<const std::uint32_t> pixels, const Part& part);
  void lengthenLast();

  std::size_t width_;
  std::size_t height_;
  unsigned hundredths_;
  std::vector<std::uint32_t> shown_;  ///< the frame before; empty: none
  std::size_t delayAt_ = 0;           ///< of the frame before, in the bytes
  std::string bytes_;
};

/// Colors of a picture and, of each, which of at most `most` stands for it.
class GifPalette {
 public:
  /// `counted`: different colors and how often each is there. Median cut: colors are halved by their widest
  /// channel until there are `most` groups; the most frequent of a group stands for it.
  struct Counted {
    std::uint32_t color = 0;
    std::uint32_t count = 0;
  };
  GifPalette(std::vector<Counted> counted, std::size_t most);

  const std::vector<std::uint32_t>& colors() const { return colors_; }
  /// The index in colors() for one of those that were counted.
  std::size_t indexOf(std::uint32_t color) const;

 private:
  struct Entry {
    std::uint32_t color;
    std::uint32_t index;
  };
  std::vector<std::uint32_t> colors_;
  std::vector<Entry> entries_;  ///< sorted by color
};

/// LZW of a GIF: indices of `bits` bits (2 to 8) in sub-blocks, with the code size before and the end after.
std::string gifCodes(std::span<const std::uint8_t> indices, unsigned bits);

}  // namespace lanescope
