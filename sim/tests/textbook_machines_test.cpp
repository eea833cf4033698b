// The machines of textbooks, held to the worked examples of what describes them: the CUDA C Programming
// Guide 4.2, appendices G.3 (compute capability 1.x) and G.5 (3.x), and lecture notes on reductions and
// transposes with eight banks and with banks of 64 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "sim/memory/access_costs.h"
#include "sim/tests/lane_addresses.h"
#include "sim/tests/launches.h"
#include "sim/trace/hazards.h"
#include "sim/trace/run.h"

namespace lanescope {

/// For the names of tests; where the type is, as the lookup wants it.
static void PrintTo(const MachineModel& machine, std::ostream* out) { *out << machine.name; }

namespace {

using testing::computeAddresses;

std::uint32_t allLanes(const MachineModel& machine) {
  return machine.warpSize == 32 ? ~0u : (1u << machine.warpSize) - 1;
}

template <class F>
SharedCost costOn(std::string_view name, F f, unsigned bytes = 4, AccessKind kind = AccessKind::Load) {
  const MachineModel& machine = *findMachine(name);
  return sharedCost(machine, {computeAddresses(f), allLanes(machine), bytes, kind});
}

template <class F>
std::uint32_t wavefrontsOn(std::string_view name, F f, unsigned bytes = 4,
                           AccessKind kind = AccessKind::Load) {
  return costOn(name, f, bytes, kind).wavefronts;
}

auto byStride(std::uint32_t stride, unsigned bytes = 4) {
  return [=](std::uint32_t lane) { return lane * stride * bytes; };
}

TEST(G80, HalfWarpsGoOneAfterTheOtherAndNeverConflictWithEachOther) {
  EXPECT_EQ(wavefrontsOn("g80", byStride(1)), 2u);
  EXPECT_EQ(costOn("g80", byStride(1)).ideal, 2u);
  // Lanes l and l + 16 ask one bank for different words: no conflict, they are of two halves.
  EXPECT_EQ(wavefrontsOn("g80", [](std::uint32_t l) { return (l % 16 + l / 16 * 64) * 4; }), 2u);
  // One lane of each half: two requests, and no fewer would do.
  const SharedCost two = sharedCost(*findMachine("g80"), {computeAddresses(byStride(1)), 0x10001, 4});
  EXPECT_EQ(two.wavefronts, 2u);
  EXPECT_EQ(two.ideal, 2u);
}

TEST(G80, AStrideConflictsByItsCommonFactorWithSixteen) {  // G.3.3.1
  for (const std::uint32_t stride : {1u, 3u, 5u, 7u, 15u, 17u})
    EXPECT_EQ(wavefrontsOn("g80", byStride(stride)), 2u);
  EXPECT_EQ(wavefrontsOn("g80", byStride(2)), 4u);
  EXPECT_EQ(wavefrontsOn("g80", byStride(4)), 8u);
  EXPECT_EQ(wavefrontsOn("g80", byStride(6)), 4u);
  EXPECT_EQ(wavefrontsOn("g80", byStride(16)), 32u);
  EXPECT_EQ(wavefrontsOn("g80", byStride(32), 4, AccessKind::Store), 32u);
}

TEST(G80, OneWordIsBroadcastInAStep) {  // G.3.3.2
  EXPECT_EQ(wavefrontsOn("g80", [](std::uint32_t) { return 400u; }), 2u);
  // Two words of different banks, eight lanes of a half each. Step 1: the broadcast word serves its
  // eight, the other bank one lane; step 2: the rest, by broadcast.
  const auto twoWords = [](std::uint32_t l) { return l % 2 * 4; };
  EXPECT_EQ(wavefrontsOn("g80", twoWords), 4u);
  EXPECT_EQ(wavefrontsOn("nvidia", twoWords), 1u);
  // A store to one address is done once per half, whichever lane wins.
  EXPECT_EQ(wavefrontsOn("g80", twoWords, 4, AccessKind::Store), 2u);
  // The words of two lanes beside fourteen of their own banks: one step suffices.
  EXPECT_EQ(wavefrontsOn("g80", [](std::uint32_t l) { return l % 16 == 1 ? 0 : l % 16 * 4; }), 2u);
}

TEST(G80, NarrowNeighboursConflictAndSpreadOnesDoNot) {  // G.3.3.3
  EXPECT_GT(wavefrontsOn("g80", byStride(1, 1)), 2u);
  EXPECT_EQ(wavefrontsOn("g80", byStride(4, 1)), 2u);
  EXPECT_EQ(wavefrontsOn("g80", byStride(1, 1), 1, AccessKind::Store), 8u);  // four bytes of a word in turn
}

TEST(G80, WideAccessesAreRequestsOf32Bits) {  // G.3.3.4
  // shared[tid] of doubles: two requests of stride 2, each with a 2-way conflict, in each half.
  EXPECT_EQ(wavefrontsOn("g80", byStride(1, 8), 8), 8u);
  EXPECT_EQ(costOn("g80", byStride(1, 8), 8).ideal, 4u);
  EXPECT_EQ(wavefrontsOn("g80", byStride(1, 16), 16), 32u);
  // Structures of three floats, member by member: stride 3 is free. Of two floats: stride 2 is not.
  EXPECT_EQ(wavefrontsOn("g80", byStride(3)), 2u);
  EXPECT_EQ(wavefrontsOn("g80", byStride(2)), 4u);
}

std::uint32_t countSectors(std::string_view name, std::uint64_t base, std::uint32_t mask, unsigned bytes,
                           std::uint32_t (*findShownWord)(std::uint32_t)) {
  std::array<std::uint64_t, kMaxLanes> addresses;
  for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) addresses[lane] = base + findShownWord(lane) * bytes;
  return globalSectors(*findMachine(name), addresses, mask, bytes);
}

TEST(G80, GlobalAccessesCoalesceInOrderFromAnAlignedStart) {  // G.3.2.1, and its figures
  const auto inOrder = [](std::uint32_t l) { return l; };
  EXPECT_EQ(countSectors("g80", 1024, ~0u, 4, inOrder), 4u);         // two transfers of 64 bytes
  EXPECT_EQ(countSectors("g80", 1024, ~0u, 8, inOrder), 8u);         // two of 128
  EXPECT_EQ(countSectors("g80", 1024, ~0u, 16, inOrder), 16u);       // four of 128
  EXPECT_EQ(countSectors("g80", 1024, 0xfff7ffff, 4, inOrder), 4u);  // also with lanes absent
  EXPECT_EQ(countSectors("g80", 1024, 0xffff, 4, inOrder), 2u);      // one half
  EXPECT_EQ(countSectors("g80", 1024 + 4, ~0u, 4, inOrder), 32u);    // misaligned: one by one
  EXPECT_EQ(countSectors("g80", 1024, ~0u, 4, [](std::uint32_t l) { return l ^ 1; }), 32u);  // out of order
  EXPECT_EQ(countSectors("g80", 1024, ~0u, 4, [](std::uint32_t l) { return 2 * l; }), 32u);  // strided
  EXPECT_EQ(countSectors("g80", 1024, ~0u, 1, inOrder), 32u);  // bytes never coalesce
  EXPECT_EQ(countSectors("nvidia", 1024 + 4, ~0u, 4, inOrder), 5u);
}

TEST(Kepler64, BanksAreEightBytesWide) {  // G.5.3.1, 64-bit mode
  EXPECT_EQ(wavefrontsOn("kepler64", byStride(1)), 1u);
  EXPECT_EQ(wavefrontsOn("kepler64", byStride(2)), 1u);  // 2-way with banks of 4 bytes
  EXPECT_EQ(wavefrontsOn("nvidia", byStride(2)), 2u);
  EXPECT_EQ(wavefrontsOn("kepler64", byStride(4)), 2u);
  EXPECT_EQ(wavefrontsOn("kepler64", byStride(32)), 16u);
  EXPECT_EQ(wavefrontsOn("kepler64", byStride(1, 8), 8), 1u);  // doubles at full speed
  EXPECT_EQ(wavefrontsOn("kepler64", byStride(2, 8), 8), 2u);
  EXPECT_EQ(wavefrontsOn("kepler64", byStride(1, 16), 16), 2u);
  // bank = (byte address / 8) mod 32: bytes 0 and 256 are one bank, two words.
  EXPECT_EQ(wavefrontsOn("kepler64", [](std::uint32_t l) { return l % 2 * 256; }), 2u);
  // Both halves of one 64-bit word, read or written: no conflict.
  EXPECT_EQ(wavefrontsOn(
                "kepler64", [](std::uint32_t l) { return l % 2 * 4; }, 4, AccessKind::Store),
            1u);
}

// What a full warp's doubles need: two groups on banks of 4 bytes, one on those of 8; never two words of a
// bank.
TEST(BankPasses, OfDoublesComeByGroups) {
  const auto addresses = computeAddresses(byStride(1, 8));
  const auto wavefronts = [&](std::string_view name) {
    return bankWavefronts(*findMachine(name), {addresses, ~0u, 8, AccessKind::Store});
  };
  const std::vector<BankWavefront> narrow = wavefronts("nvidia");
  ASSERT_EQ(narrow.size(), 2u);
  EXPECT_EQ(narrow[0].lanes, 0xffffu);
  EXPECT_EQ(narrow[1].lanes, 0xffff0000u);
  EXPECT_EQ(narrow[1].group, 1u);
  EXPECT_EQ(narrow[0].words.size(), 32u);
  EXPECT_EQ(narrow[1].words.front(), 32u);
  const std::vector<BankWavefront> wide = wavefronts("kepler64");
  ASSERT_EQ(wide.size(), 1u);
  EXPECT_EQ(wide[0].words.back(), 31u) << "numbered by a bank's width";
}

// The transpose of the notes: a column of tile[32][32 + padding] read by a warp.
TEST(Kepler64, TwoWordsOfPaddingSuitItsTransposeAndOneWordTheOthers) {
  const auto column = [](std::uint32_t padding) {
    return [=](std::uint32_t lane) { return lane * (32 + padding) * 4; };
  };
  EXPECT_EQ(wavefrontsOn("kepler64", column(0)), 16u);
  EXPECT_EQ(wavefrontsOn("kepler64", column(2)), 1u);
  EXPECT_EQ(wavefrontsOn("nvidia", column(0)), 32u);
  EXPECT_EQ(wavefrontsOn("nvidia", column(1)), 1u);
  EXPECT_EQ(wavefrontsOn("nvidia", column(2)), 2u);
}

// The notes' drawing: bank 7 holds words 7, 15 and 23; sequential addressing has no conflicts.
TEST(Eight, HalfWarpsOfEightLanesMeetEightBanks) {
  EXPECT_EQ(wavefrontsOn("eight", byStride(1)), 2u);
  EXPECT_EQ(costOn("eight", byStride(1)).ideal, 2u);
  EXPECT_EQ(wavefrontsOn("eight", byStride(2)), 4u);
  EXPECT_EQ(wavefrontsOn("eight", byStride(4)), 8u);
  EXPECT_EQ(wavefrontsOn("eight", [](std::uint32_t l) { return (l % 3 * 8 + 7) * 4; }),
            6u);                                                            // words 7, 15, 23
  EXPECT_EQ(wavefrontsOn("eight", [](std::uint32_t) { return 12u; }), 2u);  // data[3] goes to all who ask
}

TEST(Eight, TheReductionConflictsOnlyWithStridesOfThreads) {
  const auto conflicts = [](const char* strategy) {
    const auto simulation = simulate(testing::strategyLaunch(strategy, 64, "eight"));
    EXPECT_TRUE(simulation.ok());
    return simulation->counters.bankConflicts();
  };
  EXPECT_GT(conflicts("no-divergence"), 0u);
  EXPECT_EQ(conflicts("no-bank-conflict"), 0u);
}

class EveryMachine : public ::testing::TestWithParam<MachineModel> {};

TEST_P(EveryMachine, WavefrontsAreAsManyAsCountedAndServeEveryLane) {
  const MachineModel machine = GetParam();
  std::mt19937 random(static_cast<unsigned>(machine.banks * 64 + machine.bankBytes));
  for (int round = 0; round < 4000; ++round) {
    SharedRequest request;
    request.kind = static_cast<AccessKind>(random() % 3);
    request.bytes = 1u << random() % 5;
    if (request.kind == AccessKind::Atomic) {
      request.atomic = static_cast<SharedAtomic>(random() % 5);
      request.bytes = request.atomic == SharedAtomic::NarrowLoop ? 2 : std::clamp(request.bytes, 4u, 8u);
    }
    const std::uint32_t range = 1u << (1 + random() % 10);
    const auto addresses = computeAddresses(
        [&](std::uint32_t) { return static_cast<std::uint32_t>(random()) % range * request.bytes; });
    request.addresses = addresses;
    request.mask = static_cast<std::uint32_t>(round % 3 == 0 ? ~0u : random()) & allLanes(machine);
    const SharedCost cost = sharedCost(machine, request);
    const auto wavefronts = bankWavefronts(machine, request);
    ASSERT_EQ(wavefronts.size(), cost.wavefronts) << request.bytes;
    ASSERT_LE(cost.loads, cost.wavefronts);
    ASSERT_LE(cost.ideal, cost.wavefronts);
    std::uint32_t served = 0;
    std::uint32_t number = 0;
    std::uint32_t group = 0;
    for (const BankWavefront& wavefront : wavefronts) {
      ASSERT_NE(wavefront.lanes, 0u);
      served |= wavefront.lanes;
      // A group's wavefronts follow one another, and no bank gives two words in one.
      ASSERT_TRUE(wavefront.group == group || wavefront.group == number) << number;
      group = wavefront.group;
      ++number;
      std::uint32_t banks = 0;
      for (const std::uint32_t word : wavefront.words) {
        ASSERT_EQ(banks >> word % machine.banks & 1u, 0u) << word;
        banks |= 1u << word % machine.banks;
      }
      ASSERT_NE(banks, 0u);
      // What one wavefront serves needs no second one, where each lane moves one word.
      if (request.bytes <= machine.bankBytes && request.kind != AccessKind::Atomic) {
        SharedRequest alone = request;
        alone.mask = wavefront.lanes;
        ASSERT_EQ(sharedCost(machine, alone).wavefronts, 1u);
      }
    }
    ASSERT_EQ(served, request.mask);
  }
}

TEST_P(EveryMachine, RunsAndTracesEveryStrategyToTheRightSum) {
  const auto expected = simulate(testing::strategyLaunch("baseline", 64, "nvidia"));
  for (const Strategy& strategy : strategies()) {
    const auto launch = makeLaunch(strategy, 64, 1, GetParam());
    ASSERT_TRUE(launch.ok()) << strategy.id;
    const auto simulation = simulate(*launch);
    ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
    if (strategy.reducesToOne() && strategy.broken.empty()) {
      EXPECT_EQ(simulation->outputs[0].sum, expected->outputs[0].sum) << strategy.id;
    }
    EXPECT_TRUE(recordTrace(*launch).ok());
  }
}

/// Sums thread numbers in tiles, and writes each thread's rank and the tile's ballot of odd ranks.
Launch tiles(unsigned threads, const MachineModel& machine) {
  const std::string size = std::to_string(threads);
  Launch launch = testing::launchText(
      "namespace cg = cooperative_groups;\n__global__ void k(int* sums, int* ranks, unsigned* odd) {\n"
      "auto tile = cg::tiled_partition<" +
          size +
          ">(cg::this_thread_block());\n"
          "sums[threadIdx.x] = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());\n"
          "ranks[threadIdx.x] = tile.shfl((int)tile.thread_rank(), " +
          size +
          " - 1);\n"
          "odd[threadIdx.x] = tile.ballot(threadIdx.x % 2);\ntile.sync();\n}\n",
      64, {"i32:zero:64", "i32:zero:64", "u32:zero:64"});
  launch.machine = machine;
  return launch;
}

TEST_P(EveryMachine, TilesAreRightOrRefusedInOneSentence) {
  for (unsigned threads = 1; threads <= 32; threads *= 2) {
    SCOPED_TRACE(threads);
    const auto simulation = simulate(tiles(threads, GetParam()));
    if (threads > GetParam().warpSize) {
      ASSERT_FALSE(simulation.ok());
      EXPECT_NE(
          simulation.error().sentence().find("Use tiles of at most " + std::to_string(GetParam().warpSize)),
          std::string::npos)
          << simulation.error().sentence();
      continue;
    }
    ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
    for (unsigned thread = 0; thread < 64; ++thread) {
      const unsigned first = thread / threads * threads;
      EXPECT_EQ(testing::elements<unsigned>(*simulation, 0)[thread],
                threads * first + threads * (threads - 1) / 2);
      EXPECT_EQ(testing::elements<unsigned>(*simulation, 1)[thread], threads - 1);
      const std::uint64_t odd = threads == 1 ? thread % 2 : 0xaaaaaaaau & ((std::uint64_t{1} << threads) - 1);
      EXPECT_EQ(testing::elements<unsigned>(*simulation, 2)[thread], odd);
    }
    const auto hazards = findHazards(tiles(threads, GetParam()));
    ASSERT_TRUE(hazards.ok());
    EXPECT_TRUE(hazards->hazards.empty()) << hazards->hazards[0].message;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryMachine,
                         ::testing::ValuesIn(machinePresets().begin(), machinePresets().end()),
                         [](const auto& machine) { return std::string(machine.param.name); });

}  // namespace
}  // namespace lanescope
