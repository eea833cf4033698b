#include "app/session/session.h"

#include <algorithm>
#include <utility>

#include "app/session/strategy_launch.h"

namespace lanescope {
namespace {

constexpr double kPhaseSeconds = 1.4;
constexpr double kInstructionSeconds = 0.5;
constexpr double kWavefrontSeconds = 0.5;

bool exchanges(const Step& step) {
  return step.kind == StepKind::SharedLoad || step.kind == StepKind::Shuffle ||
         step.kind == StepKind::SharedAtomic;
}

std::size_t openingPhase(const Trace& trace, std::string_view label) {
  for (std::size_t i = 0; !label.empty() && i < trace.phases.size(); ++i) {
    if (trace.phases[i].label == label) return i;
  }
  for (std::size_t i = 0; i < trace.phases.size(); ++i) {
    if (trace.phases[i].stepSize > 0) return i;
  }
  return 0;
}

/// A text's faults are told at their places: here are their number and the first.
std::string inOneSentence(const Error& error) {
  if (error.message.find('\n') == std::string::npos || error.diagnostics.empty()) return error.sentence();
  const Diagnostic& first = error.diagnostics.front();
  const std::size_t count = error.diagnostics.size();
  return (count == 1 ? "The text has a fault: "
                     : "The text has " + std::to_string(count) + " faults; the first: ") +
         first.message + "." + (first.hint.empty() ? "" : " " + first.hint);
}

}  // namespace

const MachineModel& defaultMachine(std::uint64_t n) {
  const MachineModel* tiny = findMachine("tiny");
  return n <= 16 && tiny != nullptr ? *tiny : machinePresets().front();
}

std::uint32_t openingStep(const Trace& trace, std::string_view label) {
  if (trace.phases.empty()) return 0;
  const Phase& phase = trace.phases[openingPhase(trace, label)];
  std::optional<std::uint32_t> firstExchange;
  for (std::uint32_t i = phase.firstStep; i < phase.endStep; ++i) {
    const Step& step = trace.steps[i];
    if (!exchanges(step)) continue;
    if (step.wavefronts > step.idealWavefronts) return i + 1;
    if (!firstExchange) firstExchange = i + 1;
  }
  return firstExchange.value_or(phase.endStep);
}

Session::Session(std::function<void()> wake) : editor_(wake), runner_(std::move(wake)) {}

void Session::request(Selection selection, Take take) {
  if ((selection.strategy == nullptr && selection.document == 0) || selection.machine == nullptr) return;
  Result<Launch> launch = editor_.launch(selection, take);
  if (!launch) {
    error_ = launch.error().sentence();
    return;
  }
  error_.clear();
  selection_ = selection;
  runner_.request(std::move(launch).value());
}

void Session::select(const Selection& selection) { request(selection, Take::Good); }

void Session::run() {
  const Document* document = editor_.current();
  if (document == nullptr) return;
  Selection next = selection_;
  next.strategy = document->strategy;
  next.document = document->strategy == nullptr ? editor_.numberOf(*document) : 0;
  if (next.machine == nullptr) next.machine = &defaultMachine(next.n);
  request(next, Take::Draft);
}

void Session::resetText() {
  editor_.reset();
  run();
}

void Session::openFile(const std::string& path) {
  const Result<std::uint32_t> number = editor_.open(path);
  if (!number) {
    error_ = number.error().sentence();
    return;
  }
  error_.clear();
  if (!machineChosen_) selection_.machine = &machinePresets().front();
  run();
}

void Session::chooseStrategy(const Strategy& strategy) {
  Selection next = selection_;
  next.strategy = &strategy;
  if (next.machine == nullptr || (next.document > 0 && !machineChosen_))
    next.machine = &defaultMachine(next.n);
  next.document = 0;
  select(next);
}

void Session::chooseElements(std::uint64_t n) {
  Selection next = selection_;
  next.n = n;
  editor_.dropForm();
  if (!machineChosen_ || next.machine == nullptr) next.machine = &defaultMachine(n);
  select(next);
}

void Session::chooseMachine(const MachineModel& machine) {
  Selection next = selection_;
  next.machine = &machine;
  machineChosen_ = true;
  select(next);
}

bool Session::poll() {
  const bool found = editor_.poll();
  std::optional<TraceOutcome> outcome = runner_.take();
  if (!outcome) return found;
  editor_.ran(*outcome ? nullptr : &outcome->error());
  if (!*outcome) {
    error_ = inOneSentence(outcome->error());
    if (replay_) selection_ = shown_;
    return true;
  }
  std::string label;
  if (replay_ && !replay_->trace().phases.empty()) {
    label = replay_->trace().phases[replay_->currentPhase()].label;
  }
  const std::shared_ptr<const Trace> trace = std::move(*outcome).value();
  replay_.emplace(trace);
  replay_->seek(openAt_ ? *openAt_ : openingStep(*trace, label));
  openAt_.reset();
  ++generation_;
  shown_ = selection_;
  elapsed_ = 0;
  return true;
}

void Session::changeSpeed(int direction) {
  const auto here = std::ranges::lower_bound(kSpeeds, speed_);
  std::ptrdiff_t index = (here - kSpeeds.begin()) + direction;
  index = std::clamp(index, std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(kSpeeds.size()) - 1);
  speed_ = kSpeeds[static_cast<std::size_t>(index)];
}

void Session::togglePlay() {
  if (!replay_) return;
  playing_ = !playing_;
  elapsed_ = 0;
  if (playing_ && replay_->atEnd()) replay_->seek(std::uint32_t{0});
}

bool Session::stepForward() { return replay_ && replay_->forward(grain_); }

bool Session::forward() {
  playing_ = false;
  return stepForward();
}

bool Session::back() {
  playing_ = false;
  return replay_ && replay_->back(grain_);
}

void Session::toEnd() {
  if (replay_) seek(static_cast<std::uint32_t>(replay_->trace().steps.size()));
}

void Session::seek(std::uint32_t steps) {
  playing_ = false;
  if (replay_) replay_->seek(steps);
}

double Session::interval() const {
  const double pace = grain_ == Grain::Phase         ? kPhaseSeconds
                      : grain_ == Grain::Instruction ? kInstructionSeconds
                                                     : kWavefrontSeconds;
  return pace / speed_;
}

bool Session::advance(double seconds) {
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

std::optional<double> Session::secondsToNextStep() const {
  if (!playing_ || !replay_) return std::nullopt;
  return std::max(0.0, interval() - elapsed_);
}

}  // namespace lanescope
