#pragma once

#include "app/pictures/chart_scene.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// Keeps the current strategy's bar in sight if the chart is higher than the window it scrolls in.
class BarReveal {
 public:
  /// Scrolls ImGui's current window, of which `room` pixels are in sight, if another strategy is current or
  /// its bar has moved: numbers come in one by one, and panels change their size. If the user has scrolled
  /// since the strategy was chosen, nothing scrolls. `scene` is the chart's.
  void syncTo(const Strategy* atHand, const BarChart& bars, const Scene& scene, float room);

 private:
  struct Bar {
    const Strategy* strategy = nullptr;  ///< nullptr: nowhere
    float y = 0;
    float room = 0;
    bool operator==(const Bar&) const = default;
  };
  Bar shown_;
  const Strategy* atHand_ = nullptr;
  float scroll_ = 0;         ///< as it was left
  bool isScrolled_ = false;  ///< by the user
};

}  // namespace lanescope
