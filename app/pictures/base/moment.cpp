#include "app/pictures/base/moment.h"

#include <algorithm>
#include <utility>

namespace lanescope {

std::optional<Step> Moment::step() const {
  if (cursor.steps == 0 || trace.steps.empty()) return std::nullopt;
  return trace.steps[std::min<std::size_t>(cursor.steps, trace.steps.size()) - 1];
}

const TraceFault* Moment::fault() const {
  return trace.fault && cursor.steps == trace.fault->step + 1 ? &*trace.fault : nullptr;
}

std::uint32_t Moment::phase() const {
  const std::optional<Step> current = step();
  return current ? current->phase : 0;
}

int shuffleSource(const Trace& trace, const Step& step, unsigned lane) {
  const int source =
      int{trace.shuffleSources[step.shuffleSources + lane]};  // NOLINT(bugprone-signed-char-misuse)
  const bool active = (step.active >> lane & 1U) != 0;
  return active && source != static_cast<int>(lane) ? source : -1;
}

Moment makeMoment(const Replay& replay, std::shared_ptr<const PicturePlan> plan) {
  return {replay.trace(), replay.state(), replay.cursor(), std::move(plan)};
}

}  // namespace lanescope
