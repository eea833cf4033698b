#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope {

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

}  // namespace lanescope
