#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <imgui.h>

namespace lanescope {

/// A rectangle of a frame in whole pixels from its upper left corner; `right` and `bottom` are just outside.
struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;

  bool operator==(const PixelRect&) const = default;
};

/// Where each frame differs from the previous one: squares of the frame that other triangles, colours,
/// letters or clips touch.
class FrameChanges {
 public:
  /// Disjoint rectangles; outside of them the frame is the previous one, pixel by pixel. All of it for the
  /// first frame, after forget(), and for a frame of another size or with callbacks.
  std::vector<PixelRect> in(const ImDrawData& frame);
  /// The next frame is new everywhere, as where its background or its letters' texture is another.
  void forget() { squares_.clear(); }

 private:
  std::vector<std::uint64_t> squares_;  ///< of each square, row by row, a hash of what was drawn there
  std::pair<int, int> size_;            ///< in pixels
};

/// Leaves of a frame the triangles that touch these disjoint rectangles, clipped to them.
void keepWithin(ImDrawData& frame, std::span<const PixelRect> areas);

}  // namespace lanescope
