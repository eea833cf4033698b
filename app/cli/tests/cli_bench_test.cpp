// lanescope-cli bench, with the fake worker in place of a GPU's.
#include <algorithm>

#include "app/cli/tests/run_cli.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/json.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

Outcome bench(const std::string& mode, std::vector<std::string> more) {
  more.insert(more.begin(), {"bench", "--worker", std::string(LANESCOPE_FAKE_WORKER) + " " + mode});
  return runCli(more);
}

TEST(CliBench, PrintsJson) {
  const Outcome outcome = bench("good", {"--strategies", "baseline,cub", "--n", "2^20,4096", "--scope",
                                         "full", "--element", "double", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["schema"], "lanescope.bench/1");
  EXPECT_EQ(json["gpu"]["name"], "Fake GPU");
  ASSERT_EQ(json["results"].size(), 4u);
  for (const auto& result : json["results"]) {
    EXPECT_EQ(result["scope"], "full");
    EXPECT_EQ(result["element"], "double");
    EXPECT_EQ(result["bytes"], (result["n"].get<std::uint64_t>() + 1) * 8);
    const double baseline = 10.0 + findStrategy("baseline")->order;
    EXPECT_DOUBLE_EQ(result["median_us"], result["strategy"] == "cub" ? 10.0 : baseline);
  }
}

TEST(CliBench, PrintsCsvAndText) {
  const Outcome csv = bench("good", {"--strategies", "baseline", "--csv"});
  ASSERT_EQ(csv.status, 0) << csv.complaint;
  EXPECT_EQ(std::count(csv.output.begin(), csv.output.end(), '\n'), 2);
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  const std::size_t middle = csv.output.find('\n');
  EXPECT_EQ(commas(csv.output.substr(0, middle)), commas(csv.output.substr(middle)));
  EXPECT_NE(csv.output.find("Fake GPU,,2026-01-02,baseline,16777216,256,cold,kernel,float"),
            std::string::npos)
      << csv.output;
  const Outcome text = bench("good", {"--strategies", "shuffle,baseline"});
  EXPECT_SAYS(text.output);
  EXPECT_LT(text.output.find("  baseline"), text.output.find("  shuffle"));  // the faster first
}

TEST(CliBench, SeveralNumbersOfBlocksAreSeveralRows) {
  const Outcome json = bench("good", {"--strategies", "float4-loads,baseline,cub", "--scope", "full", "--n",
                                      "2^20", "--blocks", "132,264,2^10", "--json"});
  ASSERT_EQ(json.status, 0) << json.complaint;
  EXPECT_NE(json.complaint.find("'baseline' and 'cub'"), std::string::npos) << json.complaint;
  const auto results = parseJson(json.output)["results"];
  ASSERT_EQ(results.size(), 5u) << json.output;
  std::vector<std::uint64_t> blocks;
  for (const auto& result : results) {
    if (result["strategy"] == "cub") {
      EXPECT_TRUE(result["elements_per_thread"].is_null());
    }
    if (result["strategy"] != "float4-loads") {
      EXPECT_TRUE(result["blocks"].is_null());
      continue;
    }
    blocks.push_back(result["blocks"].get<std::uint64_t>());
    EXPECT_EQ(result["grid"], result["blocks"]);
    EXPECT_DOUBLE_EQ(result["elements_per_thread"].get<double>(),
                     4096.0 / static_cast<double>(blocks.back()));
  }
  EXPECT_EQ(blocks, (std::vector<std::uint64_t>{132, 264, 1024}));

  const Outcome csv =
      bench("good", {"--strategies", "kahan", "--n", "2^20", "--elements-per-thread", "8,64", "--csv"});
  ASSERT_EQ(csv.status, 0) << csv.complaint;
  EXPECT_EQ(csv.complaint, "");
  EXPECT_NE(csv.output.find(",gbps,blocks,elements_per_thread\n"), std::string::npos) << csv.output;
  EXPECT_NE(csv.output.find(",512,8\n"), std::string::npos) << csv.output;
  EXPECT_NE(csv.output.find(",64,64\n"), std::string::npos) << csv.output;
  const Outcome text = bench("good", {"--strategies", "kahan", "--n", "2^20", "--blocks", "1,3"});
  EXPECT_SAYS(text.output);
  const Outcome single =
      bench("good", {"--strategies", "kahan", "--n", "2^20", "--elements-per-thread", "1"});
  EXPECT_SAYS(single.output);
}

TEST(CliBench, AWorkerWithoutNumbersOfBlocksIsToldOf) {
  const Outcome older = bench("without-blocks", {"--strategies", "kahan", "--blocks", "132"});
  EXPECT_EQ(older.status, 1);
  EXPECT_EQ(older.output, "");
  EXPECT_SAYS(older.complaint);
  const Outcome other = bench("other-grid", {"--strategies", "kahan", "--blocks", "132"});
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.output, "");
}

TEST(CliBench, AWrongSumIsShownAndFails) {
  const Outcome outcome = bench("wrong-sums", {"--strategies", "baseline,no-divergence"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_SAYS(outcome.output);
}

TEST(CliBench, AWorkerThatFailsIsOneSentence) {
  for (const char* mode : {"dies", "no-gpu", "garbage", "wrong-version", "dies-mid-run", "error-in-run"}) {
    const Outcome outcome = bench(mode, {"--strategies", "baseline"});
    EXPECT_EQ(outcome.status, 1) << mode;
    EXPECT_EQ(std::count(outcome.complaint.begin(), outcome.complaint.end(), '\n'), 1)
        << mode << ": " << outcome.complaint;
  }
  const Outcome nobody = runCli({"bench", "--worker", "/nowhere/lanescope-gpu"});
  EXPECT_EQ(nobody.status, 1);
  EXPECT_SAYS(nobody.complaint);
}

TEST(CliBench, WrongUsage) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--n", "many"},
                                             {"--n", "0"},
                                             {"--n", "1000", "--strategies", "baseline"},
                                             {"--block", "48"},
                                             {"--strategies", "nonsense"},
                                             {"--strategies", "cub"},
                                             {"--cache", "lukewarm"},
                                             {"--json", "--csv"},
                                             {"--blocks", "0"},
                                             {"--blocks", "-1"},
                                             {"--blocks", "text"},
                                             {"--blocks", "2^40"},
                                             {"--blocks", "2^30", "--strategies", "kahan"},
                                             {"--blocks", "4", "--strategies", "baseline"},
                                             {"--blocks", "4", "--elements-per-thread", "4"},
                                             {"--elements-per-thread", "0"},
                                             {"--elements-per-thread", "2^40"},
                                             {"--n", "2^40"}}) {
    std::vector<std::string> all = arguments;
    all.insert(all.begin(), "bench");
    const Outcome outcome = runCli(all);
    EXPECT_EQ(outcome.status, 2) << arguments[0] << " " << arguments.back() << outcome.complaint;
    EXPECT_EQ(std::count(outcome.complaint.begin(), outcome.complaint.end(), '\n'), 1) << outcome.complaint;
  }
}

}  // namespace
}  // namespace lanescope::cli
