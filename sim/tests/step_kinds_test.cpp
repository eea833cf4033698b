// A counter is a row: whatever kind of event it asks for, a run that counts and a replay tell it the same.
#include <gtest/gtest.h>

#include <array>

#include "sim/machine/run/block_runner.h"
#include "sim/machine/run/prepare.h"
#include "sim/tests/launches.h"
#include "sim/trace/replay.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

/// Statements of two warps that make such an event: `t` is the thread, `s` shared, `c` constant memory.
constexpr const char* makes(StepKind kind) {
  switch (kind) {
    case StepKind::SharedLoad: return "s[t] = t; out[t] = s[t * 2 % 64];";
    case StepKind::SharedStore: return "s[t * 4 % 64] = t;";
    case StepKind::SharedAtomic: return "s[t] = 0; atomicAdd(&s[t % 4], t); atomicCAS(&s[t % 2], 0, 1);";
    case StepKind::GlobalLoad: return "out[t] += 1; if (t % 3 == 0) out[t] = out[(t + 5) % 64];";
    case StepKind::GlobalStore: return "out[t * 8 % 64] = t;";
    case StepKind::GlobalAtomic: return "atomicMax(out, t); out[t] = atomicAdd(out + t % 2, 1);";
    case StepKind::ConstantLoad: return "out[t] = c[t % 3] + c[1];";
    case StepKind::Shuffle:
      return "out[t] = __shfl_down_sync(~0u, t, 1) + __shfl_xor_sync(~0u, (double)t, 2);";
    case StepKind::Reduce:
      return "out[t] = __reduce_add_sync(~0u, t); if (t < 9) out[t] += __reduce_max_sync(0x1ff, t);";
    case StepKind::Vote: return "out[t] = __ballot_sync(~0u, t > 3); if (t < 9) out[t] += __activemask();";
    case StepKind::Branch: return "if (t < 7) out[t] = 1; for (int k = 0; k < t % 5; ++k) out[t] += k;";
    case StepKind::Assign: return "int x = t; double y = t; if (t > 40) x = 2; out[t] = x + y;";
    case StepKind::BlockBarrier: return "__syncthreads(); out[t] = __syncthreads_or(t == 2);";
    case StepKind::WarpBarrier: return "__syncwarp(); if (t < 4) __syncwarp(15);";
    case StepKind::Print: return "if (t % 2 == 0) printf(\"%d\\n\", t);";
    case StepKind::Exit: return "if (t % 3 == 0) return; out[t] = 1;";
    case StepKind::Fault: return "out[t] = 1; out[t * 2] = 2;";
  }
  return nullptr;
}

Launch launchOfKind(StepKind kind) {
  return testing::launchText(
      "__constant__ int c[4] = {1, 2, 3, 4};\n"
      "__global__ void k(int* out) {\n"
      "  __shared__ int s[64];\n"
      "  int t = threadIdx.x;\n" +
          std::string(makes(kind)) + "\n}\n",
      64, {"i32:zero:64"});
}

/// All that counters may ask of the events of a kind, added up.
struct Sums {
  std::uint64_t events = 0, lanes = 0, warpSizes = 0, taken = 0, wavefronts = 0, ideal = 0, loads = 0,
                sectors = 0, constants = 0, used = 0;
  bool operator==(const Sums&) const = default;
};
using Tally = std::array<Sums, kStepKinds>;

void add(Tally& tally, const Event& event) {
  Sums& sums = tally[static_cast<std::size_t>(event.kind)];
  ++sums.events;
  sums.lanes += lanesIn(event.active);
  sums.warpSizes += event.warpSize;
  sums.taken += event.taken;
  sums.wavefronts += event.wavefronts;
  sums.ideal += event.idealWavefronts;
  sums.loads += event.loadWavefronts;
  sums.sectors += event.sectors;
  sums.constants += event.constantAddresses;
  sums.used += event.isResultUsed ? 1U : 0U;
}

/// Counts as LineHooks do, by kind.
struct TallyHooks {
  static constexpr bool kCounts = true;
  static constexpr bool kObserves = false;
  void count(std::uint32_t /*site*/, const Event& event) { add(tally, event); }
  Tally tally{};
};

Tally tallyOfCounting(const Launch& launch, bool isFused) {
  auto prepared = prepare(launch);
  EXPECT_TRUE(prepared.ok());
  const Bytecode code = isFused ? fused(*prepared, launch) : prepared->code();
  RunControl control;
  control.instructionLimit = 1U << 20U;
  TallyHooks hooks;
  BlockRunner<TallyHooks>(launch, code, *prepared, control, hooks).run({0, 0, 0});
  return hooks.tally;
}

void expectSame(const Tally& tally, const Tally& expected, const char* what) {
  for (std::size_t kind = 0; kind < kStepKinds; ++kind) {
    EXPECT_EQ(tally[kind].events, expected[kind].events) << what << ", events of kind " << kind;
    EXPECT_TRUE(tally[kind] == expected[kind]) << what << ", kind " << kind;
  }
}

TEST(StepKinds, AreToldToCountersAndToTracesAlike) {
  for (std::size_t number = 0; number < kStepKinds; ++number) {
    const auto kind = static_cast<StepKind>(number);
    ASSERT_NE(makes(kind), nullptr);
    SCOPED_TRACE(makes(kind));
    Launch launch = launchOfKind(kind);
    const auto run = runLaunch(launch, {.traced = Dim3{0, 0, 0}, .hazards = std::nullopt});
    ASSERT_TRUE(run.ok()) << run.error().sentence();
    ASSERT_NE(run->trace, nullptr);
    Tally replayed{};
    for (const Step& step : run->trace->steps) add(replayed, makeEvent(*run->trace, step));
    EXPECT_GT(replayed[number].events, 0U);
    expectSame(tallyOfCounting(run->launch, false), replayed, "plain");
    expectSame(tallyOfCounting(run->launch, true), replayed, "fused");

    Replay replay(run->trace);
    replay.seek(static_cast<std::uint32_t>(run->trace->steps.size()));
    EXPECT_EQ(replay.state().counters, run->trace->total);
    if (kind == StepKind::Fault) continue;
    const auto counted = simulate(launch);
    ASSERT_TRUE(counted.ok());
    EXPECT_EQ(replay.state().counters, counted->counters);
  }
}

// Vectors of a thread's own array are moved at once: to count them is to trace them.
TEST(StepKinds, StoresOfVectorsToLocalArraysAreCountedAsTraced) {
  Launch launch = testing::launchText(
      "__global__ void k(float* out) {\n"
      "  float4 a[2];\n"
      "  a[threadIdx.x % 2] = ((float4*)out)[threadIdx.x];\n"
      "  ((float4*)out)[threadIdx.x] = a[threadIdx.x % 2];\n}\n",
      32, {"f32:hash:128"});
  const auto run = runLaunch(launch, {.traced = Dim3{0, 0, 0}, .hazards = std::nullopt});
  ASSERT_TRUE(run.ok() && run->trace != nullptr);
  const auto counted = simulate(launch);
  ASSERT_TRUE(counted.ok());
  EXPECT_EQ(counted->counters, run->trace->total);
}

}  // namespace
}  // namespace lanescope
