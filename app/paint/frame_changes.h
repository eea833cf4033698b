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

/// The differences of each frame from the previous one: squares of the frame with different triangles,
/// colours, letters or clips.
class FrameChanges {
 public:
  /// Disjoint rectangles; outside them the frame equals the previous one, pixel by pixel. Returns the whole
  /// frame for the first one, after forget(), and for a frame of another size or with callbacks.
  std::vector<PixelRect> in(const ImDrawData& frame);
  /// Treats the next frame as entirely new, for example after its background or its letters' texture changed.
  void forget() { squares_.clear(); }

 private:
  std::vector<std::uint64_t> squares_;  ///< for each square, row by row, a hash of its contents
  std::pair<int, int> size_;            ///< in pixels
};

/// Keeps only the triangles of a frame that touch these disjoint rectangles, clipped to them.
void keepWithin(ImDrawData& frame, std::span<const PixelRect> areas);

/// Splits a frame into parts of at most `mostIndices` indices (3 or more); the renderer calls `between`
/// between two parts. Nothing else changes.
void splitFrame(ImDrawData& frame, unsigned mostIndices, ImDrawCallback between);

}  // namespace lanescope
