#pragma once

#include <cstdint>

#include "app/views/base/widgets.h"

namespace lanescope {

/// Which part of a timeline is in view. The wheel zooms at the pointer, Shift with the wheel or a drag moves
/// it, a double click shows all again. Where the cursor leaves the part in view, the part goes after it.
class TimelineZoom {
 public:
  /// Writes what is in view to the scene's context; another generation is another trace, all of it in view.
  void apply(SceneContext& layout, const Replay& replay, std::uint64_t generation);
  /// Takes what the pointer did on the timeline laid out so. True where it moved what is in view, so that
  /// nothing else is meant by it.
  bool take(const SceneInput& input, const SceneContext& layout);

 private:
  void moveTo(double from);

  double zoom_ = 1;
  double from_ = 0;  ///< share of the whole that is left of what is in view
  double most_ = 1;  ///< a step is then as wide as can be asked for
  std::uint64_t generation_ = 0;
  std::uint32_t steps_ = 0;  ///< of the cursor, at the last look
  bool isPanning_ = false;
};

}  // namespace lanescope
