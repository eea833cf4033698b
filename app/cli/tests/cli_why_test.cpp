// lanescope-cli why: from the recording that ships, from another, and from a worker (a fake one).
#include <algorithm>
#include <fstream>
#include <string>

#include "app/analysis/diagnosis.h"
#include "app/cli/tests/run_cli.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/json.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

TEST(CliWhy, NamesTheCostliestLine) {
  const Outcome text = runCli({"why", "baseline"});
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_NE(text.output.find("N = 2^26"), std::string::npos) << text.output;
  EXPECT_SAYS(text.output);
  EXPECT_NE(text.output.find("if (tid % (2 * k) == 0) {"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("NVIDIA H200"), std::string::npos) << text.output;
}

TEST(CliWhy, PrintsJson) {
  const Outcome outcome = runCli({"why", "shuffle", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["schema"], "lanescope.why/1");
  EXPECT_EQ(json["strategy"], "shuffle");
  EXPECT_EQ(json["lines"][0]["line"], 21);
  EXPECT_EQ(json["lines"][0]["stalls"][0]["words"], toStallReason("long_sb").words);
  EXPECT_EQ(json["lines"][0]["stalls"][0]["nsight"], "Stall Long Scoreboard");
  EXPECT_EQ(json["inst_executed"], 77332480U);
  const auto baseline = parseJson(runCli({"why", "baseline", "--json"}).output);
  double shares = baseline["share_in_headers"];
  for (const auto& line : baseline["lines"]) shares += line["share"].get<double>();
  EXPECT_NEAR(shares, 1, 1e-9);
}

TEST(CliWhy, WithoutAStrategyPrintsTheTableOfAll) {
  const Outcome text = runCli({"why"});
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_SAYS(text.output);
  const Outcome outcome = runCli({"why", "--json"});
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["schema"], "lanescope.why-table/1");
  EXPECT_EQ(json["strategies"].size() + json["not_recorded"].size(), strategies().size());
  for (const auto& row : json["strategies"]) EXPECT_GT(row["costliest_line"]["share"], 0.1);
}

TEST(CliWhy, ComparesTwoProfiles) {
  const Outcome text = runCli({"why", "baseline", "shuffle"});
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_NE(text.output.find(stallGroupWords(StallGroup::Global)), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("line 11, 51%: if (tid"), std::string::npos) << text.output;
  EXPECT_SAYS(text.output);
  const Outcome outcome = runCli({"why", "baseline", "shuffle", "--json"});
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["schema"], "lanescope.why-difference/1");
  EXPECT_GT(json["left_floor_us"], json["right_floor_us"]);
  const auto& rows = json["differences"];
  const auto found =
      std::ranges::find_if(rows, [](const auto& row) { return row["name"] == "instructions per warp"; });
  ASSERT_NE(found, rows.end());
  EXPECT_EQ((*found)["left"], "245.0");
}

TEST(CliWhy, ProfilesOnAWorker) {
  const Outcome outcome =
      runCli({"why", "baseline", "--n", "2^10", "--worker", LANESCOPE_FAKE_WORKER " good", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["origin"], "Fake GPU, live");
  EXPECT_EQ(json["n"], 1024);
  EXPECT_EQ(json["grid"], (std::vector<int>{4, 1, 1}));
  EXPECT_EQ(json["limiting_unit"]["unit"], "DRAM");
  EXPECT_EQ(json["limiting_unit"]["limited_by"], "the unit");
  const std::string_view text = findStrategy("baseline")->source;
  EXPECT_EQ(json["lines"][0]["line"], std::ranges::count(text, '\n')) << "the fake's last has the most";
}

/// A recording of the profile of *Vector addition* alone, the first of the shipped one.
std::string recordingOfOne() {
  std::ifstream all(LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200_profile.jsonl");
  std::string path = ::testing::TempDir() + "one_profile.jsonl";
  std::ofstream one(path);
  std::string line;
  for (int i = 0; i < 3 && std::getline(all, line); ++i) one << line << '\n';
  return path;
}

TEST(CliWhy, SaysWhatIsInTheWay) {
  const std::string worker = LANESCOPE_FAKE_WORKER;
  const std::vector<std::pair<std::vector<std::string>, std::pair<int, std::string>>> cases{
      {{"why", "baselin"}, {2, "baseline"}},
      {{"why", LANESCOPE_SOURCE_DIR "/kernels/strategies/baseline.cu"}, {2, "only of the strategies"}},
      {{"why", "baseline", "shuffle", "kahan"}, {2, "two to compare"}},
      {{"why", "baseline", "shuffl"}, {2, "shuffle"}},
      {{"why", "butterfly", "--recording", recordingOfOne()},
       {1, "lanescope-gpu profile butterfly --record FILE"}},
      {{"why", "baseline", "--recording", "/nowhere.jsonl"}, {2, "no recording"}},
      {{"why", "--worker", worker + " good"}, {2, "to profile"}},
      {{"why", "baseline", "--n", "7", "--worker", worker + " good"}, {2, "7"}},
      {{"why", "no.cu", "--worker", worker + " good"}, {2, "no.cu"}},
      {{"why", "baseline", "--worker", worker + " no-ncu"}, {1, "'ncu' is not on the worker's machine"}},
      {{"why", "baseline", "--worker", worker + " no-gpu"}, {1, "no CUDA device"}},
      {{"why", "baseline", "--worker", "x", "--recording", "y"}, {2, "excludes"}}};
  for (const auto& [words, wanted] : cases) {
    const Outcome outcome = runCli(words);
    EXPECT_EQ(outcome.status, wanted.first) << words[1] << ": " << outcome.complaint;
    EXPECT_NE(outcome.complaint.find(wanted.second), std::string::npos) << outcome.complaint;
    EXPECT_EQ(outcome.output, "");
  }
}

}  // namespace
}  // namespace lanescope::cli
