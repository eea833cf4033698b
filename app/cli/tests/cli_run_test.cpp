// Whole programs by `lanescope-cli run`: those of sim/host/tests/programs print what CUDA defines, and
// mistakes of a program are reported as a tutor would.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <nlohmann/json.hpp>

#include "app/cli/tests/run_cli.h"
#include "sim/machine/run/captured_launch.h"
#include "sim/trace/run.h"

namespace lanescope::cli {
namespace {

using testing::Outcome;
using testing::readAll;
using testing::runCli;
using testing::runShell;
using testing::ScratchFolder;
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

/// The `.out` files are what the programs print on an H200, too, compiled by nvcc 13.
TEST_P(WholeProgram, PrintsWhatItMust) {
  const Outcome outcome = runCli({"run", (kPrograms / (GetParam() + ".cu")).string()});
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.output, readAll((kPrograms / (GetParam() + ".out")).string())) << outcome.complaint;
}

INSTANTIATE_TEST_SUITE_P(Programs, WholeProgram, ::testing::ValuesIn(programs()),
                         [](const auto& each) { return each.param; });

constexpr const char* kKernel = R"(#include <cstdio>
__global__ void fill(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
)";

/// A program around `fill`, from line 6 on.
Outcome runMain(const std::string& body, const std::vector<std::string>& more = {}) {
  const ScratchFolder scratch;
  std::vector<std::string> arguments{"run",
                                     scratch.write("p.cu", kKernel + ("int main() {\n" + body + "\n}\n"))};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runCli(arguments);
}

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
  expectSays(outcome, "p.cu:9: the host uses byte 12 of the buffer of 64 bytes that p.cu:8 allocates");
}

TEST(CliRun, TellsOfAHostPointerGivenToAKernel) {
  const Outcome outcome = runMain(
      "int* h = new int[32];\nfill<<<1, 32>>>(h, 32);\n"
      "printf(\"%s\\n\", cudaGetErrorString(cudaDeviceSynchronize()));\nreturn 0;");
  EXPECT_EQ(outcome.output, "an illegal memory access was encountered\n");
  expectSays(outcome, "That is an address of the host");
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
  expectSays(runMain(begin + "cudaMemcpy(d, h, 16, cudaMemcpyDeviceToHost);" + end),
             "p.cu:10: the destination of a copy cudaMemcpyDeviceToHost is memory of the device.");
  expectSays(runMain(begin + "cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice);" + end),
             "p.cu:10: 32 bytes of the destination, from byte 0 on, pass the end of its buffer of 16 bytes.");
}

TEST(CliRun, TellsOfWhatAProgramForgets) {
  const Outcome outcome = runMain("int* d;\ncudaMalloc(&d, 64);\nfill<<<1, 5000>>>(d, 16);\nreturn 0;");
  EXPECT_EQ(outcome.status, 0);
  expectSays(outcome, "1 buffer of 64 bytes in all was never freed (allocated at p.cu:8)");
  expectSays(outcome, "and the program never asked: call cudaGetLastError() after a launch");
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
  expectSays(runCli({"run", path}),
             "the launch of k with blocks of 65 threads failed: invalid argument. The "
             "kernel's __launch_bounds__ allows at most 64");
  const Outcome alone = runCli({"simulate", path, "--kernel", "k", "--grid", "1", "--block", "65"});
  EXPECT_EQ(alone.status, 2);
  expectSays(alone,
             "A block of 65 threads cannot be launched: k is compiled for at most 64. Use a smaller block");
}

TEST(CliRun, TellsOfManagedMemoryReadTooEarly) {
  const Outcome outcome = runMain(
      "int* m;\ncudaMallocManaged(&m, 64);\nfill<<<1, 16>>>(m, 16);\nint v = "
      "m[3];\ncudaDeviceSynchronize();\n"
      "printf(\"%d %d\\n\", v, m[5]);\ncudaFree(m);\nreturn 0;");
  EXPECT_EQ(outcome.output, "3 5\n");
  expectSays(outcome, "p.cu:10: managed memory is used on the host while a kernel may still work on it");
}

TEST(CliRun, TellsOfAnAccessPastABuffer) {
  const Outcome outcome = runMain(
      "int* d;\ncudaMalloc(&d, 64);\nfill<<<1, 32>>>(d, 32);\ncudaError_t e = cudaDeviceSynchronize();\n"
      "printf(\"%s\\n\", cudaGetErrorName(e));\nreturn 0;");
  EXPECT_EQ(outcome.output, "cudaSuccess\n");  // as on a GPU, which maps whole units of 2 MiB
  expectSays(outcome, "stores to p[16], past the end of its 16 elements");
  expectSays(outcome, "The run goes on");
  const Outcome far = runMain(
      "int* d;\ncudaMalloc(&d, 64);\nfill<<<2048, 512>>>(d, 1 << 20);\n"
      "printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));\nreturn 0;");
  EXPECT_EQ(far.output, "cudaErrorIllegalAddress\n");
  expectSays(far, "past the end of its 16 elements");
}

// A block's shared memory is a multiple of 128 bytes: up to its end an access goes on.
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
  expectSays(noted,
             "thread 4 of block 0 stores to s[4], past the end of its 4 elements. Guard the index, or make s "
             "larger. The run goes on, as on a GPU, where that memory is mapped.");
  const Outcome outcome = runCli({"run", path, "--", "more"});
  EXPECT_EQ(outcome.status, 3) << outcome.complaint;
  expectSays(outcome, "thread 32 of block 0 stores to s[32], past the end of its 4 elements.");
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
  expectSays(outcome, "__syncthreads() is reached by 20 of the 32 threads");
}

TEST(CliRun, EndsAfterItsTimeout) {
  const Outcome outcome = runMain("for (volatile int i = 0;; i = i + 1) {}\n", {"--timeout", "0.3"});
  EXPECT_EQ(outcome.status, 124);
  expectSays(outcome, "ended after the timeout of 0.3 s");
}

TEST(CliRun, NamesWhatStandsInTheWay) {
  const Outcome compiler = runMain("return 0;", {"--cxx", "no-such-compiler"});
  EXPECT_EQ(compiler.status, 125);
  expectSays(compiler, "There is no C++ compiler 'no-such-compiler'");
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

TEST(CliRun, GivesItsLaunchesAsJson) {
  const Outcome outcome = runMain(
      "int* d;\ncudaMalloc(&d, 400);\nfor (int k = 0; k < 3; ++k) fill<<<2, 50>>>(d, 100);\n"
      "cudaDeviceSynchronize();\ncudaFree(d);\nreturn 0;",
      {"--json"});
  const auto json = nlohmann::json::parse(outcome.complaint, nullptr, false);
  ASSERT_EQ(json["schema"], "lanescope.run/1") << outcome.complaint;
  ASSERT_EQ(json["launches"].size(), 1);
  const auto& launch = json["launches"][0];
  EXPECT_EQ(launch["kernel"], "fill");
  EXPECT_EQ(launch["launches"], 3);
  EXPECT_EQ(launch["line"], 9);
  EXPECT_EQ(launch["counters"]["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"], 12);
}

TEST(CliRun, SaysAsJsonWhyAProgramCannotRun) {
  const auto errorOf = [](const Outcome& outcome) -> std::string {
    EXPECT_EQ(outcome.status, 125) << outcome.complaint;
    const std::size_t begin = std::min(outcome.complaint.find("{\n  \"schema\""), outcome.complaint.size());
    const auto json = nlohmann::json::parse(outcome.complaint.substr(begin), nullptr, false);
    if (!json.is_object() || json["status"] != 125) return outcome.complaint;
    return json.value("error", "");
  };
  const auto expectHas = [](const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expectHas(errorOf(runMain("int n = \"text\";\n", {"--json"})), "does not compile for the host.");
  const ScratchFolder scratch;
  const auto errorOfText = [&](const std::string& text) {
    return errorOf(runCli({"run", scratch.write("p.cu", text), "--json"}));
  };
  expectHas(errorOfText("__global__ void k(int* x) { *x = 1; }\n"), "has no main().");
  expectHas(
      errorOfText("__global__ void k(int* x) { asm(\"exit;\"); }\nint main() { k<<<1, 1>>>(nullptr); }\n"),
      "asm");
}

/// Launches of a kernel that takes the simulator long, `body` in a loop of five, and what the last one left.
Outcome runRepeatedly(const std::string& body) {
  const ScratchFolder scratch;
  const std::string program = R"(#include <cstdio>
__global__ void step(int* out, const int* in) {
  int x = *in;
  for (int i = 0; i < 10000; ++i) x = x * 3 + 1;
  if (threadIdx.x == 0) OUT x;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 4);
  cudaMalloc(&out, 4);
  cudaMemset(in, 0, 4);
  cudaMemset(out, 0, 4);
  for (int k = 0; k < 5; ++k) {
)" + body + R"(
  }
  int last;
  cudaMemcpy(&last, out, 4, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  printf("%u\n", (unsigned)last);
  return cudaGetLastError();
})";
  return runCli({"run", scratch.write("p.cu", program), "--json", "-D",
                 "OUT=" + std::string(body.find("sum") == std::string::npos ? "*out =" : "*out +=")});
}

TEST(CliRun, DoesNotRunALaunchAgainOnAMemoryThatItHasRunOn) {
  // x after 10,000 steps of x * 3 + 1, modulo 2^32.
  const auto stepped = [](unsigned x) {
    for (int i = 0; i < 10000; ++i) x = x * 3 + 1;
    return x;
  };
  const auto expectLeaves = [](const Outcome& outcome, unsigned last, int launches, int notRunAgain) {
    EXPECT_EQ(outcome.output, std::to_string(last) + "\n") << outcome.complaint;
    const auto json = nlohmann::json::parse(outcome.complaint, nullptr, false);
    ASSERT_EQ(json["launches"].size(), 1) << outcome.complaint;
    EXPECT_EQ(json["launches"][0]["launches"], launches);
    EXPECT_EQ(json["launches"][0]["blocks"], launches);
    EXPECT_EQ(json["launches_not_run_again"], notRunAgain);
  };
  expectLeaves(runRepeatedly("step<<<1, 1024>>>(out, in);"), stepped(0), 5, 3);
  expectLeaves(runRepeatedly("step<<<1, 1024>>>(out, in);  // sum"), 5 * stepped(0), 5, 0);
  expectLeaves(runRepeatedly("cudaMemcpy(in, &k, 4, cudaMemcpyHostToDevice); step<<<1, 1024>>>(out, in);"),
               stepped(4), 5, 0);
  // The same memory before each launch, another after it; and in a buffer of each launch's own.
  expectLeaves(runRepeatedly("cudaMemset(out, 0, 4); step<<<1, 1024>>>(out, in);"), stepped(0), 5, 3);
  expectLeaves(runRepeatedly("cudaFree(out); cudaMalloc(&out, 4); step<<<1, 1024>>>(out, in);"), stepped(0),
               5, 3);
  expectLeaves(
      runRepeatedly(
          "int i = k % 2; cudaMemcpy(in, &i, 4, cudaMemcpyHostToDevice); step<<<1, 1024>>>(out, in);"),
      stepped(0), 5, 2);
  // What the host reads in between is not changed by that, what it writes is.
  expectLeaves(
      runRepeatedly("int i = 7; cudaMemcpy(&i, out, 4, cudaMemcpyDeviceToHost); step<<<1, 1024>>>(out, in);"),
      stepped(0), 5, 3);
}

/// `fill` over 8 and then over 4 elements.
constexpr const char* kTwoLaunches =
    "int* p; cudaMalloc(&p, 32);\n"
    "fill<<<2, 4>>>(p, 8);\n"
    "fill<<<1, 4>>>(p, 4);\n"
    "int last; cudaMemcpy(&last, p + 3, 4, cudaMemcpyDeviceToHost);\n"
    "cudaFree(p); printf(\"%d\\n\", last); return cudaGetLastError();";

TEST(CliRun, LogsLaunchesAsTheyCome) {
  const ScratchFolder scratch;
  const std::string log = (scratch.path() / "log").string();
  const Outcome outcome = runMain(kTwoLaunches, {"--launches", log});
  EXPECT_EQ(outcome.output, "3\n") << outcome.complaint;
  std::istringstream lines(readAll(log));
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0]["kernel"], "fill");
  EXPECT_EQ(events[0]["line"], 8);
  EXPECT_EQ(events[0]["grid"], nlohmann::json({2, 1, 1}));
  EXPECT_EQ(events[1]["launch"], 1);
  EXPECT_EQ(events[1]["hazards"], 0);
  EXPECT_EQ(events[2]["launch"], 2);
  EXPECT_EQ(events[2]["block"], nlohmann::json({4, 1, 1}));
}

TEST(CliRun, CapturesALaunchAsItBegins) {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "capture").string();
  const Outcome outcome = runMain(kTwoLaunches, {"--capture", "2", "--to", file});
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.output, "") << "it ends at the launch";
  EXPECT_EQ(outcome.complaint, "");
  const auto captured = readCapture(file);
  ASSERT_TRUE(captured) << captured.error().sentence();
  EXPECT_EQ(captured->kernel, "fill");
  EXPECT_EQ(captured->line, 9U);
  const GivenArguments& given = *captured->given;
  ASSERT_EQ(given.buffers.size(), 1U);
  ASSERT_EQ(given.buffers[0].size(), 32U);
  for (int i = 0; i < 8; ++i) {
    int value = -1;
    std::memcpy(&value, given.buffers[0].data() + 4 * i, 4);
    EXPECT_EQ(value, i) << "as the first launch has left it";
  }
}

TEST(CliRun, CapturesWhatPointersInMemoryReach) {
  const ScratchFolder scratch;
  const std::string program = scratch.write("p.cu", R"(struct List { int* data; int n; };
__device__ int* other;
__global__ void sum(List* lists, int* out) { *out = lists[1].data[0] + other[1]; }
int main() {
  int *unused, *data, *out, *far, host[2] = {5, 7};
  List* lists;
  cudaMalloc(&unused, 4); cudaMalloc(&data, 8); cudaMalloc(&out, 4); cudaMalloc(&far, 8);
  cudaMalloc(&lists, 2 * sizeof(List));
  cudaMemcpy(data, host, 8, cudaMemcpyHostToDevice);
  List h[2] = {{nullptr, 0}, {data, 2}};
  cudaMemcpy(lists, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(other, &far, sizeof far);
  sum<<<1, 1>>>(lists, out);
}
)");
  const std::string file = (scratch.path() / "capture").string();
  const Outcome outcome = runCli({"run", "--capture", "1", "--to", file, program});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto captured = readCapture(file);
  ASSERT_TRUE(captured) << captured.error().sentence();
  EXPECT_EQ(captured->given->buffers.size(), 5U)
      << "lists, out, other, data, far; not what nothing points to";
  Launch launch;
  launch.source = std::make_shared<const SourceText>(program, readAll(program));
  launch.kernel = captured->kernel;
  launch.given = captured->given;
  const auto run = runLaunch(launch);
  ASSERT_TRUE(run) << run.error().sentence();
  ASSERT_FALSE(run->fault) << run->fault->error.sentence();
  int result = 0;
  std::memcpy(&result, run->simulation.buffers[1].data(), sizeof result);
  EXPECT_EQ(result, 5);
}

TEST(CliRun, SaysWhyALaunchIsNotCaptured) {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "capture").string();
  expectSays(
      runMain("int* p; cudaMalloc(&p, 1 << 25);\nfill<<<1, 4>>>(p, 4);", {"--capture", "1", "--to", file}),
      "reaches more than 24 MiB of memory");
  EXPECT_FALSE(std::filesystem::exists(file));
  runMain(kTwoLaunches, {"--capture", "3", "--to", file});
  EXPECT_FALSE(std::filesystem::exists(file)) << "there are two";
  EXPECT_EQ(runMain(kTwoLaunches, {"--capture", "1"}).status, 2) << "where to?";
}

}  // namespace
}  // namespace lanescope::cli
