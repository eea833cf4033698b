// What the front end says of texts that are wrong: place, words and the way out; and that no text,
// however hostile, does harm.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "sim/language/check/checker.h"
#include "sim/language/check/lane_functions.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

ParsedText parsed(const SourceText& text) { return ParsedText(std::make_shared<SourceText>(text)); }

Result<typed::Kernel> check(const SourceText& text, std::string_view kernel) {
  return checkKernel(parsed(text), kernel);
}

TEST(Sentences, BeginWithACapitalAndEndWithAStop) {
  EXPECT_EQ(asSentence("write an index"), "Write an index.");
  EXPECT_EQ(asSentence("Write one."), "Write one.");
  EXPECT_EQ(asSentence("k.cu:2: thread 0 fails"), "k.cu:2: thread 0 fails.");
  EXPECT_EQ(asSentence("__syncthreads() is missing"), "__syncthreads() is missing.");
  EXPECT_EQ(asSentence("threadIdx.x, and no other"), "threadIdx.x, and no other.");
  EXPECT_EQ(asSentence(""), "");
  EXPECT_EQ(makeSentences({"'x' is not declared", "declare it", {}}), "'x' is not declared. Declare it.");
  EXPECT_EQ(makeSentences({"the launch fails", "", {}}), "The launch fails.");
}

TEST(Functions, AreAllNamedInTheReadme) {
  std::stringstream readme;
  readme << std::ifstream(LANESCOPE_SOURCE_DIR "/sim/language/README.md").rdbuf();
  readme << std::ifstream(LANESCOPE_SOURCE_DIR "/sim/language/functions.md").rdbuf();
  for (const std::string_view name : {
#define FUNCTION(name, ...) #name,
#define STANDARD(name, ...) #name,
#define VOTE(name, ...) #name,
#define REDUCTION(name, ...) #name,
#define ATOMIC(name, ...) #name,
#define BITS(name, ...) #name,
#define MATH(name, ...) #name,
#define PREDICATE(name, ...) #name,
#include "sim/language/check/functions.def"
       }) {
    EXPECT_NE(readme.str().find(fmt::format("`{}`", name)), std::string::npos) << name;
  }
  for (const LaneFunction& function : kLaneFunctions) {
    std::string name(function.name);
    if (name.starts_with("__lanescope")) continue;  // of the library's own texts
    const bool isForm = name.ends_with("_rz") || name.ends_with("_ru") || name.ends_with("_rd");
    if (isForm) name.resize(name.size() - 3);
    const bool isOfFloat = name.ends_with("f") && !name.starts_with("_");
    EXPECT_TRUE(
        readme.str().find(fmt::format("`{}`", name)) != std::string::npos ||
        (name.ends_with("_rn") &&
         readme.str().find(fmt::format("`{}`", name.substr(0, name.size() - 3))) != std::string::npos) ||
        (isOfFloat &&
         readme.str().find(fmt::format("`{}`", name.substr(0, name.size() - 1))) != std::string::npos))
        << name;
  }
}

struct Refusal {
  const char* name;
  const char* body;      ///< of a kernel `k(float* out)`, in line 2
  std::uint32_t column;  ///< in line 2
  const char* says;      ///< part of the message
};

/// Names the case where gtest would print its bytes.
void PrintTo(const Refusal& fault, std::ostream* out) { *out << fault.body; }

class FaultyBody : public ::testing::TestWithParam<Refusal> {};

TEST_P(FaultyBody, IsToldWithItsPlaceAndAHint) {
  const Refusal& fault = GetParam();
  const SourceText source("k.cu", std::string("__global__ void k(float* out) {\n") + fault.body + "\n}\n");
  const auto checked = check(source, "");
  ASSERT_FALSE(checked.ok());
  ASSERT_FALSE(checked.error().diagnostics.empty()) << checked.error().message;
  const Diagnostic& diagnostic = checked.error().diagnostics.front();
  EXPECT_EQ(source.place(diagnostic.span.begin), (LineColumn{2, fault.column})) << diagnostic.message;
  EXPECT_NE(diagnostic.message.find(fault.says), std::string::npos) << diagnostic.message;
  EXPECT_FALSE(diagnostic.hint.empty());
  const std::string& text = checked.error().message;
  EXPECT_NE(text.find("k.cu:2:" + std::to_string(fault.column) + ": error: "), std::string::npos) << text;
  EXPECT_NE(text.find("\n      | " + std::string(fault.column - 1, ' ') + "^"), std::string::npos) << text;
  // On one line: how many there are, and the first, in sentences.
  const std::string sentence = checked.error().sentence();
  EXPECT_TRUE(sentence.starts_with("The text has a fault. ") ||
              sentence.find(" faults. The first: ") != std::string::npos)
      << sentence;
  EXPECT_TRUE(sentence.ends_with(".")) << sentence;
  EXPECT_EQ(sentence.find(".."), std::string::npos) << sentence;
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, FaultyBody,
    ::testing::Values(
        Refusal{"semicolon", "int x = 3 out[0] = x;", 10, "expected ';'"},
        Refusal{"bracket", "out[0 = 1;", 10, "expected ']'"},
        Refusal{"unknownName", "out[0] = y;", 10, "'y' is not declared"},
        Refusal{"unknownFunction", "foo(1);", 1, "'foo'"},
        Refusal{"switchFloat", "switch (out[0]) {}", 9, "needs an integer"},
        Refusal{"caseTwice", "switch (1) { case 2: case 2: break; }", 27, "there already"},
        Refusal{"caseDeep", "switch (1) { { case 2: break; } }", 16, "directly inside its switch"},
        Refusal{"caseVariable", "int a = 1; switch (1) { case a: ; }", 30, "constant"},
        Refusal{"gotoWord", "goto end;", 1, "'goto end'"},
        Refusal{"vectorMember", "float4 v; v.q = 1;", 13, "no member 'q'"},
        Refusal{"vectorCount", "out[0] = make_float2(1, 2, 3).x;", 10, "takes 2"},
        Refusal{"localArray", "int a[99999];", 5, "local memory"},
        Refusal{"arrayAssigned", "int a[4]; int b[4]; a = b;", 21, "array"},
        Refusal{"tooManyValues", "int a[2] = {1, 2, 3};", 12, "3 values"},
        Refusal{"referenceToNothing", "int& a = 3;", 10, "needs a variable"},
        Refusal{"addressOfValue", "int* p = &3;", 10, "no address"},
        Refusal{"lambda", "int a[2]; auto f = [=]() { return a[0]; };", 35, "by value"},
        Refusal{"atomicType", "short s; atomicAdd(&s, 1);", 10, "no atomicAdd for short"},
        Refusal{"atomicAddress", "atomicAdd(out[0], 1.0f);", 11, "address"},
        Refusal{"printfCount", "printf(\"%d\");", 1, "asks for 1 value"},
        Refusal{"printfType", "printf(\"%d\", out[0]);", 14, "%d does not print float"},
        Refusal{"printfConversion", "printf(\"%n\", 1);", 8, "%n"},
        Refusal{"printfText", "printf(\"%s\", 1);", 14, "%s prints a text"},
        Refusal{"method", "float4 v; v.norm();", 11, "float4 has no member function 'norm'"},
        Refusal{"reduceFloat", "__reduce_add_sync(~0u, out[0]);", 1, "int or unsigned"},
        Refusal{"constant", "const int a = 1; a = 2;", 18, "const"},
        Refusal{"pointerFromInt", "out = 3;", 1, "cannot become"},
        Refusal{"floatRemainder", "out[0] = out[1] % 2;", 10, "'%'"},
        Refusal{"floatIndex", "out[1.5f] = 2;", 5, "an index must be an integer"},
        Refusal{"breakOutside", "break;", 1, "outside a loop"},
        Refusal{"argumentCount", "__syncthreads(1);", 1, "takes 0"},
        Refusal{"twice", "int a = 1; int a = 2;", 16, "declared twice"},
        Refusal{"sharedInitial", "__shared__ int a = 2;", 16, "initial value"},
        Refusal{"staticWithoutExtent", "__shared__ float s[];", 18, "extent"},
        Refusal{"threadIdxSet", "threadIdx.x = 1;", 1, "cannot be changed"},
        Refusal{"threadIdxAlone", "out[threadIdx] = 1;", 5, "an index must be"},
        Refusal{"builtInMember", "out[threadIdx.w] = 1;", 5, "no member"},
        Refusal{"notAllowedChar", "out[0] = 1 @ 2;", 12, "'@'"},
        Refusal{"unknownType", "__nv_fp8_e4m3 x = 1;", 1, "floating numbers of 8 bits"},
        Refusal{"unknownQualifiedType", "std::vector<int> v(3);", 1, "classes of the C++ library"},
        Refusal{"memberOfTheHost", "struct S { std::map<int, int> m; int n; }; S s; out[0] = s.m.size();", 58,
                "'std::map': classes of the C++ library"},
        Refusal{"pointerToFunction", "int (*f)(int&);", 10, "references"},
        Refusal{"character", "out[0] = 'abcde';", 10, "not one character"},
        Refusal{"staticAssert", "static_assert(sizeof(int) == 8);", 15, "does not hold"},
        Refusal{"staticAssertOfAVariable", "static_assert(out[0] > 1);", 15, "needs a constant"},
        Refusal{"tooManyInRows", "int m[2][2] = {1, 2, 3, 4, 5};", 15, "5 values"},
        Refusal{"voidValue", "int a = __syncthreads();", 9, "no value"}),
    [](const auto& test) { return test.param.name; });

TEST(Language, SeveralFaultsAreToldAtOnce) {
  const SourceText source(
      "k.cu", "__global__ void k(float* out) {\n  out[0] = a;\n  out[1] = 1.0f;\n  out[2] = b;\n}\n");
  const auto checked = check(source, "k");
  ASSERT_FALSE(checked.ok());
  ASSERT_EQ(checked.error().diagnostics.size(), 2u);
  EXPECT_EQ(source.findLine(checked.error().diagnostics[0].span), 2u);
  EXPECT_EQ(source.findLine(checked.error().diagnostics[1].span), 4u);
}

TEST(Language, AKernelIsChosenByNameOrBecauseItIsTheOnlyOne) {
  const SourceText two("k.cu",
                       "__global__ void a(int* p) { p[0] = 1; }\n__global__ void b(int* p) { p[0] = 2; }\n");
  EXPECT_FALSE(check(two, "").ok());
  EXPECT_TRUE(check(two, "b").ok());
  const auto unknown = check(two, "c");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().sentence().find("a, b"), std::string::npos);
  EXPECT_EQ(kernelNames(parsed(two)), (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(check(SourceText("e.cu", ""), "").ok());
}

TEST(Language, EndlessTemplatesAndWrongTemplateArgumentsAreRefused) {
  const SourceText endless("e.cu",
                           "template <int K> __device__ int f(int x) { return f<K + 1>(x); }\n"
                           "__global__ void k(int* p) { p[0] = f<0>(1); }\n");
  EXPECT_FALSE(check(endless, "k").ok());
  const SourceText itself("s.cu",
                          "struct S { int a; S inner; };\n__global__ void k(int* p) { S s; p[0] = s.a; }\n");
  const auto held = check(itself, "k");
  ASSERT_FALSE(held.ok());
  EXPECT_SAYS(held.error().message);
  const SourceText shape("t.cu", "template <int N> __global__ void k(int* p) { p[0] = N; }\n");
  EXPECT_TRUE(check(shape, "k<4>").ok());
  EXPECT_FALSE(check(shape, "k").ok());
  EXPECT_FALSE(check(shape, "k<4, 5>").ok());
  EXPECT_FALSE(check(shape, "k<int>").ok());
  EXPECT_FALSE(check(shape, "k<").ok());
}

TEST(Language, HostCodeAndDirectivesAreNotInTheWay) {
  const SourceText source("h.cu",
                          "#include <cstdio>\n#pragma once\n#define N 4\n#define M (N * 2)\n"
                          "int main() { k<<<1, 4>>>(nullptr); switch (1) {} }\n"
                          "__global__ void k(int* p) { p[0] = M; }\n");
  const auto checked = check(source, "k");
  EXPECT_TRUE(checked.ok()) << checked.error().message;
}

TEST(Language, HostileTextsAreOnlyWrong) {
  const std::string open = "__global__ void k(int* p) { ";
  const std::vector<std::string> texts = {"",
                                          "\n",
                                          std::string(1, '\0'),
                                          "\xff\xfe\xff",
                                          "/* never ends",
                                          "\"never ends",
                                          open,
                                          open + "p[0] = ",
                                          open + std::string(100000, '('),
                                          open + std::string(100000, '{'),
                                          open + std::string(100000, '-') + "1; }",
                                          open + std::string(100000, '!') + "1; }",
                                          "#define A A\n" + open + "p[0] = A; }",
                                          "#define A B\n#define B A\n" + open + "p[0] = A; }",
                                          open + "p[0] = 99999999999999999999999; }",
                                          open + "p[0] = 0x; }",
                                          "template <",
                                          "template <int",
                                          "__global__",
                                          "__global__ void",
                                          "__global__ void k(",
                                          open + "for (;;",
                                          open + "if (",
                                          open + "__shared__ int s[1 << 30]; }",
                                          open + "__shared__ int s[1000000000][1000000000]; }",
                                          open + "int a = sizeof(; }",
                                          open + "p[0] = p; }"};
  for (const std::string& text : texts) {
    const auto checked = check(SourceText("bad.cu", text), "k");
    EXPECT_FALSE(checked.ok()) << text.substr(0, 60);
  }
}

TEST(Language, ChainsOfOperatorsAreBoundedAsNestingIs) {
  const auto kernel = [](int terms) {
    std::string text = "__global__ void k(int* p) { p[0] = 1";
    for (int i = 0; i < terms; ++i) text += " + p[1]";
    return SourceText("long.cu", text + "; }");
  };
  EXPECT_TRUE(check(kernel(300), "k").ok());
  const auto tooLong = check(kernel(100000), "k");
  ASSERT_FALSE(tooLong.ok());
  EXPECT_SAYS(tooLong.error().message);
  std::string calls = "__global__ void k(int* p) { p[0] = p";
  for (int i = 0; i < 100000; ++i) calls += "[0]";
  EXPECT_FALSE(check(SourceText("index.cu", calls + "; }"), "k").ok());
}

TEST(Language, MacrosThatGrowAreBounded) {
  std::string text = "#define A0 1 + 1\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "A" + std::to_string(i - 1);
    text += "#define A" + std::to_string(i) + " " + before + " + " + before + "\n";
  }
  EXPECT_FALSE(check(SourceText("m.cu", text + "__global__ void k(int* p) { p[0] = A29; }\n"), "k").ok());
}

}  // namespace
}  // namespace lanescope
