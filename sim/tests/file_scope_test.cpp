// A file as it is: what the chosen kernel does not reach is never read, whatever is in it; macros,
// splices and includes are those of C++17.
#include <gtest/gtest.h>

#include <string>

#include "sim/language/check/checker.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

constexpr const char* kSevens = "__global__ void k(int* a) { a[threadIdx.x] = 7; }\n";

std::string listFaults(const SourceText& source, std::string_view kernel = "k") {
  const auto checked = checkKernel(ParsedText(std::make_shared<SourceText>(source)), kernel);
  return checked.ok() ? "" : checked.error().message;
}

std::string listFaults(const std::string& text) { return listFaults(SourceText("k.cu", text)); }

/// What thread 0 of a kernel `k(int* a)` leaves in a[0].
int makeResult(const std::string& text) {
  const auto simulation = simulate(testing::launchText(text, 1, {"i32:zero:4"}));
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().message);
  return simulation.ok() ? testing::elements<int>(*simulation, 0)[0] : -1;
}

class HostPart : public ::testing::TestWithParam<const char*> {};

TEST_P(HostPart, IsSkippedBeforeAndBehindTheKernel) {
  EXPECT_EQ(listFaults(std::string(GetParam()) + "\n" + kSevens), "");
  EXPECT_EQ(listFaults(std::string(kSevens) + GetParam() + "\n"), "");
}

INSTANTIATE_TEST_SUITE_P(
    Texts, HostPart,
    ::testing::Values(
        "extern \"C\" void solve(float* a, int n) { k<<<1, n>>>(a); }",
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid f(float* a, int n);\n#ifdef __cplusplus\n}\n#endif",
        "class Timer { public: Timer() : t_{0} {} virtual ~Timer() = default; float ms() { return 0; } };",
        "template <typename T> struct Buffer { T* p; ~Buffer() { cudaFree(p); } };",
        "namespace host { namespace { int f() { return 1; } } class A : public B<int> {}; }",
        "std::map<std::string, std::vector<int>> table = {{\"a\", {1, 2}}, {\"}\", {3}}};",
        "cudaEvent_t start, stop; dim3 grid(1, 1), block(32); float h_A[1 << 20]; const char* names[] = "
        "{\"x\"};",
        "std::ostream& operator<<(std::ostream& o, const P& p) { return o << p.x; }",
        "int operator\"\" _k(unsigned long long n) { return n; }",
        "union Bits { int i; float f; }; enum class Mode : char { A, B }; struct { int w; } options;",
        "typedef void (*Operation)(int); using std::cout; using namespace std::chrono; namespace fs = "
        "std::fs;",
        "auto add = [](int a, int b) { return a + b; };",
        "#define CHECK(call, ...) do { auto e = (call); report(#call, e, ##__VA_ARGS__); } while (0)\n"
        "int main() { CHECK(cudaFree(0)); CHECK(f(1, 2), \"a\", 3); }",
        "#define check(x) (check(x, __FILE__, __LINE__))\nint main() { check(cudaGetLastError()); }",
        "#define ONE(a) a\nint main() { ONE(1, 2); ONE(; }",
        "texture<float, 2> tex; __global__ void other(half* h) { h[0] = tex2D(tex, 0, 0); goto end; }",
        "__device__ float sample(cudaTextureObject_t t) { return tex1D<float>(t, 0); }",
        "template <class... Ts> __device__ void all(Ts... ts) { (f(ts), ...); }",
        "template <class T> __global__ void own(T* p) { p[0] = T(1); } template __global__ void "
        "own<int>(int*);",
        "const char* text = R\"raw(__global__ \" } { )raw\"; char c = '\\'';",
        "static_assert(sizeof(int) == 4, \"\"); [[maybe_unused]] static int counter = 0;",
        "__global__ void other(float* x) { x[0] = undeclared; }", "struct Node* head = nullptr;",
        "float größe = 1; // a name in UTF-8", "void f(int n) try { g(n); } catch (...) { }"));

TEST(FileScope, WhatAKernelReachesIsReadAndAtFaultWhereItIsUsed) {
  const std::string half = "__device__ float f(cudaTextureObject_t h) { return 1; }\n";
  EXPECT_NE(listFaults(half + "__global__ void k(int* a) { a[0] = f(1); }\n").find("k.cu:1:"),
            std::string::npos);
  const std::string variable = "std::vector<int> v;\n";
  const std::string used = listFaults(variable + "__global__ void k(int* a) { a[0] = v; }\n");
  EXPECT_SAYS(used);
  // A variable of the kernel hides the host's.
  EXPECT_EQ(makeResult("cudaEvent_t start;\n__global__ void k(int* a) { int start = 5; a[0] = start; }\n"),
            5);
  EXPECT_EQ(makeResult("namespace detail { const int n = 3; __device__ int f() { return n; } }\n"
                       "__global__ void k(int* a) { a[0] = detail::f() + ::detail::n; }\n"),
            6);
  const std::string twice =
      "namespace a { __device__ int f() { return 1; } }\nnamespace b { __device__ int f() { return 2; } }\n";
  EXPECT_EQ(listFaults(twice + kSevens), "");
  EXPECT_EQ(makeResult(twice + "__global__ void k(int* a) { a[0] = 10 * a::f() + b::f(); }\n"), 12);
  EXPECT_EQ(makeResult("extern \"C\" __global__ void k(int* a) { a[0] = 4; }\n"), 4);
}

TEST(FileScope, NamesOfSeveralNamespacesAreKeptApart) {
  const std::string own = "namespace a { __device__ int max(int x, int y) { return x * 10 + y; } }\n";
  const auto result = [&](const std::string& text, const std::string& value) {
    return makeResult(text + "__global__ void k(int* a) { a[0] = " + value + "; }\n");
  };
  EXPECT_EQ(result(own, "max(1, 2) * 100 + a::max(1, 2)"), 212);
  EXPECT_EQ(result(own, "::max(1, 2) * 100 + ::a::max(1, 2)"), 212);
  // What using shows is an overload of CUDA's.
  EXPECT_EQ(result(own + "using a::max;\n", "max(1, 2)"), 12);
  EXPECT_EQ(result(own + "namespace b { using namespace a; __device__ int g() { return max(1, 2); } }\n",
                   "b::g() * 100 + b::max(1, 2)"),
            1212);
  const std::string types =
      "namespace a { struct T { int x; __device__ T(int v); }; __device__ int f(T t) { return t.x; } }\n"
      "namespace b { struct T { float x; }; __device__ int f(const T* t) { return t->x * 4; } }\n"
      "__device__ a::T::T(int v) : x(v) {}\n__device__ int f(int x) { return x + 100; }\n";
  EXPECT_NE(listFaults(types + "__global__ void k(int* a) { T t{1}; }\n").find("'T'"), std::string::npos);
}

TEST(FileScope, KernelsOfOneNameAreAskedForByTheirNumber) {
  const SourceText source("k.cu",
                          "namespace a { __global__ void k(int* p) { p[0] = 1; } }\n"
                          "namespace b { __global__ void k(float* p) { undeclared; } }\n"
                          "template <int N> __global__ void k(int* p, int) { p[0] = N; }\n"
                          "template <> __global__ void k<4>(int* p, int) { other; }\n");
  EXPECT_EQ(listFaults(source, "k"), "");
  EXPECT_SAYS(listFaults(source, "k@2"));
  EXPECT_EQ(listFaults(source, "k@3<7>"), "");
  EXPECT_SAYS(listFaults(source, "k@3<4>"));
  EXPECT_SAYS(listFaults(source, "k@4"));
  for (const char* const none : {"k@5", "k@0", "k@", "k@x", "k@1x", "k@99999999999999999999"})
    EXPECT_SAYS(listFaults(source, none));
}

TEST(FileScope, SpecialisationsOfFunctionsStandInForTheirTemplate) {
  const std::string text =
      "template <int N, bool B> __device__ int g() { return N; }\n"
      "template <> __device__ int g<1 + 2, false>() { undeclared; }\n";
  EXPECT_NE(listFaults(text + "__global__ void k(int* a) { a[0] = g<3, false>(); }\n").find("'undeclared'"),
            std::string::npos);
  EXPECT_EQ(listFaults(text + "__global__ void k(int* a) { a[0] = g<3, true>(); }\n"), "");
}

TEST(FileScope, AMissingBraceDoesNotTakeTheNextKernelWithIt) {
  const SourceText source("k.cu",
                          "__global__ void broken(int* a) { if (a[0]) { a[0] = 1; }\n"
                          "template <int N> __global__ void k(int* a) { a[0] = N; }\n");
  EXPECT_EQ(listFaults(source, "k<4>"), "");
  EXPECT_SAYS(listFaults(source, "broken"));
  EXPECT_SAYS(listFaults(std::string(kSevens) + "}\n"));
}

TEST(FileScope, NamesOfCudasTypesAreNotReserved) {
  EXPECT_EQ(makeResult("__device__ int f(int dim3, int uint) { return dim3 - uint; }\n"
                       "__global__ void k(int* a) { a[0] = f(9, 2); }\n"),
            7);
  EXPECT_EQ(makeResult("__global__ void __launch_bounds__((4 * 4) / (2 * 2)) k(int* a) { a[0] = 2; }\n"), 2);
}

TEST(Macros, MakeFormatsOfTheirArguments) {
  EXPECT_EQ(
      makeResult("#define S(x) #x\n__global__ void k(int* a) { printf(S(a \"b\" %d), 1); a[0] = 1; }\n"), 1);
}

TEST(Macros, ConditionsKnowWhatACompilerHas) {
  for (const char* holds :
       {"!__has_cpp_attribute(nodiscard)", "!(__has_builtin(__f) && __has_builtin(__f) >= 3)"}) {
    const std::string text = std::string("#if ") + holds + "\n#else\n#error no\n#endif\n" + kSevens;
    EXPECT_EQ(listFaults(text), "") << holds;
  }
  EXPECT_NE(listFaults(std::string("#if 1 / 0\n#endif\n") + kSevens), "");
}

TEST(FileScope, SharedMayBeAnywhereInADeclaration) {
  EXPECT_EQ(makeResult("__global__ void k(int* a) {\n"
                       "  int* __shared__ p;\n  float alignas(8) __shared__ f[2];\n  p = a;\n  f[1] = 5;\n"
                       "  p[0] = (int)f[1];\n}\n"),
            5);
}

TEST(FileScope, AKernelAndAFunctionMayHaveOneName) {
  EXPECT_EQ(makeResult("__device__ int twice(int x) { return 2 * x; }\n"
                       "__global__ void twice(int* a) { a[0] = twice(a[0] + 4); }\n"),
            8);
}

TEST(Includes, AreReadWhereTheyCameWithTheText) {
  const std::vector<IncludedText> files = {
      {"tile.h", "#pragma once\n#include \"sub/more.h\"\n#include \"tile.h\"\n#define TILE 16\n"},
      {"sub/more.h",
       "#include \"../tile.h\"\n#ifndef MORE\n#define MORE\n__device__ int f() { return 2; }\n#endif\n"}};
  const std::string text =
      "#include \"tile.h\"\n#include \"tile.h\"\n__global__ void k(int* a) { a[0] = TILE * f(); }\n";
  EXPECT_EQ(listFaults(SourceText("k.cu", text, files)), "");
  const std::string missing = listFaults(SourceText("k.cu", text));
  EXPECT_SAYS(missing);
}

TEST(Includes, ThatAreMissingAreNamedWhereANameIsUnknown) {
  const std::string includes =
      "#include <stdio.h>\n#include <vector>\n#include <cub/cub.cuh>\n#include <lab/tile.hpp>\n";
  for (const char* const kernel :
       {"__global__ void k(int* a) { a[0] = lab::tile(3); }\n",
        "__global__ void k(int* a) { lab::load<int, 4>(a); }\n",
        "__global__ void k(int* a) { load<int>(a); }\n", "__global__ void k(Tile* a) { a[0] = 1; }\n",
        "__global__ void k(cuda::index_t* a) { a[0] = 1; }\n"}) {
    const std::string faults = listFaults(SourceText("k.cu", includes + kernel));
    EXPECT_SAYS(faults);
    EXPECT_EQ(faults.find("expected ';'"), std::string::npos) << faults;
  }
}

TEST(Includes, AskForNothingThatNoKernelNeeds) {
  const std::string header =
      "#ifndef CONFIGURED\n#error run configure first\n#endif\n#if VERSION(1, 2)\n#endif\n";
  const std::string text = "#include \"config.h\"\n__global__ void k(int* a) { a[0] = 1; }\n";
  EXPECT_EQ(listFaults(SourceText("k.cu", text, {{"config.h", header}})), "");
  EXPECT_NE(listFaults(header + kSevens), "");
}

TEST(FileScope, InstancesOfOtherFilesAreNoKernels) {
  EXPECT_EQ(makeResult("template <int N> __global__ void fill(int* a);\n"
                       "extern template void __global__ fill<4>(int*);\n"
                       "extern template __global__ void fill<5>(int* const);\n"
                       "__global__ void k(int* a) { a[0] = 3; }\n"),
            3);
}

TEST(FileScope, AbsurdTextsAreOnlyRefused) {
  const std::string open = "__global__ void k(int* a) { ";
  std::string extents = "int x";
  for (int i = 0; i < 100000; ++i) extents += "[1]";
  std::string chain = "#define A0 1\n";
  for (int i = 1; i < 200; ++i)
    chain += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + "\n";
  EXPECT_NE(listFaults(open + "int " + std::string(60000, '*') + "p; }"), "");
  EXPECT_NE(listFaults(open + "a[0] = *(int " + std::string(60000, '*') + ")a; }"), "");
  EXPECT_NE(listFaults(open + extents + "; }"), "");
  EXPECT_EQ(listFaults(chain + open + "a[0] = A100; }"), "");  // long, but never defined by itself
  for (const char* text : {"namespace", "namespace {", "template", "template <", "extern \"C\" {", "operator",
                           "enum {", "struct", "typedef", "using", "}}}}", "[[", "= {", "a(b(c["})
    EXPECT_NE(listFaults(text), "") << text;
}

}  // namespace
}  // namespace lanescope
