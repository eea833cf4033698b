// What ends a launch early: one sentence each, with the line, the thread and the way out.
#include <gtest/gtest.h>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/trace/luck.h"
#include "sim/trace/run.h"
#include "sim/trace/trace.h"

namespace lanescope {
namespace {

void expectFault(const Launch& launch) {
  const auto simulation = simulate(launch);
  ASSERT_FALSE(simulation.ok());
  const std::string sentence = simulation.error().sentence();
  EXPECT_SAYS(sentence);
  EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  EXPECT_FALSE(simulation.error().hint.empty());
}

Launch body(const std::string& code, std::uint32_t block = 4) {
  return testing::launchText("__global__ void k(float* out) {\n" + code + "\n}\n", block, {"f32:zero:4"});
}

TEST(Faults, PastTheEndOfABuffer) {
  expectFault(body("out[threadIdx.x + 1] = 1.0f;"));
  expectFault(body("float x = out[100]; out[0] = x;"));
  expectFault(body("out[-1] = 1.0f;"));
}

TEST(Faults, PastTheEndOfSharedMemory) {
  Launch launch = body("extern __shared__ float s[]; s[threadIdx.x] = 1.0f;", 8);
  launch.dynamicSharedBytes = 16;
  expectFault(launch);
}

// As on a GPU, which gives a block its shared memory in units of 128 bytes.
TEST(Faults, PastAnArrayInTheBlocksSharedMemoryIsNotedWherePadded) {
  Launch launch = body("__shared__ float s[3]; s[threadIdx.x] = 1.0f; out[0] = s[threadIdx.x];", 32);
  expectFault(launch);
  launch.paddedTo = 512;
  const auto run = runLaunch(launch, RunOptions{});
  ASSERT_TRUE(run.ok()) << run.error().sentence();
  EXPECT_FALSE(run->fault);
  ASSERT_TRUE(run->tolerated);
  EXPECT_SAYS(run->tolerated->error.sentence());
  launch.block = {33, 1, 1};
  const auto past = runLaunch(launch, RunOptions{});
  ASSERT_TRUE(past.ok());
  ASSERT_TRUE(past->fault);
  EXPECT_NE(past->fault->error.sentence().find("s[32]"), std::string::npos) << past->fault->error.sentence();
}

TEST(Faults, ABarrierThatNotEveryThreadReaches) {
  expectFault(body("if (threadIdx.x < 3) __syncthreads();"));
}

TEST(Faults, ThreadsThatReturnedAreNotMissedAtABarrier) {
  const auto simulation =
      simulate(body("if (threadIdx.x == 3) return; __syncthreads(); out[threadIdx.x] = 1.0f;"));
  ASSERT_TRUE(simulation.ok());
  EXPECT_EQ(testing::elements<float>(*simulation, 0), (std::vector<float>{1, 1, 1, 0}));
}

TEST(Faults, AShuffleWidthThatIsNoPowerOfTwo) {
  for (const char* width : {"17", "33", "64", "(int)threadIdx.x - 3"}) {
    expectFault(body(std::string("out[0] = __shfl_down_sync(0xffffffff, 1.0f, 5, ") + width + ");", 32));
  }
}

TEST(Faults, ALoopThatNeverEnds) {
  Launch launch = body("while (true) {}");
  launch.limits.warpInstructions = 100000;
  expectFault(launch);
  Launch forever = body("for (int i = 0; i < 4; i += 0) out[0] = 1.0f;");
  forever.limits.warpInstructions = 100000;
  expectFault(forever);
}

TEST(Faults, ALoopThatNeverEndsIsToldByItsBlock) {
  Launch launch = body("while (out[0] == 0.0f) { __syncthreads(); }");
  launch.limits.blockInstructions = 100000;
  expectFault(launch);
  Launch many = body("for (int i = 0; i < 10; ++i) out[threadIdx.x] += 1.0f;");
  many.grid.x = 10000;  // many blocks that end are no endless loop
  many.limits.blockInstructions = 5000;
  EXPECT_TRUE(simulate(many).ok());
}

// The limit is met anywhere in it, and reported at its head.
TEST(Faults, ALoopThatNeverEndsIsToldAtItsLine) {
  Launch launch = body(
      "int k = 0;\nfor (int i = 0; i < 9; ++i) {\n  out[1] = 2.0f;\n  while (k < 9)\n  {\n    out[0] += "
      "1.0f;\n    out[2] = 3.0f;\n  }\n}");
  for (const std::uint64_t limit : {5000U, 50000U, 123456U}) {
    launch.limits.blockInstructions = limit;
    expectFault(launch);
  }
  const Result<LuckReport> luck = tryOrders(launch);
  ASSERT_FALSE(luck.ok());
  EXPECT_TRUE(luck.error().message.starts_with("test.cu:5: a block")) << luck.error().message;
  launch.limits.traceBytes = 1'000'000;
  const Result<Trace> trace = recordTrace(launch);
  ASSERT_FALSE(trace.ok());
  const std::string said = trace.error().sentence();
  EXPECT_SAYS(said);
  EXPECT_TRUE(trace.error().isOfRun);
}

TEST(Faults, AStopIsHeard) {
  std::stop_source stop;
  Launch launch = body("while (true) {}");
  launch.stop = stop.get_token();
  stop.request_stop();
  const auto simulation = simulate(launch);
  ASSERT_FALSE(simulation.ok());
  EXPECT_SAYS(simulation.error().message);
}

TEST(Faults, AMisalignedAccessAndANullPointer) {
  expectFault(body("double* d = (double*)(out + 1); d[0] = 1.0;"));
  expectFault(body("float* p = (float*)0ull; p[0] = 1.0f;"));
}

TEST(Launches, OutOfTheHardwaresBoundsAreRefused) {
  expectFault(body("out[0] = 1.0f;", 0));
  expectFault(body("out[0] = 1.0f;", 1025));
  Launch grid = body("out[0] = 1.0f;");
  grid.grid.y = 70000;
  expectFault(grid);
  Launch shared = body("out[0] = 1.0f;");
  shared.dynamicSharedBytes = 1u << 20;
  expectFault(shared);
  Launch huge = body("out[0] = 1.0f;");
  huge.arguments[0].count = std::uint64_t{1} << 35;
  expectFault(huge);
}

TEST(Launches, ArgumentsThatDoNotFitAreRefused) {
  Launch few = body("out[0] = 1.0f;");
  few.arguments.clear();
  expectFault(few);
  Launch type = body("out[0] = 1.0f;");
  type.arguments[0] = parseArgument("i32:zero:4").value();
  expectFault(type);
  for (const char* spec : {"", "f32", "f32:hash", "f32:hash:0", "f32:hash:x", "f33:hash:4", "f32:none:4",
                           "u32=-1", "i32=1.5", "u8=256", "f32x4=1", "u32="}) {
    EXPECT_FALSE(parseArgument(spec).ok()) << spec;
  }
}

TEST(Launches, OfAStrategySayWhatIsWrongWithN) {
  const MachineModel& machine = machinePresets()[0];
  const auto sentence = [&](const char* id, std::uint64_t n, std::uint64_t blocks) {
    const auto launch = makeLaunch(*findStrategy(id), n, blocks, machine);
    return launch.ok() ? std::string() : launch.error().sentence();
  };
  EXPECT_SAYS(sentence("baseline", 100, 1));
  EXPECT_SAYS(sentence("baseline", 100, 3));
  EXPECT_SAYS(sentence("baseline", 2048, 1));
  EXPECT_NE(sentence("baseline", 0, 1).find("N is 0"), std::string::npos);
  EXPECT_SAYS(sentence("baseline", 8, 0));
  EXPECT_SAYS(sentence("shuffle", 1, 1));
  EXPECT_SAYS(sentence("shuffle", 33, 1));
  EXPECT_SAYS(sentence("baseline", 66, 2));
  EXPECT_EQ(sentence("shuffle", 2048, 1), "");
}

TEST(Traces, OfABlockThatIsNotThereAreRefused) {
  EXPECT_FALSE(recordTrace(testing::strategyLaunch("baseline", 8, "tiny"), {1, 0, 0}).ok());
}

TEST(Traces, PastTheirLimitEndWithASentence) {
  Launch launch = body("while (true) { out[0] = 1.0f; }");
  launch.limits.traceBytes = 100000;  // and not by the limits on instructions, which take minutes
  launch.limits.warpInstructions = launch.limits.blockInstructions = UINT64_MAX;
  const auto trace = recordTrace(launch);
  ASSERT_FALSE(trace.ok());
  EXPECT_SAYS(trace.error().message);
  ASSERT_EQ(trace.error().diagnostics.size(), 1U) << "where it was";
  EXPECT_EQ(launch.source->slice(trace.error().diagnostics[0].span), "while");
}

}  // namespace
}  // namespace lanescope
