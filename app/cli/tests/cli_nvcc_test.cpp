// `lanescope-cli run` in place of nvcc and the program: the host's code is compiled as nvcc does, its options
// are taken, and nothing of a run stays behind.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>

#include "app/cli/tests/run_main.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEcho = R"(#include <cstdio>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::printf("%s|", argv[i]);
  std::printf("\n");
}
)";

TEST(CliNvcc, KeepsTheNewestOutputOfPrintfAndTellsOfTheRest) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", R"(#include <cstdio>
__global__ void say(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) printf("a line of thread number %06d\n", i);
}
int main(int argc, char**) {
  size_t bytes = 0;
  cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize);
  if (argc == 2) cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 64 << 20);
  if (argc == 3) cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1000);
  say<<<400, 250>>>(100000);
  cudaDeviceSynchronize();
  const cudaError_t late = cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 64 << 20);
  printf("%zu %s\n", bytes, cudaGetErrorName(late));
}
)");
  const Outcome usual = runCli({"run", path});
  EXPECT_EQ(countLines(usual.output), 63'608u + 1);
  EXPECT_TRUE(usual.output.starts_with("a line of thread number 036392\n"));
  EXPECT_TRUE(usual.output.ends_with("a line of thread number 099999\n8650752 cudaErrorInvalidValue\n"));
  EXPECT_SAYS(reportOf(usual));
  const Outcome large = runCli({"run", path, "large"});
  EXPECT_EQ(countLines(large.output), 100'001u);
  EXPECT_EQ(reportOf(large), "");
  const Outcome least = runCli({"run", path, "the", "least"});  // 512 KiB
  EXPECT_EQ(countLines(least.output), 3'855u + 1);
}

TEST(CliNvcc, CountsTheOutputOfAllLaunchesUntilTheHostWaits) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", R"(#include <cstdio>
__global__ void say(int i) { printf("%d\n", i); }
int main() {
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1);
  for (int i = 0; i < 5; ++i) say<<<4, 250>>>(i);
  cudaDeviceSynchronize();
  for (int i = 5; i < 8; ++i) say<<<4, 250>>>(i);
  cudaDeviceSynchronize();
}
)");
  const std::string output = runCli({"run", path}).output;
  EXPECT_EQ(countLines(output), 3'855u + 3'000u);
  EXPECT_EQ(output.substr(0, 4), "1\n1\n");  // launch 0 is lost, and 145 lines of launch 1
  EXPECT_EQ(std::ranges::count(output, '1'), 855);
}

TEST(CliNvcc, CompilesTheHostAsNvccDoes) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", R"(#include <cstdio>
#include <cstdlib>
bool verify(const int* a, int n) {
  for (int i = 0; i < n; ++i)
    if (a[i] != 2) { std::printf("wrong at %d\n", i); std::exit(1); }
}
int main() {
  int* a = (int*)std::malloc(1 << 20);
  for (int i = 0; i < 256; ++i) a[i] = 2;
  verify(a, 256);
#ifdef __OPTIMIZE__
  std::printf("optimized\n");
#else
  std::printf("done\n");
#endif
  std::free(a);
}
)");
  const Outcome outcome = runCli({"run", path});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "done\n");
  expectSays(outcome, "p.cu:6:1: warning: control reaches end of non-void function");
  const std::string clean = scratch.write("q.cu", R"(#include <cstdio>
int main() {
#ifdef __OPTIMIZE__
  std::printf("optimized\n");
#endif
}
)");
  EXPECT_EQ(runCli({"run", "-O2", clean}).output, "optimized\n");
  EXPECT_EQ(runCli({"run", clean, "--optimize", "3"}).output, "optimized\n");
  EXPECT_EQ(runCli({"run", clean}).output, "");
}

TEST(CliNvcc, TakesItsOptions) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", kEcho);
  const std::vector<std::string> line{"run",
                                      "-O3",
                                      "-G",
                                      "-lineinfo",
                                      "-arch=sm_90",
                                      "-std=c++17",
                                      "-gencode",
                                      "arch=compute_90,code=sm_90",
                                      "-Xcompiler",
                                      "-Wall,-Wextra",
                                      "--expt-relaxed-constexpr",
                                      "-o",
                                      "p",
                                      "-lcublas",
                                      "-lm",
                                      "-dlto",
                                      "-lto",
                                      "-Werror",
                                      "all-warnings",
                                      "-L/usr/lib",
                                      "-m",
                                      "64",
                                      "-split-compile",
                                      "2",
                                      "-O2",
                                      "-std",
                                      "c++17",
                                      "-Werror",
                                      path};
  const Outcome outcome = runCli(line);
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.output, "\n");
  EXPECT_EQ(outcome.complaint, "");
  const Outcome behind = runCli({"run", path, "-O2", "-arch", "sm_80", "-Xptxas=-v"});
  EXPECT_EQ(behind.output, "\n") << behind.complaint;
  expectSays(behind, "-arch sm_80 is passed over: kernels are compiled for compute capability 9.0 (sm_90).");
  const Outcome fast = runCli({"run", "-use_fast_math", "--std=c++20", path});
  EXPECT_EQ(fast.output, "\n");
  expectSays(fast, "-use_fast_math is passed over: kernels compute as without it.");
}

TEST(CliNvcc, LeavesOutOnlyLibrariesThatAreMissing) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu",
                                         "#include <cstdio>\nextern \"C\" int omp_get_num_threads();\n"
                                         "int main() { printf(\"%d\\n\", omp_get_num_threads()); }\n");
  const Outcome outcome = runCli({"run", "-labsent", "-lgomp", "-lnone", path});
  EXPECT_EQ(outcome.output, "1\n") << outcome.complaint;
}

TEST(CliNvcc, RunsUnderNohup) {
  const ScratchFolder scratch;
  const std::string path =
      scratch.write("p.cu",
                    "#include <cstdio>\n#include <csignal>\n#include <unistd.h>\n"
                    "int main() { kill(getpid(), SIGHUP); usleep(600000); puts(\"after\"); }\n");
  EXPECT_EQ(runShell("trap '' HUP; " LANESCOPE_CLI " run '" + path + "'").output, "after\n");
}

TEST(CliNvcc, SaysWhichOptionsAreNotTaken) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", kEcho);
  for (const std::string option : {"-default-stream=per-thread", "-optf=flags", "-Xlinker=-Map=x"}) {
    const Outcome outcome = runCli({"run", option, path});
    EXPECT_EQ(outcome.status, 0);
    expectSays(outcome, option + " is passed over: ");
  }
  EXPECT_EQ(runCli({"run", "--default-stream", "legacy", path}).complaint, "");
  const Outcome include = runCli({"run", "-include", "x.h", path});
  EXPECT_EQ(include.status, 2);
  expectSays(include, "-include x.h cannot be used here: ");
  for (const std::string command : {"run", "check"}) {
    EXPECT_EQ(runCli({command, "-O4", path}).status, 2);
    EXPECT_EQ(runCli({command, "--unknown", path}).status, 2);
  }
}

TEST(CliNvcc, DefinesTheMacrosOfItsOptions) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", R"(#include <cstdio>
#if defined(__CUDACC_EXTENDED_LAMBDA__) && defined(__CUDACC_RELAXED_CONSTEXPR__)
#define VALUE 1
#else
#define VALUE 0
#endif
__global__ void k() { printf("%d %d\n", VALUE, N); }
int main() {
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
#ifdef __CUDACC_RDC__
  printf("rdc\n");
#endif
}
)");
  EXPECT_EQ(runCli({"run", "-DN=4", path}).output, "0 4\n");
  EXPECT_EQ(runCli({"run", "--extended-lambda", "-expt-relaxed-constexpr", "-rdc=true", "--define-macro",
                    "N=3", "-U", "N", "-DN=5", path})
                .output,
            "1 5\nrdc\n");
  EXPECT_EQ(runCli({"run", "-DN=4", "-rdc=false", path}).output, "0 4\n");
  for (const std::string definition : {"-DN=4", "--define=N=4", "--define-macro=N=4"}) {
    EXPECT_EQ(runCli({"check", definition, "-UN", path}).status, 1) << definition;
    EXPECT_EQ(runCli({"check", "-UN", definition, path}).status, 0) << definition;
  }
  EXPECT_EQ(runCli({"check", "--define", "N=4", "-UN", path}).status, 1);
  EXPECT_EQ(runCli({"run", "-DN=3", "-UN", "--define=N=5", path}).output, "0 5\n");
}

TEST(CliNvcc, FindsLibrariesAndTheCompiler) {
  const ScratchFolder scratch;
  const std::string path =
      scratch.write("p.cu", "extern \"C\" int seven();\nint main() { return seven(); }\n");
  const std::string source = scratch.write("seven.c", "int seven() { return 7; }\n");
  const std::string folder = scratch.path().string();
  ASSERT_EQ(runShell("cd '" + folder + "' && cc -c seven.c && ar rc libseven.a seven.o").status, 0);
  EXPECT_EQ(runCli({"run", "-L" + folder, "-lseven", path}).status, 7);
  EXPECT_EQ(runCli({"run", "--library-path", folder, "--library", "seven", path}).status, 7);
  EXPECT_EQ(runCli({"run", "-ccbin", "g++", path, source}).status, 7);
  EXPECT_EQ(runCli({"run", "-ccbin=" + folder, path, source}).status, 125);  // no g++ is there
}

TEST(CliNvcc, GivesTheProgramWhatFollowsItsFile) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", kEcho);
  EXPECT_EQ(runCli({"run", path, "-x", "-std=c++17"}).output, "-x|-std=c++17|\n");
  EXPECT_EQ(runCli({"run", path, "-n", "5", "--", "-O2", "--", "x"}).output, "-n|5|-O2|--|x|\n");
  const Outcome nvcc = runCli({"run", path, "-odir", "p"});
  EXPECT_EQ(nvcc.output, "-odir|p|\n");
  expectSays(nvcc, "-odir goes to the program.");
  EXPECT_EQ(runCli({"run", path, "--", "-odir", "p"}).complaint, "");
  for (const std::string letter : {"-o", "-g", "-c", "-v", "-w", "-t", "-t=4", "-I", "-l"})
    EXPECT_EQ(runCli({"run", path, letter, "p"}).complaint, "") << letter;
  EXPECT_EQ(runCli({"run", path, "-n", "5", "-o", "p"}).complaint, "");
  EXPECT_EQ(runCli({"run", path, "-n", "1024", "--json"}).output, "-n|1024|--json|\n");
  EXPECT_EQ(runCli({"run", path, "12", "--verbose", "-o", "out.txt"}).output, "12|--verbose|-o|out.txt|\n");
  EXPECT_EQ(runCli({"run", "--timeout", "60", path, "a", "--", "--timeout", "3", "--", "b"}).output,
            "a|--timeout|3|--|b|\n");
  EXPECT_EQ(runCli({"run", path, "--timeout", "60", "x", "-y"}).output, "x|-y|\n");
}

TEST(CliNvcc, EndsWithTheStatusThatIsAskedForIfThereAreErrors) {
  const std::string race =
      "int* d;\ncudaMalloc(&d, 128);\nsum<<<1, 64>>>(d);\ncudaDeviceSynchronize();\ncudaFree(d);\nreturn "
      "0;\n";
  const std::string kernel = "__global__ void sum(int* p) { p[0] += threadIdx.x; }\n";
  const ScratchFolder scratch;
  const std::string racy = scratch.write("p.cu", kernel + "int main() {\n" + race + "}\n");
  EXPECT_EQ(runCli({"run", racy}).status, 0);
  EXPECT_EQ(runCli({"run", "--error-exitcode", "9", racy}).status, 9);
  EXPECT_EQ(runMain("int* d;\ncudaMalloc(&d, 128);\nfill<<<1, 32>>>(d, 32);\ncudaFree(d);\nreturn 3;",
                    {"--error-exitcode", "9"})
                .status,
            3);
  EXPECT_EQ(runMain("fill<<<1, 32>>>((int*)nullptr, 32);\ncudaDeviceSynchronize();\nreturn 0;",
                    {"--error-exitcode=7"})
                .status,
            7);
  const auto statusOf = [](const std::string& body) {
    return runMain(body + "return 0;", {"--error-exitcode=7"}).status;
  };
  const std::string fetch = "cudaGetLastError();\n";
  EXPECT_EQ(statusOf("fill<<<1, 2048>>>((int*)nullptr, 0);\n"), 7);
  EXPECT_EQ(statusOf("fill<<<1, 2048>>>((int*)nullptr, 0);\n" + fetch), 7);
  const std::string tooMuch = "void* p; cudaMalloc(&p, size_t(1) << 60);\n";
  const Outcome unfetched = runMain(tooMuch + "return 0;", {"--error-exitcode=7"});
  EXPECT_EQ(unfetched.status, 7);
  expectSays(unfetched, "a call of the runtime failed (out of memory), and the program never fetched");
  const Outcome fetched = runMain(tooMuch + fetch + "return 0;", {"--error-exitcode=7"});
  EXPECT_EQ(fetched.status, 0);
  EXPECT_EQ(fetched.complaint.find("never fetched"), std::string::npos) << fetched.complaint;
  EXPECT_EQ(runMain(tooMuch + "return 0;").status, 0);
  const std::string streams =
      "int* d; cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); cudaMalloc(&d, 128);\n"
      "fill<<<1, 32, 0, s>>>(d, 32);\n";
  EXPECT_EQ(statusOf(streams + "fill<<<1, 32, 0, t>>>(d, 32);\n"), 7);
  EXPECT_EQ(statusOf(streams + "fill<<<1, 32, 0, s>>>(d, 32);\n"), 0);
  // A signal's status is its own.
  const Outcome crash = runMain("int* d;\ncudaMalloc(&d, 64);\nreturn d[3];", {"--error-exitcode=7"});
  EXPECT_TRUE(crash.status == 128 + SIGSEGV || crash.status == -1) << crash.status;
  for (const char* const wrong : {"0", "256"})
    EXPECT_EQ(runMain("return 0;", {"--error-exitcode", wrong}).status, 2);
}

TEST(CliNvcc, SaysThatThereIsOneDevice) {
  const Outcome outcome = runMain("printf(\"%s\\n\", cudaGetErrorName(cudaSetDevice(1)));\nreturn 0;");
  EXPECT_EQ(outcome.output, "cudaErrorInvalidDevice\n");
  EXPECT_SAYS(reportOf(outcome));
  EXPECT_EQ(reportOf(runMain("cudaSetDevice(0);\nreturn 0;")), "");
}

TEST(CliNvcc, GroupsWarningsOfOneKernel) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", R"(#include <cstdio>
__global__ void reduce(float* x) {
  __shared__ volatile float s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0) x[0] = s[0];
}
int main() {
  float* d;
  cudaMalloc(&d, 256);
  cudaMemset(d, 0, 256);
  reduce<<<1, 64>>>(d);
  cudaDeviceSynchronize();
  cudaFree(d);
}
)");
  const Outcome outcome = runCli({"run", path});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_SAYS(reportOf(outcome));
}

/// The folders that runs have made in a folder for temporary files.
std::size_t countFolders(const ScratchFolder& scratch) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(scratch.path()))
    count += entry.path().filename().string().starts_with("lanescope-") ? 1 : 0;
  return count;
}

TEST(CliNvcc, LeavesNoFolderBehind) {
  const ScratchFolder scratch;
  const ScratchFolder temporary;
  // A compiler that never ends, and a program that never ends.
  const std::string slow = scratch.write("slow.sh", "#!/bin/sh\nsleep 60\n");
  fs::permissions(slow, fs::perms::owner_all);
  const std::string empty = scratch.write("e.cu", "int main() {}\n");
  const std::string endless =
      scratch.write("p.cu", "#include <unistd.h>\nint main() { for (;;) sleep(1); }\n");
  const std::string hard = scratch.write("h.cu", "#include <unistd.h>\nint main() { _exit(0); }\n");
  const std::string at = "TMPDIR='" + temporary.path().string() + "' ";
  const std::string cli = LANESCOPE_CLI " run ";
  for (const std::string signal : {"TERM", "INT", "HUP"}) {
    const Outcome compiling = runShell(at + "sh -c '" + cli + "--cxx " + slow + " " + empty +
                                       " & sleep 0.6; kill -" + signal + " $!; wait $!'");
    EXPECT_EQ(compiling.status, signal == "TERM" ? 143 : signal == "INT" ? 130 : 129) << compiling.complaint;
    const Outcome running =
        runShell(at + "sh -c '" + cli + endless + " & sleep 2.5; kill -" + signal + " $!; wait $!'");
    EXPECT_EQ(running.status, signal == "TERM" ? 143 : signal == "INT" ? 130 : 129) << running.complaint;
    EXPECT_EQ(countFolders(temporary), 0u);
  }
  const auto begin = std::chrono::steady_clock::now();
  const Outcome late = runShell(at + cli + "--timeout 0.5 --cxx " + slow + " " + empty);
  EXPECT_EQ(late.status, 124);
  expectSays(late, "ended after the timeout of 0.5 s, while it was compiled");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(runShell(at + cli + hard).status, 0);
  EXPECT_EQ(countFolders(temporary), 0u);
}

}  // namespace
}  // namespace lanescope::cli
