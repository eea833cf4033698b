#include "app/workbench/session.h"

#include <algorithm>
#include <utility>

#include "app/base/system.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/walk.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/protocol.h"
#include "sim/base/counted.h"
#include "sim/base/words.h"

namespace lanescope {
namespace {

// A sentence for an operation, two or three for a phase.
constexpr double kPhaseSeconds = 3.0;
constexpr double kInstructionSeconds = 1.0;
constexpr double kWavefrontSeconds = 1.0;

}  // namespace

const MachineModel& defaultMachine(std::uint64_t n) {
  const MachineModel* tiny = findMachine("tiny");
  return n <= 16 && tiny != nullptr ? *tiny : machinePresets().front();
}

Result<std::uint64_t> readElements(std::string_view text) {
  text = trimmed(text);
  const Result<std::uint64_t> n = parseSize(text);
  if (!n)
    return Error{"'" + printable(text, 20) + "' is not a number of elements: write one such as 33 or 2^5.",
                 ""};
  if (*n == 0) return Error{"A reduction of 0 elements has no value: N is 1 or more.", ""};
  if (*n > kMostElements)
    return Error{"The window simulates at most 65,536 elements: a larger N is for the GPU panel.", ""};
  return *n;
}

Session::Session(ExecutorPtr executor, WorkCountPtr work)
    : executor_(std::move(executor)),
      kernels_(std::make_shared<KernelCache>(std::move(work))),
      editor_(executor_, kernels_),
      runs_(executor_, runWork(kernels_)),
      program_(executor_),
      comparison_(executor_, kernels_),
      table_(executor_),
      floors_(executor_),
      comparedFloors_{FloorWatch(executor_), FloorWatch(executor_)} {}

void Session::request(Selection selection, TextChoice choice) {
  if ((selection.strategy == nullptr && selection.document == 0) || selection.machine == nullptr) return;
  Result<RunRequest> request = editor_.launch(selection, choice);
  errorIsInText_ = false;
  if (!request) {
    error_ = request.error().sentence();
    if (choice != TextChoice::Draft || showsCurrentDocument()) return;
    selection_ = selection;
    dropTrace();
    return;
  }
  error_.clear();
  selection_ = request->selection;
  awaits_ = true;
  request->planner = planner_;
  runs_.request(std::move(request).value());
}

bool Session::showsCurrentDocument() const {
  return replay_ && editor_.makeDocument(shown()) == editor_.current();
}

const Selection& Session::shown() const {
  static const Selection kNothing;
  return shown_ == nullptr ? kNothing : shown_->asked.selection;
}

/// The current document has no trace: the pictures of another one would be shown under its name.
void Session::dropTrace() {
  if (!replay_) return;
  replay_.reset();
  shown_.reset();
  left_.reset();
  setHazards({});
  races_.reset();
  playing_ = false;
  motion_.finish();
  ++generation_;
}

// If the requested blocks cannot share the elements: the fewest that can, or one.
void Session::fitBlocks(Selection& next) {
  if (next.strategy == nullptr || next.machine == nullptr) return;
  if (!makeLaunch(*next.strategy, next.n, next.blocks, *next.machine)) {
    const std::string asked = next.blocks == 1 ? "One block" : counted(next.blocks, "block");
    next.blocks = fewestBlocks(*next.strategy, next.n, *next.machine).value_or(1);
    if (next.blocks > 1) {
      news_ = asked + " cannot take " + counted(next.n, "element") + ": " + counted(next.blocks, "block") +
              " share them now.";
    }
  }
  if (next.block >= next.blocks) next.block = 0;
}

void Session::select(const Selection& selection, std::uint64_t chosenN) {
  chosenN_ = chosenN > 0 ? chosenN : selection.n;
  request(selection, TextChoice::Ran);
}

void Session::run() {
  const Document* document = editor_.current();
  if (document == nullptr) return;
  editor_.readIncludes();
  Selection next = selection_;
  next.strategy = document->strategy;
  next.document = document->strategy == nullptr ? editor_.toNumber(*document) : 0;
  if (next.document > 0) {  // its launch is its own
    next.blocks = 1;
    next.block = 0;
  }
  if (next.machine == nullptr) next.machine = &defaultMachine(next.n);
  request(next, TextChoice::Draft);
}

void Session::resetText() {
  editor_.reset();
  run();
}

void Session::openFile(const std::string& path) {
  const Result<std::uint32_t> number = editor_.open(path);
  errorIsInText_ = false;
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
  const std::uint64_t before = next.n;
  next.n = std::max(chosenN_ > 0 ? chosenN_ : next.n, strategy.opensAt);
  if (next.machine == nullptr || (!machineChosen_ && (next.document > 0 || next.n != before)))
    next.machine = &defaultMachine(next.n);
  next.document = 0;
  fitBlocks(next);
  if (next.n != before) {
    const std::string now = "N is " + std::to_string(next.n);
    addNews(next.n == strategy.opensAt
                ? now + " now: with fewer elements there is less to see of this kernel."
                : now + " again.");
  }
  request(next, TextChoice::Ran);
}

void Session::chooseElements(std::uint64_t n) {
  Selection next = selection_;
  next.n = chosenN_ = n;
  if (!machineChosen_ || next.machine == nullptr) next.machine = &defaultMachine(n);
  choose(next);
}

void Session::chooseSetup(std::uint64_t n, const MachineModel& machine) {
  Selection next = selection_;
  next.n = chosenN_ = n;
  next.machine = &machine;
  next.blocks = next.strategy == nullptr ? 1 : fewestBlocks(*next.strategy, n, machine).value_or(1);
  machineChosen_ = &machine != &defaultMachine(n);
  choose(next);
  news_.clear();  // it was requested
}

// Selects the strategy's own launch of that selection. Any other change is reported.
void Session::choose(Selection next) {
  const MachineModel* before = selection_.machine;
  fitBlocks(next);
  if (next.strategy != nullptr) {
    const auto launch = makeLaunch(*next.strategy, next.n, next.blocks, *next.machine);
    if (!launch) return reportError(launch.error());
  }
  request(next, next.strategy != nullptr ? TextChoice::RanText : TextChoice::Ran);
  if (machineChosen_ || before == nullptr || selection_.machine == before) return;
  addNews("The machine is " + std::string(selection_.machine->name) + " now: warps of " +
          std::to_string(selection_.machine->warpSize) + " lanes, not " + std::to_string(before->warpSize) +
          ".");
}

void Session::addNews(std::string_view sentence) { news_.append(news_.empty() ? "" : " ").append(sentence); }

void Session::chooseMachine(const MachineModel& machine) {
  Selection next = selection_;
  next.machine = &machine;
  machineChosen_ = true;
  request(next, TextChoice::Ran);
}

void Session::chooseElementType(ElementType type) {
  if (const auto error = editor_.chooseElementType(type)) return reportError(*error);
  run();
}

std::vector<std::uint64_t> Session::blockCounts() const {
  std::vector<std::uint64_t> counts;
  if (selection_.strategy == nullptr || selection_.machine == nullptr) return counts;
  for (const std::uint64_t blocks : kBlockCounts) {
    if (makeLaunch(*selection_.strategy, selection_.n, blocks, *selection_.machine)) counts.push_back(blocks);
  }
  return counts;
}

void Session::chooseBlocks(std::uint64_t blocks, std::uint32_t block) {
  Selection next = selection_;
  next.blocks = blocks;
  next.block = block;
  request(next, TextChoice::Ran);
}

std::uint64_t Session::gridBlocks() const {
  const bool isShown = shown_ != nullptr && shown() == selection_;
  return isShown ? shown_->launch().grid.count() : selection_.blocks;
}

bool Session::poll() {
  bool found = editor_.poll();
  if (comparison_.poll()) found = true;
  if (table_.poll()) found = true;
  if (pollProgram()) found = true;
  if (floors_.poll()) found = true;
  for (FloorWatch& watch : comparedFloors_) {
    if (watch.poll()) found = true;
  }
  std::optional<RunOutcome> outcome = runs_.consume();
  if (!outcome) return found;
  receive(std::move(*outcome));
  return true;
}

void Session::receive(RunOutcome taken) {
  if (taken.plan == nullptr && planner_ && taken.hasSteps()) taken.plan = planner_(*taken.run->trace);
  const auto outcome = std::make_shared<const RunOutcome>(std::move(taken));
  editor_.ran(outcome);
  const bool isFirstPart = std::exchange(awaits_, false);
  if (isFirstPart && outcome->error) {
    error_ = outcome->error->sentence();
    errorIsInText_ = !outcome->error->diagnostics.empty();
  }
  if (outcome->hasSteps()) {
    shown_ = outcome;
    if (isFirstPart) show();
    return;
  }
  if (!isFirstPart) return;
  openAt_.reset();
  if (showsCurrentDocument())
    selection_ = shown();
  else
    dropTrace();
}

/// If a fault ended it, it opens there.
void Session::show() {
  const Run& run = *shown_->run;
  const Trace& trace = *run.trace;
  std::optional<Phase> before;
  if (replay_ && !replay_->trace().phases.empty()) before = replay_->trace().phases[replay_->currentPhase()];
  replay_.emplace(run.trace);
  if (trace.fault) openAt_ = Cursor{static_cast<std::uint32_t>(trace.steps.size()), 0};
  replay_->seek(openAt_ ? *openAt_ : Cursor{openingStep(trace, before ? &*before : nullptr), 0});
  openAt_.reset();
  setHazards(hazardMarks(*run.hazards));
  races_ = std::make_shared<RacePlaces>(*run.hazards);
  left_.reset();
  motion_.finish();
  playing_ = playing_ && !trace.fault;
  giveBackMemory();  // the trace before
  ++generation_;
  elapsed_ = 0;
}

void Session::setPlanner(PicturePlanner planner) {
  planner_ = std::move(planner);
  comparison_.setPlanner(planner_);
  if (!replay_) return;
  RunOutcome planned = *shown_;
  planned.plan = planner_ ? planner_(replay_->trace()) : nullptr;
  shown_ = std::make_shared<const RunOutcome>(std::move(planned));
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
  motion_.finish();
  if (playing_ && replay_->atEnd()) replay_->seek(std::uint32_t{0});
}

// One grain forward, but not past a breakpoint; there it pauses.
bool Session::stepForward() {
  if (!replay_) return false;
  const Cursor start = replay_->cursor();
  const std::uint32_t before = start.steps;
  const auto stop = stops_.empty() ? std::nullopt : stops_.next(replay_->trace(), events_, before, true);
  if (!replay_->forward(grain_)) return false;
  if (stop && *stop <= replay_->cursor().steps) {
    if (*stop < replay_->cursor().steps) replay_->seek(*stop);
    playing_ = false;
  }
  beginMotion(start);
  return true;
}

bool Session::step(Grain grain, bool forward) {
  playing_ = false;
  motion_.finish();
  if (!replay_) return false;
  if (!forward) return stepBack(grain);
  const Cursor before = replay_->cursor();
  const bool moved = replay_->forward(grain);
  if (moved) beginMotion(before);
  return moved;
}

bool Session::stepBack(Grain grain) {
  std::optional<Replay> left;
  if (motion_.seconds() > 0) left = replay_;
  if (!replay_->back(grain)) return false;
  left_ = std::move(left);
  if (!left_) return true;
  const Cursor now = replay_->cursor();
  const bool isSameStep = now.steps == left_->cursor().steps && now.steps > 0;
  motion_.beginBack(isSameStep ? now.steps - 1 : now.steps, 10);
  return true;
}

// For a later wavefront of a step, the step itself is what moves.
void Session::beginMotion(Cursor before) {
  const bool isSameStep = replay_->cursor().steps == before.steps && before.steps > 0;
  motion_.begin(isSameStep ? before.steps - 1 : before.steps, playing_ ? 0.8 * interval() : 10);
}

void Session::toEnd() {
  if (replay_) seek(static_cast<std::uint32_t>(replay_->trace().steps.size()));
}

void Session::seek(Cursor cursor) {
  playing_ = false;
  motion_.finish();
  if (replay_) replay_->seek(cursor);
}

void Session::setHazards(std::vector<HazardMark> hazards) {
  hazards_ = std::move(hazards);
  events_ = replay_ ? findEvents(replay_->trace(), hazards_) : TraceEvents{};
}

bool Session::goTo(std::optional<std::uint32_t> place) {
  if (!replay_ || !place) return false;
  const Cursor before = replay_->cursor();
  seek(*place);
  return replay_->cursor() != before;
}

bool Session::runToStop(bool forward) {
  if (!replay_) return false;
  const Trace& trace = replay_->trace();
  const auto end = forward ? static_cast<std::uint32_t>(trace.steps.size()) : 0U;
  return goTo(stops_.next(trace, events_, replay_->cursor().steps, forward).value_or(end));
}

bool Session::runTo(StopKind kind, bool forward) {
  if (!replay_) return false;
  return goTo(nextPlace(events_.of(kind), replay_->cursor().steps, forward));
}

bool Session::runToFirst(StopKind kind) {
  if (!replay_ || events_.of(kind).empty()) return false;
  return goTo(events_.of(kind).front());
}

double Session::interval() const {
  const double pace = grain_ == Grain::Phase         ? kPhaseSeconds
                      : grain_ == Grain::Instruction ? kInstructionSeconds
                                                     : kWavefrontSeconds;
  return pace / speed_;
}

bool Session::advance(double seconds) {
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

std::optional<double> Session::secondsToNextStep() const {
  if (!playing_ || !replay_) return std::nullopt;
  return std::max(0.0, interval() - elapsed_);
}

// The session's whole program: its run, and its launches as the document's.

bool Session::hasProgram() const {
  const Document* const document = editor_.current();
  if (document == nullptr || document->strategy != nullptr) return false;
  if (mainOf_ != document || mainRevision_ != document->buffer.revision()) {
    mainOf_ = document;
    mainRevision_ = document->buffer.revision();
    hasMain_ = hasMain(document->buffer.text());
  }
  return hasMain_;
}

void Session::runProgram(const std::string& arguments) {
  if (!hasProgram()) return;
  const Document& document = *editor_.current();
  ProgramRequest request;
  request.path = document.path;
  request.text = document.buffer.text();
  request.isAsFile = document.has(*document.original);
  request.arguments = arguments;
  editor_.sayOfHost({}, {});
  captured_.reset();
  program_.start(std::move(request));
}

std::uint64_t Session::tracedLaunch() const {
  const bool isShown = captured_ != nullptr && shownRun() != nullptr && shownRun()->asked.form &&
                       shownRun()->asked.form->captured == captured_;
  return isShown ? tracedLaunch_ : 0;
}

bool Session::pollProgram() {
  if (!program_.poll()) return false;
  const std::optional<ProgramOutcome>& outcome = program_.outcome();
  if (outcome && outcome->isOver && !outcome->diagnostics.empty())
    editor_.sayOfHost(outcome->diagnostics, outcome->asked.text);
  auto captured = program_.acceptCaptured();
  if (!captured) return true;
  if (!*captured) {
    reportError(captured->error());
    return true;
  }
  const auto launch = std::make_shared<const CapturedLaunch>(std::move(*(*captured)->captured));
  tracedLaunch_ = (*captured)->asked.captured;
  captured_ = launch;
  if (editor_.acceptCaptured(launch, (*captured)->asked.text)) {
    openAt(0);
    run();
  } else {
    reportError({"The text has changed since the program ran.", "Run the program again.", {}});
  }
  return true;
}

}  // namespace lanescope
