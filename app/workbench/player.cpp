#include "app/workbench/player.h"

#include <algorithm>
#include <utility>

namespace lanescope {
namespace {

// A sentence for an operation, two or three for a phase.
constexpr double kPhaseSeconds = 3.0;
constexpr double kStepSeconds = 1.0;

/// Each frame of a move visits its steps: a longer one, as of a large phase, shows its end at once.
constexpr std::uint32_t kMostMovedSteps = 1024;

}  // namespace

void Player::show(const Run& run, std::optional<Cursor> start) {
  const Trace& trace = *run.trace;
  std::optional<Phase> before;
  if (replay_ && !replay_->trace().phases.empty()) before = replay_->trace().phases[replay_->currentPhase()];
  replay_.emplace(run.trace);
  if (trace.fault) start = Cursor{static_cast<std::uint32_t>(trace.steps.size()), 0};
  replay_->seek(start ? *start : Cursor{openingStep(trace, before ? &*before : nullptr), 0});
  hazards_ = hazardMarks(*run.hazards, trace);
  events_ = findEvents(trace, hazards_);
  phaseStops_ = findPhaseStops(trace);
  races_ = std::make_shared<RacePlaces>(*run.hazards);
  left_.reset();
  cameByPhase_ = false;
  motion_.finish();
  playing_ = playing_ && !trace.fault;
  ++generation_;
  elapsed_ = 0;
}

void Player::clear() {
  replay_.reset();
  left_.reset();
  hazards_.clear();
  events_ = {};
  phaseStops_ = {};
  races_.reset();
  pause();
  ++generation_;
}

void Player::setSpeed(double speed) { speed_ = std::clamp(speed, kSpeeds.front(), kSpeeds.back()); }

void Player::changeSpeed(int direction) {
  const auto here = std::ranges::lower_bound(kSpeeds, speed_);
  std::ptrdiff_t index = (here - kSpeeds.begin()) + direction;
  index = std::clamp(index, std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(kSpeeds.size()) - 1);
  speed_ = kSpeeds[static_cast<std::size_t>(index)];
}

void Player::togglePlay() {
  if (!replay_) return;
  playing_ = !playing_;
  elapsed_ = 0;
  motion_.finish();
  if (playing_ && replay_->atEnd()) replay_->seek(std::uint32_t{0});
}

void Player::pause() {
  playing_ = false;
  motion_.finish();
}

bool Player::move(Grain grain, bool forward) {
  cameByPhase_ = grain == Grain::Phase;
  if (grain != Grain::Phase) return forward ? replay_->forward(grain) : replay_->back(grain);
  if (forward ? replay_->atEnd() : replay_->atStart()) return false;
  const std::uint32_t now = replay_->cursor().steps;
  const std::uint32_t last = forward ? static_cast<std::uint32_t>(replay_->trace().steps.size()) : 0;
  replay_->seek(nextPlace(phaseStops_.at, now, forward).value_or(last));
  return true;
}

// One grain forward, but not past a breakpoint; there it pauses.
bool Player::stepForward() {
  if (!replay_) return false;
  const Cursor start = replay_->cursor();
  const std::uint32_t before = start.steps;
  const auto stop = stops_.empty() ? std::nullopt : stops_.next(replay_->trace(), events_, before, true);
  if (!move(grain_, true)) return false;
  if (stop && *stop <= replay_->cursor().steps) {
    if (*stop < replay_->cursor().steps) replay_->seek(*stop);
    playing_ = false;
  }
  beginMotion(start);
  return true;
}

bool Player::step(Grain grain, bool forward) {
  pause();
  if (!replay_) return false;
  if (!forward) return stepBack(grain);
  const Cursor before = replay_->cursor();
  const bool moved = move(grain, true);
  if (moved) beginMotion(before);
  return moved;
}

bool Player::stepBack(Grain grain) {
  std::optional<Replay> left;
  if (motion_.seconds() > 0) left = replay_;
  if (!move(grain, false)) return false;
  left_ = std::move(left);
  const Cursor now = replay_->cursor();
  if (!left_ || left_->cursor().steps > now.steps + kMostMovedSteps) return true;
  const bool isSameStep = now.steps == left_->cursor().steps && now.steps > 0;
  motion_.beginBack(isSameStep ? now.steps - 1 : now.steps, 10);
  return true;
}

// For a later wavefront of a step, the step itself is what moves.
void Player::beginMotion(Cursor before) {
  if (replay_->cursor().steps > before.steps + kMostMovedSteps) return motion_.finish();
  const bool isSameStep = replay_->cursor().steps == before.steps && before.steps > 0;
  motion_.begin(isSameStep ? before.steps - 1 : before.steps, playing_ ? 0.8 * interval() : 10);
}

void Player::toEnd() {
  if (replay_) seek(static_cast<std::uint32_t>(replay_->trace().steps.size()));
}

void Player::seek(Cursor cursor) {
  pause();
  cameByPhase_ = false;
  if (replay_) replay_->seek(cursor);
}

bool Player::goTo(std::optional<std::uint32_t> place) {
  if (!replay_ || !place) return false;
  const Cursor before = replay_->cursor();
  seek(*place);
  return replay_->cursor() != before;
}

bool Player::runToStop(bool forward) {
  if (!replay_) return false;
  const Trace& trace = replay_->trace();
  const auto end = forward ? static_cast<std::uint32_t>(trace.steps.size()) : 0U;
  return goTo(stops_.next(trace, events_, replay_->cursor().steps, forward).value_or(end));
}

bool Player::runTo(StopKind kind, bool forward) {
  if (!replay_) return false;
  const Trace& trace = replay_->trace();
  const std::uint32_t now = replay_->cursor().steps;
  if (grain_ != Grain::Line || kind != StopKind::Divergence)
    return goTo(nextPlace(events_.of(kind), now, forward));
  // By line a branch is shown once all warps have taken it.
  const auto place = nextPlace(events_.of(kind), forward ? now : trace.previousRound(now), forward);
  return goTo(place ? std::optional(trace.nextRound(*place - 1)) : std::nullopt);
}

bool Player::runToFirst(StopKind kind) {
  if (!replay_ || events_.of(kind).empty()) return false;
  return goTo(events_.of(kind).front());
}

double Player::interval() const { return (grain_ == Grain::Phase ? kPhaseSeconds : kStepSeconds) / speed_; }

bool Player::advance(double seconds) {
  motion_.advance(seconds);
  if (!playing_ || !replay_) return false;
  // A long pause between calls (a stopped window) moves one grain on, not hundreds.
  elapsed_ = std::min(elapsed_ + seconds, 2 * interval() + 0.1);
  bool moved = false;
  while (playing_ && elapsed_ >= interval()) {
    elapsed_ -= interval();
    if (stepForward()) moved = true;
    if (replay_->atEnd()) playing_ = false;
  }
  return moved;
}

std::optional<double> Player::secondsToNextStep() const {
  if (!playing_ || !replay_) return std::nullopt;
  return std::max(0.0, interval() - elapsed_);
}

}  // namespace lanescope
