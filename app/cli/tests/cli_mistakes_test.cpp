// What lanescope-cli says of mistakes: one clear sentence on stderr, nothing on stdout, and the exit
// status: 1 where the kernel or the check failed, 2 where the usage is wrong.
#include <algorithm>

#include "app/cli/tests/run_cli.h"
#include "sim/base/json.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

struct Mistake {
  const char* name;
  std::vector<std::string> arguments;
  const char* says;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class WrongUsage : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongUsage, IsOneSentenceAndStatus2) {
  const auto outcome = runCli(GetParam().arguments);
  EXPECT_EQ(outcome.status, 2) << outcome.complaint;
  EXPECT_EQ(outcome.output, "");
  EXPECT_NE(outcome.complaint.find(GetParam().says), std::string::npos) << outcome.complaint;
  EXPECT_EQ(std::count(outcome.complaint.begin(), outcome.complaint.end(), '\n'), 1) << outcome.complaint;
}

const std::string kBaseline = LANESCOPE_SOURCE_DIR "/kernels/strategies/baseline.cu";

INSTANTIATE_TEST_SUITE_P(
    Mistakes, WrongUsage,
    ::testing::Values(
        Mistake{"noCommand", {}, "subcommand"}, Mistake{"unknownCommand", {"simulat"}, "simulat"},
        Mistake{"unknownOption", {"list", "--jsn"}, "--jsn"}, Mistake{"noTarget", {"simulate"}, "target"},
        Mistake{"missingFile", {"simulate", "nowhere.cu", "--block", "4"}, "neither a strategy nor a file"},
        Mistake{"unknownStrategy", {"trace", "baselin"}, "nearest strategies are baseline, "},
        Mistake{"folder", {"simulate", "/", "--block", "4"}, "is not a file"},
        Mistake{"unknownMachine", {"trace", "baseline", "--machine", "cray"}, "nvidia, tiny"},
        Mistake{"unknownElement", {"trace", "baseline", "--element", "half"}, "float, double and int"},
        Mistake{"elementItIsNotFor", {"simulate", "float4-loads", "--element", "int"}, "It takes float."},
        Mistake{
            "elementOfAFile", {"simulate", kBaseline, "--element", "int", "--block", "4"}, "for strategies"},
        Mistake{
            "opOfAFile", {"simulate", kBaseline, "--op", "sum", "--block", "4"}, "--op is for strategies"},
        Mistake{"opWithoutAChoice", {"trace", "shuffle", "--op", "max"}, "no choice of another"},
        Mistake{"opUnknown",
                {"luck", "warp-block-grid", "--op", "mean"},
                "It has Sum, Product, Minimum, Maximum."},
        Mistake{
            "opOfTwo", {"render", "warp-block-grid", "--op", "m", "-o", "x.svg"}, "more than one operator"},
        Mistake{"bufferTooLarge",
                {"simulate", kBaseline, "--block", "4", "--arg", "f32:zero:2^38"},
                "more than the 2^36"},
        Mistake{"countNoPower",
                {"simulate", kBaseline, "--block", "4", "--arg", "f32:zero:3^2"},
                "not a count of elements"},
        Mistake{"scalarTooLarge",
                {"simulate", kBaseline, "--block", "4", "--arg", "u8=2^8"},
                "not a whole number of 8 bits"},
        Mistake{"extentTooLarge", {"simulate", kBaseline, "--block", "2^32"}, "not an extent"},
        Mistake{"benchBlockNoSize", {"bench", "--block", "wide"}, "'wide' is not a size"},
        Mistake{"renderNowhere", {"render", "baseline"}, "No file to write was given."},
        Mistake{"renderAsGif", {"render", "baseline", "-o", "x.gif"}, "ends in .svg or .png"},
        Mistake{"renderAPageTwice", {"render", "baseline", "--page", "x.html", "--gif", "x.gif"}, "excludes"},
        Mistake{"renderTwice", {"render", "baseline", "-o", "x.svg", "--sequence", "x"}, "excludes"},
        Mistake{"renderTiny", {"render", "baseline", "-o", "x.svg", "--size", "10x10"}, "160 to 8192"},
        Mistake{"renderNoSize", {"render", "baseline", "-o", "x.svg", "--size", "wide"}, "WIDTHxHEIGHT"},
        Mistake{"renderNoTheme", {"render", "baseline", "-o", "x.svg", "--theme", "sepia"}, "high-contrast"},
        Mistake{"renderNoPicture", {"render", "baseline", "-o", "x.svg", "--picture", "gpu"}, "timeline"},
        Mistake{"renderPastTheEnd",
                {"render", "baseline", "--n", "8", "-o", "x.svg", "--step", "9999"},
                "no step 9999: the walk has 0 to"},
        Mistake{"renderNoWavefront",
                {"render", "baseline", "--n", "8", "-o", "x.svg", "--step", "1", "--wavefront", "3"},
                "no wavefront 3"},
        Mistake{"renderNoBlock", {"render", "baseline", "-o", "x.svg", "--trace-block", "7"}, "block"},
        Mistake{"renderHugeScale", {"render", "baseline", "-o", "x.svg", "--scale", "90"}, "90"},
        Mistake{"renderNothing", {"render", "nothing", "-o", "x.svg"}, "'nothing' is neither"},
        Mistake{"nNoPowerOfTwo", {"trace", "baseline", "--n", "100"}, "power of two"},
        Mistake{"nNotDivisible", {"trace", "baseline", "--n", "64", "--blocks", "3"}, "3 blocks"},
        Mistake{"nZero", {"trace", "baseline", "--n", "0"}, "0"},
        Mistake{"nWord", {"trace", "baseline", "--n", "many"}, "many"},
        Mistake{"nNegative", {"trace", "baseline", "--n", "-8"}, "-8"},
        Mistake{
            "nNoPower", {"luck", "baseline", "--n", "2^64"}, "'2^64' is not a size; write a number such as"},
        Mistake{"nTooLarge", {"render", "baseline", "--n", "2^35", "-o", "x.svg"}, "2^35 is not from 1 to"},
        Mistake{"benchUnknown",
                {"bench", "--strategies", "shufle", "--n", "2^10"},
                "The nearest strategies are shuffle"},
        Mistake{"blocksZero", {"trace", "baseline", "--n", "8", "--blocks", "0"}, "0"},
        Mistake{"blockTooLarge", {"trace", "baseline", "--n", "4096"}, "at most 1024"},
        Mistake{"oneElement", {"trace", "shuffle", "--n", "1"}, "2, 4, 8, 16"},
        Mistake{"sharedNegative",
                {"simulate", kBaseline, "--block", "4", "--dynamic-shared", "-1"},
                "'-1' is not a size"},
        Mistake{"noInstructions", {"simulate", "baseline", "--max-instructions", "0"}, "0 is not from 1 to"},
        Mistake{"noText", {"simulate", "/bin/sh", "--block", "4"}, "is not text"},
        Mistake{"noBlock", {"simulate", kBaseline}, "--block"},
        Mistake{"blockOf0",
                {"simulate", kBaseline, "--block", "0", "--arg", "f32:hash:4", "--arg", "f32:zero:1"},
                "block of 0"},
        Mistake{"blockOf1025",
                {"simulate", kBaseline, "--block", "1025", "--arg", "f32:hash:4", "--arg", "f32:zero:1"},
                "1025"},
        Mistake{"blockThatOverflows",
                {"simulate", kBaseline, "--block", "67280421,4294967295,60", "--arg", "f32:hash:4", "--arg",
                 "f32:zero:1"},
                "cannot be launched"},
        Mistake{"gridOf0",
                {"simulate", kBaseline, "--grid", "0", "--block", "4", "--arg", "f32:hash:4", "--arg",
                 "f32:zero:1"},
                "grid of 0"},
        Mistake{"noExtent", {"simulate", kBaseline, "--block", "4x"}, "not an extent"},
        Mistake{"fourParts", {"simulate", kBaseline, "--block", "1,2,3,4"}, "not an extent"},
        Mistake{"noArguments", {"simulate", kBaseline, "--block", "4"}, "takes 2 arguments, but 0 are given"},
        Mistake{
            "oneArgument", {"simulate", kBaseline, "--block", "4", "--arg", "f32:hash:4"}, "but 1 is given"},
        Mistake{"wrongType",
                {"simulate", kBaseline, "--block", "4", "--arg", "i32:hash:4", "--arg", "f32:zero:1"},
                "const float*"},
        Mistake{"badSpec", {"simulate", kBaseline, "--block", "4", "--arg", "f32:hsh:4"}, "'hsh'"},
        Mistake{"tooMuchShared",
                {"simulate", kBaseline, "--block", "4", "--dynamic-shared", "300000", "--arg", "f32:hash:4",
                 "--arg", "f32:zero:1"},
                "shared memory"},
        Mistake{"hazardsWord", {"simulate", "baseline", "--hazards", "maybe"}, "maybe"},
        Mistake{"optionWithoutACommand", {"--bogus"}, "no option --bogus"},
        Mistake{"luckTooLarge", {"luck", "baseline", "--n", "16777216", "--blocks", "65536"}, "too large"},
        Mistake{
            "noSuchKernel", {"simulate", kBaseline, "--kernel", "nobody", "--block", "4"}, "Choose one of"},
        Mistake{"nForAFile", {"simulate", kBaseline, "--n", "8"}, "for strategies"},
        Mistake{"handAndN", {"simulate", "baseline", "--n", "8", "--block", "8"}, "one or the other"},
        Mistake{"traceBlockOutside", {"trace", "baseline", "--n", "8", "--trace-block", "1"}, "no block"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(KernelFailures, ATextThatDoesNotParseHasPlaceCaretAndHint) {
  const auto outcome = runText("simulate", "__global__ void k(int* out) {\n  out[0] = 1\n}\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, "");
  EXPECT_SAYS(outcome.complaint);
}

TEST(KernelFailures, AnAccessOutOfBoundsIsStatus1) {
  const auto outcome = runText("simulate", "__global__ void k(int* out) {\n  out[threadIdx.x + 1] = 1;\n}\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, "");
  EXPECT_SAYS(outcome.complaint);
}

TEST(KernelFailures, AreHazardsInTheJson) {
  const auto outcome = runText(
      "simulate",
      "__global__ void k(int* out) {\n  out[threadIdx.x / 2] = threadIdx.x;\n  out[threadIdx.x + 1] = "
      "1;\n}\n",
      {"--json"});
  EXPECT_EQ(outcome.status, 1);
  const auto json = parseJson(outcome.output);
  EXPECT_NE(json["error"].get<std::string>().find("stores to out[4]"), std::string::npos);
  EXPECT_EQ(json["kernel"], "k");
  ASSERT_EQ(json["hazards"].size(), 2u) << outcome.output;
  EXPECT_EQ(json["hazards"][0]["kind"], "write_after_write");
  EXPECT_EQ(json["hazards"][1]["kind"], "out_of_bounds");
  EXPECT_EQ(json["hazards"][1]["place"], "out[4]");
  EXPECT_EQ(json["hazards_looked_at"]["complete"], false);
}

// With --json standard output is JSON, whatever happens; the sentence is on stderr as well.
TEST(Mistakes, AreJsonWhereJsonIsAskedFor) {
  const ScratchFolder scratch;
  const std::string wrong = scratch.write("wrong.cu", "__global__ void k(float* a) {\n  a[0] = ;\n}\n");
  const std::string fault = scratch.write("fault.cu", "__global__ void k(float* a) {\n  a[9] = 1.0f;\n}\n");
  struct Case {
    std::vector<std::string> arguments;
    int status = 2;
    std::size_t places = 0;
  };
  const std::vector<Case> cases{{{"sass", wrong}, 1, 1},
                                {{"sass", "baselin"}},
                                {{"floors", wrong, "--block", "1", "--arg", "f32:zero:4"}, 1, 1},
                                {{"floors", fault, "--block", "1", "--arg", "f32:zero:4"}, 1, 1},
                                {{"floors", "baseline", "--gpu", "voodoo"}},
                                {{"why", "baselin"}},
                                {{"why", wrong}},
                                {{"why", "baseline", "--recording", "nowhere.jsonl"}},
                                {{"sass", "baseline", "--recording", "nowhere.jsonl"}},
                                {{"experiment", "two-loops", "--worker", "nowhere-worker"}, 1},
                                {{"experiment", "nonsense"}},
                                {{"experiment", "cpu-sum", "--simulate"}},
                                {{"glossary", "nonsense"}},
                                {{"check", "nowhere.cu"}}};
  for (const Case& each : cases) {
    std::vector<std::string> arguments = each.arguments;
    arguments.emplace_back("--json");
    const auto outcome = runCli(arguments);
    SCOPED_TRACE(each.arguments[0] + " " + each.arguments[1]);
    EXPECT_EQ(outcome.status, each.status);
    EXPECT_NE(outcome.complaint, "");
    const auto json = parseJson(outcome.output);
    ASSERT_TRUE(json.is_object()) << outcome.output;
    EXPECT_EQ(json["format"], "lanescope.error/1");
    ASSERT_EQ(json["diagnostics"].size(), each.places);
    if (each.places > 0) {
      EXPECT_EQ(json["diagnostics"][0]["line"], 2);
    }
  }
}

TEST(KernelFailures, WhatElseIsWrongFollowsTheError) {
  const auto outcome = runText(
      "simulate",
      "__global__ void k(int* out) {\n  out[threadIdx.x / 2] = threadIdx.x;\n  out[threadIdx.x + 1] = "
      "1;\n}\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, "");
  EXPECT_SAYS(outcome.complaint);
  EXPECT_EQ(std::count(outcome.complaint.begin(), outcome.complaint.end(), '\n'), 2) << outcome.complaint;
}

TEST(KernelFailures, AnEndlessLoopMeetsItsLimit) {
  const auto outcome = runText("simulate", "__global__ void k(int* out) { while (true) {} }\n",
                               {"--max-instructions", "10000"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_SAYS(outcome.complaint);
}

constexpr const char* kEndless = "__global__ void k(int* out) {\n  while (true) out[0] = 1;\n}\n";

TEST(KernelFailures, AnEndlessLoopIsStatus1ForEveryCommand) {
  for (const char* command : {"luck", "trace", "simulate"}) {
    const auto outcome = runText(command, kEndless, {"--max-instructions", "10000"});
    EXPECT_EQ(outcome.status, 1) << command << ": " << outcome.complaint;
    EXPECT_EQ(outcome.output, "") << command;
    EXPECT_SAYS(outcome.complaint);
    EXPECT_NE(outcome.complaint.find(".cu:2: "), std::string::npos) << command << ": " << outcome.complaint;
  }
}

TEST(KernelFailures, ATracePastItsLimitIsStatus1) {
  const auto outcome = runText("trace", kEndless);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.complaint.find(".cu:2: "), std::string::npos) << outcome.complaint;
  EXPECT_SAYS(outcome.complaint);
}

TEST(KernelFailures, ATileWiderThanAWarpIsRefused) {
  const auto outcome =
      runText("simulate",
              "namespace cg = cooperative_groups;\n__global__ void k(int* out) {\n"
              "  auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n  tile.sync();\n}\n",
              {"--machine", "tiny"}, "32");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_SAYS(outcome.complaint);
}

TEST(KernelFailures, EmptyAndBinaryFilesAreNoKernels) {
  for (const std::string& text : {std::string(), std::string("\x7f"
                                                             "ELF\x00\x01\xff\xfe",
                                                             8)}) {
    const auto outcome = runText("simulate", text);
    EXPECT_TRUE(outcome.status == 1 || outcome.status == 2) << outcome.status;
    EXPECT_EQ(outcome.output, "");
    EXPECT_FALSE(outcome.complaint.empty());
  }
}

TEST(Help, IsThereForEveryCommand) {
  for (const char* command : {"list", "simulate", "luck", "trace"}) {
    const auto outcome = runCli({command, "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.output.find("--json"), std::string::npos) << command;
  }
  for (const char* command : {"simulate", "luck", "trace"})
    EXPECT_NE(runCli({command, "--help"}).output.find("Exit status: 0"), std::string::npos) << command;
  EXPECT_EQ(runCli({"--help"}).status, 0);
  EXPECT_EQ(runCli({"--version"}).status, 0);
}

}  // namespace
}  // namespace lanescope::cli
