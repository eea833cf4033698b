// `lanescope-cli check`: what a text does not have itself. Headers, other files of the program, macros of its
// build, launches, and what CUDA no longer has.

#include "app/cli/tests/run_cli.h"
#include "sim/base/json.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

Outcome checkText(const std::string& text) { return KernelFile(text).run("check"); }

TEST(CheckElsewhere, NamesTheHeaderOfOperatorsOnVectors) {
  EXPECT_SAYS(checkText("#include \"helper_math.h\"\n"
                        "__global__ void f(float4* x) { float4 a = x[0]; a += x[1]; x[2] = a; }\n"
                        "__global__ void g(float3* x) { x[0] = -x[1]; }\n"
                        "__global__ void h(int2* x) { x[0] = x[1] * 2; }\n"
                        "__global__ void i(float2* x) { x[0] = 2.0f * x[1] - x[2]; }\n"
                        "__global__ void j(float3* x) { x[0].x = dot(x[1], x[2]); }\n")
                  .output);
  EXPECT_SAYS(checkText("__global__ void f(float4* x) { x[0] /= x[1]; }\n").output);
  const Outcome own = checkText(
      "__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }\n"
      "__device__ void operator+=(float2& a, float2 b) { a = a + b; }\n"
      "__global__ void f(float2* x) { x[0] = x[1] + x[2]; x[0] += x[1]; }\n");
  EXPECT_EQ(own.status, 0) << own.output;
}

TEST(CheckElsewhere, NamesWhatAnotherFileDefines) {
  const ScratchFolder scratch;
  scratch.write("shared.cuh",
                "#pragma once\n// wrap() is in other.cu\n__device__ int wrap(int i, int n);\nextern "
                "__constant__ int kScale;\n"
                "extern __device__ float table[8];\n");
  const std::string main =
      scratch.write("k.cu",
                    "#include \"shared.cuh\"\n__device__ float gain(float x);\n"
                    "__global__ void f(int* x, int n) { x[threadIdx.x] = wrap(threadIdx.x - 1, n); }\n"
                    "__global__ void g(int* x) { x[threadIdx.x] *= kScale; }\n"
                    "__global__ void h(float* x) { x[threadIdx.x] = gain(table[threadIdx.x]); }\n");
  const std::string other =
      scratch.write("other.cu",
                    "#include \"shared.cuh\"\n__device__ int wrap(int i, int n) { return (i + n) % n; "
                    "}\n__constant__ int kScale = 3;\n"
                    "__device__ float table[8];\n__device__ float gain(float x) { return 2 * x; }\n"
                    "__global__ void own(int* x) { x[0] = 1; }\n");
  EXPECT_SAYS(runCli({"check", main}).output);
  const Outcome both = runCli({"check", main, other});
  EXPECT_EQ(both.status, 0);
  EXPECT_SAYS(both.output);
}

TEST(CheckElsewhere, GivesThePlaceInTheHeader) {
  const ScratchFolder scratch;
  scratch.write("inner.h",
                "#pragma once\n\ninline __device__ float deep(float x) {\n  return undeclared(x);\n}\n");
  scratch.write("outer.h",
                "#ifndef OUTER_H\n#define OUTER_H\n#include \"inner.h\"\n"
                "__device__ int add(int a) {\n  asm(\"bar.sync 0;\");\n  return a;\n}\n#endif\n");
  const std::string path = scratch.write("k.cu",
                                         "#include <cstdio>\n#include \"outer.h\"\n#include \"inner.h\"\n"
                                         "__global__ void f(float* x) { x[0] = deep(x[1]); }\n"
                                         "__global__ void g(int* x) { x[0] = add(x[1]) + missing; }\n");
  EXPECT_SAYS(runCli({"check", path}).output);
  const auto json = parseJson(runCli({"check", path, "--json"}).output);
  const auto first = json["files"][0]["kernels"][0]["diagnostics"][0];
  EXPECT_EQ(first["line"], 2);
  EXPECT_EQ(first["header"]["file"], "inner.h");
  EXPECT_EQ(first["header"]["line"], 4);
}

TEST(CheckElsewhere, SaysThatALaunchIsNotSeen) {
  EXPECT_SAYS(
      checkText(
          "template <typename S> __global__ void sides(int* x, S s) { x[threadIdx.x] = "
          "s.left(threadIdx.x); }\n"
          "template <typename S> __global__ void all(int* x, S s) { x[threadIdx.x] += s(threadIdx.x); }\n"
          "template <typename It> __global__ void seq(It first, It last, int* x) {\n"
          "  if (threadIdx.x < last - first) x[threadIdx.x] = first[threadIdx.x];\n}\n"
          "template <typename A, typename B> __global__ void both(A a, B* b) { b[0] = a.value * "
          "b[1].value(); }\n")
          .output);
  // A fault that does not depend on the type is reported.
  EXPECT_SAYS(
      checkText(
          "template <typename T> __global__ void f(T* x, T s) { x[0] = unknown(s); __shfl_up(1, 1); }\n")
          .output);
  // The type of a template that launches it is no type.
  EXPECT_SAYS(checkText("template <class F> __global__ void k(F f, int* x) { x[0] = f.at(1); }\n"
                        "template <typename T1> void run(T1 t) { k<T1><<<1, 1>>>(t, nullptr); }\n")
                  .output);
}

TEST(CheckElsewhere, NamesTheWayToGiveAMacro) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("k.cu", "__global__ void f(int* x) { x[0] = TILE_SIZE * tile; }\n");
  EXPECT_SAYS(runCli({"check", path}).output);
  const std::string good = scratch.write("g.cu", "__global__ void f(int* x) { x[0] = TILE_SIZE; }\n");
  EXPECT_EQ(runCli({"check", good}).status, 1);
  EXPECT_EQ(runCli({"check", good, "-D", "TILE_SIZE=8"}).status, 0);
  EXPECT_SAYS(checkText("__global__ void f(int* x) { x[0] = N; }\n").output);
}

TEST(CheckElsewhere, SaysWhatCudaNoLongerHas) {
  EXPECT_SAYS(checkText("texture<float, 1, cudaReadModeElementType> image;\n"
                        "__global__ void f(float* x) { x[0] = tex1Dfetch(image, 1); }\n"
                        "surface<void, 2> face;\n"
                        "__global__ void g(float* x) { surf2Dwrite(x[0], face, 1, 2); }\n")
                  .output);
}

TEST(CheckElsewhere, NamesIntegersOf128Bits) {
  EXPECT_SAYS(
      checkText("typedef unsigned __int128 wide;\n"
                "__global__ void f(unsigned long long* x) { wide w = (wide)x[0] * x[1]; x[2] = (unsigned "
                "long long)(w >> 64); }\n"
                "__global__ void g(long long* x) { __int128 w = x[0]; x[1] = w; }\n"
                "__global__ void h(long long* x) { x[1] = (__int128_t)x[0] >> 3; }\n")
          .output);
}

TEST(CheckElsewhere, BoundsWhatAThreadKeepsOfAStruct) {
  EXPECT_SAYS(checkText("struct Points { float x[1 << 22]; float y[1 << 22]; };\n"
                        "__global__ void f(Points* p) { p->y[threadIdx.x] = p->x[threadIdx.x]; }\n"
                        "__global__ void g(Points* p) { Points own = *p; own.x[0] = 1; *p = own; }\n"
                        "__global__ void h(Points p, float* x) { x[0] = p.x[1]; }\n"
                        "__device__ float all[400 << 20];\n"
                        "__global__ void i(float* x) { x[0] = all[1]; }\n"
                        "__global__ void j(Points* p, Points* q) { *p = *q; }\n")
                  .output);
}

TEST(CheckElsewhere, TakesSeveralFilesAndAddsThemUp) {
  const ScratchFolder scratch;
  const std::string good = scratch.write("a.cu", "__global__ void f(int* x) { x[0] = 1; }\n");
  const std::string host = scratch.write("b.cpp", "int main() {}\n");
  const std::string bad = scratch.write("c.cu", "__global__ void g(int* x) { x[0] = y; }\n");
  EXPECT_SAYS(runCli({"check", "-O3", "-arch=sm_90", "-std=c++17", good, host, bad}).output);
  EXPECT_EQ(runCli({"check", good, host}).status, 0);
  EXPECT_EQ(runCli({"check", host}).status, 1);
  const auto json = parseJson(runCli({"check", good, bad, "--json"}).output);
  EXPECT_EQ(json["format"], "lanescope.check/2");
  EXPECT_EQ(json["files"][0]["kernels"][0]["canBeSimulated"], true);
  EXPECT_EQ(json["files"][1]["kernels"][0]["canBeSimulated"], false);
  const std::string again = (scratch.path() / "." / "a.cu").string();
  EXPECT_EQ(parseJson(runCli({"check", good, again, good, "--json"}).output)["files"].size(), 1u);
}

TEST(CheckElsewhere, AHintOnAGuessedTypeIsALineToCopy) {
  const KernelFile file(
      "template <typename S> __global__ void sides(int* x, S s) {\n"
      "  static_assert(S::count == 3, \"three\");\n  x[threadIdx.x] = s.left();\n}\n"
      "template <int N> struct Left {\n  static constexpr int count = N;\n  int n;\n"
      "  __device__ int left() const { return n; }\n};\n");
  const std::string output = file.run("check").output;
  const std::size_t begin = output.find("lanescope-cli simulate");
  ASSERT_NE(begin, std::string::npos) << output;
  std::string line = output.substr(begin, output.find('\n', begin) - begin);
  const auto replace = [&](const std::string& part, const std::string& by) {
    const std::size_t at = line.find(part);
    if (at != std::string::npos) line.replace(at, part.size(), by);
  };
  replace("lanescope-cli", LANESCOPE_CLI);
  replace("sides<float>", "sides<Left<3>>");
  replace("f32=1", "struct:{i32:5}");
  const Outcome outcome = runShell(line);
  EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.complaint;
}

TEST(CheckElsewhere, ReadsTheOptionsOfARunAndOfNvcc) {
  const KernelFile file("__global__ void f(int* x) { x[0] = 1; }\n");
  const Outcome outcome =
      file.run("check", {"-O3", "--host-flag=-Wall", "--cxx", "g++", "-lcublas", "--fmad=false"});
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.complaint, "");
}

}  // namespace
}  // namespace lanescope::cli
