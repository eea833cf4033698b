#include "app/panels/base/timeline_zoom.h"

#include <algorithm>
#include <cmath>

#include "app/pictures/timeline_layout.h"
#include "app/pictures/timeline_scene.h"

namespace lanescope {
namespace {

constexpr double kPerNotch = 1.35;
constexpr double kMovePerNotch = 0.12;  ///< of the part in view
constexpr double kWidestStep = 40;      ///< units
constexpr float kAfterLeaving = 0.3F;   ///< the cursor's position then, as a share of the part in view

}  // namespace

void TimelineZoom::moveTo(double from) { from_ = std::clamp(from, 0.0, 1 - 1 / zoom_); }

void TimelineZoom::apply(SceneContext& layout, const Replay& replay, std::uint64_t generation) {
  if (generation_ != generation) {
    zoom_ = 1;
    from_ = 0;
  }
  generation_ = generation;
  const auto steps = static_cast<double>(replay.trace().steps.size());
  most_ = std::max(1.0, steps * kWidestStep * static_cast<double>(layout.unit) /
                            static_cast<double>(std::max(layout.width, 1.0F)));
  const auto write = [&] {
    layout.timelineZoom = static_cast<float>(zoom_);
    layout.timelineFrom = static_cast<float>(from_);
  };
  write();
  const std::uint32_t now = replay.cursor().steps;
  if (zoom_ > 1 && now != steps_) {
    const TimelineLayout place = layOutTimeline(replay.trace(), layout, false);
    const float x = computeTimelineX(replay.trace(), layout, now);
    const float room = place.right - place.left;
    if (x < place.left || x > place.right) {
      moveTo(from_ + static_cast<double>((x - place.left) / room - kAfterLeaving) / zoom_);
      write();
    }
  }
  steps_ = now;
}

bool TimelineZoom::receive(const SceneInput& input, const SceneContext& layout) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!input.held) isPanning_ = false;
  if (!input.hovered && !input.held) return false;
  if (ImGui::IsMouseDoubleClicked(0) && zoom_ > 1) {
    zoom_ = 1;
    from_ = 0;
    return true;
  }
  const auto width = static_cast<double>(layout.width);
  // With Shift, some systems report the wheel as horizontal.
  const auto wheel = static_cast<double>(io.MouseWheel != 0 ? io.MouseWheel
                                         : io.KeyShift      ? io.MouseWheelH
                                                            : 0);
  if (wheel != 0 && io.KeyShift) {
    moveTo(from_ - wheel * kMovePerNotch / zoom_);
  } else if (wheel != 0) {
    const double share = std::clamp(static_cast<double>(input.local.x) / width, 0.0, 1.0);
    const double place = from_ + share / zoom_;
    zoom_ = std::clamp(zoom_ * std::pow(kPerNotch, wheel), 1.0, most_);
    moveTo(place - share / zoom_);
  }
  if (input.held && io.KeyShift && ImGui::IsMouseClicked(0)) isPanning_ = true;
  if (isPanning_) moveTo(from_ - static_cast<double>(io.MouseDelta.x) / (width * zoom_));
  return isPanning_;
}

}  // namespace lanescope
