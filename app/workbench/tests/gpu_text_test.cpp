// A text on the GPU, as the panel asks for it: with workers that have no GPU, good ones and bad ones.
#include "app/gpu/gpu_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/gpu/gpu_session.h"
#include "app/launch/strategy_launch.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using std::chrono::milliseconds;

Document findFile(const std::string& path, const std::string& text) {
  KernelCache kernels;
  return makeDocument(path, text, kernels, DesktopHost());
}

GpuSessionOptions fake(const std::string& mode) {
  GpuSessionOptions options;
  options.worker.command = std::string("'") + LANESCOPE_FAKE_WORKER + "' " + mode;
  options.worker.silenceTimeout = milliseconds(700);
  options.worker.stopPatience = milliseconds(150);
  options.recording = "/nonexistent/recording.jsonl";
  return options;
}

/// Bad once: where the file is, the worker is a good one.
std::string badOnce(const std::string& flag, const std::string& mode) {
  return "$(test -e '" + flag + "' && echo echo || { : >'" + flag + "'; echo " + mode + "; })";
}

template <class Done>
bool waitFor(GpuSession& gpu, Done done) {
  for (int i = 0; i < 12000; ++i) {  // a minute
    gpu.update(0.005 * i);
    if (done()) return true;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return false;
}

/// With a worker of that kind, which is ready.
struct ReadyGpu : GpuSession {
  explicit ReadyGpu(const std::string& mode) : GpuSession(fake(mode)) {
    start();
    EXPECT_TRUE(waitFor(*this, [&] { return state() == WorkerState::Ready; }));
  }
};

bool becomesIdle(GpuSession& gpu) {
  return waitFor(gpu, [&] { return !gpu.text().busy(); });
}

TextTask makeTask(const Document& document, std::uint64_t n = 64, std::uint64_t timedN = 0) {
  const Selection selection{document.strategy, n, &machinePresets().front()};
  TextTask task;
  task.title = document.name();
  task.kernels = std::make_shared<KernelCache>();
  task.launch = makeGpuLaunch(document, selection, *task.kernels).value();
  if (timedN > 0) task.timed = makeTimedLaunch(document, timedN, 256, 132, ElementType::Float).value();
  return task;
}

TextTask strategyTask(std::string_view id = "no-divergence", std::uint64_t timedN = 0) {
  return makeTask(makeDocument(*findStrategy(id)), 64, timedN);
}

TEST(GpuText, EveryStrategyIsTheSameAsTheSimulator) {
  ReadyGpu gpu("echo");
  for (const Strategy& strategy : strategies()) {
    const TextTask task = strategyTask(strategy.id);
    std::uint64_t values = 0;
    for (const Argument& argument : task.launch.arguments) values += argument.isBuffer ? argument.count : 0;
    ASSERT_FALSE(gpu.runText(task)) << strategy.id;
    EXPECT_TRUE(gpu.text().busy());
    EXPECT_TRUE(gpu.runText(task)) << "one at a time";
    ASSERT_TRUE(becomesIdle(gpu)) << strategy.id;
    const TextOutcome& outcome = gpu.text().outcome();
    EXPECT_EQ(outcome.problem, "") << strategy.id;
    ASSERT_TRUE(outcome.comparison) << strategy.id;
    EXPECT_TRUE(outcome.comparison->equal) << strategy.id << ": " << outcome.comparison->sentence;
    EXPECT_EQ(outcome.values, values);
    EXPECT_EQ(outcome.block, task.launch.block);
    EXPECT_DOUBLE_EQ(outcome.small->medianUs, 12.5);
    EXPECT_EQ(outcome.compiled->registers, 18U);
    EXPECT_FALSE(outcome.timing);
    EXPECT_EQ(gpu.textBlocker(), "");
  }
}

TEST(GpuText, RefusesALaunchThatTheWorkerCannotBeGivenWhole) {
  ReadyGpu gpu("echo");
  const auto expectRefusal = [&](const auto& change, std::string_view word) {
    TextTask task = strategyTask();
    change(task.launch);
    const auto error = gpu.runText(task);
    ASSERT_TRUE(error) << word;
    EXPECT_NE(error->sentence().find(word), std::string::npos) << error->sentence();
    EXPECT_FALSE(gpu.text().busy());
  };
  expectRefusal([](Launch& launch) { launch.raw = std::make_shared<RawArguments>(); }, "program's run");
  expectRefusal([](Launch& launch) { launch.symbols.emplace_back(); }, "initial values");
  expectRefusal([](Launch& launch) { launch.isCooperative = true; }, "cooperative");
}

TEST(GpuText, SaysWhereTheGpuDiffers) {
  ReadyGpu gpu("text-differs");
  ASSERT_FALSE(gpu.runText(strategyTask()));
  ASSERT_TRUE(becomesIdle(gpu));
  const EditedComparison& comparison = *gpu.text().outcome().comparison;
  EXPECT_FALSE(comparison.equal);
  EXPECT_SAYS(comparison.sentence);
}

TEST(GpuText, IsTimedBesideTheOthers) {
  ReadyGpu gpu("echo");
  const std::uint64_t n = std::uint64_t{1} << 22U;
  ASSERT_FALSE(gpu.runText(strategyTask("shuffle", n)));
  ASSERT_TRUE(becomesIdle(gpu));
  const TextOutcome& outcome = gpu.text().outcome();
  ASSERT_TRUE(outcome.timing) << outcome.timingNote;
  EXPECT_TRUE(outcome.comparison->equal);
  EXPECT_EQ(outcome.timing->n, n);
  EXPECT_EQ(outcome.timing->block, 256U);
  EXPECT_EQ(outcome.timing->gpu, "Fake GPU");
  EXPECT_FALSE(outcome.timing->wrong);
  // All floats read, a sum of each block written, in 31.25 microseconds.
  const auto bytes = static_cast<double>(
      4 * (n + makeTimedLaunch(makeDocument(*findStrategy("shuffle")), n, 256, 132, ElementType::Float)
                   .value()
                   .launch.grid[0]));
  EXPECT_NEAR(outcome.timing->gbps, bytes / 31.25 / 1e3, 0.01);
}

TEST(GpuText, AWrongSumIsNoTime) {
  ReadyGpu gpu("text-wrong-sum");
  // Float adds so few whole numbers without rounding: one too many is seen.
  ASSERT_FALSE(gpu.runText(strategyTask("no-divergence", std::uint64_t{1} << 16U)));
  ASSERT_TRUE(becomesIdle(gpu));
  ASSERT_TRUE(gpu.text().outcome().timing);
  EXPECT_TRUE(gpu.text().outcome().timing->wrong);
}

TEST(GpuText, AForeignFilesOwnLaunchIsTimed) {
  Document document = findFile("/tmp/twice.cu",
                               "__global__ void twice(const float* in, float* out) {\n"
                               "  out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n");
  ReadyGpu gpu("echo");
  TextTask task = makeTask(document);
  task.timed = makeTimedForm(task.launch);
  ASSERT_TRUE(task.timed);
  ASSERT_FALSE(gpu.runText(task));
  ASSERT_TRUE(becomesIdle(gpu));
  const TextOutcome& outcome = gpu.text().outcome();
  EXPECT_TRUE(outcome.comparison->equal);
  ASSERT_TRUE(outcome.timing);
  EXPECT_EQ(outcome.timing->n, 64U);
  EXPECT_EQ(outcome.timing->block, 64U);
  EXPECT_DOUBLE_EQ(outcome.timing->medianUs, 12.5);
}

TEST(GpuText, CompilerErrorsAreOnTheirLines) {
  ReadyGpu gpu("text-error");
  const TextTask task = strategyTask();
  ASSERT_FALSE(gpu.runText(task));
  ASSERT_TRUE(becomesIdle(gpu));
  const TextOutcome& outcome = gpu.text().outcome();
  ASSERT_EQ(outcome.findings.size(), 2U);
  EXPECT_FALSE(outcome.compiled->compiled);
  EXPECT_TRUE(outcome.findings[0].isError);
  EXPECT_FALSE(outcome.findings[1].isError);
  EXPECT_EQ(task.launch.source->place(outcome.findings[0].diagnostic.span.begin), (LineColumn{3, 5}));
  EXPECT_EQ(task.launch.source->findLine(outcome.findings[1].diagnostic.span), 1U);
  EXPECT_FALSE(outcome.comparison);
  EXPECT_TRUE(gpu.text().isAbout(task.launch.source->text()));
  EXPECT_FALSE(gpu.text().isAbout("another text"));
  EXPECT_EQ(gpu.textBlocker(), "") << "the next try is free";
}

// The other ways to lose the worker are the client's: edited_run_test.cpp.
TEST(GpuText, OneThatCrashesIsToldAndTheNextRunWorks) {
  const std::string flag = ::testing::TempDir() + "lanescope_gpu_text_" + std::to_string(getpid());
  std::filesystem::remove(flag);
  ReadyGpu gpu(badOnce(flag, "text-crashes"));
  ASSERT_FALSE(gpu.runText(strategyTask()));
  ASSERT_TRUE(becomesIdle(gpu));
  EXPECT_SAYS(gpu.text().outcome().problem);
  EXPECT_TRUE(gpu.text().outcome().lostWorker);
  ASSERT_TRUE(waitFor(gpu, [&] { return gpu.textBlocker().empty(); })) << gpu.textBlocker();
  ASSERT_FALSE(gpu.runText(strategyTask()));
  ASSERT_TRUE(becomesIdle(gpu));
  EXPECT_EQ(gpu.text().outcome().problem, "");
  EXPECT_TRUE(gpu.text().outcome().comparison->equal);
  std::filesystem::remove(flag);
}

TEST(GpuText, CancelEndsTheComparison) {
  ReadyGpu gpu("one-value");
  // Many minutes of simulation, were it not ended.
  Document document = findFile("/tmp/long.cu",
                               "__global__ void long_way(float* out) {\n"
                               "  float x = 1;\n"
                               "  for (int i = 0; i < 15000000; ++i) x = sinf(x) + 1.0f;\n"
                               "  out[threadIdx.x] = x;\n}\n");
  document.form->grid = "256";
  const TextTask task = makeTask(document);
  const auto isComparing = [&] { return gpu.text().stageText().find("simulator") != std::string_view::npos; };
  ASSERT_FALSE(gpu.runText(task));
  ASSERT_TRUE(waitFor(gpu, isComparing)) << gpu.text().outcome().problem;
  gpu.cancel();
  EXPECT_FALSE(gpu.text().busy());
  EXPECT_NE(gpu.text().outcome().comparisonProblem.find("canceled"), std::string::npos);
  EXPECT_FALSE(gpu.text().outcome().comparison);
  EXPECT_EQ(gpu.textBlocker(), "");
  // The job has released it: the next comparison is done, and nothing of the first appears.
  ASSERT_FALSE(gpu.runText(strategyTask()));
  ASSERT_TRUE(becomesIdle(gpu));
  EXPECT_TRUE(gpu.text().outcome().comparison);
}

TEST(GpuText, ACancelledCheckLeavesNoTime) {
  ReadyGpu gpu("echo");
  const TextTask task = strategyTask("shuffle", std::uint64_t{1} << 22U);
  ASSERT_FALSE(gpu.runText(task));
  ASSERT_TRUE(waitFor(gpu, [&] { return !gpu.text().stageText().starts_with("Compiling"); }));
  gpu.cancel();
  ASSERT_TRUE(becomesIdle(gpu));
  EXPECT_FALSE(gpu.text().outcome().timing) << "whose sum nobody has checked";
}

TEST(GpuText, CountersStandBesideThePrediction) {
  ReadyGpu gpu("echo");
  ASSERT_FALSE(gpu.runText(strategyTask()));
  ASSERT_TRUE(becomesIdle(gpu));
  ASSERT_FALSE(gpu.countText(strategyTask()));
  ASSERT_TRUE(becomesIdle(gpu));
  const TextOutcome& outcome = gpu.text().outcome();
  ASSERT_EQ(outcome.counters.size(), 12U);
  EXPECT_TRUE(outcome.comparison) << "of the same launch, the run's outcome stays";
  EXPECT_EQ(outcome.countersTool, "Nsight Compute 2025.3");
  std::size_t equal = 0;
  for (const CounterRow& row : outcome.counters) {
    equal += row.equal ? 1U : 0U;
    EXPECT_EQ(row.equal, row.reason.empty()) << row.name;
  }
  EXPECT_EQ(equal, 10U);  // a store fewer, and one that was not read
  ASSERT_FALSE(gpu.runText(strategyTask("shuffle")));
  ASSERT_TRUE(becomesIdle(gpu));
  EXPECT_TRUE(gpu.text().outcome().counters.empty()) << "another launch has other counters";
}

TEST(GpuText, SaysHowToPermitTheCounters) {
  ReadyGpu gpu("no-ncu");
  ASSERT_FALSE(gpu.countText(strategyTask()));
  ASSERT_TRUE(becomesIdle(gpu));
  EXPECT_NE(gpu.text().outcome().countersProblem.find("NVreg_RestrictProfilingToAdminUsers"),
            std::string::npos);
  EXPECT_EQ(gpu.textBlocker(), "") << "it may be permitted meanwhile";
}

TEST(GpuText, WithoutACompilerItIsBlockedUntilLookedForAgain) {
  ReadyGpu gpu("no-compiler");
  ASSERT_FALSE(gpu.runText(strategyTask()));
  ASSERT_TRUE(becomesIdle(gpu));
  EXPECT_NE(gpu.textBlocker().find("NVRTC"), std::string::npos) << gpu.textBlocker();
  EXPECT_TRUE(gpu.runText(strategyTask()));
  gpu.retryCompiler();
  EXPECT_EQ(gpu.textBlocker(), "");
}

TEST(GpuText, WithoutAGpuItSaysSo) {
  GpuSessionOptions options = fake("echo");
  options.worker.command = "/nonexistent/lanescope-gpu";
  GpuSession gpu(options);
  EXPECT_SAYS(gpu.textBlocker());
  gpu.start();
  ASSERT_TRUE(waitFor(gpu, [&] { return gpu.state() == WorkerState::Failed; }));
  EXPECT_SAYS(gpu.textBlocker());
  EXPECT_TRUE(gpu.runText(strategyTask()));
  EXPECT_FALSE(gpu.text().busy());
}

TEST(TextLaunch, KeepsTheTextAndTakesWarpsOf32) {
  Document document = makeDocument(*findStrategy("shuffle"));
  document.buffer.replaceAll("// edited\n" + document.buffer.text());
  const Selection selection{document.strategy, 64, findMachine("tiny")};
  KernelCache kernels;
  const Launch launch = makeGpuLaunch(document, selection, kernels).value();
  EXPECT_TRUE(launch.source->text().starts_with("// edited"));
  EXPECT_EQ(launch.machine.warpSize, 32U);
  const TimedLaunch timed = makeTimedLaunch(document, 1U << 20U, 128, 132, ElementType::Float).value();
  EXPECT_TRUE(timed.launch.text.starts_with("// edited"));
  EXPECT_EQ(timed.launch.block[0], 128U);
  EXPECT_EQ(timed.launch.arguments[0], "f32:hash1:1048576");
  EXPECT_EQ(timed.sumArgument, 1U);
}

TEST(TextLaunch, RefusesWhatCannotBeCompared) {
  const Document document = makeDocument(*findStrategy("shuffle"));
  EXPECT_FALSE(makeTimedLaunch(document, kMostTextN * 2, 256, 132, ElementType::Float));
  EXPECT_FALSE(makeTimedLaunch(findFile("/tmp/k.cu", "__global__ void k(float* o) { o[0] = 1; }"), 1024, 256,
                               1, ElementType::Float));
  EXPECT_FALSE(makeTimedForm(Launch{}));
}

TEST(Pins, HoldRunsOfSeveralGpus) {
  GpuSession gpu(fake("echo"));
  EXPECT_TRUE(gpu.pin()) << "there is nothing to pin";
  std::vector<std::string> paths;
  for (const char* name : {"A100", "L4"}) {
    HelloMessage hello{.gpu = name, .date = "2026-01-02"};
    paths.push_back(::testing::TempDir() + "lanescope_pin_" + name + ".jsonl");
    std::ofstream file(paths.back());
    file << toLine(WorkerMessage(hello)) << '\n'
         << toLine(WorkerMessage(SampleMessage{1, {"shuffle", 4096, 256, CacheState::Cold}, 0, 5})) << '\n';
  }
  ASSERT_FALSE(gpu.pin(paths[0]));
  ASSERT_FALSE(gpu.pin(paths[1]));
  ASSERT_FALSE(gpu.pin(paths[1]));
  ASSERT_EQ(gpu.pins().size(), 3U);
  EXPECT_EQ(gpu.pins()[0].label, "A100, 2026-01-02, lanescope_pin_A100");
  EXPECT_EQ(gpu.pins()[1].label, "L4, 2026-01-02, lanescope_pin_L4");
  EXPECT_EQ(gpu.pins()[2].label, "L4, 2026-01-02, lanescope_pin_L4 (2)");
  EXPECT_TRUE(gpu.pin(paths[0])) << "more cannot be told apart";
  gpu.unpin(1);
  ASSERT_EQ(gpu.pins().size(), 2U);
  EXPECT_EQ(gpu.pins()[1].label, "L4, 2026-01-02, lanescope_pin_L4 (2)");
  EXPECT_TRUE(gpu.pin("/no/such/recording.jsonl"));
}

}  // namespace
}  // namespace lanescope
