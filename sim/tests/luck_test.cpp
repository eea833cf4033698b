// Other legal orders of the same launch: what depends on them is found, what does not is not.
#include "sim/trace/luck.h"
#include "sim/base/json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/trace/hazards.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

Launch racing(const std::string& code, std::uint32_t block = 64, std::uint32_t grid = 1) {
  Launch launch =
      testing::launchText("__global__ void k(int* out) {\n" + code + "\n}\n", block, {"i32:zero:128"});
  launch.grid.x = grid;
  return launch;
}

LuckReport run(const Launch& launch, const LuckOptions& options = {}) {
  auto report = tryOrders(launch, options);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().sentence());
  return report.ok() ? *report : LuckReport{};
}

LuckVerdict makeVerdict(const LuckReport& report, std::string_view order) {
  const auto found =
      std::ranges::find_if(report.orders, [&](const OrderOutcome& o) { return o.order.name() == order; });
  EXPECT_NE(found, report.orders.end()) << order;
  return found == report.orders.end() ? LuckVerdict::Fails : found->verdict;
}

TEST(Luck, NoStrategyNeedsItButThoseThatAreBroken) {
  for (const Strategy& strategy : strategies()) {
    for (const char* machine : {"nvidia", "tiny"}) {
      for (const std::uint64_t n : {8u, 256u}) {
        const LuckReport report = run(testing::strategyLaunch(strategy.id, n, machine), {.seeds = 2});
        const LuckVerdict expected = strategy.broken.empty() ? LuckVerdict::Same : LuckVerdict::Depends;
        EXPECT_EQ(report.verdict, expected) << strategy.id << " " << n << " " << report.sentence;
        EXPECT_EQ(report.orders.size(), 4u + 3 * 2);
        EXPECT_EQ(report.seedsTried, 2u);
      }
    }
  }
}

TEST(Luck, EitherBarrierOfTheBaselineIsMissed) {
  for (const int which : {0, 1}) {
    Launch launch = testing::strategyLaunch("baseline", 256, "nvidia");
    std::string text(findStrategy("baseline")->source);
    std::size_t at = std::string::npos;
    for (int i = 0; i <= which; ++i) at = text.find("__syncthreads();", at + 1);
    launch.source = std::make_shared<SourceText>("baseline.cu", text.replace(at, 16, ""));
    const LuckReport report = run(launch, {.seeds = 1});
    EXPECT_EQ(report.verdict, LuckVerdict::Depends) << which;
    EXPECT_SAYS(report.sentence);
  }
}

TEST(Luck, OfWarps) {
  const LuckReport report = run(racing("out[0] = threadIdx.x / 32;"));
  EXPECT_EQ(report.verdict, LuckVerdict::Depends);
  EXPECT_EQ(makeVerdict(report, "warps reversed"), LuckVerdict::Depends);
  EXPECT_EQ(makeVerdict(report, "blocks reversed"), LuckVerdict::Same);
  EXPECT_EQ(makeVerdict(report, "lanes one by one"), LuckVerdict::Same);
  const OrderOutcome& first = report.orders[0];
  EXPECT_EQ(first.array, "out");
  EXPECT_EQ(first.index, 0u);
  EXPECT_EQ(first.expected, "1");
  EXPECT_EQ(first.found, "0");
  EXPECT_EQ(first.differing, 1u);
}

TEST(Luck, OfLanes) {
  const std::string write = "__shared__ int s[32]; s[threadIdx.x] = threadIdx.x;";
  const std::string read = "out[threadIdx.x] = s[31 - threadIdx.x];";
  const LuckReport report = run(racing(write + read, 32));
  EXPECT_EQ(report.verdict, LuckVerdict::Depends);
  EXPECT_EQ(makeVerdict(report, "warps reversed"), LuckVerdict::Same);
  EXPECT_EQ(makeVerdict(report, "lanes one by one"), LuckVerdict::Depends);
  EXPECT_EQ(makeVerdict(report, "lanes at random, seed 1"), LuckVerdict::Depends);
  EXPECT_EQ(run(racing(write + "__syncwarp();" + read, 32)).verdict, LuckVerdict::Same);
}

TEST(Luck, OfBlocks) {
  const LuckReport report = run(racing("out[0] = blockIdx.x;", 1, 4));
  EXPECT_EQ(makeVerdict(report, "blocks reversed"), LuckVerdict::Depends);
  EXPECT_EQ(makeVerdict(report, "lanes one by one"), LuckVerdict::Same);
  EXPECT_EQ(run(racing("out[blockIdx.x] = blockIdx.x;", 1, 4)).verdict, LuckVerdict::Same);
}

TEST(Luck, LanesAloneKeepTheirRegistersAndMeetAtShuffles) {
  const std::string code =
      "int lane = threadIdx.x % 32; int sum = 0;\n"
      "for (int i = 0; i <= lane % 5; ++i) sum += i * threadIdx.x;\n"
      "for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffff, sum, o);\n"
      "long long wide = sum; wide = __shfl_up_sync(0xffffffff, wide << 20, 3);\n"
      "if (lane < 8) sum += __shfl_down_sync(0xff, sum + lane, 2);\n"
      "out[threadIdx.x] = sum + (int)(wide >> 20);";
  const LuckReport report = run(racing(code, 96));
  EXPECT_EQ(report.verdict, LuckVerdict::Same) << report.sentence;
  EXPECT_EQ(run(racing(code, 50)).verdict, LuckVerdict::Same);  // a partial last warp
}

TEST(Luck, LanesAloneMeetAtVotes) {
  const std::string code =
      "int lane = threadIdx.x % 32; unsigned all = 0xffffffff; long long key = lane % 3; int own[3] = {1, "
      "lane, 2};\n"
      "unsigned x = __ballot_sync(all, lane % 3 == 0) ^ __match_any_sync(all, key << 33);\n"
      "x += __any_sync(all, lane == 7) + 2 * __all_sync(all, lane < 40) + __reduce_add_sync(all, "
      "(unsigned)lane);\n"
      "if (lane >= 16) x ^= __ballot_sync(0xffff0000, own[lane % 3] > 1);\n"
      "x += 1000 * __syncthreads_count(lane < 5) + __syncthreads_and(lane < 31) + 10 * __syncthreads_or(lane "
      "== 50);\n"
      "out[threadIdx.x] = x;";
  const LuckReport report = run(racing(code, 96), {.seeds = 3});
  EXPECT_EQ(report.verdict, LuckVerdict::Same) << report.sentence;
  EXPECT_EQ(run(racing(code, 44), {.seeds = 3}).verdict, LuckVerdict::Same);
}

Launch sumOfFloats(const std::string& type, std::uint64_t scale) {
  Launch launch = testing::launchText("__global__ void k(" + type + "* out, int* n) {\n  atomicAdd(out, (" +
                                          type + ")1 / (threadIdx.x + " + std::to_string(scale) +
                                          "));\n  atomicAdd(n, (int)threadIdx.x);\n}\n",
                                      256, {type == "float" ? "f32:zero:1" : "f64:zero:1", "i32:zero:1"});
  return launch;
}

TEST(Luck, AFloatingSumInAnotherOrderIsRounding) {
  for (const char* type : {"float", "double"}) {
    const LuckReport report = run(sumOfFloats(type, 3));
    EXPECT_EQ(report.verdict, LuckVerdict::Rounding) << report.sentence;
    EXPECT_SAYS(report.sentence);
  }
}

TEST(Luck, ALostSummandIsNoRounding) {
  // Every thread adds, one warp stores: as a sum of floats it has atomics, and still it races.
  const LuckReport report = run(testing::launchText(
      "__global__ void k(float* out) {\n  if (threadIdx.x < 224) atomicAdd(out, 0.37f);\n"
      "  if (threadIdx.x == 224) out[0] = out[0] + 0.37f * 32.0f;\n  if (threadIdx.x == 0) out[1] = 1.0f;\n"
      "  if (threadIdx.x == 255) out[0] = 1.0f;\n}\n",
      256, {"f32:zero:2"}));
  EXPECT_EQ(report.verdict, LuckVerdict::Depends) << report.sentence;
}

TEST(Luck, ATicketIsLuckOfItsOwn) {
  const LuckReport report = run(testing::launchText(
      "__global__ void k(int* out, int* count) {\n  out[atomicAdd(count, 1)] = threadIdx.x;\n}\n", 64,
      {"i32:zero:64", "i32:zero:1"}));
  EXPECT_EQ(report.verdict, LuckVerdict::Depends);
  EXPECT_SAYS(report.sentence);
}

TEST(Luck, NoPartOfTheSubsetNeedsIt) {
  // What an H200 left of each is known; these two look at __activemask(), which is luck by its nature.
  const std::set<std::string> asking = {"ballots", "early_return"};
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/tests/data/subset.cu");
  std::ostringstream text;
  text << file.rdbuf();
  std::ifstream list(LANESCOPE_SOURCE_DIR "/sim/tests/data/h200-subset.jsonl");
  for (std::string line; std::getline(list, line);) {
    Launch launch;
    launch.source = std::make_shared<SourceText>("subset.cu", text.str());
    launch.kernel = parseJson(line)["kernel"];
    launch.grid.x = 2;
    launch.block.x = 64;
    launch.dynamicSharedBytes = 512;
    launch.arguments.push_back(parseArgument("u32:zero:128").value());
    SCOPED_TRACE(launch.kernel);
    const LuckReport report = run(launch, {.seeds = 1});
    EXPECT_EQ(report.verdict, asking.contains(launch.kernel) ? LuckVerdict::Depends : LuckVerdict::Same)
        << report.sentence;
    const auto hazards = findHazards(launch);
    ASSERT_TRUE(hazards.ok());
    EXPECT_TRUE(hazards->hazards.empty()) << hazards->hazards[0].message;
  }
}

TEST(Luck, LanesThatReturnedAreNotWaitedFor) {
  EXPECT_EQ(run(racing("if (threadIdx.x % 2 == 1) return; __syncwarp(); __syncthreads();\n"
                       "out[threadIdx.x] = __shfl_down_sync(0x55555555, (int)threadIdx.x, 2);"))
                .verdict,
            LuckVerdict::Same);
}

TEST(Luck, AMaskThatFitsNobodyWaitsForEver) {
  const LuckReport report =
      run(racing("int x = 1;\nif (threadIdx.x < 8)\nx = __shfl_down_sync(0xffffffff, x, 1);\n"
                 "__syncwarp();\nout[threadIdx.x] = x;",
                 32));
  EXPECT_EQ(report.verdict, LuckVerdict::Fails);
  EXPECT_SAYS(report.sentence);
}

TEST(Luck, ALaneThatWaitsForAnotherIsNotStarved) {
  // Every warp in order and lanes in turn: the flag is set before or while the others look.
  const LuckReport report =
      run(racing("volatile int* flag = out; if (threadIdx.x == 0) flag[0] = 1;\n"
                 "if (threadIdx.x > 0) while (flag[0] == 0) {}\nout[threadIdx.x + 1] = 2;"));
  EXPECT_EQ(report.verdict, LuckVerdict::Same) << report.sentence;
}

TEST(Luck, ALockAmongTheLanesOfAWarpEndsAndALoopWithoutEndDoesNot) {
  // A lock among the lanes of a warp: the one that has it continues without those that wait for it.
  const LuckReport lock =
      run(racing("while (atomicCAS(out, 0, 1) != 0) {}\nout[1] += 1;\natomicExch(out, 0);"),
          {.seeds = 1, .instructionBudget = 1u << 25});
  EXPECT_EQ(lock.verdict, LuckVerdict::Same) << lock.sentence;
  EXPECT_EQ(makeVerdict(lock, "lanes one by one"), LuckVerdict::Same);
  EXPECT_EQ(makeVerdict(lock, "lanes at random, seed 1"), LuckVerdict::Same);
  // Orders of whole warps never end there, and are left out with a word.
  EXPECT_EQ(lock.leftOut + lock.orders.size(), ordersToTry(lock.seedsTried).size());
  EXPECT_GT(lock.leftOut, 0u);
  EXPECT_NE(lock.leftOutText.find("left out"), std::string::npos) << lock.leftOutText;
  // One that ends in no order.
  const auto never =
      tryOrders(racing("while (true) out[0] = 1;"), {.seeds = 2, .instructionBudget = 1u << 25});
  ASSERT_FALSE(never.ok());
  EXPECT_SAYS(never.error().message);
}

TEST(Luck, AWaitWithoutEndIsBounded) {
  // In order, thread 0 finds the flag unset and continues; with warps reversed it waits for itself.
  const LuckReport report =
      run(racing("volatile int* flag = out; __shared__ int s[1];\nif (threadIdx.x == 0) flag[1] = 0;\n"
                 "if (threadIdx.x == 32) flag[0] = 1;\n"
                 "if (threadIdx.x == 0 && flag[0] == 1) while (flag[0] != 2) {}"));
  EXPECT_EQ(makeVerdict(report, "warps reversed"), LuckVerdict::Fails);
  EXPECT_SAYS(report.sentence);
}

TEST(Luck, AFaultUnderAnotherOrderIsTold) {
  const LuckReport report =
      run(racing("__shared__ int at[1]; at[0] = 0; __syncthreads();\n"
                 "if (threadIdx.x == 0) out[at[0] * 200] = 1;\n"
                 "if (threadIdx.x == 32) at[0] = 1;"));
  EXPECT_EQ(report.verdict, LuckVerdict::Fails);
  EXPECT_SAYS(report.sentence);
}

TEST(Luck, ALaunchThatFailsAnywayHasItsOwnError) {
  const auto report = tryOrders(racing("out[1000] = 1;"));
  ASSERT_FALSE(report.ok());
  EXPECT_SAYS(report.error().message);
}

TEST(Luck, TheBudgetEndsTheSeeds) {
  const LuckReport report = run(racing("for (int i = 0; i < 1000; ++i) out[threadIdx.x] += i;"),
                                {.seeds = 50, .instructionBudget = 1000000});
  EXPECT_EQ(report.seedsAsked, 50u);
  EXPECT_LT(report.seedsTried, 50u);
  EXPECT_EQ(report.orders.size(), 4u + 3 * report.seedsTried);
}

TEST(Luck, ASeedIsAnOrderForGood) {
  std::mt19937 random(7);
  std::mt19937 again(7);
  const auto order = sequence(Order::Pick::Random, 6, random);
  EXPECT_EQ(order, sequence(Order::Pick::Random, 6, again));
  EXPECT_NE(order, sequence(Order::Pick::Random, 6, random));
  std::mt19937 none;
  EXPECT_EQ(sequence(Order::Pick::Reversed, 3, none), (std::vector<std::uint64_t>{2, 1, 0}));
}

}  // namespace
}  // namespace lanescope
