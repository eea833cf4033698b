// Variables at file scope: what they begin with, what a launch gives them, and what a kernel leaves in them.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "sim/language/check/checker.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

std::vector<int> left(const std::string& text, std::vector<SymbolValue> symbols = {}) {
  Launch launch = testing::launchText(text, 4, {"i32:zero:4"});
  launch.symbols = std::move(symbols);
  const auto simulation = simulate(launch);
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().message);
  return simulation.ok() ? testing::elements<int>(*simulation, 0) : std::vector<int>{};
}

constexpr const char* kHead = "__global__ void k(int* a) { int t = threadIdx.x; ";

TEST(Symbols, BeginWithTheirInitialValues) {
  EXPECT_EQ(left(std::string("__constant__ int c[4] = {5, 6, 7};\n") + kHead + "a[t] = c[t]; }"),
            (std::vector<int>{5, 6, 7, 0}));
  EXPECT_EQ(left(std::string("constexpr int d[] = {0, 0, 1, -1};\n") + kHead + "a[t] = d[t]; }"),
            (std::vector<int>{0, 0, 1, -1}));
  EXPECT_EQ(left(std::string("__device__ const float w[2][2] = {{0.25f, 0.5f}, 1, 2};\n") + kHead +
                 "a[t] = 4 * w[t / 2][t % 2]; }"),
            (std::vector<int>{1, 2, 4, 8}));
  EXPECT_EQ(left(std::string(
                     "struct P { char c; int n[2]; double d; };\n__constant__ P p = {'a', {3, 4}, 2.5};\n") +
                 kHead + "a[t] = t == 0 ? p.c : t < 3 ? p.n[t - 1] : (int)(2 * p.d); }"),
            (std::vector<int>{97, 3, 4, 5}));
}

TEST(Symbols, AreWrittenReadAndReachedFromInnerBlocksAndFunctions) {
  EXPECT_EQ(left(std::string("__device__ int n = 2;\n__device__ int get() { return n; }\n") + kHead +
                 "if (t == 0) { int x = n; { int y = n; n = x + y; } }\n__syncwarp(); a[t] = get() + n; }"),
            (std::vector<int>{8, 8, 8, 8}));
  const std::string text = std::string("__device__ int count;\n__device__ float* unused;\n") + kHead +
                           "atomicAdd(&count, t); a[t] = 1; }";
  const auto simulation = simulate(testing::launchText(text, 4, {"i32:zero:4"}));
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  ASSERT_EQ(simulation->symbols, std::vector<std::string>{"count"});
  ASSERT_EQ(simulation->outputs.size(), 1u);
  EXPECT_EQ(testing::elements<int>(*simulation, 1), std::vector<int>{6});
}

TEST(Symbols, ALaunchGivesThemTheirContent) {
  const std::string text = std::string("__constant__ int c[4] = {1, 1, 1, 1};\n") + kHead + "a[t] = c[t]; }";
  EXPECT_EQ(left(text, {{"c", parseArgument("i32:iota:4").value()}}), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(left(text, {{"c", parseArgument("i32=9").value()}}), (std::vector<int>{9, 1, 1, 1}));
  const int two[2] = {7, 8};
  SymbolValue bytes{"c", {}, std::vector<std::byte>(sizeof(two)), 4};
  std::memcpy(bytes.bytes.data(), two, sizeof(two));
  EXPECT_EQ(left(text, {bytes}), (std::vector<int>{1, 7, 8, 1}));
  Launch launch = testing::launchText(text, 4, {"i32:zero:4"});
  launch.symbols = {{"c", parseArgument("i32:iota:5").value()}};
  const auto refused = simulate(launch);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("'c' has 16 bytes"), std::string::npos) << refused.error().message;
  launch.symbols = {{"d", parseArgument("i32=1").value()}};
  const auto unknown = simulate(launch);
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().sentence().find("no variable 'd'"), std::string::npos)
      << unknown.error().sentence();
}

TEST(Symbols, AreRefusedWhereTheyCannotBe) {
  for (const char* text :
       {"__constant__ int c[99999];\n__global__ void k(int* a) { a[0] = c[0]; }",
        "__constant__ int c;\n__global__ void k(int* a) { c = 1; }",
        "extern __constant__ int c[];\n__global__ void k(int* a) { a[0] = c[0]; }",
        "__device__ int f() { return 1; }\n__device__ int c = f();\n__global__ void k(int* a) { a[0] = c; }",
        "__constant__ int c[2] = {1, 2, 3};\n__global__ void k(int* a) { a[0] = c[0]; }"}) {
    const ParsedText parsed(testing::textOf(text));
    const auto checked = checkKernel(parsed, "k");
    ASSERT_FALSE(checked.ok()) << text;
    EXPECT_FALSE(checked.error().diagnostics.empty()) << text;
  }
}

TEST(Symbols, SharedArraysAtFileScopeAreTheBlocks) {
  EXPECT_EQ(
      left(std::string("__shared__ int s[4];\n") + kHead + "s[t] = t; __syncthreads(); a[t] = s[3 - t]; }"),
      (std::vector<int>{3, 2, 1, 0}));
}

}  // namespace
}  // namespace lanescope
