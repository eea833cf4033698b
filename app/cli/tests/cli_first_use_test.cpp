// The first use of lanescope-cli: what is typed from habit is taken, or answered with what to type.

#include "app/cli/tests/run_cli.h"
#include "sim/base/json.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

constexpr const char* kSaxpy =
    "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n}\n";

Outcome simulate(const std::vector<std::string>& more) {
  const ScratchFolder scratch;
  std::vector<std::string> arguments{"simulate", scratch.write("k.cu", kSaxpy), "--grid", "4", "--block",
                                     "256"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runCli(arguments);
}

TEST(FirstUse, GivesALineOfArgumentsToCopy) {
  const Outcome none = simulate({});
  EXPECT_EQ(none.status, 2);
  EXPECT_SAYS(none.complaint);
  EXPECT_EQ(
      simulate({"--arg", "i32=1024", "--arg", "f32=1", "--arg", "f32:hash:1024", "--arg", "f32:zero:1024"})
          .status,
      0);
}

TEST(FirstUse, TakesTheNamesOfTypesAndParameters) {
  const std::vector<std::string> ofC{"--arg", "int=4",           "--arg", "float=2",
                                     "--arg", "float:ones:1000", "--arg", "float:iota:1000"};
  const Outcome byType = simulate(ofC);
  EXPECT_EQ(byType.status, 0) << byType.complaint;
  const Outcome byName =
      simulate({"--arg", "y=iota:1000", "--arg", "n=4", "--arg", "x:ones:1000", "--arg", "a=2"});
  EXPECT_EQ(byName.status, 0) << byName.complaint;
  EXPECT_EQ(byType.output, byName.output);
  const Outcome mixed = simulate(
      {"--arg", "y=f32:iota:1000", "--arg", "i32=4", "--arg", "f32=2", "--arg", "x=float:ones:1000"});
  EXPECT_EQ(mixed.output, byType.output) << mixed.complaint;
  expectSays(simulate({"--arg", "n=1", "--arg", "n=2", "--arg", "a=1", "--arg", "a=2"}),
             "The argument n is given twice.");
  expectSays(simulate({"--arg", "i32=1", "--arg", "n=2", "--arg", "a=1", "--arg", "a=2"}),
             "a is given twice");
  expectSays(simulate({"--arg", "m=1", "--arg", "n=2", "--arg", "a=1", "--arg", "y=zero:4"}),
             "the type 'm' is not known");
}

TEST(FirstUse, PrintsElements) {
  const std::vector<std::string> given{"--arg", "n=1000",      "--arg", "a=2",
                                       "--arg", "x=ones:1000", "--arg", "y=iota:1000"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), given.begin(), given.end());
    return simulate(more);
  };
  const std::string first = with({"--print", "y:3:4"}).output;
  EXPECT_NE(first.find("\ny[3..6]: 5 6 7 8\n"), std::string::npos) << first;
  const std::string several = with({"--print", "3:998:100", "--print", "x"}).output;
  EXPECT_NE(several.find("\ny[998..999]: 1000 1001\nx[0..15]: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"),
            std::string::npos)
      << several;
  const auto json = parseJson(with({"--print", "y:0:2", "--json"}).output);
  EXPECT_EQ(json["elements"][0]["name"], "y");
  EXPECT_EQ(json["elements"][0]["values"][1], 3);
  for (const std::string wrong : {"z", "n", "y:1000", "y:0:0", "4", "y:1:2:3"}) {
    const Outcome outcome = with({"--print", wrong});
    EXPECT_EQ(outcome.status, 2) << wrong;
    expectSays(outcome, "--print");
  }
}

TEST(FirstUse, KnowsTheCommandsOfOtherTools) {
  for (const std::string word : {"racecheck", "memcheck", "synccheck", "compute-sanitizer", "nvcc", "ncu"}) {
    const Outcome outcome = runCli({word, "prog.cu"});
    EXPECT_EQ(outcome.status, 2);
    expectSays(outcome, word + " is not a command: ");
    EXPECT_EQ(outcome.complaint.find("glossary"), std::string::npos);
  }
  EXPECT_SAYS(runCli({"racecheck", "prog.cu"}).complaint);
}

}  // namespace
}  // namespace lanescope::cli
