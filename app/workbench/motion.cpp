#include "app/workbench/motion.h"

#include <algorithm>

namespace lanescope {

void Motion::changeSeconds() {
  const auto next = std::ranges::upper_bound(kMotionSeconds, seconds_);
  seconds_ = next == kMotionSeconds.end() ? kMotionSeconds.front() : *next;
  if (seconds_ <= 0) finish();
}

void Motion::begin(std::uint32_t from, double most) {
  total_ = left_ = std::min(seconds_, most);
  from_ = from;
  isBack_ = false;
}

void Motion::beginBack(std::uint32_t from, double most) {
  begin(from, most);
  isBack_ = true;
}

bool Motion::advance(double seconds) {
  if (!moving()) return false;
  left_ = std::max(0.0, left_ - std::max(seconds, 0.0));
  return true;
}

float Motion::progress() const {
  if (!moving()) return 1;
  const auto t = static_cast<float>(1 - left_ / total_);
  const float done = t * t * (3 - 2 * t);
  return isBack_ ? 1 - done : done;
}

}  // namespace lanescope
