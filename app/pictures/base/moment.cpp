#include "app/pictures/base/moment.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sim/trace/step_accesses.h"

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

WordsSoFar::WordsSoFar(const Moment& moment, std::uint32_t arrived) : moment_(moment) {
  for (std::uint32_t index = moment.cursor.steps; index > arrived; --index) {
    for (const CellChange& change : stepChanges(moment.trace, moment.trace.steps[index - 1]))
      before_[change.cell] = change.before;
  }
}

LaneMask lanesRead(const Trace& trace, const Step& step, unsigned lane) {
  const auto source = [&](unsigned of) { return trace.shuffleSources[step.shuffleSources + of]; };
  const LaneMask own = LaneMask{1} << lane;
  if ((step.active & own) == 0 || source(lane) < 0) return 0;
  if (step.kind == StepKind::Shuffle) return (LaneMask{1} << static_cast<unsigned>(source(lane))) & ~own;
  LaneMask group = 0;
  forEachLane(step.active, [&](unsigned of) {
    if (source(of) == source(lane)) group |= LaneMask{1} << of;
  });
  return group;
}

Moment makeMoment(const Replay& replay, std::shared_ptr<const PicturePlan> plan) {
  return {replay.trace(), replay.state(), replay.cursor(), std::move(plan)};
}

bool hasFaultTag(const Moment& moment, const SceneContext& context) {
  const std::optional<TraceFault>& fault = moment.trace.fault;
  return fault && fault->array >= 0 && (!context.hidesFuture || moment.fault() != nullptr);
}

void paintFaultTag(SceneBuilder& out, const Moment& moment, float x, float y) {
  const TraceFault* const fault = moment.fault();
  if (fault == nullptr || fault->array < 0) return;
  const TracedArray& array = moment.trace.arrays[static_cast<std::size_t>(fault->array)];
  const bool isPresent = fault->word >= 0 && fault->word < std::int64_t{array.cellCount};
  const std::string text = (fault->place.empty() ? array.name : fault->place) +
                           (isPresent ? " is misaligned" : " is out of bounds");
  const TextStyle style{FontRole::Small, ColorRole::TextOnAccent, Align::Center, 1, 1};
  const float width = std::min(out.textWidth(text, style) + out.u(12), out.width() - 2 * out.margin());
  const Rect tag{std::min(x, out.width() - out.margin() - width), y - out.u(kFaultTag / 2), width,
                 out.u(kFaultTag)};
  out.fill(tag, ColorRole::Bad, out.u(4));
  out.textInside(tag, text, style, 0.6F);
  const std::uint32_t first = moment.step()->warp * moment.trace.launch.machine.warpSize;
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(fault->lanes));
  out.hit(tag, HitArea::Kind::Thread, first + lane, fault->sentence);
}

}  // namespace lanescope
