#include "app/workbench/stops.h"

#include <algorithm>

namespace lanescope {

std::string_view nameFor(StopKind kind) {
  switch (kind) {
    case StopKind::Conflict: return "conflict";
    case StopKind::Divergence: return "divergence";
    case StopKind::Hazard: return "hazard";
    case StopKind::Barrier: return "barrier";
  }
  return "";
}

std::vector<HazardMark> hazardMarks(const HazardReport& report) {
  std::vector<HazardMark> marks;
  for (const Hazard& hazard : report.hazards) {
    if (hazard.access.step) marks.push_back({*hazard.access.step + 1, hazard.message});
  }
  std::ranges::stable_sort(marks, {}, &HazardMark::step);
  return marks;
}

TraceEvents findEvents(const Trace& trace, const std::vector<HazardMark>& hazards) {
  TraceEvents events;
  const auto add = [&events](StopKind kind, std::uint32_t place) {
    std::vector<std::uint32_t>& places = events.at[static_cast<std::size_t>(kind)];
    if (places.empty() || places.back() != place) places.push_back(place);
  };
  std::vector<std::uint32_t> barriers;  // by barrier in turn: the step of the warp that came last
  std::vector<std::uint32_t> passed(trace.warps, 0);
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    const Step step = trace.steps[index];
    if (conflicts(step)) add(StopKind::Conflict, index + 1);
    if (diverges(step)) add(StopKind::Divergence, index + 1);
    if (step.kind != StepKind::BlockBarrier) continue;
    const std::uint32_t number = passed[step.warp]++;
    if (number >= barriers.size()) barriers.resize(std::size_t{number} + 1);
    barriers[number] = index + 1;
  }
  for (const std::uint32_t place : barriers) add(StopKind::Barrier, place);
  for (const HazardMark& mark : hazards) add(StopKind::Hazard, mark.step);
  return events;
}

std::optional<std::uint32_t> nextPlace(const std::vector<std::uint32_t>& places, std::uint32_t from,
                                       bool forward) {
  if (forward) {
    const auto after = std::ranges::upper_bound(places, from);
    return after == places.end() ? std::nullopt : std::optional(*after);
  }
  const auto notBefore = std::ranges::lower_bound(places, from);
  return notBefore == places.begin() ? std::nullopt : std::optional(*std::prev(notBefore));
}

std::optional<std::uint32_t> nextRunLine(const Trace& trace, std::uint32_t line) {
  std::optional<std::uint32_t> next;
  for (const Step& step : trace.steps) {
    if (step.kind == StepKind::Exit || step.line < line) continue;
    if (!next || step.line < *next) next = step.line;
  }
  return next;
}

void Stops::toggleLine(std::uint32_t line) {
  if (lines_.erase(line) == 0) lines_.insert(line);
}

void Stops::toggle(StopKind kind) {
  bool& armed = kinds_[static_cast<std::size_t>(kind)];
  armed = !armed;
}

bool Stops::empty() const { return lines_.empty() && std::ranges::none_of(kinds_, std::identity()); }

void Stops::clear() {
  lines_.clear();
  kinds_.fill(false);
}

std::optional<std::uint32_t> Stops::nextOnLine(const Trace& trace, std::uint32_t from, bool forward) const {
  const auto comesTo = [&](std::uint32_t index) {
    const Step step = trace.steps[index];
    if (step.kind == StepKind::Exit || !hasLine(step.line)) return false;
    const auto before = static_cast<std::size_t>(step.previousOfWarp);
    return step.previousOfWarp < 0 || trace.steps[before].line != step.line;
  };
  const auto count = static_cast<std::uint32_t>(trace.steps.size());
  if (forward) {
    for (std::uint32_t index = from; index < count; ++index) {
      if (comesTo(index)) return index + 1;
    }
    return std::nullopt;
  }
  for (std::uint32_t index = std::min(from, count); index-- > 0;) {
    if (index + 1 < from && comesTo(index)) return index + 1;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Stops::next(const Trace& trace, const TraceEvents& events, std::uint32_t from,
                                         bool forward) const {
  std::optional<std::uint32_t> nearest;
  const auto offer = [&](std::optional<std::uint32_t> place) {
    if (!place) return;
    const bool nearer = !nearest || (forward ? *place < *nearest : *place > *nearest);
    if (nearer) nearest = place;
  };
  if (!lines_.empty()) offer(nextOnLine(trace, from, forward));
  for (std::size_t kind = 0; kind < kStopKinds; ++kind) {
    if (kinds_[kind]) offer(nextPlace(events.at[kind], from, forward));
  }
  return nearest;
}

}  // namespace lanescope
