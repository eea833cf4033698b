// Runs edited kernels on the GPU through the app's own client: right ones, compared with the simulator bit
// for bit, and faults, after each of which the next run must work. Prints how long each fault took to a
// ready worker. Ends with 77, which ctest counts as skipped, where there is no GPU or no NVRTC.

#include <chrono>
#include <cstdio>
#include <string>

#include "app/analysis/text_run.h"
#include "app/gpu/worker_client.h"
#include "app/launch/strategy_launch.h"

namespace lanescope {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kSkipped = 77;
constexpr milliseconds kPatience{60000};
constexpr double kMostSecondsToReady = 2;

class Laboratory {
 public:
  explicit Laboratory(const std::string& command) : client_(makeOptions(command)) {}

  bool start() {
    client_.start();
    return client_.waitUntil(isSettled, kPatience) && client_.view()->state == WorkerState::Ready;
  }
  std::string sentence() { return client_.view()->sentence; }

  /// Runs to the end, and on to a worker that is ready, a new one where the run has cost it; counts the
  /// seconds from the first word of a problem to that.
  template <class Request>
  TextRun finish(const Request& request) {
    const auto asked = ask(request);
    if (!asked) {
      TextRun refused{1};
      refused.lose(asked.error().sentence());
      return refused;
    }
    client_.waitUntil(
        [](const WorkerView& view) { return !view.edited->problem.empty() || view.edited->finished; },
        kPatience);
    const auto fault = steady_clock::now();
    client_.waitUntil([](const WorkerView& view) { return view.edited->finished; }, kPatience);
    client_.waitUntil(isSettled, kPatience);
    secondsToReady = std::chrono::duration<double>(steady_clock::now() - fault).count();
    return *client_.view()->edited;
  }

  double secondsToReady = 0;

 private:
  static WorkerOptions makeOptions(const std::string& command) { return {.command = command}; }
  static bool isSettled(const WorkerView& view) {
    return view.state == WorkerState::Ready || view.state == WorkerState::Failed;
  }
  Result<std::uint64_t> ask(const CompileRunRequest& request) { return client_.compileRun(request); }
  Result<std::uint64_t> ask(const CountersRequest& request) { return client_.readCounters(request); }

  WorkerClient client_;
};

Launch launchOfText(const std::string& text, std::uint32_t grid, std::uint32_t block,
                    const std::vector<std::string>& arguments) {
  Launch launch{.source = std::make_shared<SourceText>("edited.cu", text)};
  launch.grid.x = grid;
  launch.block.x = block;
  for (const std::string& spec : arguments) launch.arguments.push_back(parseArgument(spec).value());
  return launch;
}

const char* const kGood =
    "#include <cstdio>\n"
    "__global__ void scaled(const float* in, float* out, float factor) {\n"
    "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  out[i] = in[i] * factor + 0.1f;\n"
    "}\n";

CompileRunRequest requestFor(const std::string& text, const std::string& kernel) {
  CompileRunRequest request;
  request.launch.text = text;
  request.launch.kernel = kernel;
  request.launch.block = {64, 1, 1};
  request.launch.arguments = {"f32:hash:64"};
  return request;
}

class Tests {
 public:
  explicit Tests(Laboratory& laboratory) : laboratory_(laboratory) {}

  int failures = 0;

  void expect(bool holds, const std::string& what) {
    std::printf("%s %s\n", holds ? "right:" : "WRONG:", what.c_str());
    if (!holds) ++failures;
  }

  void everyStrategyEqualsTheSimulator();
  void aGoodTextIsTimed();
  void findingsHaveTheirLines();
  void faults();
  void counters();

 private:
  void sameAsSimulated(const Launch& launch, const std::string& name);
  void fault(const std::string& name, const CompileRunRequest& request, const std::string& words,
             bool endsWorker = false);

  Laboratory& laboratory_;
};

void Tests::sameAsSimulated(const Launch& launch, const std::string& name) {
  const auto simulation = simulate(launch);
  if (!simulation) return expect(false, name + ": " + simulation.error().sentence());
  CompileRunRequest request{.launch = makeTextLaunch(launch, simulation->kernel), .maxSamples = 3};
  const TextRun run = laboratory_.finish(request);
  const EditedComparison comparison = compareWithSimulator(launch, *simulation, run);
  expect(comparison.equal, name + ": " + comparison.sentence + " " + run.problem);
}

void Tests::everyStrategyEqualsTheSimulator() {
  for (const Strategy& strategy : strategies()) {
    if (!strategy.broken.empty()) continue;
    const std::uint64_t blocks = strategy.reducesToOne() ? 4 : 1;
    const auto launch = makeLaunch(strategy, 4096, blocks, machinePresets()[0]);
    if (launch) sameAsSimulated(*launch, std::string(strategy.id));
  }
}

void Tests::aGoodTextIsTimed() {
  const Launch launch = launchOfText(kGood, 64, 256, {"f32:hash:16384", "f32:zero:16384", "f32=1.3"});
  sameAsSimulated(launch, "a text with a scalar");
  CompileRunRequest request;
  request.launch = makeTextLaunch(launch, "scaled");
  const TextRun run = laboratory_.finish(request);
  expect(run.timed && run.timed->medianUs > 0 && run.timed->medianUs < 1000, "it is timed");
  expect(run.compiled && run.compiled->registers > 0, "its registers are reported");

  // What differs is named: here another factor on the GPU's side.
  request.launch.arguments.back() = "f32=1.5";
  const auto simulation = simulate(launch);
  const EditedComparison comparison = compareWithSimulator(launch, *simulation, laboratory_.finish(request));
  expect(!comparison.equal && comparison.sentence.find("written by block 0, thread") != std::string::npos,
         comparison.sentence);
}

void Tests::findingsHaveTheirLines() {
  const TextRun run =
      laboratory_.finish(requestFor("__global__ void k(float* o) {\n  o[0] = foo;\n}\n", "k"));
  expect(run.compiled && !run.compiled->compiled && !run.compiled->findings.empty() &&
             run.compiled->findings[0].line == 2 && run.compiled->findings[0].column == 10,
         "an error is on line 2, column 10");
}

/// The run ends with these words and, where it `endsWorker`, with the worker; one is ready soon, and the next
/// run works.
void Tests::fault(const std::string& name, const CompileRunRequest& request, const std::string& words,
                  bool endsWorker) {
  const TextRun run = laboratory_.finish(request);
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.2f s", laboratory_.secondsToReady);
  const bool isTold = run.problem.find(words) != std::string::npos && (run.lostWorker || !endsWorker);
  expect(isTold && laboratory_.secondsToReady < kMostSecondsToReady,
         name + ", ready after " + seconds + ": " + run.problem);
  const TextRun next =
      laboratory_.finish(requestFor("__global__ void k(float* o) { o[threadIdx.x] = 1; }", "k"));
  expect(next.problem.empty() && next.outputs.size() == 1 && next.outputs.at(0).sum == 64,
         "  the next run works " + next.problem);
}

void Tests::faults() {
  fault("illegal access", requestFor("__global__ void k(float* o) { o[1ull << 40] = 1; }", "k"),
        "outside its buffers", true);
  fault("endless kernel",
        requestFor("__global__ void k(volatile float* o) { while (o[0] == 0) o[1] = 2; }", "k"),
        "still running after 2 seconds", true);
  fault("failed assertion", requestFor("__global__ void k(float* o) { assert(o[0] != 0); }", "k"),
        "assertion", true);
  fault("10 MB of text", requestFor(std::string(10'000'000, ' '), "k"), "takes 1");
  std::string additions = "__global__ void k(float* o) { o[0] = 1";
  while (additions.size() < 1'000'000) additions += "+o[" + std::to_string(additions.size() % 64) + "]";
  fault("a megabyte of additions", requestFor(additions + "; }", "k"), "compiled", true);
  CompileRunRequest large = requestFor("__global__ void k(float* o) { o[0] = 1; }", "k");
  large.launch.arguments = {"f32:hash:60000000000"};
  fault("240 GB of buffers", large, "are free");
  large = requestFor("__global__ void k(float* o) { o[0] = 1; }", "k");
  large.launch.dynamicSharedBytes = 1U << 20U;
  fault("1 MiB of shared memory", large, "shared memory");
  large = requestFor("__global__ void k(float* o) { o[0] = 1; }", "k");
  large.launch.block = {2048, 1, 1};
  fault("2048 threads", large, "1024");
  large = requestFor("__global__ void k(float* o, int n) { o[0] = n; }", "k");
  fault("an argument too few", large, "2 arguments");
}

void Tests::counters() {
  const auto launch = makeLaunch(*findStrategy("no-divergence"), 1024, 4, machinePresets()[0]);
  const auto simulation = simulate(*launch);
  CountersRequest request;
  request.launch = makeTextLaunch(*launch, simulation->kernel);
  const TextRun run = laboratory_.finish(request);
  if (!run.counters) {
    std::printf("no counters: %s\n", run.problem.c_str());
    return;
  }
  for (const CounterRow& row : compareCounters(simulation->counters, *run.counters)) {
    expect(row.equal, std::string(row.name) + " " + std::to_string(row.predicted) + " " +
                          (row.measured ? std::to_string(*row.measured) : "-") + " " + row.reason);
  }
}

int testAll(const std::string& command) {
  Laboratory laboratory(command);
  if (!laboratory.start()) {
    std::printf("skipped: %s\n", laboratory.sentence().c_str());
    return kSkipped;
  }
  const TextRun first = laboratory.finish(requestFor("__global__ void k(float* o) { o[0] = 1; }", "k"));
  if (first.problem.find("NVRTC") != std::string::npos) {
    std::printf("skipped: %s\n", first.problem.c_str());
    return kSkipped;
  }
  Tests tests(laboratory);
  tests.everyStrategyEqualsTheSimulator();
  tests.aGoodTextIsTimed();
  tests.findingsHaveTheirLines();
  tests.faults();
  tests.counters();
  std::printf("%d wrong\n", tests.failures);
  return tests.failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lanescope

int main(int argc, char** argv) { return lanescope::testAll(argc > 1 ? argv[1] : ""); }
