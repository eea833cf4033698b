#include "app/gpu/gpu_text.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/analysis/text_run.h"
#include "app/launch/strategy_launch.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/expected_results.h"
#include "kernels/strategies/shape.h"

namespace lanescope {
namespace {

const MachineModel& gpuMachine() { return machinePresets().front(); }

/// As the worker's own function for one launch: the additions of a thread, of its block's tree, and of the
/// blocks' results.
std::uint64_t countAdditions(const StrategyShape& shape) {
  const std::uint64_t threads = shape.blocks() * shape.threads();
  return shape.n / threads + 1 + shape.threads() + (shape.outElements == 1 ? shape.blocks() : 0);
}

bool makesSum(const Strategy& strategy) {
  return strategy.family == Family::Reduction && strategy.result != ResultKind::Transpose;
}

}  // namespace

Result<Launch> makeGpuLaunch(const Document& document, const Selection& selection, KernelCache& kernels) {
  const auto source = document.source();
  if (document.form)
    return bindLaunch(completed(*document.form, kernels.findKernels(source)), source, gpuMachine());
  auto launch = makeLaunch(*document.strategy, selection.n, selection.blocks, gpuMachine(),
                           kernels.collectFacts(*document.strategy, source).element);
  if (launch) launch->source = source;
  return launch;
}

Result<TimedLaunch> makeTimedLaunch(const Document& document, std::uint64_t n, std::uint32_t block,
                                    std::uint32_t sms, ElementType element) {
  if (document.strategy == nullptr || document.form)
    return Error{"The text specifies its own launch, and that launch was timed."};
  if (n > kMostTextN) {
    return Error{"A text is timed over " + sizeText(kMostTextN) + " elements at most.",
                 "Choose a smaller N in the GPU panel."};
  }
  const Strategy& strategy = *document.strategy;
  const std::uint64_t mostBlocks = ownMostBlocks(strategy, n, block, std::max(sms, 1U));
  const auto shape = shapeOfThreads(strategy, n, block, mostBlocks, kWarpThreads, element);
  if (!shape) return shape.error();
  Launch launch = makeLaunch(strategy, *shape, gpuMachine());
  launch.source = document.source();
  // The bench's own input, so that the sum is the one it expects.
  for (Argument& argument : launch.arguments) {
    if (argument.isBuffer && argument.fill == Fill::Hash) argument.fill = Fill::Hash1;
  }
  TimedLaunch timed{n, block, 0, makeTextLaunch(launch), std::nullopt, countAdditions(*shape), element};
  timed.bytes = bytesMoved(&strategy, Scope::Kernel, n, shape->outElements, element);
  const auto out = std::ranges::find(strategy.parameters, Parameter::Out);
  if (makesSum(strategy) && out != strategy.parameters.end())
    timed.sumArgument = static_cast<std::uint32_t>(out - strategy.parameters.begin());
  return timed;
}

std::optional<TimedLaunch> makeTimedForm(const Launch& launch) {
  TimedLaunch timed;
  for (const Argument& argument : launch.arguments) {
    if (!argument.isBuffer) continue;
    timed.bytes += argument.bytes();
    if (argument.type == ArgumentType::F32) timed.n = std::max(timed.n, argument.count);
    if (argument.type == ArgumentType::F32x4) timed.n = std::max(timed.n, 4 * argument.count);
  }
  if (timed.n == 0) return std::nullopt;
  timed.block = static_cast<std::uint32_t>(launch.block.count());
  return timed;
}

namespace {

constexpr std::uint32_t kSamples = 20;
constexpr const char* kComparisonCancelled = "The comparison with the simulator was canceled.";

/// The span of a finding in the text: from its column to the end of the word there, or its whole line.
SourceSpan findSpan(const SourceText& source, const CompilerFinding& finding) {
  if (finding.line == 0 || finding.line > source.lineCount()) return {};
  const std::string_view line = source.line(finding.line);
  const auto lineBegin = static_cast<std::uint32_t>(line.data() - source.text().data());
  const auto isWord = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const auto lineEnd = static_cast<std::uint32_t>(line.size());
  std::uint32_t begin = 0;
  std::uint32_t end = lineEnd;
  if (finding.column > 0 && finding.column <= lineEnd) {
    begin = finding.column - 1;
    end = begin + 1;
    while (end < lineEnd && isWord(line[begin]) && isWord(line[end])) ++end;
  } else {
    while (begin < lineEnd && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
  }
  return {lineBegin + begin, lineBegin + std::max(end, begin + 1)};
}

/// Elements of every buffer of the launch.
std::uint64_t readValues(const Launch& launch) {
  std::uint64_t values = 0;
  for (const Argument& argument : launch.arguments) {
    if (argument.isBuffer) values += argument.count * (argument.type == ArgumentType::F32x4 ? 4 : 1);
  }
  return values;
}

TextTiming findTiming(const TimedLaunch& timed, const TimedMessage& message, const WorkerView& view) {
  const auto& hello = view.data->hello();
  const double gbps = gigabytesPerSecond(timed.bytes, message.medianUs);
  return {{false, message.medianUs, message.q1Us, message.q3Us, gbps, message.samples},
          hello ? hello->gpu : "",
          timed.n,
          timed.block,
          timed.type};
}

/// The error if a worker cannot be given some part of a launch.
std::optional<Error> withheld(const Launch& launch) {
  if (launch.raw != nullptr)
    return Error{"The launch has the data of a program's run, which a worker does not get.",
                 "Give its arguments fills, as f32:hash:1024, to run it on a GPU."};
  if (!launch.symbols.empty())
    return Error{"The launch gives variables at file scope values, which a worker does not get.",
                 "Write them in the text as initial values."};
  if (launch.isCooperative)
    return Error{"The launch is cooperative, and a worker makes no cooperative launches.",
                 "Take the grid's barrier out to run it on a GPU."};
  return std::nullopt;
}

}  // namespace

GpuText::GpuText(ExecutorPtr executor) : checkJob_(std::move(executor), check) {}

bool GpuText::isAbout(std::string_view text) const {
  return outcome_.source != nullptr && outcome_.source->text() == text;
}

std::string_view GpuText::stageText() const {
  switch (stage_) {
    case Stage::Idle: return {};
    case Stage::Running: return outcome_.compiled ? "Running on the GPU…" : "Compiling for the GPU…";
    case Stage::Timing: return "Timing beside the others…";
    case Stage::Counting: return "Reading the hardware counters…";
    case Stage::Profiling: return "Profiling with Nsight Compute…";
    case Stage::Checking: return "Comparing with the simulator…";
  }
  return {};
}

/// A new outcome; for the same launch, the other task's findings stay.
void GpuText::begin(Stage stage, TextTask task, std::uint64_t run) {
  TextOutcome fresh;
  if (outcome_.source != nullptr && sameLaunch(task.launch, task_.launch)) fresh = std::move(outcome_);
  fresh.title = task.title;
  fresh.source = task.launch.source;
  fresh.grid = task.launch.grid;
  fresh.block = task.launch.block;
  if (stage == Stage::Counting) {
    fresh.wasCounted = true;
    fresh.countedLast = true;
    fresh.counters.clear();
    fresh.countersProblem.clear();
  } else if (stage == Stage::Profiling) {
    fresh.wasProfiled = true;
    fresh.profile.reset();
    fresh.profileProblem.clear();
  } else {
    TextOutcome kept;
    kept.title = fresh.title;
    kept.source = fresh.source;
    kept.grid = fresh.grid;
    kept.block = fresh.block;
    kept.wasCounted = fresh.wasCounted;
    kept.counters = std::move(fresh.counters);
    kept.countersTool = std::move(fresh.countersTool);
    kept.countersProblem = std::move(fresh.countersProblem);
    kept.wasProfiled = fresh.wasProfiled;
    kept.profile = std::move(fresh.profile);
    kept.profileProblem = std::move(fresh.profileProblem);
    fresh = std::move(kept);
    fresh.wasRun = true;
    fresh.timingNote = task.timingNote;
  }
  outcome_ = std::move(fresh);
  task_ = std::move(task);
  checkRequest_ = {task_.launch, task_.kernels, TextRun{}, std::nullopt, 0};
  stage_ = stage;
  cancelled_ = false;
  run_ = run;
  ++revision_;
}

std::optional<Error> GpuText::run(WorkerClient& client, TextTask task) {
  if (auto error = withheld(task.launch)) return error;
  const auto run = client.compileRun({0, makeTextLaunch(task.launch), 2, kSamples});
  if (!run) return run.error();
  begin(Stage::Running, std::move(task), *run);
  return std::nullopt;
}

std::optional<Error> GpuText::count(WorkerClient& client, TextTask task) {
  if (auto error = withheld(task.launch)) return error;
  const auto run = client.readCounters({0, makeTextLaunch(task.launch)});
  if (!run) return run.error();
  begin(Stage::Counting, std::move(task), *run);
  return std::nullopt;
}

std::optional<Error> GpuText::profile(WorkerClient& client, TextTask task) {
  if (auto error = withheld(task.launch)) return error;
  const bool hasTimed = task.timed && !task.timed->launch.kernel.empty();
  ProfileRequest request{0, hasTimed ? task.timed->launch : makeTextLaunch(task.launch)};
  const auto run = client.profile(std::move(request));
  if (!run) return run.error();
  begin(Stage::Profiling, std::move(task), *run);
  return std::nullopt;
}

void GpuText::cancel() {
  cancelled_ = true;
  if (stage_ != Stage::Checking) return;
  checkJob_.cancel();
  if (checkRequest_.timed) {  // its sum will not be checked
    outcome_.timing.reset();
    outcome_.timingNote = "Its sum was not checked, so that its time is not shown.";
  }
  CheckOutcome nothing;
  nothing.problem = kComparisonCancelled;
  receive(std::move(nothing));
}

/// Compares with the simulator, unless the comparison is no longer needed.
void GpuText::beginCheck() {
  stage_ = Stage::Checking;
  if (cancelled_) return cancel();
  checkJob_.request(checkRequest_);
}

bool GpuText::update(WorkerClient& client, const WorkerView& view) {
  const Stage before = stage_;
  const bool wasCompiled = outcome_.compiled.has_value();
  syncTo(client, view);
  if (auto outcome = checkJob_.consume()) receive(std::move(*outcome));
  return stage_ != before || wasCompiled != outcome_.compiled.has_value();
}

void GpuText::syncTo(WorkerClient& client, const WorkerView& view) {
  const TextRun& run = *view.edited;
  const bool listens = stage_ != Stage::Idle && stage_ != Stage::Checking;
  if (!listens || run.run != run_) return;
  if (stage_ == Stage::Running && run.compiled) outcome_.compiled = run.compiled;
  if (!run.finished) return;
  if (stage_ == Stage::Running) {
    acceptRun(client, view);
  } else if (stage_ == Stage::Timing) {
    acceptTimed(view);
  } else if (stage_ == Stage::Profiling) {
    acceptProfile(run);
  } else {
    acceptCounters(run);
  }
}

void GpuText::acceptRun(WorkerClient& client, const WorkerView& view) {
  const TextRun& run = *view.edited;
  outcome_.problem = run.problem;
  outcome_.lostWorker = run.lostWorker;
  outcome_.small = run.timed;
  acceptFindings();
  if (run.lacksCompiler) missingCompiler_ = run.problem;
  const bool ran = run.problem.empty() && run.compiled && run.compiled->compiled;
  if (!ran || run.outputs.empty()) {
    if (ran) outcome_.problem = cancelled_ ? "It was canceled." : "The GPU has given no output.";
    return finish();
  }
  checkRequest_.run = run;
  if (task_.timed && run.timed && !cancelled_) {
    if (task_.timed->launch.kernel.empty()) {  // the launch that was timed already
      outcome_.timing = findTiming(*task_.timed, *run.timed, view);
    } else if (const auto timed = client.compileRun({0, task_.timed->launch, 2, kSamples})) {
      run_ = *timed;
      stage_ = Stage::Timing;
      return;
    } else {
      outcome_.timingNote = timed.error().sentence();
    }
  }
  beginCheck();
}

void GpuText::acceptTimed(const WorkerView& view) {
  const TextRun& run = *view.edited;
  const TimedLaunch& timed = *task_.timed;
  if (!run.problem.empty()) {
    outcome_.timingNote = "Over N = " + sizeText(timed.n) + ": " + run.problem;
    outcome_.lostWorker = run.lostWorker;
  } else if (run.timed) {
    outcome_.timing = findTiming(timed, *run.timed, view);
    const auto found = timed.sumArgument ? run.outputs.find(*timed.sumArgument) : run.outputs.end();
    if (found != run.outputs.end()) {
      checkRequest_.timed = timed;
      checkRequest_.sum = found->second.sum;
    }
  } else {
    outcome_.timingNote = "Over N = " + sizeText(timed.n) + " it was not timed.";
  }
  beginCheck();
}

void GpuText::acceptCounters(const TextRun& run) {
  outcome_.countersProblem = run.problem;
  if (!run.counters) {
    if (run.lacksCompiler) missingCompiler_ = run.problem;
    if (run.problem.empty())
      outcome_.countersProblem = cancelled_ ? "It was canceled." : "The worker has read no counters.";
    return finish();
  }
  outcome_.countersTool = run.counters->tool;
  checkRequest_.run = run;
  beginCheck();
}

void GpuText::acceptProfile(const TextRun& run) {
  outcome_.profileProblem = run.problem;
  outcome_.lostWorker = run.lostWorker;
  if (run.profile && run.problem.empty()) {
    LaunchProfile profile = *run.profile;
    if (task_.timed && !task_.timed->launch.kernel.empty()) profile.kernel.n = task_.timed->n;
    outcome_.profile = std::make_shared<const LaunchProfile>(std::move(profile));
  } else if (run.problem.empty()) {
    outcome_.profileProblem = cancelled_ ? "The profile was canceled." : "The worker has made no profile.";
  }
  if (run.lacksCompiler) missingCompiler_ = run.problem;
  finish();
}

void GpuText::acceptFindings() {
  outcome_.findings.clear();
  if (!outcome_.compiled) return;
  for (const CompilerFinding& finding : outcome_.compiled->findings) {
    outcome_.findings.push_back(
        {{finding.message, {}, findSpan(*outcome_.source, finding)}, finding.isError});
  }
}

/// In the job's thread.
GpuText::CheckOutcome GpuText::check(const CheckRequest& request, const std::stop_token& stop) {
  CheckOutcome outcome;
  try {
    if (request.timed) {
      const TimedLaunch& timed = *request.timed;
      const bool wraps = timed.type == ElementType::Int;
      const double sum = wraps ? wrappedToInt(request.sum) : request.sum;
      outcome.wrongSum = !checkTotal(sum, timed.n, timed.additions, timed.type).verified();
    }
    Result<Launch> compiled = request.kernels->compiled(request.launch);
    if (!compiled) {
      outcome.problem = "The simulator cannot run it: " + compiled.error().sentence();
      return outcome;
    }
    Launch& launch = *compiled;
    launch.stop = stop;
    const auto simulation = simulate(launch);
    if (!simulation) {
      outcome.problem = "The simulator cannot run it: " + simulation.error().sentence();
    } else if (request.run.counters) {
      outcome.counters = compareCounters(simulation->counters, *request.run.counters);
    } else {
      outcome.comparison = compareWithSimulator(launch, *simulation, request.run);
      outcome.values = readValues(launch);
    }
  } catch (const std::exception& failure) {
    outcome.problem = std::string("The comparison ended early: ") + failure.what() + ".";
  }
  return outcome;
}

void GpuText::receive(CheckOutcome outcome) {
  if (stage_ != Stage::Checking) return;
  if (checkRequest_.run.counters) {
    outcome_.counters = std::move(outcome.counters);
    outcome_.countersProblem = std::move(outcome.problem);
  } else {
    outcome_.comparison = std::move(outcome.comparison);
    outcome_.values = outcome.values;
    outcome_.comparisonProblem = std::move(outcome.problem);
    if (outcome_.timing) outcome_.timing->wrong = outcome.wrongSum;
  }
  finish();
}

void GpuText::finish() {
  stage_ = Stage::Idle;
  checkRequest_ = {};
  ++revision_;
}

}  // namespace lanescope
