#include "app/workbench/walk.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/trace/step_accesses.h"

namespace lanescope {

std::string_view stopKindName(StopKind kind) {
  switch (kind) {
    case StopKind::Conflict: return "conflict";
    case StopKind::Divergence: return "divergence";
    case StopKind::Hazard: return "hazard";
    case StopKind::Barrier: return "barrier";
  }
  return "";
}

namespace {

std::int64_t findCell(const Hazard& hazard, const Trace& trace) {
  const bool isOfWord = isRace(hazard.kind) || hazard.kind == HazardKind::UninitializedShared;
  if (!isOfWord || *hazard.access.step >= trace.steps.size()) return -1;
  const auto accesses = laneAccesses(trace, trace.steps[*hazard.access.step]);
  const auto found = std::ranges::find(accesses, hazard.access.lane, &LaneAccess::lane);
  return found == accesses.end() ? -1 : std::int64_t{found->cell};
}

}  // namespace

std::vector<HazardMark> hazardMarks(const HazardReport& report, const Trace& trace) {
  std::vector<HazardMark> marks;
  for (const Hazard& hazard : report.hazards) {
    if (hazard.access.step)
      marks.push_back({*hazard.access.step + 1, hazard.message, findCell(hazard, trace)});
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

PhaseMoment PhaseStops::momentAt(std::uint32_t steps) const {
  const auto found = std::ranges::lower_bound(at, steps);
  const bool isStop = found != at.end() && *found == steps;
  return isStop ? moments[static_cast<std::size_t>(found - at.begin())] : PhaseMoment::None;
}

namespace {

/// The phase's moment, and its place as Cursor::steps.
std::pair<PhaseMoment, std::uint32_t> findMoment(const Trace& trace, const Phase& phase) {
  std::pair found{PhaseMoment::None, phase.endStep};
  std::uint32_t most = 0;
  auto fewest = std::numeric_limits<int>::max();
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    if (conflicts(step) && step.wavefronts > most) {
      most = step.wavefronts;
      found = {PhaseMoment::MostWavefronts, index + 1};
    }
    const int lanes = std::popcount(step.active);
    const bool isWork = step.kind != StepKind::BlockBarrier && step.kind != StepKind::Exit && lanes > 0;
    if (most > 0 || !isWork || lanes >= fewest) continue;
    if (lanes >= static_cast<int>(trace.lanesOfWarp(step.warp))) continue;
    fewest = lanes;
    found = {PhaseMoment::FewestLanes, index + 1};
  }
  return found;
}

}  // namespace

PhaseStops findPhaseStops(const Trace& trace) {
  PhaseStops stops;
  const auto add = [&stops](std::uint32_t place, PhaseMoment moment) {
    stops.at.push_back(place);
    stops.moments.push_back(moment);
  };
  for (const Phase& phase : trace.phases) {
    const auto [moment, place] = findMoment(trace, phase);
    if (place < phase.endStep) add(place, moment);
    add(phase.endStep, PhaseMoment::End);
  }
  return stops;
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

namespace {

constexpr std::size_t kFewestPartings = 3;  ///< of a warp at one branch: its lanes leave one after another

bool exchanges(const Step& step) {
  return step.kind == StepKind::SharedLoad || exchangesRegisters(step.kind) ||
         step.kind == StepKind::SharedAtomic;
}

/// The step after the first conflicted exchange of those steps, else after the first exchange.
std::optional<std::uint32_t> behindExchange(const Trace& trace, std::uint32_t begin, std::uint32_t end) {
  std::optional<std::uint32_t> first;
  for (std::uint32_t i = begin; i < end; ++i) {
    const Step step = trace.steps[i];
    if (!exchanges(step)) continue;
    if (step.wavefronts > step.idealWavefronts) return i + 1;
    if (!first) first = i + 1;
  }
  return first;
}

/// The step after the middle one of the times that a warp parts at one branch. Among warps that part
/// repeatedly the middle one: the earlier ones have left something.
std::optional<std::uint32_t> amidPartings(const Trace& trace) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> partings;
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    const Step step = trace.steps[i];
    if (diverges(step)) partings[{step.warp, step.span.begin}].push_back(i);
  }
  std::erase_if(partings, [](const auto& each) { return each.second.size() < kFewestPartings; });
  if (partings.empty()) return std::nullopt;
  const auto middle = std::next(partings.begin(), static_cast<std::ptrdiff_t>(partings.size() / 2));
  return middle->second[middle->second.size() / 2] + 1;
}

std::optional<std::uint32_t> amidAccesses(const Trace& trace) {
  std::vector<std::uint32_t> accesses;
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    if (isGlobal(trace.steps[i].kind)) accesses.push_back(i);
  }
  if (accesses.empty()) return std::nullopt;
  return accesses[(accesses.size() - 1) / 2] + 1;
}

}  // namespace

std::uint32_t openingStep(const Trace& trace, const Phase* like) {
  if (trace.phases.empty()) return 0;
  const auto end = static_cast<std::uint32_t>(trace.steps.size());
  const auto within = [&](const Phase& phase) {
    return behindExchange(trace, phase.firstStep, phase.endStep).value_or(phase.endStep);
  };
  const auto same = std::ranges::find_if(trace.phases, [&](const Phase& phase) {
    return like != nullptr && phase.kind != PhaseKind::Other && phase.kind == like->kind &&
           phase.stepSize == like->stepSize;
  });
  if (same != trace.phases.end()) {
    const std::uint32_t step = within(*same);
    if (step < end) return step;  // otherwise there would be no steps left to see
  }
  const auto adding =
      std::ranges::find_if(trace.phases, [](const Phase& phase) { return phase.stepSize > 0; });
  if (adding != trace.phases.end()) return within(*adding);
  if (const auto step = behindExchange(trace, 0, end)) return *step;
  if (const auto step = amidPartings(trace)) return *step;
  return amidAccesses(trace).value_or(trace.phases.front().endStep);
}

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

namespace {

class Linker {
 public:
  explicit Linker(const Replay& replay) : replay_(replay), trace_(replay.trace()) {}

  Linked link(const Focus& focus) {
    if (focus.thread >= 0 && focus.thread < std::int64_t{trace_.threads})
      addThread(static_cast<std::uint32_t>(focus.thread));
    if (focus.cell >= 0) addCell(static_cast<std::uint32_t>(focus.cell));
    if (focus.line >= 0 && focus.thread < 0 && focus.cell < 0)
      addLine(static_cast<std::uint32_t>(focus.line));
    for (std::vector<std::uint32_t>* list : {&linked_.threads, &linked_.cells, &linked_.lines}) {
      std::ranges::sort(*list);
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return std::move(linked_);
  }

 private:
  std::uint32_t findThread(const Step& step, unsigned lane) const {
    return step.warp * trace_.launch.machine.warpSize + lane;
  }
  std::uint32_t phaseBegin() const {
    return trace_.phases.empty() ? 0 : trace_.phases[replay_.currentPhase()].firstStep;
  }
  static bool touches(const LaneAccess& access, std::uint32_t cell) {
    return cell >= access.cell && cell < access.cell + std::max(access.bytes / 4U, 1U);
  }
  void addCells(const LaneAccess& access) {
    for (std::uint32_t word = 0; word < std::max(access.bytes / 4U, 1U); ++word)
      linked_.cells.push_back(access.cell + word);
  }

  void addThread(std::uint32_t thread) {
    linked_.threads.push_back(thread);
    const std::uint32_t warp = thread / trace_.launch.machine.warpSize;
    const unsigned lane = thread % trace_.launch.machine.warpSize;
    std::int32_t index = replay_.state().lastStep[warp];
    if (index < 0) return;
    linked_.lines.push_back(trace_.steps[static_cast<std::size_t>(index)].line);
    // A frame walks no long phase: the word of an access that is further back stays dark.
    constexpr int kMostLooked = 1024;
    for (int looked = 0; index >= static_cast<std::int32_t>(phaseBegin()) && looked < kMostLooked; ++looked) {
      const Step step = trace_.steps[static_cast<std::size_t>(index)];
      index = step.previousOfWarp;
      if (!isShared(step.kind) || (step.active >> lane & 1U) == 0) continue;
      for (const LaneAccess& access : laneAccesses(trace_, step)) {
        if (access.lane == lane) addCells(access);
      }
      return;
    }
  }

  void addCell(std::uint32_t cell) {
    linked_.cells.push_back(cell);
    for (std::uint32_t index = replay_.cursor().steps; index > phaseBegin(); --index) {
      if (!isShared(trace_.steps.kindAt(index - 1))) continue;
      const Step step = trace_.steps[index - 1];
      bool found = false;
      for (const LaneAccess& access : laneAccesses(trace_, step)) {
        if (!touches(access, cell)) continue;
        linked_.threads.push_back(findThread(step, access.lane));
        found = true;
      }
      if (!found) continue;
      linked_.lines.push_back(step.line);
      return;
    }
  }

  void addLine(std::uint32_t line) {
    linked_.lines.push_back(line);
    for (const std::int32_t last : replay_.state().lastStep) {
      if (last < 0) continue;
      const Step step = trace_.steps[static_cast<std::size_t>(last)];
      if (step.line != line || step.kind == StepKind::Exit) continue;
      for (LaneMask mask = step.active; mask != 0; mask &= mask - 1)
        linked_.threads.push_back(findThread(step, static_cast<unsigned>(std::countr_zero(mask))));
      if (!isShared(step.kind)) continue;
      for (const LaneAccess& access : laneAccesses(trace_, step)) addCells(access);
    }
  }

  const Replay& replay_;
  const Trace& trace_;
  Linked linked_;
};

}  // namespace

Linked linkedTo(const Replay& replay, const Focus& focus) {
  return focus.empty() ? Linked{} : Linker(replay).link(focus);
}

}  // namespace lanescope
