// Hazards of whole kernels: none in correct ones, and every barrier of the textbooks is missed.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/base/json.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/hazard_reports.h"
#include "sim/tests/recorded_launches.h"
#include "sim/trace/luck.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

using testing::body;
using testing::dataLines;
using testing::dataText;
using testing::expectClean;
using testing::kError;
using testing::kWarning;
using testing::launchOfLine;
using testing::listAll;
using testing::look;

/// Kernels whose last steps count on a warp running in step; racecheck warns of them too
/// (of unroll_last_warp_plain, _volatile and completely_unrolled; not of _syncwarp nor baseline).
const std::set<std::string> kInStep = {"unroll_last_warp_volatile",
                                       "unroll_last_warp_plain",
                                       "completely_unrolled<64>",
                                       "completely_unrolled<128>",
                                       "completely_unrolled<256>",
                                       "multi_element",
                                       "reduceGmem",
                                       "reduceSmem",
                                       "reduceGmemUnroll",
                                       "reduceSmemUnroll"};

TEST(HazardsOfWholeKernels, NoFalseAlarmOnTheReferenceKernels) {
  std::set<std::string> warned;
  for (const Json& line : dataLines("h200-counters.jsonl")) {
    const std::string kernel = line["kernel"];
    const Launch launch = launchOfLine(line);
    const auto report = findHazards(launch);
    if (!report.ok()) continue;  // what the language does not have: hardware_counters_test holds the list
    SCOPED_TRACE(kernel + " " + line["block"].dump());
    EXPECT_EQ(report->hazards.empty(), !kInStep.contains(kernel)) << listAll(*report);
    for (const Hazard& hazard : report->hazards) {
      EXPECT_EQ(hazard.severity, kWarning) << hazard.message;
      EXPECT_EQ(hazard.scope, HazardScope::Warp) << hazard.message;
      warned.insert(kernel);
    }
  }
  EXPECT_EQ(warned, kInStep);
}

TEST(HazardsOfWholeKernels, EveryStrategyIsClean) {
  for (const Strategy& strategy : strategies()) {
    if (!strategy.broken.empty()) continue;
    for (const std::uint64_t n : {8u, 64u, 1024u}) {
      for (const char* machine : {"nvidia", "tiny"}) {
        SCOPED_TRACE(std::string(strategy.id) + " " + std::to_string(n) + " " + machine);
        expectClean(testing::strategyLaunch(strategy.id, n, machine));
      }
    }
  }
}

Launch textbook(const std::string& kernel, const std::string& text) {
  Launch launch{.source = std::make_shared<SourceText>("textbook.cu", text), .kernel = kernel};
  launch.block.x = 64;
  launch.arguments.push_back(parseArgument("i32:hash:128").value());
  return launch;
}

/// Where the barriers of a kernel are in the text.
std::vector<std::size_t> listBarriers(const std::string& text, const std::string& kernel) {
  std::vector<std::size_t> found;
  const std::size_t begin = text.find("void " + kernel + "(");
  const std::size_t end = std::min(text.find("__global__", begin), text.size());
  for (std::size_t at = text.find("__syncthreads();", begin); at < end;
       at = text.find("__syncthreads();", at + 1))
    found.push_back(at);
  return found;
}

TEST(HazardsOfWholeKernels, EveryBarrierOfTheTextbooksIsMissed) {
  const std::string text = dataText("textbook.cu");
  int barriers = 0;
  for (const char* kernel : {"tiled_product", "running_sums", "running_sums_of_a_tree", "sorted", "counted",
                             "smoothed", "reversed", "exchanged"}) {
    SCOPED_TRACE(kernel);
    expectClean(textbook(kernel, text));
    const auto luck = tryOrders(textbook(kernel, text), {.seeds = 2});
    ASSERT_TRUE(luck.ok());
    EXPECT_EQ(luck->verdict, LuckVerdict::Same) << luck->sentence;
    for (const std::size_t at : listBarriers(text, kernel)) {
      SCOPED_TRACE(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1);
      const Launch without = textbook(kernel, std::string(text).replace(at, 16, ""));
      EXPECT_FALSE(look(without).hazards.empty());
      const auto orders = tryOrders(without, {.seeds = 4});
      ASSERT_TRUE(orders.ok());
      EXPECT_EQ(orders->verdict, LuckVerdict::Depends) << orders->sentence;
      ++barriers;
    }
  }
  EXPECT_EQ(barriers, 15);
}

/// The fix of the gravest hazard, without the barrier on that line.
std::string fixWithout(const std::string& kernel, int line) {
  std::string text = dataText("textbook.cu");
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  at = text.find("__syncthreads();", at);
  const HazardReport report = look(textbook(kernel, text.replace(at, 16, "")));
  return report.hazards.empty() ? "" : report.hazards[0].fix;
}

TEST(HazardsOfWholeKernels, TheFixIsWhereTheBarrierWas) {
  struct Fix {
    const char* kernel;
    int without;            ///< the line whose barrier is left out
    int loop;               ///< the line of the loop at whose end it goes; 0: between the lines around it
    const char* next = "";  ///< what begins on the line behind it
  };
  for (const Fix& fix :
       {Fix{"tiled_product", 13, 0, "the loop on "}, Fix{"tiled_product", 15, 10}, Fix{"running_sums", 27, 0},
        Fix{"running_sums", 29, 25}, Fix{"running_sums_of_a_tree", 48, 46}, Fix{"sorted", 76, 66},
        Fix{"counted", 87, 0, "the if on "}}) {
    const std::string between = "between line " + std::to_string(fix.without - 1) + " and " + fix.next +
                                "line " + std::to_string(fix.without + 1) + ".";
    const std::string atEnd = "end of the body of the loop on line " + std::to_string(fix.loop) + ",";
    const std::string got = fixWithout(fix.kernel, fix.without);
    EXPECT_NE(got.find(fix.loop == 0 ? between : atEnd), std::string::npos) << got;
  }
}

/// The text of the baseline without its barrier number `which`, its lines where they were.
std::string baselineWithout(int which) {
  std::string text(findStrategy("baseline")->source);
  std::size_t at = std::string::npos;
  for (int i = 0; i <= which; ++i) at = text.find("__syncthreads();", at + 1);
  return text.replace(at, 16, "");
}

TEST(HazardsOfWholeKernels, EitherBarrierOfTheBaselineIsMissed) {
  for (const int which : {0, 1}) {
    Launch launch = testing::strategyLaunch("baseline", 256, "nvidia");
    launch.source = std::make_shared<SourceText>("baseline.cu", baselineWithout(which));
    const HazardReport report = look(launch);
    ASSERT_FALSE(report.hazards.empty()) << which;
    if (which == 0) {
      EXPECT_SAYS(listAll(report));
    } else {
      EXPECT_EQ(report.hazards[0].severity, kError);
      EXPECT_SAYS(report.hazards[0].fix);
    }
  }
}

constexpr const char* kLoopWithoutBarrier =
    "__shared__ float s[128];\ns[threadIdx.x] = out[threadIdx.x];\n__syncthreads();\n"
    "for (unsigned int k = blockDim.x / 2; k > 0; k /= 2) {\n"
    "if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];\n}\nout[threadIdx.x] = s[0];";

TEST(HazardFix, OfOneWarpSaysThatMoreThreadsNeedMore) {
  const std::string small = listAll(look(body(kLoopWithoutBarrier, 32)));
  EXPECT_SAYS(small);
  const std::string large = listAll(look(body(kLoopWithoutBarrier, 64)));
  EXPECT_SAYS(large);
  EXPECT_EQ(large.find("one warp only"), std::string::npos) << large;
}

// At N = 64 one of the two warps does all the additions, and races with itself alone.
TEST(HazardFix, OfOneWarpAtWorkSaysThatMoreWarpsNeedMore) {
  Launch launch = testing::strategyLaunch("no-divergence", 64, "nvidia");
  std::string text(launch.source->text());
  launch.source = std::make_shared<SourceText>("k.cu", text.replace(text.rfind("__syncthreads();"), 16, ""));
  const std::string reported = listAll(look(launch));
  EXPECT_NE(reported.find("__syncwarp()"), std::string::npos) << reported;
  EXPECT_SAYS(reported);
}

// There the warp is alone however large the block is.
TEST(HazardFix, WhereOneWarpAloneIsMeantSaysNothingOfMore) {
  const char* code =
      "__shared__ float s[128];\ns[threadIdx.x] = out[threadIdx.x];\n__syncthreads();\n"
      "if (threadIdx.x < 32) {\nfloat v = s[31 - threadIdx.x];\ns[threadIdx.x] = v + 1;\n}\n"
      "out[threadIdx.x] = s[threadIdx.x];";
  const std::string text = listAll(look(body(code, 32)));
  EXPECT_NE(text.find("__syncwarp()"), std::string::npos) << text;
  EXPECT_EQ(text.find("one warp only"), std::string::npos) << text;
}

}  // namespace
}  // namespace lanescope
