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
  EXPECT_EQ(result(own + "namespace c = a;\n", "c::max(1, 2)"), 12);
  EXPECT_EQ(result("namespace a { inline namespace v1 { __device__ int f() { return 1; } } }\n"
                   "namespace b { __device__ int f(); }\n__device__ int b::f() { return a::f() + 1; }\n",
                   "a::f() * 10 + b::f()"),
            12);
  // What a::b opens at once is within a, too.
  EXPECT_EQ(result("namespace a { struct T { int x; }; __device__ int f() { return 2; } }\n"
                   "namespace a::b { struct U : T {}; __device__ int g() { U u{{3}}; return u.x * f(); } }\n"
                   "namespace c { __device__ int f() { return 7; } }\n",
                   "a::b::g() * 10 + c::f()"),
            67);
  const std::string types =
      "namespace a { struct T { int x; __device__ T(int v); }; __device__ int f(T t) { return t.x; } }\n"
      "namespace b { struct T { float x; }; __device__ int f(const T* t) { return t->x * 4; } }\n"
      "__device__ a::T::T(int v) : x(v) {}\n__device__ int f(int x) { return x + 100; }\n";
  EXPECT_EQ(
      makeResult(types + "__global__ void k(int* a) { b::T t{0.5f}; a[0] = f(a::T(7)) * 10 + f(&t); }\n"),
      72);
  EXPECT_NE(listFaults(types + "__global__ void k(int* a) { T t{1}; }\n").find("'T'"), std::string::npos);
  // Both are shown, and a qualifier says which one is meant.
  const std::string both =
      "namespace a { __device__ int f() { return 1; } }\n"
      "namespace b { __device__ int f() { return 2; } }\nusing namespace a;\n"
      "using namespace b;\n";
  EXPECT_EQ(result(both, "a::f() * 10 + b::f()"), 12);
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
      "template <typename T> __device__ int f(T) { return sizeof(T); }\n"
      "template <> __device__ int f<short>(short) { return 50; }\n"
      "template <> __device__ int f(double) { return 60; }\n"
      "template <int N, bool B> __device__ int g() { return N; }\n"
      "template <> __device__ int g<2, true>() { return 70; }\n"
      "template <> __device__ int g<1 + 2, false>() { undeclared; }\n";
  const auto result = [&](const std::string& value) {
    return makeResult(text + "__global__ void k(int* a) { a[0] = " + value + "; }\n");
  };
  EXPECT_EQ(result("f('a') * 100 + f((short)1)"), 150);
  EXPECT_EQ(result("f<double>(1) + f<int>(short(1))"), 64);
  EXPECT_EQ(result("g<2, true>() + g<2, false>()"), 72);
  EXPECT_NE(listFaults(text + "__global__ void k(int* a) { a[0] = g<3, false>(); }\n").find("'undeclared'"),
            std::string::npos);
}

TEST(FileScope, AMissingBraceDoesNotTakeTheNextKernelWithIt) {
  const SourceText source("k.cu",
                          "__global__ void broken(int* a) { if (a[0]) { a[0] = 1; }\n"
                          "template <int N> __global__ void k(int* a) { a[0] = N; }\n");
  EXPECT_EQ(listFaults(source, "k<4>"), "");
  EXPECT_SAYS(listFaults(source, "broken"));
  EXPECT_SAYS(listFaults(std::string(kSevens) + "}\n"));
}

TEST(FileScope, TypesAreNamedAsCNamesThem) {
  EXPECT_EQ(makeResult("typedef unsigned int uint;\ntypedef unsigned int uint;\n"
                       "__global__ void k(int* a) { uint n = 3; a[0] = n; }\n"),
            3);
  EXPECT_EQ(makeResult("typedef struct P { int x; struct P* next; } P, *PointerToP;\n"
                       "__global__ void k(int* a) { struct P p; P q; PointerToP r = &p; p.x = 2; q.x = 3;\n"
                       "  a[0] = r->x + q.x; }\n"),
            5);
  EXPECT_EQ(
      makeResult(
          "struct list { int x; };\n__global__ void k(int* a) { struct list l; struct list* list = &l;\n"
          "  list->x = 8; a[0] = list->x; }\n"),
      8);
  EXPECT_EQ(makeResult("__device__ int f(int dim3, int uint) { return dim3 - uint; }\n"
                       "__global__ void k(int* a) { a[0] = f(9, 2); }\n"),
            7);
  EXPECT_EQ(makeResult("__global__ void k(int* a) { typedef int T; using U = T; struct S { U x; };\n"
                       "  enum { kTwo = 2 }; S s; s.x = kTwo; a[0] = s.x; }\n"),
            2);
  EXPECT_EQ(
      makeResult("template <class T, int> __device__ T f(T x) { return x; }\n"
                 "__global__ void __launch_bounds__((4 * 4) / (2 * 2)) k(int* a) { a[0] = f<int, 3>(2); }\n"),
      2);
}

TEST(Macros, AreThoseOfCpp17) {
  const auto of = [](const std::string& defines, const std::string& value) {
    return makeResult(defines + "\n__global__ void k(int* a) { a[0] = " + value + "; }\n");
  };
  EXPECT_EQ(of("#define N (N + 1)\n#define M 4", "M"), 4);
  EXPECT_EQ(of("#define CAT(a, b) a##b", "CAT(1, 2)"), 12);
  EXPECT_EQ(of("#define CAT(a, b) a##b\n#define X 3\n#define XCAT(a, b) CAT(a, b)", "XCAT(X, X)"), 33);
  EXPECT_EQ(of("#define SUM(a, ...) (a + f(__VA_ARGS__))\n__device__ int f(int x, int y) { return x * y; }",
               "SUM(1, 2, 3)"),
            7);
  EXPECT_EQ(of("#define F(a, ...) g(a __VA_OPT__(,) __VA_ARGS__)\n__device__ int g(int x, int y = 5) "
               "{ return x + y; }",
               "F(1) * 100 + F(1, 2)"),
            603);
  EXPECT_EQ(
      of("#define F(a, args...) g(a, ##args)\n__device__ int g(int x, int y = 5) { return x + y; }", "F(1)"),
      6);
  EXPECT_EQ(of("#define F G\n#define G(x) (x + 1)", "F(4)"), 5);
  EXPECT_EQ(of("#define f(x) (x * f(1))\n__device__ int (f)(int x) { return x; }", "2"), 2);
  EXPECT_EQ(of("#define A(x) (x \\\r\n + 1)", "A(2)"), 3);
  EXPECT_EQ(of("", "1 \\\n + 2"), 3);
  EXPECT_EQ(of("", "1\\\n2"), 12);
  EXPECT_EQ(
      makeResult("#define S(x) #x\n__global__ void k(int* a) { printf(S(a \"b\" %d), 1); a[0] = 1; }\n"), 1);
}

TEST(Macros, ConditionsHaveEveryOperator) {
  for (const char* holds : {"64 % 32 == 0",
                            "(3 & 1)",
                            "1 << 4 == 16",
                            "~0 == -1",
                            "1 ? 2 : 0",
                            "7 / 2 == 3",
                            "(2 | 1) == 3",
                            "(3 ^ 1) == 2",
                            "0x10 == 020",
                            "!0 && 1",
                            "defined(A) || !defined B",
                            "__has_include(<cstdio>)",
                            "!__has_include(\"none.h\")",
                            "0 || 1 / 1",
                            "1'000 > 999",
                            "!(0 && 1 / 0)",
                            "__cplusplus >= 201703L",
                            "'a' == 97",
                            "!__has_cpp_attribute(nodiscard)",
                            "!(__has_builtin(__f) && __has_builtin(__f) >= 3)"}) {
    const std::string text = std::string("#if ") + holds + "\n#else\n#error no\n#endif\n" + kSevens;
    EXPECT_EQ(listFaults(text), "") << holds;
  }
  EXPECT_NE(listFaults(std::string("#if 1 / 0\n#endif\n") + kSevens), "");
}

TEST(FileScope, SpecifiersMayBeBehindConst) {
  EXPECT_EQ(makeResult(
                "const static int kTop = 5;\nconst __constant__ int kDeep[2] = {1, 2};\n"
                "struct S { const static int k = 3; };\n"
                "__global__ void k(int* a) { const static int s = 4; a[0] = kTop + S::k + s + kDeep[1]; }\n"),
            14);
}

TEST(FileScope, SpecifiersMayBeAnywhereInADeclaration) {
  EXPECT_EQ(
      makeResult(
          "int alignas(16) __device__ g = 2;\n"
          "struct S { int constexpr static k = 3; int __device__ inline three() const { return k; } };\n"
          "struct T { __device__ int four(); };\nint __device__ T::four() { return 4; }\n"
          "__global__ void k(int* a) {\n"
          "  int* __shared__ p;\n  float alignas(8) __shared__ f[2];\n  p = a;\n  f[1] = 5;\n"
          "  p[0] = g + S().three() + T().four() + (int)f[1];\n}\n"),
      14);
}

TEST(FileScope, TemplatesOfAliasesStandForTypes) {
  EXPECT_EQ(
      makeResult("template <typename T, int N> struct Row { T x[N]; };\n"
                 "template <typename T> using Pair = Row<T, 2>;\n"
                 "template <int N, typename T = short>\nusing Many = Row<T, N>;\n"
                 "__global__ void k(int* a) { Pair<int> p = {1, 2}; a[0] = p.x[1] + sizeof(Many<3>); }\n"),
      8);
}

TEST(FileScope, ArgumentsInATypedefAreNoNames) {
  EXPECT_EQ(
      makeResult(
          "template <typename T, int N, bool B = false> struct Row {\n"
          "  typedef Row<T, N, B> Own;\n  enum { kCount = N };\n  T x[N];\n"
          "  __device__ Own copy() const { return *this; }\n};\n"
          "__global__ void k(int* a) { Row<int, 3> r = {1, 2, 5}; a[0] = r.copy().x[2] + r.kCount; }\n"),
      8);
}

TEST(FileScope, ATypeMayBeNamedAsCNamesIt) {
  EXPECT_EQ(
      makeResult("struct Node { int value; struct Node* next; };\nstruct Pair { int a, b; };\n"
                 "__device__ struct Node* head;\n__device__ struct Pair pairs[2] = {{1, 2}, {30, 4}};\n"
                 "__constant__ struct Pair bias = {500, 6};\ntypedef struct Node* Link;\n"
                 "__device__ struct Node* first(Link n) { n->value += pairs[1].a; return n; }\n"
                 "__device__ struct Pair swapped(struct Pair p) { struct Pair q = {p.b, p.a}; return q; }\n"
                 "__global__ void k(int* a) {\n  struct Node n = {7, NULL};\n  head = &n;\n"
                 "  a[0] = first(&n)->value + swapped(bias).b + (head != NULL ? 1000 : 0);\n}\n"),
      1537);
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
