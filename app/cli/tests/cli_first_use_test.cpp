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
  std::vector<std::string> words{"--grid", "4", "--block", "256"};
  words.insert(words.end(), more.begin(), more.end());
  return KernelFile(kSaxpy).run("simulate", words);
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
             "'m=1' begins with neither a type nor a parameter of saxpy.");
}

TEST(FirstUse, TakesTheValuesOfStructsAndTruthsByName) {
  const KernelFile file(
      "struct Row { int n; float* x; };\n"
      "template <typename T> __global__ void k(Row r, bool b, T t, int* y) {\n"
      "  y[threadIdx.x] = r.n * 100 + (int)r.x[1] * 10 + b + (int)t;\n}\n");
  const auto with = [&](const std::string& type, const std::string& row, const std::string& truth) {
    return file.run("simulate", {"--kernel", "k<" + type + ">", "--block", "1", "--arg", "y=zero:1", "--arg",
                                 row, "--arg", truth, "--arg", "t=2", "--print", "y"});
  };
  for (const std::string row : {"r={n=3,x=iota:2}", "r={3,iota:2}", "r={x=f32:iota:2,n=i32:3}"}) {
    const Outcome yes = with("double", row, "b=true");
    EXPECT_NE(yes.output.find("\ny[0..0]: 313\n"), std::string::npos) << yes.output << yes.complaint;
    const Outcome no = with("unsigned", row, "b=false");
    EXPECT_NE(no.output.find("\ny[0..0]: 312\n"), std::string::npos) << no.output << no.complaint;
  }
  EXPECT_EQ(with("double", "r={n=3,x=iota:2}", "b=maybe").status, 2);
  const Outcome misspelt = with("double", "r={m=3,x=iota:2}", "b=true");
  EXPECT_EQ(misspelt.status, 2);
  expectSays(misspelt, "r, a Row, has no field m. Its fields are n, x.");
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
  for (const std::string wrong : {"z", "n", "y:1000", "y:0:0", "4", "y:1:2:3", "y:", "y:1:"}) {
    const Outcome outcome = with({"--print", wrong});
    EXPECT_EQ(outcome.status, 2) << wrong;
    expectSays(outcome, "--print");
  }
}

TEST(FirstUse, ReadsWhatToPrintBeforeTheLaunchRuns) {
  const KernelFile file("__global__ void k(float* x) { while (x[0] == 0) x[1] = 1; }\n");
  const auto print = [&](const std::string& what) {
    return file.run("simulate",
                    {"--block", "1", "--arg", "x=zero:2", "--print", what, "--max-instructions", "10000"});
  };
  const Outcome wrong = print("z");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(countLines(wrong.complaint), 1u) << wrong.complaint;
  const Outcome endless = print("x");
  EXPECT_EQ(endless.status, 1);
  expectSays(endless, "The launch failed, so --print prints nothing.");
}

TEST(FirstUse, PrintsTheDigitsThatGiveAValueAgain) {
  const KernelFile file(
      "__global__ void k(float* x, double* y) {\n"
      "  x[0] = 0.1f; x[1] = 1 / x[4]; x[2] = -x[1]; x[3] = x[1] + x[2];\n"
      "  y[0] = 0.1; y[1] = 1.0 / 3;\n}\n");
  std::vector<std::string> words{"--block",  "1",       "--arg", "x=zero:5", "--arg",
                                 "y=zero:2", "--print", "x",     "--print",  "y"};
  const std::string text = file.run("simulate", words).output;
  EXPECT_NE(text.find("\nx[0..4]: 0.1 inf -inf nan 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\ny[0..1]: 0.1 0.3333333333333333\n"), std::string::npos) << text;
  words.emplace_back("--json");
  const auto json = parseJson(file.run("simulate", words).output);
  EXPECT_EQ(json["elements"][0]["values"], Json::parse(R"([0.1, "inf", "-inf", "nan", 0.0])"));
  EXPECT_EQ(json["elements"][1]["values"][1], 1.0 / 3);
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
