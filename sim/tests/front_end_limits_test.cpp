// No text takes the front end more than a bounded stack, time and memory: texts that refer to themselves,
// that grow as they are read, and that are long.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/language/check/checker.h"
#include "sim/machine/compile/compiled_kernel.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

using std::string_literals::operator""s;

/// The first fault with its place, `3:7: …`; empty if the kernel can be compiled.
std::string fault(std::shared_ptr<const SourceText> text) {
  const ParsedText parsed(std::move(text));
  const auto compiled = compileKernel(parsed, "");
  if (compiled) return {};
  if (compiled.error().diagnostics.empty()) return compiled.error().sentence();
  const Diagnostic& first = compiled.error().diagnostics.front();
  const LineColumn place = parsed.source->place(first.span.begin);
  return fmt::format("{}:{}: {}", place.line, place.column, makeSentences(first));
}

std::string fault(const std::string& text) { return fault(testing::makeSource(text)); }

std::string kernel(const std::string& value) {
  return "\n__global__ void k(int* o) { o[0] = " + value + "; }\n";
}

/// The same without its place, which depends on how large the front end's frames are.
std::string faultAnywhere(const std::string& text) {
  const std::string said = fault(text);
  return said.substr(std::min(said.find(": "), said.size()));
}

/// One text for each number, put together.
template <class Make>
std::string repeated(int count, const Make& make) {
  std::string text;
  for (int i = 0; i < count; ++i) text += make(i);
  return text;
}

TEST(FrontEndLimits, DeclarationsThatNeedThemselves) {
  const std::string device = "__device__ int ";
  const std::vector<std::string> texts = {
      "template <class T, class U = A<T>> struct A {};\n__global__ void k(int* o) { A<int> b; }",
      "template <class T, class U = decltype(f(T()))> " + device + "f(T);" + kernel("f(1)"),
      "template <class T, class = decltype(g(T{}))> " + device + "f(T);\n" +
          "template <class T, class = decltype(f(T{}))> " + device + "g(T);" + kernel("g(1)"),
      "template <class T> struct S { template <class U = decltype(S<T>().f())> " + device + "f(); };" +
          kernel("S<int>().f()"),
      "struct S { template <class T, class U = decltype(S() == T())> " + device + "operator==(T); };" +
          kernel("S() == 1"),
      "template <class T> " + device + "f(T, decltype(f(T())) = 0);" + kernel("f(1)"),
      "template <int N> " + device + "f() { return f<N + 1>(); }" + kernel("f<0>()"),
      "template <int N> struct A { static constexpr int v = A<N + 1>::v; };" + kernel("A<0>::v"),
      "template <class T> constexpr int v = v<T*>;" + kernel("v<int>"),
      "template <class T> using A = A<T*>;\n__global__ void k(int* o) { A<int> a; }",
  };
  for (const std::string& text : texts) EXPECT_SAYS(fault(text));
}

TEST(FrontEndLimits, WhatATrialForgotIsReportedAtTheNextUse) {
  const std::string item = "constexpr int bad = nothing;\n";
  const std::string body = "constexpr int f() { int x = nothing; return x; }\n";
  const std::string ofClass = "template <class T> struct S { T x[nothing]; };\n";
  EXPECT_SAYS(fault(item + "__global__ void __launch_bounds__(bad) k(int* o) { o[1] = bad; }"));
  EXPECT_SAYS(fault(body + "__global__ void __launch_bounds__(f()) k(int* o) { o[1] = f(); }"));
  EXPECT_SAYS(fault(ofClass + "__global__ void __launch_bounds__(sizeof(S<int>)) k(int* o) { S<int> s; }"));
}

TEST(FrontEndLimits, ChainsOfDeclarations) {
  const auto constants = [](int i) {
    return i == 0 ? "constexpr int c0 = 1;\n"s : fmt::format("constexpr int c{} = c{} + 1;\n", i, i - 1);
  };
  EXPECT_EQ(fault(repeated(200, constants) + kernel("c199")), "");
  EXPECT_SAYS(faultAnywhere(repeated(30'000, constants) + kernel("c29999")));
  EXPECT_SAYS(fault(repeated(100,
                             [](int i) {
                               return i == 0 ? "using A0 = int;\n"s
                                             : fmt::format("using A{} = A{}*;\n", i, i - 1);
                             }) +
                    kernel("sizeof(A99)")));
  std::string sum;
  for (int i = 0; i < 900; ++i) sum += " + a";
  EXPECT_SAYS(faultAnywhere(
      "__device__ int f0(int a) { return a; }\n" +
      repeated(60,
               [&](int i) {
                 return fmt::format("__device__ int f{}(int a) {{ return f{}(a){}; }}\n", i + 1, i, sum);
               }) +
      kernel("f60(o[1])")));
}

TEST(FrontEndLimits, TextsThatGrow) {
  EXPECT_SAYS(
      fault("#define F(x) x x" + kernel("0 F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(+1))))))))))))))))))))")));
  EXPECT_SAYS(
      fault("template <class T, class U> struct P {};\nusing A0 = int;\n" +
            repeated(40, [](int i) { return fmt::format("using A{} = P<A{}, A{}>;\n", i + 1, i, i); }) +
            "__global__ void k(int* o) { A40 a; }"));
  EXPECT_SAYS(
      fault("struct B { int a[10000]; };\nconstexpr int f() {\n  B b{}; int s = 0;\n"
            "  for (int i = 0; i < 100000; i++) { B c = b; c.a[i % 10000] = i; b = c; s += b.a[0]; }\n"
            "  return s;\n}\n__global__ void k(int* o) { constexpr int a = f(); o[0] = a; }"));
  EXPECT_SAYS(fault("__global__ void k(int* o) { printf(\"%2000000000d\", 1); }"));
  EXPECT_SAYS(fault("__device__ int a[1 << 27], b[1 << 27], c[1 << 27];" + kernel("a[0] + b[0] + c[0]")));
  EXPECT_SAYS(fault("__device__ int a[1 << 23] = {1}, b[1 << 23] = {1}, c[1 << 23] = {1};" +
                    kernel("a[0] + b[0] + c[0]")));
  std::vector<IncludedText> headers = {{"t0.h", "\n"}};
  for (int i = 1; i <= 30; ++i) {
    const std::string line = fmt::format("#include \"t{}.h\"\n", i - 1);
    headers.push_back({fmt::format("t{}.h", i), line + line});
  }
  EXPECT_SAYS(fault(std::make_shared<const SourceText>("k.cu", "#include \"t30.h\"" + kernel("1"), headers)));
}

TEST(FrontEndLimits, LongTextsTakeLinearTime) {
  EXPECT_EQ(fault("enum E { " + repeated(50'000, [](int i) { return fmt::format("e{}, ", i); }) + "};" +
                  kernel("e49999")),
            "");
  EXPECT_EQ(fault(repeated(20'000, [](int i) { return fmt::format("struct S{} {{ int a; }};\n", i); }) +
                  kernel("sizeof(S19999)")),
            "");
  EXPECT_EQ(fault("struct S { " + repeated(20'000, [](int i) { return fmt::format("int a{} : 1; ", i); }) +
                  "};\n__global__ void k(int* o, S* s) { o[0] = s->a19999; }"),
            "");
  EXPECT_SAYS(fault("__global__ void k(int* o) { " + std::string(600'000, ';') + " }"));
}

TEST(FrontEndLimits, CopiesOfLargeStructs) {
  const auto copies = [](int numbers, int count) {
    return fmt::format("struct S {{ float a[{}]; }};\n__global__ void k(S* p) {{ {} }}\n", numbers,
                       repeated(count, [](int i) { return fmt::format("p[{}] = p[{}]; ", i, i + 1); }));
  };
  EXPECT_EQ(fault(copies(1'000, 10)), "");
  EXPECT_SAYS(fault(copies(1'000'000, 1)));
  EXPECT_SAYS(faultAnywhere(copies(20'000, 5'000)));
  EXPECT_EQ(
      fault("struct S { float a[1 << 20]; };\n"
            "__device__ float& at(S& s, int i) { return s.a[i]; }\n"
            "__global__ void k(S* p) { S& s = *p; const S* q = &s; at(s, 2) = q->a[1] + p[1].a[3]; }\n"),
      "");
}

TEST(FrontEndLimits, ManyKernelsOfOneText) {
  const std::string text = repeated(
      5'000, [](int i) { return fmt::format("__global__ void k{}(int* o) {{ o[0] = {}; }}\n", i, i); });
  const ParsedText parsed(testing::makeSource(text));
  ASSERT_EQ(kernelNames(parsed).size(), 5'000u);
  for (const char* const name : {"k0", "k4999"}) EXPECT_TRUE(compileKernel(parsed, name).ok()) << name;
  EXPECT_LT(*parsed.checked, 1'000u) << "the work of two kernels of one statement";
}

}  // namespace
}  // namespace lanescope
