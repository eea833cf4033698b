// Whole programs by `lanescope-cli run`: those of sim/host/tests/programs print what CUDA defines, and
// mistakes of a program are reported as a tutor would.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/cli/tests/run_main.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

const fs::path kPrograms = LANESCOPE_SOURCE_DIR "/sim/host/tests/programs";

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kPrograms)) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

class WholeProgram : public ::testing::TestWithParam<std::string> {};

/// The `.out` files are what the programs print on an H200 or H100, compiled by nvcc 13.
TEST_P(WholeProgram, PrintsWhatItMust) {
  const Outcome outcome = runCli({"run", (kPrograms / (GetParam() + ".cu")).string()});
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.output, readAll((kPrograms / (GetParam() + ".out")).string())) << outcome.complaint;
}

INSTANTIATE_TEST_SUITE_P(Programs, WholeProgram, ::testing::ValuesIn(programs()),
                         [](const auto& each) { return each.param; });

TEST(CliRun, PassesStatusArgumentsAndInputThrough) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", R"(#include <iostream>
int main(int argc, char** argv) {
  std::string word;
  std::cin >> word;
  for (int i = 1; i < argc; ++i) std::cout << argv[i] << '|';
  std::cout << word << std::endl;
  return 7;
}
)");
  const Outcome piped = runShell("sh -c 'echo input | " LANESCOPE_CLI " run " + path + " -- a --b=c'");
  EXPECT_EQ(piped.status, 7);
  EXPECT_EQ(piped.output, "a|--b=c|input\n");
}

TEST(CliRun, TellsOfDeviceMemoryReadOnTheHost) {
  const Outcome outcome = runMain("int* d;\ncudaMalloc(&d, 64);\nreturn d[3];");
  EXPECT_NE(outcome.status, 0);
  EXPECT_SAYS(reportOf(outcome));
}

TEST(CliRun, TellsOfAHostPointerGivenToAKernel) {
  const Outcome outcome = runMain(
      "int* h = new int[32];\nfill<<<1, 32>>>(h, 32);\n"
      "printf(\"%s\\n\", cudaGetErrorString(cudaDeviceSynchronize()));\nreturn 0;");
  EXPECT_EQ(outcome.output, "an illegal memory access was encountered\n");
  EXPECT_SAYS(reportOf(outcome));
}

TEST(CliRun, LetsTheHostKnowOfAFaultOnceItWaits) {
  const Outcome outcome = runMain(
      "int* d;\ncudaMalloc(&d, 64);\nfill<<<1, 32>>>((int*)nullptr, 32);\n"
      "printf(\"%s\\n\", cudaGetErrorName(cudaGetLastError()));\nfill<<<1, 16>>>(d, 16);\n"
      "cudaEvent_t e;\ncudaEventCreate(&e);\nprintf(\"%s\\n\", cudaGetErrorName(cudaEventRecord(e)));\n"
      "printf(\"%s\\n\", cudaGetErrorName(cudaEventSynchronize(e)));\n"
      "printf(\"%s\\n\", cudaGetErrorName(cudaGetLastError()));\nreturn 0;");
  EXPECT_EQ(outcome.output, "cudaSuccess\ncudaSuccess\ncudaErrorIllegalAddress\ncudaErrorIllegalAddress\n");
}

TEST(CliRun, TellsOfCopiesThatCannotBe) {
  const std::string begin = "int h[8] = {};\nint* d;\ncudaMalloc(&d, 16);\n";
  const std::string end = "\ncudaFree(d);\nreturn 0;";
  EXPECT_SAYS(runMain(begin + "cudaMemcpy(d, h, 16, cudaMemcpyDeviceToHost);" + end).complaint);
  EXPECT_SAYS(runMain(begin + "cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice);" + end).complaint);
}

TEST(CliRun, TellsOfWhatAProgramForgets) {
  const Outcome outcome = runMain("int* d;\ncudaMalloc(&d, 64);\nfill<<<1, 5000>>>(d, 16);\nreturn 0;");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_SAYS(reportOf(outcome));
}

TEST(CliRun, RunsKernelsWithConcepts) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", R"(#include <concepts>
#include <cstdio>
template <typename T> concept Small = sizeof(T) <= 4;
template <std::integral T> __device__ T half(T x) { return x / 2; }
template <std::floating_point T> __device__ T half(T x) { return x * T(0.5); }
template <Small T> requires std::is_arithmetic_v<T> __global__ void halve(T* x) { *x = half(*x); }
int main() {
  int* whole;
  float* real;
  cudaMallocManaged(&whole, 4);
  cudaMallocManaged(&real, 4);
  *whole = 7, *real = 7;
  halve<<<1, 1>>>(whole);
  halve<<<1, 1>>>(real);
  cudaDeviceSynchronize();
  printf("%d %g\n", *whole, *real);
  cudaFree(whole), cudaFree(real);
}
)");
  const Outcome outcome = runCli({"run", "--std", "c++20", path});
  EXPECT_EQ(outcome.output, "3 3.5\n") << outcome.complaint;
}

TEST(CliRun, NamesTheArgumentsOfTemplatesInOlderStandards) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", R"(#include <cstdio>
template <int N, bool B> __global__ void k() { printf("%d\n", N + B); }
int main() { k<3, true><<<1, 1>>>(); return cudaDeviceSynchronize(); }
)");
  for (const char* const standard : {"c++11", "c++14"}) {
    const Outcome outcome = runCli({"run", "--std", standard, path});
    EXPECT_EQ(outcome.output, "4\n") << outcome.complaint;
  }
}

// A makefile's -I of the toolkit, or an environment's CPATH, does not put its headers before Lanescope's.
TEST(CliRun, LeavesTheToolkitsHeadersOut) {
  const ScratchFolder scratch;
  fs::create_directories(scratch.path() / "toolkit");
  scratch.write("toolkit/cuda_runtime.h", "#error the toolkit's\n");
  const std::string path = scratch.write("p.cu",
                                         "#include <cuda_runtime.h>\n#include <cstdio>\n"
                                         "__global__ void k() { printf(\"%d\\n\", blockDim.x); }\n"
                                         "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n");
  const std::string toolkit = (scratch.path() / "toolkit").string();
  EXPECT_EQ(runCli({"run", path, "-I", toolkit}).output, "1\n");
  ASSERT_EQ(::setenv("CPATH", ("/nowhere:" + toolkit).c_str(), 1), 0);
  EXPECT_EQ(runCli({"run", path}).output, "1\n");
  ::unsetenv("CPATH");
}

TEST(CliRun, FindsTheHeadersOfTheRepository) {
  const ScratchFolder scratch;
  for (const char* const folder : {".git", "common/inc", "chapter/one", "given"})
    fs::create_directories(scratch.path() / folder);
  scratch.write("common/inc/book.h",
                "#pragma once\n__device__ inline int sum(int a, int b) { return a + b; }\n");
  const std::string path = scratch.write("chapter/one/p.cu",
                                         "#include <cstdio>\n#include \"book.h\"\n"
                                         "__global__ void k() { printf(\"%d\\n\", sum(2, 7)); }\n"
                                         "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n");
  EXPECT_EQ(runCli({"check", path}).status, 0);
  EXPECT_EQ(runCli({"run", path}).output, "9\n");
  // A directory that is given comes before those.
  scratch.write("given/book.h", "__device__ inline int sum(int a, int b) { return a - b; }\n");
  EXPECT_EQ(runCli({"run", path, "-I", (scratch.path() / "given").string()}).output, "-5\n");
}

TEST(CliRun, TellsOfABlockAboveTheLaunchBounds) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu",
                                         "__global__ void __launch_bounds__(64) k() {}\n"
                                         "int main() { k<<<1, 2000>>>(); k<<<1, 65>>>(); }\n");
  EXPECT_SAYS(reportOf(runCli({"run", path})));
  const Outcome alone = runCli({"simulate", path, "--kernel", "k", "--grid", "1", "--block", "65"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_SAYS(reportOf(alone));
}

TEST(CliRun, TellsOfManagedMemoryReadTooEarly) {
  const Outcome outcome = runMain(
      "int* m;\ncudaMallocManaged(&m, 64);\nfill<<<1, 16>>>(m, 16);\nint v = "
      "m[3];\ncudaDeviceSynchronize();\n"
      "printf(\"%d %d\\n\", v, m[5]);\ncudaFree(m);\nreturn 0;");
  EXPECT_EQ(outcome.output, "3 5\n");
  EXPECT_SAYS(reportOf(outcome));
}

TEST(CliRun, TellsOfAnAccessPastABuffer) {
  const Outcome outcome = runMain(
      "int* d;\ncudaMalloc(&d, 64);\nfill<<<1, 32>>>(d, 32);\ncudaError_t e = cudaDeviceSynchronize();\n"
      "printf(\"%s\\n\", cudaGetErrorName(e));\nreturn 0;");
  EXPECT_EQ(outcome.output, "cudaSuccess\n");  // as on a GPU, which maps whole units of 2 MiB
  EXPECT_SAYS(reportOf(outcome));
  const Outcome far = runMain(
      "int* d;\ncudaMalloc(&d, 64);\nfill<<<2048, 512>>>(d, 1 << 20);\n"
      "printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));\nreturn 0;");
  EXPECT_EQ(far.output, "cudaErrorIllegalAddress\n");
  EXPECT_SAYS(reportOf(far));
}

// A block's shared memory is a multiple of 128 bytes: an access up to its end does no harm.
TEST(CliRun, DoesNotTakeSharedMemoryForTheHosts) {
  const ScratchFolder scratch;
  const std::string path =
      scratch.write("p.cu",
                    "__global__ void k() { __shared__ int s[4]; s[threadIdx.x] = 1; }\n"
                    "int main(int argc, char**) {\n"
                    "  k<<<1, argc > 1 ? 33 : 32>>>();\n"
                    "  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 3 : 0;\n}\n");
  const Outcome noted = runCli({"run", path});
  EXPECT_EQ(noted.status, 0) << noted.complaint;
  EXPECT_SAYS(reportOf(noted));
  const Outcome outcome = runCli({"run", path, "--", "more"});
  EXPECT_EQ(outcome.status, 3) << outcome.complaint;
  EXPECT_SAYS(reportOf(outcome));
  EXPECT_EQ(outcome.complaint.find("an address of the host"), std::string::npos) << outcome.complaint;
}

TEST(CliRun, GoesOnAfterABarrierThatNotAllReach) {
  const ScratchFolder scratch;
  const Outcome outcome = runCli({"run", scratch.write("p.cu", R"(#include <cstdio>
__global__ void sum(int* p, int n) {
  __shared__ int s[32];
  int i = threadIdx.x;
  if (i < n) {
    s[i] = p[i];
    __syncthreads();
    if (i == 0) for (int k = 1; k < n; ++k) p[0] += s[k];
  }
}
int main() {
  int* m;
  cudaMallocManaged(&m, 80);
  for (int i = 0; i < 20; ++i) m[i] = i;
  sum<<<1, 32>>>(m, 20);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d\n", m[0]);
  cudaFree(m);
}
)")});
  EXPECT_EQ(outcome.output, "cudaSuccess\n190\n");
  EXPECT_SAYS(reportOf(outcome));
}

TEST(CliRun, EndsAfterItsTimeout) {
  const Outcome outcome = runMain("for (volatile int i = 0;; i = i + 1) {}\n", {"--timeout", "5"});
  EXPECT_EQ(outcome.status, 124);
  EXPECT_SAYS(reportOf(outcome));
}

TEST(CliRun, NamesWhatStandsInTheWay) {
  const Outcome compiler = runMain("return 0;", {"--cxx", "no-such-compiler"});
  EXPECT_EQ(compiler.status, 125);
  EXPECT_SAYS(reportOf(compiler));
  const Outcome call = runMain("cudaExternalMemory_t memory;\nreturn 0;");
  EXPECT_EQ(call.status, 125);
  expectSays(call, "p.cu:7:1: error");
  expectSays(call, "cudaExternalMemory_t is a part of the CUDA runtime that Lanescope does not have.");
  const Outcome driver = runMain("cuInit(0);\n");
  EXPECT_EQ(driver.status, 125);
  expectSays(driver, "cuInit is a part of the CUDA driver API, which is not simulated");
  EXPECT_EQ(runCli({"run", "no-such-file.cu"}).status, 2);
}

TEST(CliRun, RunsBesideAKernelOfAConditionalNode) {
  const ScratchFolder scratch;
  const std::string text =
      "#include <cstdio>\n"
      "__global__ void repeats(cudaGraphConditionalHandle h, int* n) { cudaGraphSetConditional(h, *n < 5); "
      "}\n"
      "__global__ void body(int* n) { ++*n; }\n"
      "int main(int argc, char**) {\n"
      "  int* n;\n  cudaMallocManaged(&n, 4);\n  *n = 0;\n  body<<<1, 1>>>(n);\n  cudaDeviceSynchronize();\n"
      "  printf(\"%d\\n\", *n);\n  if (argc > 1) repeats<<<1, 1>>>(0, n);\n  cudaFree(n);\n}\n";
  const std::string path = scratch.write("p.cu", text);
  EXPECT_EQ(runCli({"run", path}).output, "1\n");
  const Outcome launched = runCli({"run", path, "--", "now"});
  EXPECT_EQ(launched.status, 125);
  expectSays(launched, "'cudaGraphConditionalHandle': conditional nodes of graphs are not simulated");
  const Outcome made =
      runMain("cudaGraphConditionalHandle h;\ncudaGraphConditionalHandleCreate(&h, nullptr);\n");
  expectSays(made,
             "cudaGraphConditionalHandleCreate is a part of the CUDA runtime that Lanescope does not have.");
}

}  // namespace
}  // namespace lanescope::cli
