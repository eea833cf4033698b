// lanescope-cli experiment: its list, its simulation, and its times with the fake worker in place of a GPU's.

#include "app/cli/tests/run_cli.h"
#include "kernels/strategies/experiment.h"
#include "sim/base/json.h"
#include "sim/memory/counters.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

Outcome timed(const std::string& mode, std::vector<std::string> more) {
  more.insert(more.begin(), {"experiment", "--worker", std::string(LANESCOPE_FAKE_WORKER) + " " + mode});
  return runCli(more);
}

TEST(CliExperiment, ListsThem) {
  const Outcome text = runCli({"experiment"});
  EXPECT_EQ(text.status, 0) << text.complaint;
  const Outcome json = runCli({"experiment", "--json"});
  ASSERT_EQ(json.status, 0) << json.complaint;
  const auto list = parseJson(json.output);
  EXPECT_EQ(list["schema"], "lanescope.experiments/1");
  ASSERT_EQ(list["experiments"].size(), experiments().size());
  for (const auto& one : list["experiments"])
    EXPECT_NE(text.output.find(one["title"].get<std::string>()), std::string::npos);
}

TEST(CliExperiment, SimulatesEveryKernel) {
  const Outcome outcome = runCli({"experiment", "integer-division", "--simulate", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto json = parseJson(outcome.output);
  ASSERT_EQ(json["kernels"].size(), 6U);
  const auto wavefronts = [&](std::size_t i) {
    return json["kernels"][i]["counters"]["memory_l1_wavefronts_shared"].get<std::uint64_t>();
  };
  EXPECT_EQ(json["kernels"][1]["name"], "interleaved, comparison");
  EXPECT_EQ(json["kernels"][1]["levels"]["guard"], "comparison");
  EXPECT_EQ(json["kernels"][1]["strategy"], "baseline");
  EXPECT_EQ(wavefronts(0), wavefronts(1));
  EXPECT_LT(wavefronts(4), wavefronts(2));
  const Outcome text = runCli({"experiment", "integer-division", "--simulate"});
  EXPECT_SAYS(text.output);
  for (const CounterInfo* counter : countersOn(kExperiment))
    EXPECT_NE(text.output.find("  " + std::string(counter->briefly())), std::string::npos)
        << counter->plain << "\n"
        << text.output;
}

TEST(CliExperiment, PrintsMediansAndEffectsOfOneRun) {
  const Outcome outcome = timed("good", {"compensation", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["schema"], "lanescope.experiment/1");
  ASSERT_EQ(json["kernels"].size(), 4U);
  EXPECT_DOUBLE_EQ(json["kernels"][3]["median_us"], 130.0);
  ASSERT_EQ(json["effects"].size(), 4U);
  EXPECT_EQ(json["effects"][0]["factor"], "loads");
  EXPECT_EQ(json["effects"][0]["at"], "with");
  EXPECT_DOUBLE_EQ(json["effects"][0]["ratio"], 1.2);
  EXPECT_DOUBLE_EQ(json["effects"][3]["ratio"], 130.0 / 120.0);
  const Outcome text = timed("good", {"compensation"});
  EXPECT_SAYS(text.output);
}

TEST(CliExperiment, SaysWhatLimitsEveryKernelOfTheShippedRecording) {
  const auto list = parseJson(runCli({"experiment", "--json"}).output);
  for (const auto& one : list["experiments"]) {
    const std::string id = one["id"];
    if (id == "host-copies" || id == "cpu-sum") continue;  // also time the host, which has no profile
    const Outcome outcome = runCli({"experiment", id, "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.complaint;
    for (const auto& kernel : parseJson(outcome.output)["kernels"])
      EXPECT_TRUE(kernel["limit"].is_string()) << id << ": " << kernel["name"];
  }
  const Outcome text = runCli({"experiment", "integer-division"});
  EXPECT_SAYS(text.output);
}

TEST(CliExperiment, NamesTheDayOfItsOwnRun) {
  for (const auto& [id, day] :
       {std::pair("integer-division", "2026-11-25"), std::pair("two-loops", "2026-11-23")}) {
    const Outcome outcome = runCli({"experiment", id});
    EXPECT_NE(outcome.output.find(std::string("\nNVIDIA H200, ") + day + "; N = "), std::string::npos) << id;
    EXPECT_NE(outcome.output.find(std::string("\nProfiled on NVIDIA H200, ") + day), std::string::npos) << id;
  }
}

TEST(CliExperiment, AWrongResultFails) {
  const Outcome outcome = timed("wrong-sums", {"compensation"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_SAYS(outcome.output);
  EXPECT_SAYS(outcome.complaint);
}

TEST(CliExperiment, AnOlderWorkerIsNamed) {
  const Outcome outcome = timed("without-experiments", {"compensation"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_SAYS(outcome.complaint);
}

TEST(CliExperiment, WrongUsageIsSaid) {
  EXPECT_EQ(runCli({"experiment", "host-copies", "--simulate"}).status, 2);
  const Outcome unknown = runCli({"experiment", "nothing"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_SAYS(unknown.complaint);
  EXPECT_EQ(runCli({"experiment", "compensation", "--simulate", "--worker", "x"}).status, 2);
  EXPECT_EQ(runCli({"experiment", "compensation", "--recording", "/nowhere.jsonl"}).status, 2);
}

}  // namespace
}  // namespace lanescope::cli
