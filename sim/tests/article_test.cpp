// The article on shared memory: 16,777,216 ints, 256 threads per block. Its sector counts, to the last
// digit (sim/tests/data/README.md), and the sums, at full size.
#include <fmt/format.h>

#include <fstream>
#include <numeric>
#include <sstream>

#include "sim/tests/launches.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kCount = 1u << 24;

struct Row {
  const char* kernel;
  std::uint32_t dataBlocks;  ///< that a block adds up
  std::uint64_t loadSectors;
  std::uint64_t storeSectors;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.kernel; }

class Article : public ::testing::TestWithParam<Row> {};

TEST_P(Article, CountsAreExactAtFullSize) {
  const Row& row = GetParam();
  std::ostringstream text;
  text << std::ifstream(LANESCOPE_SOURCE_DIR "/sim/tests/data/reductions.cu").rdbuf();
  Launch launch{.source = std::make_shared<SourceText>("reductions.cu", text.str()), .kernel = row.kernel};
  launch.block.x = 256;
  launch.grid.x = kCount / 256 / row.dataBlocks;
  for (const std::string& spec : {fmt::format("i32:hash:{}", kCount),
                                  fmt::format("i32:zero:{}", launch.grid.x), fmt::format("u32={}", kCount)})
    launch.arguments.push_back(parseArgument(spec).value());
  const auto simulation = simulate(launch);
  ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
  EXPECT_EQ(simulation->counters.globalLoadSectors, row.loadSectors);
  EXPECT_EQ(simulation->counters.globalStoreSectors, row.storeSectors);
  std::uint64_t expected = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) expected += ((i * 2654435761u) >> 16) % 100;
  const auto sums = testing::elements<std::int32_t>(*simulation, 1);
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}), expected);
}

INSTANTIATE_TEST_SUITE_P(SixteenMillionInts, Article,
                         ::testing::Values(Row{"reduceGmem", 1, 6'553'600, 3'211'264},
                                           Row{"reduceSmem", 1, 2'097'152, 65'536},
                                           Row{"reduceSmemUnroll", 4, 2'097'152, 16'384},
                                           Row{"reduceGmemUnroll", 4, 3'735'552, 1'327'104}),
                         [](const auto& row) { return std::string(row.param.kernel); });

}  // namespace
}  // namespace lanescope
