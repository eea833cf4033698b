// How many blocks a timing is given: who takes them, what is refused, and what is said of it.
#include "kernels/protocol/bench_rules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

BenchRequest over(std::vector<std::string> ids, std::uint64_t blocks) {
  return {.strategies = std::move(ids), .blocks = blocks};
}

std::string findProblem(const BenchRequest& request) {
  const auto chosen = makeContenders(request);
  return chosen ? std::string() : chosen.error().sentence();
}

TEST(BenchBlocks, ThoseThatStrideTakeThemAndTheOthersKeepTheirGrids) {
  const BenchRequest request = over({"baseline", "float4-loads", "one-thread"}, 33);
  BenchRequest small = request;
  small.n = 1U << 16U;
  const auto chosen = makeContenders(small);
  ASSERT_TRUE(chosen);
  EXPECT_EQ((*chosen)[0].blocks, 0U);
  EXPECT_EQ((*chosen)[1].blocks, 33U);
  EXPECT_EQ((*chosen)[2].blocks, 0U);
  EXPECT_EQ(makeLaunches(*(*chosen)[1].strategy, small, 132)->front().blocks(), 33U);
  EXPECT_EQ(makeLaunches(*(*chosen)[0].strategy, small, 132)->front().blocks(), 256U);
  EXPECT_SAYS(ownGridsText(small));
  EXPECT_EQ(ownGridsText(over({"float4-loads"}, 33)), "");
  EXPECT_EQ(ownGridsText(over({"baseline"}, 0)), "");
  EXPECT_SAYS(ownGridsText(over({}, 33)));
  EXPECT_SAYS(ownGridsText(over({"baseline", "shuffle", "no-divergence", "butterfly", "add-during-load",
                                 "group-reduce", "float4-loads"},
                                33)));
}

TEST(BenchBlocks, WhereNobodyTakesThemTheyAreRefused) {
  EXPECT_SAYS(findProblem(over({"baseline"}, 3)));
  EXPECT_SAYS(findProblem(over({"baseline", "shuffle"}, 3)));
  EXPECT_EQ(findProblem(over({}, 3)), "") << "of all reductions some do";
  BenchRequest doubles = over({"baseline"}, 3);
  doubles.type = ElementType::Double;
  EXPECT_EQ(findProblem(doubles).find("float4-loads"), std::string::npos) << "it is for floats";
  EXPECT_SAYS(findProblem(over({"kahan"}, std::uint64_t{1} << 40U)));
  BenchRequest most = over({"float4-loads"}, 262145);
  most.n = std::uint64_t{1} << 31U;
  most.block = 1024;
  EXPECT_SAYS(findProblem(most));
  most.blocks = 262144;
  EXPECT_EQ(findProblem(most), "");
}

TEST(BenchBlocks, ElementsPerThreadBecomeBlocks) {
  EXPECT_EQ(blocksFor(1U << 20U, 256, 64), 64U);
  EXPECT_EQ(blocksFor((1U << 20U) + 1, 256, 64), 65U);
  EXPECT_EQ(blocksFor(100, 256, 64), 1U);
  EXPECT_EQ(blocksFor(std::uint64_t{1} << 31U, 32, 1), 1U << 26U);
  const auto counts = blocksAskedFor({}, {"8", "2^6", "64"}, 1U << 20U, 256);
  ASSERT_TRUE(counts);
  EXPECT_EQ(*counts, (std::vector<std::uint64_t>{512, 64}));
  EXPECT_EQ(*blocksAskedFor({"132", "2^10", "132"}, {}, 1, 256), (std::vector<std::uint64_t>{132, 1024}));
  EXPECT_TRUE(blocksAskedFor({}, {}, 1, 256)->empty());
  for (const char* bad : {"", "0", "-1", "many", "2^31", "2^40", "1.5"})
    EXPECT_FALSE(blocksAskedFor({bad}, {}, 1024, 256)) << bad;
  for (const char* bad : {"", "0", "-1", "many", "2^32"})
    EXPECT_FALSE(blocksAskedFor({}, {bad}, 1024, 256)) << bad;
  EXPECT_EQ(perThreadText(31.0303), "31.03");
  EXPECT_EQ(perThreadText(0.25), "0.25");
  EXPECT_EQ(perThreadText(65536), "65,536");
  EXPECT_EQ(perThreadText(8388608), "8,388,608");
  EXPECT_SAYS(elementsPerThreadText(1));
  EXPECT_SAYS(elementsPerThreadText(31.0303));
  EXPECT_SAYS(elementsPerThreadText(0));
}

TEST(BenchBlocks, OverSeveralNumbersTheOthersRunOnce) {
  const auto requests = requestsOver(over({"baseline", "float4-loads", "kahan"}, 0), {132, 264});
  ASSERT_TRUE(requests);
  ASSERT_EQ(requests->size(), 2U);
  EXPECT_EQ((*requests)[0].strategies.size(), 3U);
  EXPECT_EQ((*requests)[1].strategies, (std::vector<std::string>{"float4-loads", "kahan"}));
  EXPECT_EQ((*requests)[1].blocks, 264U);
  EXPECT_EQ(requestsOver(over({"baseline"}, 0), {})->size(), 1U);
  EXPECT_FALSE(requestsOver(over({"baseline"}, 0), {132}));
  EXPECT_FALSE(requestsOver(over({"kahan"}, 0), {132, std::uint64_t{1} << 30U}));
  const auto all = requestsOver(over({}, 0), {132, 264});
  ASSERT_TRUE(all);
  EXPECT_TRUE((*all)[0].strategies.empty()) << "every reduction that can";
  EXPECT_GE((*all)[1].strategies.size(), 5U);
}

TEST(BenchBlocks, EarlierResultsHaveTheirElementsPerThreadToo) {
  ResultMessage result{.series = {"float4-loads", 1U << 20U, 256, CacheState::Cold}, .grid = 512};
  EXPECT_DOUBLE_EQ(elementsPerThread(result), 8);
  result.elementsPerThread = 7.5;
  EXPECT_DOUBLE_EQ(elementsPerThread(result), 7.5) << "what the worker says goes first";
  result.elementsPerThread = 0;
  result.series.strategy = "one-thread";
  EXPECT_DOUBLE_EQ(elementsPerThread(result), 1U << 20U);
  result.series.strategy = "transpose-shared";  // its blocks are tiles, whatever block was asked for
  result.grid = 1024;
  EXPECT_DOUBLE_EQ(elementsPerThread(result), 1);
  result.series.strategy = "cub";
  result.grid = 0;
  EXPECT_EQ(elementsPerThread(result), 0);
}

}  // namespace
}  // namespace lanescope
