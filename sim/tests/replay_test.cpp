// Replay: forward and back give equal states, at every grain; and the end is what the run left.
#include "sim/trace/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/memory/access_costs.h"
#include "sim/tests/launches.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

struct ReplayCase {
  const char* strategy;
  std::uint64_t n;
  const char* machine;
};

void PrintTo(const ReplayCase& c, std::ostream* out) { *out << c.strategy << " " << c.n << " " << c.machine; }

class ReplayOf : public ::testing::TestWithParam<ReplayCase> {
 protected:
  void SetUp() override {
    const ReplayCase& c = GetParam();
    launch_ = testing::strategyLaunch(c.strategy, c.n, c.machine);
    auto trace = recordTrace(launch_);
    ASSERT_TRUE(trace.ok()) << trace.error().sentence();
    trace_ = std::make_shared<const Trace>(std::move(*trace));
  }
  Launch launch_;
  std::shared_ptr<const Trace> trace_;
};

TEST_P(ReplayOf, EveryStateOnTheWayBackIsTheOneOnTheWayForward) {
  Replay replay(trace_);
  std::vector<ReplayState> states{replay.state()};
  while (replay.forward(Grain::Instruction)) states.push_back(replay.state());
  ASSERT_EQ(states.size(), trace_->steps.size() + 1);
  EXPECT_NE(states.front(), states.back());
  for (std::size_t step = states.size() - 1; step-- > 0;) {
    ASSERT_TRUE(replay.back(Grain::Instruction));
    ASSERT_TRUE(replay.state() == states[step]) << "at step " << step;
  }
  EXPECT_FALSE(replay.back(Grain::Instruction));
  std::mt19937 random(7);
  for (int i = 0; i < 50; ++i) {
    const auto step = static_cast<std::uint32_t>(random() % states.size());
    replay.seek(step);
    ASSERT_TRUE(replay.state() == states[step]);
  }
}

TEST_P(ReplayOf, CoarseAndFineGrainsMeetTheSameStates) {
  Replay fine(trace_);
  Replay coarse(trace_);
  for (std::size_t phase = 0; phase < trace_->phases.size(); ++phase) {
    ASSERT_TRUE(coarse.forward(Grain::Phase));
    while (fine.cursor().steps < trace_->phases[phase].endStep ||
           fine.cursor().wavefront < trace_->steps[fine.cursor().steps - 1].wavefronts) {
      ASSERT_TRUE(fine.forward(Grain::Wavefront));
    }
    ASSERT_TRUE(fine.state() == coarse.state()) << "after phase " << phase;
    EXPECT_EQ(fine.cursor(), coarse.cursor());
  }
  EXPECT_TRUE(coarse.atEnd());
  EXPECT_FALSE(coarse.forward(Grain::Phase));
  for (std::size_t phase = trace_->phases.size(); phase-- > 0;) {
    ASSERT_TRUE(coarse.back(Grain::Phase));
    EXPECT_EQ(coarse.cursor().steps, trace_->phases[phase].firstStep);
  }
  EXPECT_TRUE(coarse.atStart());
}

TEST_P(ReplayOf, TheEndIsWhatTheRunLeft) {
  const auto simulation = simulate(launch_);
  ASSERT_TRUE(simulation.ok());
  Replay replay(trace_);
  replay.seek(UINT32_MAX);
  EXPECT_EQ(replay.state().counters, trace_->total);
  EXPECT_EQ(trace_->total, simulation->counters);
  Counters phases;
  for (const Phase& phase : trace_->phases) phases += phase.counters;
  EXPECT_EQ(phases, trace_->total);
  std::size_t buffer = 0;
  for (const TracedArray& array : trace_->arrays) {
    if (array.space != MemorySpace::Global) continue;
    const auto words = testing::elements<std::uint32_t>(*simulation, buffer++);
    ASSERT_EQ(words.size(), array.cellCount);
    for (std::uint32_t i = 0; i < array.cellCount; ++i) {
      ASSERT_EQ(replay.state().cells[array.firstCell + i].bits, words[i]);
    }
  }
  EXPECT_EQ(buffer, 2u);
}

TEST_P(ReplayOf, WavefrontsOfASharedAccessServeEveryLaneOnce) {
  int accesses = 0;
  for (const Step& step : trace_->steps) {
    if (step.kind != StepKind::SharedLoad && step.kind != StepKind::SharedStore) continue;
    std::array<std::uint32_t, kMaxLanes> addresses{};
    for (std::uint32_t a = 0; a < step.accesses.count; ++a) {
      const LaneAccess& access = trace_->accesses[step.accesses.first + a];
      addresses[access.lane] = access.address;
    }
    const auto wavefronts =
        bankWavefronts(trace_->launch.machine, {addresses, step.active, 4, AccessKind::Load});
    ASSERT_EQ(wavefronts.size(), step.wavefronts);
    std::uint32_t served = 0;
    for (const BankWavefront& wavefront : wavefronts) {
      EXPECT_EQ(served & wavefront.lanes, 0u);
      served |= wavefront.lanes;
    }
    EXPECT_EQ(served, step.active);
    ++accesses;
  }
  EXPECT_GT(accesses, 0);
}

std::vector<ReplayCase> allCases() {
  std::vector<ReplayCase> cases;
  for (const char* strategy :
       {"baseline", "no-divergence", "no-bank-conflict", "add-during-load", "unroll-last-warp", "shuffle"}) {
    for (const std::uint64_t n : {8U, 64U, 256U}) {
      for (const char* machine : {"tiny", "nvidia"}) cases.push_back({strategy, n, machine});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllStrategies, ReplayOf, ::testing::ValuesIn(allCases()), [](const auto& test) {
  std::string name =
      std::string(test.param.strategy) + "_" + std::to_string(test.param.n) + "_" + test.param.machine;
  std::ranges::replace(name, '-', '_');
  return name;
});

// The way out of a block that ends on a barrier joins the phase before, which then counts once.
TEST(Replay, ThePhasesOfABlockThatEndsWithoutAnAccessAddUp) {
  const auto launch = testing::launchText(R"(
__global__ void k(float* a) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x > 70) a[0] = 1;
})",
                                          64, {"f32:hash:64"});
  const auto trace = recordTrace(launch);
  ASSERT_TRUE(trace.ok()) << trace.error().sentence();
  const auto simulation = simulate(launch);
  ASSERT_TRUE(simulation.ok());
  EXPECT_EQ(trace->total, simulation->counters);
  Counters ofPhases;
  for (const Phase& phase : trace->phases) ofPhases += phase.counters;
  EXPECT_EQ(ofPhases, simulation->counters);
}

/// The states of the first lanes of warps after that many steps.
std::vector<LaneState> firstLanes(Replay& replay, std::uint32_t steps) {
  replay.seek(steps);
  std::vector<LaneState> states;
  for (std::uint32_t warp = 0; warp < replay.trace().warps; ++warp)
    states.push_back(laneState(replay.trace(), replay.state(), warp, 0));
  return states;
}

TEST(Replay, AWarpIsAtABarrierUntilAnotherHasGonePastIt) {
  const auto launch = testing::launchText(R"(
__global__ void k(int* a) {
  __shared__ int s[96];
  if (threadIdx.x >= 64) return;
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 4) {
    a[threadIdx.x] = s[63 - threadIdx.x];
  }
  __syncthreads();
})",
                                          96, {"i32:zero:96"});
  auto recorded = recordTrace(launch);
  ASSERT_TRUE(recorded.ok()) << recorded.error().sentence();
  Replay replay(std::make_shared<const Trace>(std::move(*recorded)));
  const Trace& trace = replay.trace();
  std::vector<std::uint32_t> arrivals;
  for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
    if (trace.steps.kindAt(step) == StepKind::BlockBarrier) arrivals.push_back(step + 1);
  }
  ASSERT_EQ(arrivals.size(), 4U) << "of two warps at two barriers: the third has exited";
  using enum LaneState;
  EXPECT_EQ(firstLanes(replay, arrivals[0]), (std::vector{AtBarrier, NotStarted, NotStarted}));
  EXPECT_EQ(firstLanes(replay, arrivals[1] - 1), (std::vector{AtBarrier, Active, NotStarted}));
  EXPECT_EQ(firstLanes(replay, arrivals[1]), (std::vector{AtBarrier, AtBarrier, NotStarted}));
  // The third has exited once the barrier opens, and warp 1 has not had its turn.
  std::uint32_t past = arrivals[1];
  while (trace.steps[past].warp != 0) ++past;
  EXPECT_EQ(firstLanes(replay, past), (std::vector{AtBarrier, AtBarrier, Exited}));
  EXPECT_EQ(firstLanes(replay, past + 1), (std::vector{Active, Active, Exited}));
  EXPECT_FALSE(WaitingWarps(trace, replay.state()).contains(1));
  EXPECT_EQ(firstLanes(replay, arrivals[2]), (std::vector{AtBarrier, Active, Exited})) << "at the next one";
  EXPECT_EQ(laneState(trace, replay.state(), 1, 5), Active);
  EXPECT_EQ(firstLanes(replay, arrivals[3]), (std::vector{AtBarrier, AtBarrier, Exited}));
  EXPECT_EQ(firstLanes(replay, past), (std::vector{AtBarrier, AtBarrier, Exited})) << "going back";
  EXPECT_EQ(firstLanes(replay, UINT32_MAX), (std::vector{Exited, Exited, Exited}));
}

// Lanes that a warp-synchronous step parts into phases while another warp is at the barrier.
TEST(Replay, ABarrierHoldsOverTheEndOfAPhase) {
  const auto launch = testing::launchText(R"(
__global__ void k(int* a) {
  int v = a[threadIdx.x];
  if (threadIdx.x >= 32) v += __shfl_xor_sync(0xffffffff, v, 1);
  __syncthreads();
  a[threadIdx.x] = v;
})",
                                          64, {"i32:zero:64"});
  auto recorded = recordTrace(launch);
  ASSERT_TRUE(recorded.ok()) << recorded.error().sentence();
  Replay replay(std::make_shared<const Trace>(std::move(*recorded)));
  const Trace& trace = replay.trace();
  ASSERT_GT(trace.phases.size(), 1U);
  std::uint32_t shuffle = 0;
  while (trace.steps.kindAt(shuffle) != StepKind::Shuffle) ++shuffle;
  ASSERT_GT(trace.steps[shuffle].phase, 0U);
  EXPECT_EQ(firstLanes(replay, shuffle + 1), (std::vector{LaneState::AtBarrier, LaneState::Active}));
}

TEST(Replay, AtomicsAddUpToTheBlocksCounters) {
  const auto launch = testing::launchText(R"(
__global__ void k(unsigned* out) {
  __shared__ unsigned h[4];
  h[threadIdx.x & 3] = 0;
  __syncthreads();
  atomicAdd(&h[threadIdx.x & 3], 1u);
  unsigned before = atomicAdd(&h[threadIdx.x & 1], 2u);
  atomicMax(&out[0], threadIdx.x);
  out[1 + threadIdx.x] = before + atomicAdd(&out[0], 1u);
})",
                                          64, {"u32:zero:65"});
  auto trace = recordTrace(launch);
  ASSERT_TRUE(trace.ok()) << trace.error().sentence();
  EXPECT_EQ(trace->total.atomics, 8u);
  EXPECT_GT(trace->total.globalAtomicSectors, 0u);
  EXPECT_GT(trace->total.globalReductionSectors, 0u);
  Replay replay(std::make_shared<const Trace>(std::move(*trace)));
  replay.seek(UINT32_MAX);
  EXPECT_EQ(replay.state().counters, replay.trace().total);
}

}  // namespace
}  // namespace lanescope
