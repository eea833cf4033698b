#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope {

/// Colors of a picture and, for each, which of at most `most` colors represents it.
class GifPalette {
 public:
  /// `counted`: different colors and their frequencies. Median cut: colors are halved by their widest channel
  /// until there are `most` groups; the most frequent color of a group represents it.
  struct Counted {
    std::uint32_t color = 0;
    std::uint32_t count = 0;
  };
  GifPalette(std::vector<Counted> counted, std::size_t most);

  const std::vector<std::uint32_t>& colors() const { return colors_; }
  /// The index in colors() for one of the counted colors.
  std::size_t findIndex(std::uint32_t color) const;

 private:
  struct Entry {
    std::uint32_t color;
    std::uint32_t index;
  };
  std::vector<std::uint32_t> colors_;
  std::vector<Entry> entries_;  ///< sorted by color
};

}  // namespace lanescope
