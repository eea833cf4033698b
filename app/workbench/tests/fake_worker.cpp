// A worker with no GPU, good or bad as its first argument says. The client must survive all of them.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/expected_results.h"
#include "kernels/protocol/ncu_run.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/device_memory.h"

namespace lanescope {
namespace {

void reportError(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void reportError(const WorkerMessage& message) { reportError(toLine(message)); }

void sayHello(const std::string& protocol = std::string(kWorkerProtocol)) {
  HelloMessage hello{.protocol = protocol, .worker = "fake", .gpu = "Fake GPU", .date = "2026-01-02"};
  reportError(hello);
}

[[noreturn]] void hang() {
  while (true) pause();
}

/// Writes line after line until the pipe is closed. Once so many bytes are written, the file that
/// LANESCOPE_FLOODED names is there.
template <class NextLine>
void flood(std::FILE* out, const NextLine& nextLine) {
  constexpr std::size_t kFlood = std::size_t{32} << 20U;
  std::size_t written = 0;
  while (true) {
    const std::string line = nextLine() + "\n";
    if (std::fputs(line.c_str(), out) < 0) return;
    if (written < kFlood && written + line.size() >= kFlood) {
      if (const char* sign = std::getenv("LANESCOPE_FLOODED")) std::ofstream{sign};
    }
    written += line.size();
  }
}

/// A median that tells the contenders and their numbers of blocks apart.
double computeMedian(const Contender& contender) {
  return 10.0 + (contender.strategy != nullptr ? contender.strategy->order : 0) +
         0.001 * static_cast<double>(contender.blocks);
}

SampleMessage makeSample(const BenchRequest& request, const Contender& contender, std::uint32_t index) {
  const SeriesKey series{contender.id,  request.n,    request.block,   CacheState::Cold,
                         request.scope, request.type, contender.blocks};
  return {request.run, series, index, computeMedian(contender) + 0.1 * index};
}

ResultMessage makeResult(const BenchRequest& request, const Contender& contender, bool verified) {
  ResultMessage result{.run = request.run, .series = makeSample(request, contender, 0).series};
  const auto launches = contender.strategy != nullptr ? makeLaunches(*contender.strategy, request, 132)
                                                      : Result<std::vector<StrategyShape>>(Error{});
  const std::uint64_t out = launches ? launches->front().outElements : 1;
  result.grid = launches ? launches->front().blocks() : 0;
  if (launches) result.elementsPerThread = elementsPerThread(*contender.strategy, launches->front());
  result.verified = verified;
  result.wrongBlocks = verified ? 0 : 3;
  result.bytes = bytesMoved(contender.strategy, request.scope, request.n, out, request.type);
  result.medianUs = computeMedian(contender);
  result.q1Us = result.q3Us = result.medianUs;
  result.samples = 5;
  result.gbps = gigabytesPerSecond(result.bytes, result.medianUs);
  return result;
}

/// Says that this was the last run and ends: not at once, as a real worker's end takes a while too.
[[noreturn]] void endAfter(std::uint64_t run) {
  reportError(DoneMessage{run, false, true});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  _exit(1);
}

/// Answers an experiment: the first kernel takes 100 µs, each further one 10 more.
void answerExperiment(const ExperimentRequest& request, const std::string& mode) {
  const auto bench = makeBench(request);
  const auto chosen = bench ? makeContenders(*findExperiment(request.experiment), *bench)
                            : Result<std::vector<Contender>>(bench.error());
  if (!chosen) return reportError(ErrorMessage{request.run, chosen.error().sentence()});
  double us = 100;
  for (const Contender& contender : *chosen) {
    ResultMessage result;
    result.run = request.run;
    result.series = {contender.id,  bench->n,    contender.variant->block, CacheState::Cold,
                     Scope::Kernel, bench->type, contender.blocks};
    result.grid = 1;
    result.verified = mode != "wrong-sums";
    result.medianUs = result.q1Us = result.q3Us = us;
    result.samples = 5;
    us += 10;
    reportError(result);
  }
  reportError(DoneMessage{request.run, false});
}

/// Answers one run in the way of `mode`; may not return.
void answer(const BenchRequest& request, const std::string& mode) {
  const auto chosen = makeContenders(request);
  if (!chosen) return reportError(ErrorMessage{request.run, chosen.error().sentence()});
  if (mode == "error-in-run") {
    reportError(ErrorMessage{request.run, "The GPU is out of memory."});
    return reportError(DoneMessage{request.run, false});
  }
  if (mode == "ends-with-run") {
    reportError(ErrorMessage{request.run, "The GPU has fallen off the bus."});
    endAfter(request.run);
  }
  for (const Contender& contender : *chosen) {
    for (std::uint32_t i = 0; i < 5; ++i) reportError(makeSample(request, contender, i));
    if (mode == "dies-mid-run") raise(SIGSEGV);
    if (mode == "exits-mid-run") {
      std::fputs("out of luck\n", stderr);
      _exit(3);
    }
    if (mode == "hangs-mid-run") hang();
    if (mode == "floods-stranger") {
      // Series that were not requested, without end.
      SampleMessage stranger = makeSample(request, contender, 0);
      stranger.series.n = 0;
      flood(stdout, [&] {
        ++stranger.series.n;
        return toLine(stranger);
      });
    }
    if (mode == "floods-progress") {
      std::uint64_t done = 0;
      flood(stdout, [&] {
        ++done;
        return toLine(ProgressMessage{request.run, done, done + 1});
      });
    }
    if (mode == "floods-blanks") flood(stdout, [] { return std::string(4096, '\n'); });
    if (mode == "floods-hello") {
      while (true) sayHello();
    }
    if (mode == "floods-samples") {
      std::uint32_t index = 0;
      flood(stdout, [&] { return toLine(makeSample(request, contender, index++)); });
    }
    ResultMessage result =
        makeResult(request, contender, mode != "wrong-sums" || contender.id != "no-divergence");
    if (mode == "other-grid") ++result.grid;
    reportError(result);
  }
  if (mode == "slow") return;  // done comes with the cancel
  reportError(DoneMessage{request.run, false});
}

/// What a GPU that does as the simulator does would make of a text.
Result<Simulation> simulateText(const TextLaunch& text) {
  Launch launch;
  launch.source = std::make_shared<SourceText>("text.cu", text.text);
  launch.kernel = text.kernel;
  launch.grid = {text.grid[0], text.grid[1], text.grid[2]};
  launch.block = {text.block[0], text.block[1], text.block[2]};
  launch.dynamicSharedBytes = text.dynamicSharedBytes;
  const auto bound = bindLaunch(LaunchSpec{.arguments = text.arguments}, std::move(launch));
  if (!bound) return bound.error();
  return simulate(*bound, 1);
}

/// Elements of the largest buffer.
std::uint64_t listElements(const TextLaunch& text) {
  std::uint64_t most = 0;
  for (const std::string& spec : text.arguments) {
    const auto argument = parseArgument(spec);
    if (argument) most = std::max(most, argument->count);
  }
  return most;
}

CompiledMessage compiledMessage(std::uint64_t run) {
  CompiledMessage compiled;
  compiled.run = run;
  compiled.compiled = true;
  compiled.architecture = "sm_0";
  compiled.compiler = "NVRTC 13.0";
  compiled.milliseconds = 42;
  compiled.registers = 18;
  return compiled;
}

/// Runs the text as the simulator does; "text-differs" turns a bit of the last buffer's last element.
void echoText(const CompileRunRequest& request, const std::string& mode) {
  if (mode == "text-error") {
    CompiledMessage compiled = compiledMessage(request.run);
    compiled.compiled = false;
    compiled.findings = {{true, 3, 5, "identifier \"nowhere\" is undefined"}, {false, 1, 0, "odd"}};
    reportError(compiled);
    return reportError(DoneMessage{request.run, false});
  }
  if (mode == "no-compiler") {
    reportError(ErrorMessage{request.run, "NVRTC is not on the worker's machine.", ErrorKind::NoCompiler});
    return reportError(DoneMessage{request.run, false});
  }
  if (const std::uint64_t n = listElements(request.launch); n > std::uint64_t{1} << 20U) {
    // Too much to simulate here: every buffer has the right sum.
    reportError(compiledMessage(request.run));
    for (std::uint32_t i = 0; i < request.launch.arguments.size(); ++i)
      reportError(
          OutputMessage{request.run, i, 4 * n, expectedTotal(n) + (mode == "text-wrong-sum" ? 1 : 0), 0});
    reportError(TimedMessage{request.run, 31.25, 31, 32.5, 20, 0});
    return reportError(DoneMessage{request.run, false});
  }
  const auto simulation = simulateText(request.launch);
  if (!simulation) {
    reportError(ErrorMessage{request.run, simulation.error().sentence()});
    return reportError(DoneMessage{request.run, false});
  }
  reportError(compiledMessage(request.run));
  std::vector<std::vector<std::byte>> buffers = simulation->buffers;
  if (mode == "text-differs") buffers.back()[buffers.back().size() - 4] ^= std::byte{1};
  std::size_t buffer = 0;
  for (std::uint32_t i = 0; i < request.launch.arguments.size(); ++i) {
    const Argument argument = parseArgument(request.launch.arguments[i]).value();
    if (!argument.isBuffer) continue;
    const std::vector<std::byte>& bytes = buffers[buffer++];
    const double wrong = mode == "text-wrong-sum" ? 1 : 0;
    reportError(
        OutputMessage{request.run, i, bytes.size(), computeSum(bytes, argument.type) + wrong, fnv1a(bytes)});
    for (std::size_t at = 0; at < bytes.size() && bytes.size() <= kMaxWordsBytes; at += kWordsBytes) {
      const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(std::min(at + kWordsBytes, bytes.size()));
      reportError(WordsMessage{request.run, i, at, {bytes.begin() + static_cast<std::ptrdiff_t>(at), end}});
    }
  }
  reportError(TimedMessage{request.run, 12.5, 12.25, 13, 20, 0});
  reportError(DoneMessage{request.run, false});
}

/// The simulator's own counters, with a store fewer and a counter that is not there.
void echoCounters(const CountersRequest& request) {
  const auto simulation = simulateText(request.launch);
  CountersMessage message{request.run, "Nsight Compute 2025.3", {}};
  if (simulation) {
    for (const NamedCounter& counter : nsightCounters(simulation->counters)) {
      MeasuredCounter measured{std::string(counter.name), counter.value};
      if (counter.name.find("shared_op_st") != std::string_view::npos && counter.value > 0)
        measured.value = counter.value - 1;
      if (counter.name.find("op_atom") != std::string_view::npos) measured.value.reset();
      message.counters.push_back(measured);
    }
  }
  reportError(message);
  reportError(DoneMessage{request.run, false});
}

/// A profile in which every line from the third on has one sample more than the line before.
void answerProfile(const ProfileRequest& request, const std::string& mode) {
  if (mode == "no-ncu") {
    reportError(ErrorMessage{request.run, "Nsight Compute's program 'ncu' is not on the worker's machine."});
    reportError(DoneMessage{request.run, false});
    return;
  }
  LaunchProfile profile;
  profile.kernel.run = request.run;
  profile.kernel.kernel = request.launch.kernel;
  profile.kernel.tool = "fake";
  profile.kernel.grid = request.launch.grid;
  profile.kernel.block = request.launch.block;
  profile.kernel.textHash = hashText(request.launch.text);
  profile.kernel.metrics = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 91.5}};
  const auto lines =
      static_cast<std::uint32_t>(std::count(request.launch.text.begin(), request.launch.text.end(), '\n'));
  for (std::uint32_t line = 3; line <= lines; ++line) {
    ProfileCounts counts{.samples = line, .executed = 64, .stalls = {{"long_sb", line}}};
    profile.lines.push_back({line, counts});
    profile.instructions.push_back({line, "LDG.E R" + std::to_string(line) + ", [R2]", counts});
  }
  for (const WorkerMessage& message : makeMessages(profile)) reportError(message);
  reportError(DoneMessage{request.run, false});
}

/// A compiled text that left 1.5 in its only buffer; or a fault as `mode` says.
void answerText(const CompileRunRequest& request, const std::string& mode) {
  const bool isEcho = mode == "echo" || mode == "text-differs" || mode == "text-error" ||
                      mode == "text-wrong-sum" || mode == "no-compiler";
  if (isEcho) return echoText(request, mode);
  if (mode == "text-kills-compiler") raise(SIGSEGV);
  CompiledMessage compiled{.run = request.run, .compiled = true, .architecture = "sm_0"};
  reportError(compiled);
  if (mode == "text-crashes") {
    reportError(ErrorMessage{request.run, "The kernel read or wrote memory outside its buffers."});
    endAfter(request.run);
  }
  if (mode == "text-hangs") hang();
  if (mode == "text-floods") {
    while (true) reportError(WordsMessage{request.run, 0, 0, std::vector<std::byte>(kWordsBytes)});
  }
  reportError(OutputMessage{request.run, 0, 4, 1.5, 1});
  reportError(
      WordsMessage{request.run, 0, 0, {std::byte{0}, std::byte{0}, std::byte{0xc0}, std::byte{0x3f}}});
  reportError(TimedMessage{request.run, 5, 5, 5, 3, 0});
  reportError(DoneMessage{request.run, false});
}

void serve(const std::string& mode) {
  std::uint64_t lastRun = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = parseRequest(line);
    if (!request) {
      reportError(ErrorMessage{std::nullopt, request.error().sentence()});
    } else if (const auto* bench = std::get_if<BenchRequest>(&*request)) {
      lastRun = bench->run;
      BenchRequest known = *bench;
      if (mode == "without-blocks") known.blocks = 0;  // as one that was built before there was such a field
      answer(known, mode);
    } else if (const auto* experiment = std::get_if<ExperimentRequest>(&*request)) {
      // As one that was built before there were experiments.
      if (mode == "without-experiments") {
        reportError(ErrorMessage{std::nullopt, "A request of the unknown type 'experiment'."});
      } else {
        answerExperiment(*experiment, mode);
      }
    } else if (const auto* edited = std::get_if<CompileRunRequest>(&*request)) {
      answerText(*edited, mode);
    } else if (const auto* counters = std::get_if<CountersRequest>(&*request)) {
      if (mode == "echo") {
        echoCounters(*counters);
        continue;
      }
      if (mode == "no-ncu") {
        reportError(ErrorMessage{counters->run,
                                 "The driver keeps the counters from this user. Let an administrator "
                                 "set NVreg_RestrictProfilingToAdminUsers=0."});
        reportError(DoneMessage{counters->run, false});
        continue;
      }
      reportError(CountersMessage{counters->run, "fake", {{"sass__inst_executed_per_opcode.BAR", 4}}});
      reportError(DoneMessage{counters->run, false});
    } else if (const auto* profile = std::get_if<ProfileRequest>(&*request)) {
      answerProfile(*profile, mode);
    } else if (std::holds_alternative<CancelRequest>(*request)) {
      reportError(DoneMessage{lastRun, true});
    } else if (std::holds_alternative<QuitRequest>(*request)) {
      return;
    }
  }
}

int play(const std::string& mode) {
  if (mode == "dies") return 7;
  if (mode == "no-gpu") {
    reportError(ErrorMessage{std::nullopt, "This machine has no CUDA device."});
    return 1;
  }
  if (mode == "hangs-before-hello") hang();
  if (mode == "refuses-to-die") {
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    hang();
  }
  if (mode == "endless-line") {
    const std::string chunk(1U << 16U, 'x');
    while (std::fputs(chunk.c_str(), stdout) >= 0) {
    }
    return 0;
  }
  if (mode == "garbage") {
    while (std::puts("\x01\xff{]what\tis this") >= 0) {
    }
    return 0;
  }
  if (mode == "stderr-flood") {
    sayHello();
    flood(stderr, [] { return std::string("warning: something is odd"); });
    return 0;
  }
  if (mode == "banner") reportError("Welcome to the lab server!\nUse it wisely.");
  sayHello(mode == "wrong-version" ? "lanescope.worker/99" : std::string(kWorkerProtocol));
  if (mode == "closes-output") {
    fclose(stdout);
    close(STDOUT_FILENO);
    hang();
  }
  serve(mode);
  return 0;
}

}  // namespace
}  // namespace lanescope

int main(int argc, char** argv) { return lanescope::play(argc > 1 ? argv[1] : "good"); }
