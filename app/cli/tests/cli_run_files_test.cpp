// Programs of several source files by `lanescope-cli run`.
#include <string>

#include "app/cli/tests/run_cli.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

const std::string kFolder = LANESCOPE_SOURCE_DIR "/sim/host/tests/several_files/";

TEST(CliRunFiles, LinksKernelsVariablesAndFunctionsOfAll) {
  const Outcome outcome = runCli({"run", kFolder + "main.cu", kFolder + "kernels.cu", kFolder + "util.cpp",
                                  kFolder + "plain.c", "--", "seven"});
  EXPECT_EQ(outcome.status, 2) << outcome.complaint;
  EXPECT_EQ(outcome.output,
            "1 arguments, first 101, last 195.5, total 9488, launches 2, 5\nargument seven\n");
  expectSays(outcome, "kernels.cu:21");
}

TEST(CliRunFiles, NamesWhatIsInNoneOfThem) {
  const Outcome one = runCli({"run", kFolder + "main.cu"});
  EXPECT_EQ(one.status, 125);
  expectSays(one, "main.cu uses ");
  expectSays(one, "Give the source file that has it, too");
  const ScratchFolder scratch;
  const std::string alone = scratch.write("alone.cu",
                                          "__global__ void fill(int* p, int n);\n"
                                          "int main() { fill<<<1, 1>>>(nullptr, 1); }\n");
  expectSays(runCli({"run", alone}), "alone.cu uses fill(int*, int), which is neither in it nor a part of");
  const std::string other = scratch.write("other.cpp", "int unused;\n");
  EXPECT_SAYS(reportOf(runCli({"run", alone, other})));
  EXPECT_SAYS(reportOf(runCli({"run", other, kFolder + "util.cpp"})));
  const std::string same = scratch.write("same.cu", "int main() {}\n");
  expectSays(runCli({"run", alone, same}), "do not link.");
}

TEST(CliRunFiles, TakesForAnArgumentWhatIsNoFileOrBehindDashes) {
  const ScratchFolder scratch;
  const std::string main = scratch.write(
      "p.cu", "#include <cstdio>\nint main(int n, char** a) { for (int i = 1; i < n; ++i) puts(a[i]); }\n");
  const std::string data = scratch.write("data.cu", "no C++ at all");
  const Outcome outcome = runCli({"run", main, "absent.cu", "12", "--", data, "--json", "--"});
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.output, "absent.cu\n12\n" + data + "\n--json\n--\n");
  EXPECT_EQ(runCli({"run", main, data}).status, 125);
}

TEST(CliRunFiles, KeepsVariablesApartThatNoFileDeclaresForAnother) {
  const ScratchFolder scratch;
  const std::string other = R"(__constant__ int factor = 3;
__device__ int counts[2] = {5, 6};
__device__ int f(int x) { return x * factor; }
static __global__ void k(int* out) { out[1] = f(counts[1]); }
void second(int* out) { k<<<1, 1>>>(out); }
)";
  const std::string first = R"(#include <cstdio>
__constant__ int factor = 2;
__device__ int counts[2] = {7, 8};
__device__ int f(int x) { return x * factor; }
static __global__ void k(int* out) { out[0] = f(counts[1]); }
void second(int* out);
int main() {
  int* out;
  cudaMallocManaged(&out, 8);
  int nine = 9;
  cudaMemcpyToSymbol(counts, &nine, 4, 4);
  k<<<1, 1>>>(out);
  second(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[1]);
  cudaFree(out);
}
)";
  const Outcome outcome = runCli({"run", scratch.write("a.cu", first), scratch.write("b.cu", other)});
  EXPECT_EQ(outcome.output, "18 18\n") << outcome.complaint;
}

// A static name that means something else in the other file must not be taken for that file's.
TEST(CliRunFiles, CallsThroughPointersWhatAnotherFileHas) {
  const ScratchFolder scratch;
  const auto callerText = [](const std::string& factor) {
    return "typedef int (*Operation)(int);\nstatic __constant__ int " + factor + " = 3;\n" +
           "static __device__ int own(int x) { return " + factor + " * x + 1; }\n" +
           "__device__ Operation mine = own;\n" +
           "__global__ void call(Operation f, int* out) { out[threadIdx.x] = f(threadIdx.x) + mine(0); }\n"
           "void callIt(Operation f, int* out) { call<<<1, 3>>>(f, out); }\n";
  };
  const std::string maker = scratch.write("maker.cu", R"(#include <cstdio>
typedef int (*Operation)(int);
static __constant__ int factor = 2;
static __device__ int scaled(int x) { return factor * x; }
__device__ Operation chosen = scaled;
void callIt(Operation f, int* out);
int main() {
  Operation f;
  cudaMemcpyFromSymbol(&f, chosen, sizeof f);
  int* out;
  cudaMallocManaged(&out, 12);
  callIt(f, out);
  const bool isDone = cudaDeviceSynchronize() == cudaSuccess;
  if (isDone) printf("%d %d %d\n", out[0], out[1], out[2]);
  cudaFree(out);
}
)");
  const Outcome outcome = runCli({"run", maker, scratch.write("caller.cu", callerText("step"))});
  EXPECT_EQ(outcome.output, "1 3 5\n") << outcome.complaint;
  const Outcome clash = runCli({"run", maker, scratch.write("clash.cu", callerText("factor"))});
  EXPECT_EQ(clash.output, "");
  EXPECT_SAYS(reportOf(clash));
}

// What is alike in both files is one thing, and what differs must not be taken for the other file's.
TEST(CliRunFiles, RefusesTypesAndConstantsThatDifferBetweenFiles) {
  const ScratchFolder scratch;
  const std::string helper = scratch.write("helper.cu", R"(struct Pair { int a; int b; };
using Scalar = float;
enum Step { kOne = 1, kMore = 5 };
__device__ int half(int x) { return (Scalar)x / 2 * 2 + kMore + Pair{1, 2}.b; }
)");
  const auto output = [&](const std::string& types, const std::string& value) {
    return runCli({"run",
                   scratch.write("main.cu", "#include <cstdio>\nstruct Pair { int a; int b; };\n" + types +
                                                "\n__device__ int half(int);\n"
                                                "__global__ void k(int* out) { *out = half(" +
                                                value + R"(); }
int main() {
  int* out;
  cudaMallocManaged(&out, 4);
  k<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() == cudaSuccess) printf("%d\n", *out);
  cudaFree(out);
}
)"),
                   helper});
  };
  EXPECT_EQ(output("using Scalar = float;", "(Scalar)3 + Pair{1, 0}.b").output, "10\n");
  const Outcome alias = output("typedef int Scalar;", "(Scalar)3");
  EXPECT_EQ(alias.output, "");
  EXPECT_SAYS(reportOf(alias));
  const Outcome enumerator = output("enum { kOne, kTwo };", "kOne");
  EXPECT_EQ(enumerator.output, "");
  EXPECT_SAYS(reportOf(enumerator));
}

// The lines of a hazard are of the kernel's file, the line of a launch is of the one that launches.
TEST(CliRunFiles, NamesTheFileOfAHazardAndHowOftenItWasMet) {
  const ScratchFolder scratch;
  const std::string main = scratch.write("m.cu",
                                         "__global__ void k(int* p);\n"
                                         "int main() {\n"
                                         "  int* p;\n"
                                         "  cudaMalloc(&p, 512);\n"
                                         "  cudaMemset(p, 0, 512);\n"
                                         "  k<<<1, 64>>>(p);\n"
                                         "  k<<<1, 64>>>(p);\n"
                                         "  cudaDeviceSynchronize();\n"
                                         "}\n");
  const std::string kernel = scratch.write("k.cu",
                                           "__global__ void k(int* p) {\n"
                                           "  p[threadIdx.x] += 1;\n"
                                           "  p[64 + threadIdx.x] = p[63 - threadIdx.x];\n"
                                           "}\n");
  const Outcome outcome = runCli({"run", main, kernel});
  EXPECT_SAYS(reportOf(outcome));
  const Outcome alone = runCli({"run", scratch.write("alone.cu",
                                                     "__global__ void k(int* p) {\n"
                                                     "  p[threadIdx.x] += 1;\n"
                                                     "  p[64 + threadIdx.x] = p[63 - threadIdx.x];\n"
                                                     "}\n"
                                                     "int main() {\n"
                                                     "  int* p;\n"
                                                     "  cudaMalloc(&p, 512); cudaMemset(p, 0, 512);\n"
                                                     "  k<<<1, 64>>>(p);\n"
                                                     "  cudaDeviceSynchronize();\n"
                                                     "}\n")});
  EXPECT_SAYS(reportOf(alone));
}

TEST(CliRunFiles, SaysWhichFileCannotBeSimulatedAndWhatCannotBeCaptured) {
  const ScratchFolder scratch;
  const std::string main =
      scratch.write("m.cu", "__global__ void k(int* p);\nint main() { k<<<1, 1>>>(0); }\n");
  const std::string kernel = scratch.write("k.cu", "\n__global__ void k(int* p) { *p = undeclared; }\n");
  const Outcome outcome = runCli({"run", main, kernel});
  EXPECT_EQ(outcome.status, 125);
  EXPECT_SAYS(reportOf(outcome));
  EXPECT_SAYS(
      reportOf(runCli({"run", main, kernel, "--capture", "1", "--to", (scratch.path() / "c").string()})));
}

}  // namespace
}  // namespace lanescope::cli
