#pragma once

#include <cstdint>

#include "app/panels/base/widgets.h"

namespace lanescope {

/// The part of a timeline that is in view. The wheel zooms at the pointer, Shift with the wheel or a drag
/// moves it, a double click shows all again. If the cursor leaves the part in view, the part follows it.
class TimelineZoom {
 public:
  /// Writes the part in view to the scene's context. If the generation changes, the trace is another one, and
  /// all of it comes into view.
  void apply(SceneContext& layout, const Replay& replay, std::uint64_t generation);
  /// Handles the pointer on the timeline with that layout. True if it moved the part in view, so that the
  /// input has no other meaning.
  bool receive(const SceneInput& input, const SceneContext& layout);

 private:
  void moveTo(double from);

  double zoom_ = 1;
  double from_ = 0;  ///< share of the whole that is left of the part in view
  double most_ = 1;  ///< at that scale a step has the largest width allowed
  std::uint64_t generation_ = 0;
  std::uint32_t steps_ = 0;  ///< of the cursor, in the last frame
  bool isPanning_ = false;
};

}  // namespace lanescope
