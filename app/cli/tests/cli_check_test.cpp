// `lanescope-cli check`: which kernels of a text can be simulated, and what is said of the others.

#include "app/cli/tests/run_cli.h"
#include "sim/base/json.h"
#include "sim/machine/run/launch.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

Outcome check(const std::string& text, const std::vector<std::string>& more = {}) {
  return KernelFile(text).run("check", more);
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
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["files"][0]["kernels"][0]["name"], "forEach<Nothing>");
  EXPECT_EQ(json["files"][0]["kernels"][0]["canBeSimulated"], true);
}

TEST(Check, ReadsTheNamesThatTheHostGivesToTypes) {
  const Outcome outcome = check(
      "namespace shapes { template <int D> struct Point { int at[D]; }; }\n"
      "template <class T> __global__ void step(T* x) { x[threadIdx.x] = T(); }\n"
      "template <class P> __global__ void move(P* x) { x[threadIdx.x].at[0] = 1; }\n"
      "int main() {\n"
      "  typedef unsigned long long Wide;\n"
      "  using Point = shapes::Point<3>;\n"
      "  Wide* wide; Point* points;\n"
      "  step<<<1, 32>>>(wide);\n"
      "  move<<<1, 32>>>(points);\n"
      "}\n",
      {"--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["files"][0]["kernels"][0]["name"], "step<unsigned long long>");
  EXPECT_EQ(json["files"][0]["kernels"][1]["name"], "move<Point<3>>");
}

TEST(Check, NamesTheSecondKernelOfAName) {
  const Outcome outcome = check(
      "template <class T> __global__ void k(T* x) { x[0] = 1; }\n"
      "template <class T> __global__ void k(T* x, int n) { x[n].z = 1; }\n"
      "template <class T> __global__ void k(T* x, float n) { x[0].none = n; }\n"
      "__global__ void k(int n, int* x) { x[n] = 1; }\n");
  EXPECT_SAYS(outcome.output);
}

TEST(Check, SendsALambdaOfTheHostToARunOfTheProgram) {
  const std::string text =
      kForEach + std::string("int main() { forEach<<<1, 32>>>(4, [=] __device__(int i) {}); }\n");
  const Outcome outcome = check(text);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_SAYS(outcome.output);
  EXPECT_EQ(KernelFile(text).run("run").status, 0);
}

constexpr const char* kBySize = R"(#include <cstdio>
#ifndef SIZE
#error SIZE is not defined
#endif
__global__ void k(float* x) { __shared__ float s[SIZE]; s[threadIdx.x] = x[0]; }
__global__ void hello() { printf("%d %s\n", SIZE, NAME); }
int main() { hello<<<1, 1>>>(); cudaDeviceSynchronize(); printf("%d\n", SIZE + FLAG); }
)";

TEST(Definitions, AreReadBeforeTheText) {
  const Outcome without = check(kBySize);
  EXPECT_EQ(without.status, 1) << without.output;
  const Outcome with = check(kBySize, {"-D", "SIZE=64", "-DNAME=\"x y\"", "-D", "FLAG"});
  EXPECT_EQ(with.status, 0) << with.output;
  const Outcome run =
      KernelFile(kBySize).run("run", {"-DSIZE=(32 + 32)", "-D", "NAME=\"x y\"", "--define", "FLAG"});
  EXPECT_EQ(run.status, 0) << run.complaint;
  EXPECT_EQ(run.output, "64 x y\n65\n");
}

TEST(Definitions, AreReadBeforeTheTextOfALaunch) {
  const KernelFile file("__global__ void k(int* a) { a[threadIdx.x] = VALUE + 1; }\n");
  for (const char* const command : {"simulate", "trace", "luck", "floors"}) {
    EXPECT_EQ(file.run(command, {"--block", "32", "--arg", "i32:zero:32", "-D", "VALUE=41"}).status, 0)
        << command;
  }
  EXPECT_NE(file.run("simulate", {"--block", "32", "--arg", "i32:zero:32"}).status, 0);
  EXPECT_EQ(runCli({"simulate", "baseline", "-D", "VALUE=41"}).status, 2);
}

TEST(Definitions, AreReadBeforeTheTextOfACapturedLaunch) {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "capture").string();
  const Outcome run = runCli({"run", scratch.write("k.cu", kBySize), "-DSIZE=16", "-DNAME=\"x\"", "-DFLAG",
                              "--capture", "1", "--to", file});
  EXPECT_EQ(run.status, 0) << run.complaint;
  EXPECT_EQ(run.output, "");
  const auto captured = readCapture(file);
  ASSERT_TRUE(captured) << captured.error().sentence();
  EXPECT_EQ(captured->launch.kernel, "hello");
}

TEST(Definitions, AFaultInThemIsAFaultOfTheText) {
  const Outcome outcome = check(kBySize, {"-D", "SIZE=)", "-D", "NAME=1"});
  EXPECT_EQ(outcome.status, 1) << outcome.output;
}

TEST(Definitions, NeedAName) {
  for (const char* const wrong : {"=1", "1A", "A B=2", "A=1\nint x;", "F(x)=x", ""}) {
    const Outcome outcome = check(kBySize, {"-D", wrong});
    EXPECT_EQ(outcome.status, 2) << wrong;
    EXPECT_SAYS(outcome.complaint);
  }
}

}  // namespace
}  // namespace lanescope::cli
