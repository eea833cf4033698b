// The textbook's eight elements: what shared memory holds after every phase, on the machine with
// warps of two lanes and two banks. The states are those of the note on CUDA reductions.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "sim/tests/launches.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

/// A trace as the golden files write it: `label | active threads | words`, a phase a line, and under
/// it what the threads hold in registers, where they exchange them.
std::string written(const Trace& trace) {
  std::string text;
  for (const Phase& phase : trace.phases) {
    text += phase.label + " |";
    for (const std::uint32_t thread : phase.activeThreads) text += " " + std::to_string(thread);
    text += " |";
    for (const Word& word : phase.sharedAfter)
      text += " " + (word.written ? trace.provenance.text(word.from) : "-");
    text += "\n";
    if (phase.exchanged.empty()) continue;
    text += "  registers |";
    for (const ProvenanceId id : phase.exchanged) text += " " + trace.provenance.text(id);
    text += "\n";
  }
  return text;
}

class EightElements : public ::testing::TestWithParam<const char*> {};

TEST_P(EightElements, StatesAreThoseOfTheNote) {
  const auto trace = recordTrace(testing::strategyLaunch(GetParam(), 8, "tiny"));
  ASSERT_TRUE(trace.ok()) << trace.error().sentence();
  std::ifstream file(std::string(LANESCOPE_SOURCE_DIR "/sim/tests/golden/") + GetParam() + ".txt");
  ASSERT_TRUE(file.good());
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(written(*trace), golden.str());
}

INSTANTIATE_TEST_SUITE_P(AllStrategies, EightElements,
                         ::testing::Values("baseline", "no-divergence", "no-bank-conflict", "add-during-load",
                                           "unroll-last-warp", "shuffle"));

std::vector<std::string> makeLabels(std::string_view strategy, std::uint64_t n, std::string_view machine) {
  const auto trace = recordTrace(testing::strategyLaunch(strategy, n, machine));
  EXPECT_TRUE(trace.ok()) << strategy;
  std::vector<std::string> labels;
  if (!trace) return labels;
  for (const Phase& phase : trace->phases) labels.push_back(phase.label);
  return labels;
}

TEST(Phases, OnAWarpOf32TheStepsWithoutABarrierAreStillPhases) {
  const std::vector<std::string> expected = {"add during load", "step size 32", "step size 16", "step size 8",
                                             "step size 4",     "step size 2",  "step size 1",  "store"};
  EXPECT_EQ(makeLabels("unroll-last-warp", 128, "nvidia"), expected);
}

TEST(Phases, InGlobalMemoryAreCalledAsInSharedMemory) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(makeLabels("block-tree", 8, "tiny"), (Labels{"step size 1", "step size 2", "step size 4"}));
  EXPECT_EQ(makeLabels("global-memory", 256, "nvidia"),
            (Labels{"step size 128", "step size 64", "step size 32", "step size 16", "step size 8",
                    "step size 4", "step size 2", "step size 1"}));
  const auto trace = recordTrace(testing::strategyLaunch("global-memory", 64, "nvidia"));
  ASSERT_TRUE(trace.ok());
  std::vector<std::size_t> threads;
  for (const Phase& phase : trace->phases) threads.push_back(phase.activeThreads.size());
  EXPECT_EQ(threads, (std::vector<std::size_t>{32, 16, 24, 28, 30, 31})) << "those whose words change";
  EXPECT_EQ(makeLabels("one-thread", 8, "tiny"), Labels{"add and store"});
  EXPECT_EQ(makeLabels("one-atomic", 8, "tiny"), Labels{"load and atomic"});
  EXPECT_EQ(makeLabels("transpose-by-row", 64, "nvidia"), Labels{"load and store"});
  EXPECT_EQ(makeLabels("julia-set", 64, "nvidia"), Labels{"store"});
}

TEST(Phases, EndBeforeALoadOfWhatALaneOfTheSameWarpWrote) {
  const auto countRead = [](const std::string& partner) {
    const auto trace =
        recordTrace(testing::launchText("__global__ void k(int* out) {\n  __shared__ int s[64];\n  "
                                        "s[threadIdx.x] = 1;\n  int v = s[threadIdx.x ^ " +
                                            partner + "];\n  out[threadIdx.x] = v;\n}\n",
                                        64, {"i32:zero:64"}));
    EXPECT_TRUE(trace.ok());
    return trace.ok() ? trace->phases.front().cellsRead.size() : 0;
  };
  EXPECT_EQ(countRead("1"), 0u);
  EXPECT_EQ(countRead("32"), 64u) << "of the other warp: in the same phase";
}

TEST(Phases, ResultsThatLeaveByAnAtomicHaveTheirOwn) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(makeLabels("shared-tree-atomic", 8, "tiny"),
            (Labels{"load", "step size 1", "step size 2", "step size 4", "atomic"}));
  EXPECT_EQ(makeLabels("float4-loads", 64, "nvidia").back(), "atomic");
}

TEST(Phases, AreNamedByWhatTheyDoAlsoWhereTheyDoSeveralThings) {
  using Labels = std::vector<std::string>;
  const Labels labels = makeLabels("last-block-done", 8, "tiny");
  const auto drawn = std::ranges::find(labels, "store and atomic");
  ASSERT_NE(drawn, labels.end());
  EXPECT_EQ(*(drawn + 1), "add during load");
}

TEST(Phases, WordsOfTwoArraysAtOnePlaceAreOneStep) {
  const std::vector<std::string> expected = {"add during load", "step size 8", "step size 4",
                                             "step size 2",     "step size 1", "store"};
  EXPECT_EQ(makeLabels("kahan", 64, "nvidia"), expected);
}

}  // namespace
}  // namespace lanescope
