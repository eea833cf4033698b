// `lanescope-cli check`: which kernels of a text can be simulated, and what is said of the others.
#include <nlohmann/json.hpp>

#include "app/cli/tests/run_cli.h"

namespace lanescope::cli {
namespace {

using testing::Outcome;
using testing::runCli;
using testing::ScratchFolder;

Outcome check(const std::string& text, const std::vector<std::string>& more = {}) {
  const ScratchFolder scratch;
  std::vector<std::string> arguments{"check", scratch.write("k.cu", text)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runCli(arguments);
}

constexpr const char* kForEach =
    "#include <cstdio>\n"
    "template <class F> __global__ void forEach(int n, F f) {\n"
    "  for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);\n"
    "}\n"
    "struct Nothing { __device__ void operator()(int) const {} };\n";

TEST(Check, InstantiatesATemplateAsItsLaunchesDo) {
  const Outcome outcome =
      check(kForEach + std::string("int main() { forEach<<<1, 32>>>(4, Nothing{}); }\n"), {"--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json["kernels"][0]["name"], "forEach<Nothing>");
  EXPECT_EQ(json["kernels"][0]["canBeSimulated"], true);
}

TEST(Check, SaysThatALambdaOfTheHostIsNotSimulated) {
  const std::string text =
      kForEach + std::string("int main() { forEach<<<1, 32>>>(4, [=] __device__(int i) {}); }\n");
  const Outcome outcome = check(text);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("k.cu:2:36: error: forEach is launched with a lambda of the host's, which is "
                                "not simulated"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("a __device__ operator()"), std::string::npos) << outcome.output;
  const ScratchFolder scratch;
  const Outcome run = runCli({"run", scratch.write("k.cu", text)});
  EXPECT_NE(run.complaint.find("forEach is launched with a lambda of the host's, which is not simulated."),
            std::string::npos)
      << run.complaint;
}

}  // namespace
}  // namespace lanescope::cli
