#include "kernels/protocol/bench_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "kernels/protocol/expected_results.h"
#include "kernels/protocol/reference_values.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

TEST(Statistics, QuartilesOfKnownSeries) {
  // The values that R's quantile(x) and numpy.percentile give.
  const Quartiles four = quartiles(std::vector<double>{4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(four.q1, 1.75);
  EXPECT_DOUBLE_EQ(four.median, 2.5);
  EXPECT_DOUBLE_EQ(four.q3, 3.25);
  const Quartiles five = quartiles(std::vector<double>{15, 20, 35, 40, 50});
  EXPECT_DOUBLE_EQ(five.q1, 20);
  EXPECT_DOUBLE_EQ(five.median, 35);
  EXPECT_DOUBLE_EQ(five.q3, 40);
  const Quartiles one = quartiles(std::vector<double>{7});
  EXPECT_DOUBLE_EQ(one.q1, 7);
  EXPECT_DOUBLE_EQ(one.q3, 7);
  EXPECT_EQ(quartiles({}).median, 0);
}

TEST(Statistics, OutliersAreLeftOutAndCounted) {
  std::vector<double> samples{10, 10.5, 11, 11.5, 12, 12.5, 13};
  EXPECT_EQ(summarise(samples).discarded, 0U);
  samples.push_back(500);
  const Summary summary = summarise(samples);
  EXPECT_EQ(summary.discarded, 1U);
  EXPECT_EQ(summary.used, 7U);
  EXPECT_DOUBLE_EQ(summary.quartiles.median, 11.5);
}

TEST(Statistics, TheNeighbouringTickIsNoOutlier) {
  std::vector<double> samples(20, 100.0);
  samples[3] = 104.0;
  EXPECT_EQ(summarise(samples).discarded, 0U);
  samples[4] = 106.0;
  EXPECT_EQ(summarise(samples).discarded, 1U);
}

TEST(Statistics, NoiseIsTheNotchOfABoxPlot) {
  // Quartiles 1.75, 2.5, 3.25: 1.57 * 1.5 / sqrt(4) / 2.5.
  EXPECT_NEAR(medianNoise(std::vector<double>{4, 1, 3, 2}), 0.471, 1e-12);
  EXPECT_EQ(medianNoise(std::vector<double>{4}), 1.0);
}

TEST(Statistics, StopsWhenQuietOrAtTheCap) {
  const StoppingRule rule{5, 9, 0.01};
  EXPECT_FALSE(enoughSamples(std::vector<double>(4, 3.0), rule));
  EXPECT_TRUE(enoughSamples(std::vector<double>(5, 3.0), rule));
  const std::vector<double> noisy{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_FALSE(enoughSamples(noisy, rule));
  EXPECT_TRUE(enoughSamples(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}, rule));
}

std::vector<float> rightSums(std::size_t blocks, std::uint64_t elements) {
  std::vector<float> sums(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::uint64_t i = 0; i < elements; ++i)
      sums[b] += static_cast<float>(inputElement(b * elements + i));
  }
  return sums;
}

TEST(BlockSums, RightOnesPassExactly) {
  for (const std::uint64_t elements : {1ULL, 32ULL, 2048ULL}) {
    const SumCheck check = checkBlockSums<float>(rightSums(100, elements), elements);
    EXPECT_TRUE(check.verified());
    EXPECT_EQ(check.expected, check.got);
  }
}

TEST(BlockSums, TheSmallestErrorShows) {
  auto sums = rightSums(5000, 2048);  // several threads' worth
  sums[4321] += 1.0f;
  sums[77] = std::numeric_limits<float>::quiet_NaN();
  const SumCheck check = checkBlockSums<float>(sums, 2048);
  EXPECT_EQ(check.wrongBlocks, 2U);
  EXPECT_EQ(check.firstWrong, 77U);
  EXPECT_FALSE(check.verified());
}

TEST(BlockSums, ToleranceBeginsWhereFloatRounds) {
  EXPECT_EQ(blockSumTolerance(2048), 0);
  EXPECT_EQ(blockSumTolerance(167772), 0);
  EXPECT_GT(blockSumTolerance(167773), 0);
}

TEST(Totals, AreExactWhereTheTypeIs) {
  const std::uint64_t n = (1U << 23U) + 5;
  double right = 0;
  for (std::uint64_t i = 0; i < n; ++i) right += inputElement(i);
  EXPECT_EQ(expectedTotal(n), right);
  EXPECT_TRUE(checkTotal(right, n, 1, ElementType::Double).verified());
  EXPECT_FALSE(checkTotal(right + 1, n, 1000, ElementType::Double).verified());
  EXPECT_TRUE(checkTotal(right, n, 1, ElementType::Int).verified());
  EXPECT_FALSE(checkTotal(right - 1, n, 1, ElementType::Int).verified());
  EXPECT_FALSE(checkTotal(std::numeric_limits<double>::quiet_NaN(), n, 1000, ElementType::Float).verified());
  // An element left out of 2^23 is less than float can show; a block left out is not.
  EXPECT_TRUE(checkTotal(right - 20, n, 100, ElementType::Float).verified());
  EXPECT_FALSE(checkTotal(right - 256 * 50, n, 400, ElementType::Float).verified());
  EXPECT_FALSE(checkTotal(expectedTotal(1000) - 1, 1000, 50, ElementType::Float).verified());
}

TEST(Totals, IntsWrap) {
  const std::uint64_t n = 1U << 26U;
  const auto wrapped =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(expectedTotal(n))));
  EXPECT_LT(wrapped, 0);  // the sum is over 2^31
  EXPECT_TRUE(checkTotal(wrapped, n, 1, ElementType::Int).verified());
}

TEST(Turns, TheSampleLiesInThePictureAndInEveryColumn) {
  for (std::uint64_t n = 1; n <= std::uint64_t{1} << 31U; n *= 2) {
    const std::uint64_t count = iterationsSampled(n);
    const std::uint64_t stride = iterationsStride(n);
    EXPECT_LE(count, kHostIterations) << n;
    EXPECT_LT((count - 1) * stride, n) << n;
    EXPECT_GE(count * stride, n) << "the last one is near the end";
    // The width that shape.cpp gives a picture of n points.
    const auto width = static_cast<std::uint64_t>(std::exp2(std::ceil(std::log2(n) / 2)));
    std::set<std::uint64_t> columns;
    for (std::uint64_t k = 0; k < count; ++k) columns.insert(k * stride % width);
    EXPECT_GE(columns.size(), std::min(count, width) / 2) << n;
  }
}

TEST(Turns, OnePointThatIsOffIsCounted) {
  constexpr std::uint64_t kSide = 64;
  std::vector<float> points;
  for (std::uint64_t i = 0; i < kSide * kSide; i += 3)
    points.push_back(static_cast<float>(expectedIterations(i, kSide, kSide)));
  EXPECT_EQ(countWrongIterations(points, 3, kSide, kSide), 0U);
  EXPECT_EQ(expectedIterations(0, kSide, kSide), 0U) << "the corner, -2 - 2i, is outside at once";
  points[700] += 1;
  points[800] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(countWrongIterations(points, 3, kSide, kSide), 2U);
}

TEST(BenchRules, SaysWhatIsWrongInOneSentence) {
  const auto problem = [](std::uint64_t n, std::uint32_t block, std::vector<std::string> ids = {}) {
    BenchRequest request;
    request.n = n;
    request.block = block;
    request.strategies = std::move(ids);
    const auto chosen = makeContenders(request);
    return chosen ? std::string() : chosen.error().sentence();
  };
  EXPECT_EQ(problem(1U << 20U, 256), "");
  EXPECT_SAYS(problem(1U << 20U, 0));
  EXPECT_NE(problem(1U << 20U, 2048).find("1024"), std::string::npos);
  EXPECT_SAYS(problem(1U << 20U, 16));
  EXPECT_SAYS(problem(1U << 20U, 96));
  EXPECT_SAYS(problem(1000, 256, {"baseline"}));
  EXPECT_SAYS(problem(256, 256, {"shuffle"}));
  EXPECT_NE(problem(0, 256).find("N is 0"), std::string::npos);
  EXPECT_NE(problem(std::uint64_t{1} << 32U, 256).find("2^31"), std::string::npos);
  EXPECT_SAYS(problem(1U << 20U, 256, {"nonsense"}));
}

TEST(BenchRules, BytesAndBandwidth) {
  const Strategy* shuffle = findStrategy("shuffle");
  ASSERT_NE(shuffle, nullptr);
  // 1024 elements read, 2 sums of 512 written; to one value, the last one too.
  EXPECT_EQ(bytesMoved(shuffle, Scope::Kernel, 1024, 2, ElementType::Float), (1024U + 2U) * 4U);
  EXPECT_EQ(bytesMoved(shuffle, Scope::Full, 1024, 2, ElementType::Double), 1025U * 8U);
  EXPECT_EQ(bytesMoved(nullptr, Scope::Full, 1024, 1, ElementType::Int), 1025U * 4U);
  EXPECT_DOUBLE_EQ(gigabytesPerSecond(4000, 2.0), 2.0);
  EXPECT_EQ(gigabytesPerSecond(4000, 0), 0);
}

TEST(BenchRules, ElementsByThemselvesAreTimedWhereTheyAreAskedFor) {
  BenchRequest request{.strategies = {"vector-add", "julia-set"}};
  ASSERT_TRUE(makeContenders(request));
  EXPECT_EQ(makeContenders(request)->size(), 2U);
  const Strategy& julia = *findStrategy("julia-set");
  const auto launches = makeLaunches(julia, request, 132);
  ASSERT_TRUE(launches);
  EXPECT_EQ(launches->front().width * launches->front().height, request.n);
  EXPECT_EQ(launches->front().blocks(), 132U * julia.blocksPerSm);
  EXPECT_EQ(bytesMoved(&julia, Scope::Kernel, request.n, request.n, ElementType::Float), 4 * request.n)
      << "it only writes";
  EXPECT_TRUE(onlyWrites("julia-set"));
  EXPECT_FALSE(onlyWrites("vector-add"));
  EXPECT_FALSE(onlyWrites("cub"));
  request.type = ElementType::Double;
  EXPECT_FALSE(makeContenders(request)) << "the Julia set is for floats";
  request.strategies = {"vector-add"};
  EXPECT_TRUE(makeContenders(request));
  request.scope = Scope::Full;
  EXPECT_FALSE(makeContenders(request)) << "there is no one value";
  request = {};
  request.strategies = {"julia-set"};
  request.n = 1000;
  EXPECT_FALSE(makeContenders(request)) << "a picture needs a power of two";
}

TEST(BenchRules, SizesAsAPersonWritesThem) {
  EXPECT_EQ(*parseSize("2^24"), 1U << 24U);
  EXPECT_EQ(*parseSize("1000"), 1000U);
  for (const char* text : {"", "2^", "2^64", "-1", "1e6", "12 ", "99999999999999999999"}) {
    EXPECT_FALSE(parseSize(text).ok()) << text;
  }
  EXPECT_EQ(sizeText(1U << 24U), "2^24");
  EXPECT_EQ(sizeText(1000), "1000");
}

}  // namespace
}  // namespace lanescope
