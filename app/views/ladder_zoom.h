#pragma once

#include <cstdint>

#include "app/views/widgets.h"

namespace lanescope {

/// Which columns of a ladder are in view: the wheel zooms at the pointer, a drag moves, a double click shows
/// all again.
class LadderZoom {
 public:
  /// Writes the columns in view to the scene's context; another generation is another trace, all of it in
  /// view.
  void apply(SceneContext& layout, const Trace& trace, std::uint64_t generation);
  /// Takes what the pointer did on the scene that was laid out so.
  void take(const SceneInput& input, float width);

  /// Columns in view: the first, and how many; 0: all.
  std::uint32_t first() const { return static_cast<std::uint32_t>(first_); }
  std::uint32_t count() const { return count_; }

 private:
  void zoom(float share, float wheel);

  double first_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t columns_ = 0;  ///< of the whole ladder
  std::uint64_t generation_ = 0;
};

}  // namespace lanescope
