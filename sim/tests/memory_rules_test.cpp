// The rules of shared and global memory, each by a case worked out by hand.
#include <gtest/gtest.h>

#include <array>

#include "sim/memory/access_costs.h"
#include "sim/tests/lane_addresses.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using testing::cost;
using testing::nvidia;

/// Lane l asks for byte address l * stride + offset.
std::array<std::uint32_t, kMaxLanes> strided(std::uint32_t stride, std::uint32_t offset = 0) {
  std::array<std::uint32_t, kMaxLanes> addresses;
  for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) addresses[lane] = lane * stride + offset;
  return addresses;
}

TEST(SharedBanks, NeighboursTakeOneWavefront) {
  EXPECT_EQ(cost(strided(4), 4).wavefronts, 1u);
  EXPECT_EQ(cost(strided(4), 4).ideal, 1u);
}

TEST(SharedBanks, AStrideOfKWordsTakesKWavefrontsForPowersOfTwo) {
  for (const std::uint32_t k : {2u, 4u, 8u, 16u, 32u}) {
    EXPECT_EQ(cost(strided(4 * k), 4).wavefronts, k);
    EXPECT_EQ(cost(strided(4 * k), 4).ideal, 1u);
  }
}

TEST(SharedBanks, AnOddStrideHasNoConflict) {
  for (const std::uint32_t k : {3u, 5u, 31u, 33u}) EXPECT_EQ(cost(strided(4 * k), 4).wavefronts, 1u);
}

TEST(SharedBanks, LanesShareOneWordAndBytesOfOneWord) {
  EXPECT_EQ(cost(strided(0), 4).wavefronts, 1u);
  EXPECT_EQ(cost(strided(1), 1).wavefronts, 1u);
  EXPECT_EQ(cost(strided(2), 2).wavefronts, 1u);
}

TEST(SharedBanks, NobodyActiveCostsNothing) {
  EXPECT_EQ(cost(strided(4), 4, AccessKind::Load, 0).wavefronts, 0u);
  EXPECT_EQ(cost(strided(4), 4, AccessKind::Load, 0).ideal, 0u);
}

TEST(SharedBanks, WavefrontsServeWordsInTheOrderOfTheirFirstLane) {
  const auto addresses = strided(8);  // words 0, 2, … 62: lanes l and l + 16 share a bank
  const auto wavefronts = bankWavefronts(nvidia(), {addresses, ~0u, 4, AccessKind::Load});
  ASSERT_EQ(wavefronts.size(), 2u);
  EXPECT_EQ(wavefronts[0].lanes, 0x0000ffffu);
  EXPECT_EQ(wavefronts[1].lanes, 0xffff0000u);
}

TEST(SharedBanks, AWavefrontOfWideAtomicsServesAllWordsOfItsLanes) {
  // Doubles 0, 2, ... 62 of shared memory: of every four banks two are asked, each by two lanes of a
  // half-warp.
  const auto addresses = strided(16);
  for (const SharedAtomic atomic : {SharedAtomic::Native, SharedAtomic::CompareSwap}) {
    const SharedRequest request{addresses, ~0u, 8, AccessKind::Atomic, atomic};
    const auto wavefronts = bankWavefronts(nvidia(), request);
    ASSERT_EQ(wavefronts.size(), atomic == SharedAtomic::Native ? 4u : 8u);
    EXPECT_EQ(sharedCost(nvidia(), request).wavefronts, wavefronts.size());
    for (std::size_t number = 0; number < wavefronts.size(); ++number) {
      const auto first = static_cast<std::uint32_t>(32 * (number % 4));
      std::vector<std::uint32_t> words;
      for (std::uint32_t word = first; word < first + 32; word += 4)
        words.insert(words.end(), {word, word + 1});
      EXPECT_EQ(wavefronts[number].words, words) << number;
    }
  }
}

std::uint32_t sectors(std::uint64_t stride, std::uint64_t offset, std::uint32_t mask = ~0u,
                      unsigned bytes = 4) {
  std::array<std::uint64_t, kMaxLanes> addresses;
  for (std::uint64_t lane = 0; lane < kMaxLanes; ++lane)
    addresses[lane] = (std::uint64_t{1} << 40) + lane * stride + offset;
  return globalSectors(nvidia(), addresses, mask, bytes);
}

TEST(GlobalSectors, AWarpOfFloatsTouchesFour) {
  EXPECT_EQ(sectors(4, 0), 4u);
  EXPECT_EQ(sectors(4, 4), 5u);   // misaligned by one element
  EXPECT_EQ(sectors(4, 32), 4u);  // whole sectors further
}

TEST(GlobalSectors, AStrideOfEightFloatsTouchesOneEach) {
  EXPECT_EQ(sectors(8, 0), 8u);
  EXPECT_EQ(sectors(32, 0), 32u);
  EXPECT_EQ(sectors(4096, 0), 32u);
}

TEST(GlobalSectors, OneAddressIsOneSector) {
  EXPECT_EQ(sectors(0, 0), 1u);
  EXPECT_EQ(sectors(4, 0, 1), 1u);
  EXPECT_EQ(sectors(4, 0, 0), 0u);
}

TEST(GlobalSectors, WideAccessesTouchAsManyAsTheyCover) {
  EXPECT_EQ(sectors(8, 0, ~0u, 8), 8u);
  EXPECT_EQ(sectors(16, 0, ~0u, 16), 16u);
}

TEST(GlobalSectors, OrderDoesNotMatter) {
  std::array<std::uint64_t, kMaxLanes> addresses;
  for (std::uint64_t lane = 0; lane < kMaxLanes; ++lane) addresses[lane] = (lane * 13 % 32) * 4;
  EXPECT_EQ(globalSectors(nvidia(), addresses, ~0u, 4), 4u);
  for (std::uint64_t lane = 0; lane < kMaxLanes; ++lane) addresses[lane] = (lane % 2) * 1024 + lane / 2 * 4;
  EXPECT_EQ(globalSectors(nvidia(), addresses, ~0u, 4), 4u);
}

TEST(GlobalSectors, AReductionTakesASectorAsOftenAsTheMostLanesOnOneOfItsWords) {
  std::array<std::uint64_t, kMaxLanes> addresses{};
  for (std::size_t lane = 0; lane < 8; ++lane) addresses[lane] = lane < 3 ? 0 : lane < 4 ? 4 : 32;
  EXPECT_EQ(reductionSectors(nvidia(), addresses, 0x0fu, 4), 3u);      // 3 lanes, then 1, in one sector
  EXPECT_EQ(reductionSectors(nvidia(), addresses, 0xffu, 4), 3u + 4);  // and 4 in the next
}

TEST(StepKinds, ToldByTheirMemoryAndByWhatTheyDo) {
  struct Expected {
    StepKind kind;
    bool isShared, isGlobal, isAtomic, isWrite;
  };
  constexpr std::array kExpected = {Expected{StepKind::SharedLoad, true, false, false, false},
                                    Expected{StepKind::SharedStore, true, false, false, true},
                                    Expected{StepKind::SharedAtomic, true, false, true, true},
                                    Expected{StepKind::GlobalLoad, false, true, false, false},
                                    Expected{StepKind::GlobalStore, false, true, false, true},
                                    Expected{StepKind::GlobalAtomic, false, true, true, true},
                                    Expected{StepKind::Shuffle, false, false, false, false},
                                    Expected{StepKind::Branch, false, false, false, false},
                                    Expected{StepKind::Assign, false, false, false, false},
                                    Expected{StepKind::BlockBarrier, false, false, false, false},
                                    Expected{StepKind::WarpBarrier, false, false, false, false},
                                    Expected{StepKind::Exit, false, false, false, false}};
  for (const Expected& expected : kExpected) {
    const int which = static_cast<int>(expected.kind);
    EXPECT_EQ(isShared(expected.kind), expected.isShared) << which;
    EXPECT_EQ(isGlobal(expected.kind), expected.isGlobal) << which;
    EXPECT_EQ(isAtomic(expected.kind), expected.isAtomic) << which;
    EXPECT_EQ(isWrite(expected.kind), expected.isWrite) << which;
  }
}

}  // namespace
}  // namespace lanescope
