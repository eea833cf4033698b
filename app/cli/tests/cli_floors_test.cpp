// lanescope-cli floors: of a strategy, of a file, of all, and what is wrong with a request.
#include <algorithm>

#include "app/cli/tests/run_cli.h"
#include "app/workbench/tests/fake_toolkit.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/json.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

TEST(CliFloors, NamesTheUnitThatNeedsTheLongest) {
  const Outcome text = runCli({"floors", "baseline"});
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_SAYS(text.output);
}

TEST(CliFloors, PrintsJson) {
  const Outcome outcome = runCli({"floors", "baseline", "--n", "2^16", "--cache", "warm", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["schema"], "lanescope.floors/1");
  EXPECT_EQ(json["strategy"], "baseline");
  EXPECT_EQ(json["n"], 65536);
  EXPECT_EQ(json["cache"], "warm");
  EXPECT_EQ(json["is_scaled"], false);
  EXPECT_LT(json["floor_us"], json["measured_us"]);
  for (const auto& unit : json["units"]) {
    EXPECT_NE(unit["unit"], "dram") << "all of it may be in L2";
    EXPECT_NEAR(unit["us"].get<double>() * unit["rate_per_us"].get<double>(), unit["amount"].get<double>(),
                1);
  }
}

TEST(CliFloors, AFileNeedsNoGpuAndNoProfile) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("copy.cu", R"(__global__ void copy(const float* in, float* out) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
})");
  const Outcome outcome =
      runCli({"floors", file, "--kernel", "copy", "--grid", "256", "--block", "256", "--arg",
              "f32:hash:65536", "--arg", "f32:zero:65536", "--gpu", "rtx4060-laptop", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["limiting_unit"], "dram");
  EXPECT_EQ(json["units"][0]["amount"], 8192) << "reads; what is written stays in L2";
  EXPECT_DOUBLE_EQ(json["floor_us"], 8192 / 8000.0);
  EXPECT_EQ(json["measured_us"], nullptr);
  EXPECT_EQ(runCli({"floors", "--grid", "16,16", "--threads", "256", file, "--arg", "f32:hash:65536", "--arg",
                    "f32:zero:65536", "--gpu", "rtx4060-laptop", "--json"})
                .status,
            0);
  EXPECT_SAYS(runCli({"floors", file, "--block", "8,8,2,2"}).complaint);
  const auto isIssue = [](const auto& unknown) {
    return unknown.template get<std::string>().starts_with("issue slots: ");
  };
  const bool knowsIssue = std::ranges::none_of(json["unknown"], isIssue);
  EXPECT_EQ(knowsIssue, !json["instructions_from"].is_null()) << json["unknown"];
  EXPECT_EQ(json["unknown"].size(), knowsIssue ? 2U : 3U) << json["unknown"];
}

TEST(CliFloors, OfAFileTheToolkitMakesTheMachineCode) {
  const lanescope::testing::FakeToolkit toolkit(
      readAll(LANESCOPE_SOURCE_DIR "/app/workbench/tests/sass_cases.txt"));
  const auto floors = [&toolkit](const std::string& kernel) {
    return runShell("CUDA_HOME='" + toolkit.home() +
                    "' " LANESCOPE_CLI " floors " LANESCOPE_SOURCE_DIR
                    "/app/workbench/tests/sass_cases.cu --kernel '" +
                    kernel + "' --grid 4 --block 64 --arg f32:hash:256 --arg f32:zero:64");
  };
  const Outcome text = floors("four_times");
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_SAYS(text.output);
  const Outcome absent = floors("twice<4>");
  EXPECT_EQ(absent.output.find("Warp instructions: "), std::string::npos) << absent.output;
}

TEST(CliFloors, WithoutATargetPrintsTheTableOfAll) {
  const Outcome outcome = runCli({"floors", "--n", "2^14", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["schema"], "lanescope.floors-table/1");
  EXPECT_EQ(json["strategies"].size() + json["unknown"].size(), strategies().size());
  for (const auto& row : json["strategies"]) {
    if (row["measured_us"].is_null()) continue;
    EXPECT_LE(row["floor_us"], row["measured_us"]) << row;
  }
  const Outcome text = runCli({"floors", "--n", "100"});
  EXPECT_EQ(text.status, 0);
  EXPECT_SAYS(text.output);
}

TEST(CliFloors, SaysWhatIsWrong) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"floors", "baselin"}, "baseline"},
      {{"floors", "baseline", "shuffle"}, "one strategy"},
      {{"floors", "baseline", "--gpu", "voodoo"}, "h200, h100, rtx4060-laptop"},
      {{"floors", "baseline", "--cache", "hot"}, "cold"},
      {{"floors", "baseline", "--n", "x"}, "x"},
      {{"floors", "baseline", "--n", "100"}, "not a multiple of 256"}};
  for (const auto& [words, wanted] : cases) {
    const Outcome outcome = runCli(words);
    EXPECT_EQ(outcome.status, 2) << outcome.complaint;
    EXPECT_NE(outcome.complaint.find(wanted), std::string::npos) << outcome.complaint;
    EXPECT_EQ(outcome.output, "");
  }
  const KernelFile file("__global__ void k(float* a) { a[9] = 1.0f; }");
  const Outcome fault = file.run("floors", {"--block", "1", "--arg", "f32:zero:4"});
  EXPECT_EQ(fault.status, 1);
  EXPECT_NE(fault.complaint.find("a[9]"), std::string::npos) << fault.complaint;
  const Outcome threads = file.run("floors", {"--arg", "f32:zero:16"});
  EXPECT_EQ(threads.status, 2);
  EXPECT_SAYS(threads.complaint);
}

// The compiler may make fewer accesses than a text has, so that a floor of the text is none of the kernel.
TEST(CliFloors, SaysThatTheyCountTheAccessesOfAText) {
  const KernelFile file("__global__ void k(float* a) { a[threadIdx.x] = 1.0f; }");
  const Outcome text = file.run("floors", {"--block", "32", "--arg", "f32:zero:32"});
  EXPECT_EQ(text.status, 0) << text.complaint;
  EXPECT_SAYS(text.output);
  EXPECT_SAYS(text.output);
  EXPECT_EQ(runCli({"floors", "vector-add", "--n", "2^14"}).output.find("leaves some out"),
            std::string::npos);
}

}  // namespace
}  // namespace lanescope::cli
