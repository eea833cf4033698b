#include "app/workbench/session.h"

#include <algorithm>
#include <utility>

#include "app/base/system.h"
#include "app/launch/strategy_launch.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/protocol.h"
#include "sim/base/counted.h"
#include "sim/base/words.h"

namespace lanescope {
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

Session::Session(ExecutorPtr executor, WorkCountPtr work, HostPtr host)
    : executor_(std::move(executor)),
      host_(std::move(host)),
      kernels_(std::make_shared<KernelCache>(std::move(work))),
      editor_(executor_, kernels_, host_),
      runs_(executor_, runWork(kernels_)),
      program_(executor_, host_),
      comparison_(executor_, kernels_),
      table_(executor_),
      floors_(executor_),
      comparedFloors_{FloorWatch(executor_), FloorWatch(executor_)} {}

void Session::request(Selection selection, TextChoice choice) {
  if ((selection.strategy == nullptr && selection.document == 0) || selection.machine == nullptr) return;
  runsOnceChecked_ = false;
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
  return player_.replay() != nullptr && editor_.makeDocument(shown()) == editor_.current();
}

const Selection& Session::shown() const {
  static const Selection kNothing;
  return shown_ == nullptr ? kNothing : shown_->asked.selection;
}

/// The current document has no trace: the pictures of another one would be shown under its name.
void Session::dropTrace() {
  if (player_.replay() == nullptr) return;
  shown_.reset();
  player_.clear();
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
  runsOnceChecked_ = executor_->isConcurrent() && editor_.awaitsCheck();
  if (runsOnceChecked_) return;
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
  if (runsOnceChecked_ && !editor_.awaitsCheck()) {
    run();
    found = true;
  }
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
  if (taken.plan == nullptr && planner_ && taken.hasTrace()) taken.plan = planner_(*taken.run->trace);
  const auto outcome = std::make_shared<const RunOutcome>(std::move(taken));
  editor_.ran(outcome);
  const bool isFirstPart = std::exchange(awaits_, false);
  if (isFirstPart && outcome->error) {
    error_ = outcome->error->sentence();
    errorIsInText_ = !outcome->error->diagnostics.empty();
  }
  if (outcome->hasTrace()) {
    shown_ = outcome;
    if (!isFirstPart) return;
    player_.show(*shown_->run, std::exchange(openAt_, std::nullopt));
    giveBackMemory();  // the trace before
    return;
  }
  if (!isFirstPart) return;
  openAt_.reset();
  if (showsCurrentDocument())
    selection_ = shown();
  else
    dropTrace();
}

void Session::setPlanner(PicturePlanner planner) {
  planner_ = std::move(planner);
  comparison_.setPlanner(planner_);
  if (shown_ == nullptr) return;
  RunOutcome planned = *shown_;
  planned.plan = planner_ ? planner_(*shown_->run->trace) : nullptr;
  shown_ = std::make_shared<const RunOutcome>(std::move(planned));
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
