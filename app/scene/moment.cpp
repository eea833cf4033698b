#include "app/scene/moment.h"

#include <algorithm>

namespace lanescope {

const Step* Moment::step() const {
  if (cursor.steps == 0 || trace.steps.empty()) return nullptr;
  return &trace.steps[std::min<std::size_t>(cursor.steps, trace.steps.size()) - 1];
}

std::uint32_t Moment::phase() const {
  const Step* current = step();
  return current == nullptr ? 0 : current->phase;
}

Moment momentOf(const Replay& replay) { return {replay.trace(), replay.state(), replay.cursor()}; }

}  // namespace lanescope
