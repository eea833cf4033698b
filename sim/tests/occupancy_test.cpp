// How many blocks an SM holds. The values are those of CUDA 13.0's cuda_occupancy.h, with all of the L1
// cache's memory that can be shared memory being so.

#include <gtest/gtest.h>

#include "sim/memory/machine_model.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kKilobyte = 1024;

std::uint64_t blocksOn(std::string_view capability, const BlockDemand& block) {
  const SmLimits* limits = findSmLimits(capability);
  return limits == nullptr ? UINT64_MAX : computeOccupancy(block, *limits).blocks();
}

TEST(OccupancyRule, TheScarcestOfThreadsBlocksAndSharedMemoryDecides) {
  struct Case {
    std::uint64_t threads, sharedBytes, blocks;
  };
  for (const Case& one :
       {Case{256, 0, 8}, Case{1024, 0, 2}, Case{64, 0, 32}, Case{32, 0, 32}, Case{64, 48 * kKilobyte, 4},
        Case{64, 227 * kKilobyte, 1}, Case{64, 228 * kKilobyte, 0}, Case{768, 0, 2}, Case{33, 0, 32},
        Case{65, 0, 21}, Case{1024, 100 * kKilobyte, 2}, Case{1024, 114 * kKilobyte, 1}})
    EXPECT_EQ(blocksOn("9.0", {one.threads, one.sharedBytes, {}}), one.blocks)
        << one.threads << " threads, " << one.sharedBytes << " bytes";
}

// 228 KB hold 32 blocks of 7,296 bytes, 1,024 of which are reserved; one byte more is another 128.
TEST(OccupancyRule, SharedMemoryIsAllocatedInMultiples) {
  EXPECT_EQ(blocksOn("9.0", {32, 6272, {}}), 32U);
  EXPECT_EQ(blocksOn("9.0", {32, 6273, {}}), 31U);
  EXPECT_EQ(blocksOn("7.0", {32, 3072, {}}), 32U) << "nothing is reserved before compute capability 8.0";
}

TEST(OccupancyRule, RegistersAreAllocatedByWarpsInEachPartition) {
  struct Case {
    std::uint64_t threads;
    std::uint32_t registers;
    std::uint64_t blocks;
  };
  // 33 registers of 32 lanes are 1,056, allocated as 1,280: 12 warps fit in each of four partitions.
  for (const Case& one : {Case{256, 32, 8}, Case{256, 33, 6}, Case{1024, 64, 1}, Case{1024, 65, 0},
                          Case{32, 255, 8}, Case{96, 168, 4}, Case{256, 18, 8}})
    EXPECT_EQ(blocksOn("9.0", {one.threads, 0, one.registers}), one.blocks)
        << one.threads << " threads of " << one.registers << " registers";
}

TEST(OccupancyRule, WhatIsNotKnownOrNotUsedLimitsNothing) {
  const Occupancy plain = computeOccupancy({128, 0, {}}, *findSmLimits("9.0"));
  EXPECT_FALSE(plain.byShared);
  EXPECT_FALSE(plain.byRegisters);
  EXPECT_EQ(plain.byThreads, 16U);
  EXPECT_EQ(plain.byBlocks, 32U);
}

TEST(OccupancyRule, CapabilitiesDiffer) {
  EXPECT_EQ(blocksOn("7.5", {256, 0, {}}), 4U);
  EXPECT_EQ(blocksOn("8.6", {64, 0, {}}), 16U);
  EXPECT_EQ(blocksOn("8.9", {64, 0, {}}), 24U);
  EXPECT_EQ(blocksOn("8.0", {64, 48 * kKilobyte, {}}), 3U);
  EXPECT_EQ(findSmLimits("1.0"), nullptr);
}

}  // namespace
}  // namespace lanescope
