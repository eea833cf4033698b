// The rules of sim/tests/data/README.md one by one, and what must hold for any addresses: each case
// is computed a second time, the slow and plain way.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <random>
#include <set>

#include "sim/memory/access_costs.h"
#include "sim/tests/lane_addresses.h"

namespace lanescope {
namespace {

using testing::Addresses;
using testing::computeAddresses;
using testing::cost;
using testing::nvidia;

TEST(BankRules, TheWorstBankDecides) {
  // Bank 5 is asked for words 5, 37 and 69; every other lane has a bank of its own.
  const auto addresses = computeAddresses([](std::uint32_t l) {
    return 4 * (l == 6 ? 37 : l == 7 ? 69 : l);
  });
  EXPECT_EQ(cost(addresses, 4).wavefronts, 3u);
  EXPECT_EQ(cost(addresses, 4).ideal, 1u);
  EXPECT_EQ(cost(addresses, 4, AccessKind::Store).wavefronts, 3u);
  EXPECT_EQ(cost(addresses, 4, AccessKind::Load, ~0xc0u).wavefronts, 1u);  // without lanes 6 and 7
  EXPECT_EQ(cost(addresses, 4, AccessKind::Load, 0x40).wavefronts, 1u);    // one lane alone
}

TEST(BankRules, ABroadcastIsFreeAlsoBesideOtherWords) {
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t) { return 400u; }), 4).wavefronts, 1u);
  // Half the lanes read word 3, half word 35: one bank, two different words.
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l % 2 == 0 ? 12u : 140u; }), 4).wavefronts,
            2u);
  // Two words of different banks: no conflict.
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l % 2 == 0 ? 12u : 144u; }), 4).wavefronts,
            1u);
}

TEST(BankRules, NarrowLanesMeetInTheirWord) {
  // Bytes 0 to 31 are eight words; bytes 0, 128, 256 … are one bank.
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l; }), 1).wavefronts, 1u);
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l * 128; }), 1).wavefronts, 32u);
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l % 4 + l / 4 * 128; }), 1).wavefronts, 8u);
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l % 2 * 2 + l / 2 * 128; }), 2).wavefronts,
            16u);
}

TEST(BankRules, TheIdealGoesByActiveLanesAndIsNeverMore) {
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l * 8; }), 8, AccessKind::Store, 0xffff).ideal,
            1u);
  EXPECT_EQ(
      cost(computeAddresses([](std::uint32_t l) { return l * 8; }), 8, AccessKind::Store, 0x1ffff).ideal, 2u);
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t) { return 0u; }), 8).ideal, 1u);  // merged: one wavefront
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l * 16; }), 16, AccessKind::Store, 0xff).ideal,
            1u);
  EXPECT_EQ(
      cost(computeAddresses([](std::uint32_t l) { return l * 16; }), 16, AccessKind::Store, 0x1ff).ideal, 2u);
}

TEST(BankRules, HalfWarpsOf64BitsMergeUnderTheNeighbourTestAlone) {
  const auto pairs = computeAddresses([](std::uint32_t l) { return l / 2 * 8; });
  const auto crossed = computeAddresses([](std::uint32_t l) { return (l & 1u) * 8 + (l >> 2) * 16; });
  const auto fours = computeAddresses([](std::uint32_t l) { return (l & ~2u) * 8; });
  EXPECT_EQ(cost(pairs, 8).wavefronts, 1u);    // i^1 agrees
  EXPECT_EQ(cost(fours, 8).wavefronts, 2u);    // i^2 agrees; a half asks 16 banks, the warp all 32
  EXPECT_EQ(cost(crossed, 8).wavefronts, 1u);  // i^2 agrees
  EXPECT_EQ(cost(pairs, 8, AccessKind::Store).wavefronts, 2u);  // stores never merge
  EXPECT_EQ(cost(crossed, 8, AccessKind::Store).wavefronts, 2u);
  // One lane that differs from its neighbour, at both distances, spoils it for the whole warp.
  auto spoilt = pairs;
  spoilt[31] = 512;
  EXPECT_EQ(cost(spoilt, 8).wavefronts, 2u);
  // Lanes 0 to 15 alone: one half, whether they merge or not.
  EXPECT_EQ(cost(spoilt, 8, AccessKind::Load, 0xffff).wavefronts, 1u);
  // Every second lane of eight-byte neighbours: none disagrees, so one group of words 0, 1, 4, 5 …
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l * 4; }), 8, AccessKind::Load, 0x55555555)
                .wavefronts,
            1u);
}

TEST(BankRules, QuarterWarpsOf128BitsMergeByHalves) {
  const auto all = computeAddresses([](std::uint32_t l) { return l * 16; });
  const auto pairs = computeAddresses([](std::uint32_t l) { return l / 2 * 16; });
  const auto crossed = computeAddresses([](std::uint32_t l) { return (l & 1u) * 16 + (l >> 2) * 32; });
  EXPECT_EQ(cost(all, 16).wavefronts, 4u);
  EXPECT_EQ(cost(pairs, 16).wavefronts, 2u);
  EXPECT_EQ(cost(crossed, 16).wavefronts, 2u);
  EXPECT_EQ(cost(crossed, 16, AccessKind::Store).wavefronts, 4u);
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t) { return 0u; }), 16).wavefronts,
            2u);  // never fewer than halves
  EXPECT_EQ(cost(all, 16, AccessKind::Load, 0xff).wavefronts, 1u);
  EXPECT_EQ(cost(all, 16, AccessKind::Load, 0x1001).wavefronts, 1u);  // two quarters, none disagrees
  EXPECT_EQ(cost(all, 16, AccessKind::Store, 0x1001).wavefronts, 2u);
  // Rows apart: the eight lanes of a quarter ask every bank of four for eight words.
  EXPECT_EQ(cost(computeAddresses([](std::uint32_t l) { return l * 128; }), 16).wavefronts, 32u);
}

TEST(BankRules, TheTinyMachineFollowsThemAtItsOwnSize) {
  const MachineModel& tiny = *findMachine("tiny");
  const auto of = [&](std::uint32_t a, std::uint32_t b, unsigned bytes, AccessKind kind = AccessKind::Load) {
    Addresses addresses{};
    addresses[0] = a;
    addresses[1] = b;
    return sharedCost(tiny, {addresses, 0b11, bytes, kind});
  };
  EXPECT_EQ(of(0, 4, 4).wavefronts, 1u);
  EXPECT_EQ(of(0, 8, 4).wavefronts, 2u);
  EXPECT_EQ(of(0, 8, 4).ideal, 1u);
  EXPECT_EQ(of(8, 8, 4).wavefronts, 1u);
  EXPECT_EQ(of(0, 8, 8).wavefronts, 2u);
  EXPECT_EQ(of(0, 0, 8).wavefronts, 1u);
  EXPECT_EQ(of(0, 0, 8, AccessKind::Store).wavefronts, 2u);
}

/// The 32-bit rule in its plainest form.
std::uint32_t plainWavefronts(const Addresses& addresses, std::uint32_t mask) {
  std::map<std::uint32_t, std::set<std::uint32_t>> wordsOfBank;
  std::size_t most = 0;
  for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    auto& words = wordsOfBank[addresses[lane] / 4 % 32];
    words.insert(addresses[lane] / 4);
    most = std::max(most, words.size());
  }
  return static_cast<std::uint32_t>(most);
}

TEST(BankRules, AnyAddressesCostWhatThePlainRuleSaysAndWavefrontsServeEachLaneOnce) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t range = 1u << (2 + random() % 12);
    const unsigned bytes = 1u << random() % 3;
    const std::uint32_t mask = round % 5 == 0 ? ~0u : static_cast<std::uint32_t>(random());
    const auto addresses =
        computeAddresses([&](std::uint32_t) { return static_cast<std::uint32_t>(random()) % range * bytes; });
    const SharedCost got = cost(addresses, bytes, AccessKind::Load, mask);
    ASSERT_EQ(got.wavefronts, plainWavefronts(addresses, mask));
    ASSERT_EQ(got.ideal,
              std::min(got.wavefronts, (static_cast<unsigned>(std::popcount(mask)) * bytes + 127) / 128));
    const auto wavefronts = bankWavefronts(nvidia(), {addresses, mask, bytes, AccessKind::Load});
    ASSERT_EQ(wavefronts.size(), got.wavefronts);
    std::uint32_t served = 0;
    for (const BankWavefront& wavefront : wavefronts) {
      ASSERT_NE(wavefront.lanes, 0u);
      ASSERT_EQ(served & wavefront.lanes, 0u);
      served |= wavefront.lanes;
      ASSERT_EQ(plainWavefronts(addresses, wavefront.lanes), 1u);  // a wavefront has no conflict of its own
    }
    ASSERT_EQ(served, mask);
  }
}

TEST(SectorRules, AnyAddressesTouchTheirDifferentSegments) {
  std::mt19937 random(13);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t range = std::uint64_t{1} << (1 + random() % 12);
    const unsigned bytes = 1u << random() % 5;
    const std::uint32_t mask = round % 5 == 0 ? ~0u : static_cast<std::uint32_t>(random());
    std::array<std::uint64_t, kMaxLanes> addresses;
    for (auto& address : addresses) address = (std::uint64_t{3} << 40) + random() % range * bytes;
    if (round % 3 == 0) std::sort(addresses.begin(), addresses.end());
    std::set<std::uint64_t> segments;
    for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      for (std::uint64_t byte = 0; byte < bytes; ++byte) segments.insert((addresses[lane] + byte) / 32);
    }
    ASSERT_EQ(globalSectors(nvidia(), addresses, mask, bytes), segments.size());
  }
}

}  // namespace
}  // namespace lanescope
