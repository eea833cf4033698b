// Variables at file scope: what they begin with, what a launch gives them, and what a kernel leaves in them.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "sim/language/check/checker.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/recorded_launches.h"

namespace lanescope {
namespace {

std::vector<int> leftBySymbols(const std::string& text, std::vector<SymbolValue> symbols = {}) {
  Launch launch = testing::launchText(text, 4, {"i32:zero:4"});
  launch.symbols = std::move(symbols);
  const auto simulation = simulate(launch);
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().message);
  return simulation.ok() ? testing::elements<int>(*simulation, 0) : std::vector<int>{};
}

constexpr const char* kHead = "__global__ void k(int* a) { int t = threadIdx.x; ";

TEST(Symbols, BeginWithTheirInitialValues) {
  EXPECT_EQ(leftBySymbols(std::string("__constant__ int c[4] = {5, 6, 7};\n") + kHead + "a[t] = c[t]; }"),
            (std::vector<int>{5, 6, 7, 0}));
  EXPECT_EQ(leftBySymbols(std::string("constexpr int d[] = {0, 0, 1, -1};\n") + kHead + "a[t] = d[t]; }"),
            (std::vector<int>{0, 0, 1, -1}));
  EXPECT_EQ(leftBySymbols(std::string("__device__ const float w[2][2] = {{0.25f, 0.5f}, 1, 2};\n") + kHead +
                          "a[t] = 4 * w[t / 2][t % 2]; }"),
            (std::vector<int>{1, 2, 4, 8}));
  EXPECT_EQ(
      leftBySymbols(
          std::string("struct P { char c; int n[2]; double d; };\n__constant__ P p = {'a', {3, 4}, 2.5};\n") +
          kHead + "a[t] = t == 0 ? p.c : t < 3 ? p.n[t - 1] : (int)(2 * p.d); }"),
      (std::vector<int>{97, 3, 4, 5}));
}

TEST(Symbols, OfOneValueHaveThatOfTheirType) {
  for (const auto& [type, spec] : {std::pair{"float", "f32=2.5"},
                                   {"double", "f64=2.5"},
                                   {"__half", "f16=2.5"},
                                   {"__nv_bfloat16", "bf16=2.5"}})
    EXPECT_EQ(leftBySymbols(std::string("__device__ ") + type + " v;\n" + kHead + "a[t] = 2 * (float)v; }",
                            {{"v", parseArgument(spec).value()}}),
              (std::vector<int>{5, 5, 5, 5}))
        << spec;
}

TEST(Symbols, AreWrittenReadAndReachedFromInnerBlocksAndFunctions) {
  EXPECT_EQ(leftBySymbols(
                std::string("__device__ int n = 2;\n__device__ int get() { return n; }\n") + kHead +
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

// Nsight Compute counts no global load of constant memory, be it at one address or at one per lane.
TEST(Symbols, OfConstantMemoryAreReadWithoutGlobalLoadsAsAnH200Counts) {
  int compared = 0;
  for (const auto& line : testing::dataLines("h200-compiled.jsonl")) {
    if (line["kernel"] != "convolve" && line["kernel"] != "look_up") continue;
    const auto simulation = simulate(testing::launchOfLine(line));
    ASSERT_TRUE(simulation.ok()) << simulation.error().message;
    for (const NamedCounter& counter : nsightCounters(simulation->counters))
      EXPECT_EQ(counter.value, line["expect"][std::string(counter.name)].get<std::uint64_t>())
          << line["kernel"] << ' ' << counter.name;
    EXPECT_EQ(simulation->counters.constantLoads, line["kernel"] == "look_up" ? 2u : 20u);
    ++compared;
  }
  EXPECT_EQ(compared, 2);
}

Counters countersFor(const std::string& text) {
  const auto simulation = simulate(testing::launchText(text, 32, {"i32:iota:32"}));
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().message);
  return simulation.ok() ? simulation->counters : Counters{};
}

// The constant cache serves different addresses one after another (CUDA Programming Guide, "Constant
// Memory").
TEST(Symbols, OfConstantMemoryCountTheDifferentAddressesOfAWarp) {
  const std::string table = "__constant__ int c[32];\n";
  const Counters one = countersFor(table + kHead + "a[t] = c[7]; }");
  EXPECT_EQ(one.constantLoads, 1u);
  EXPECT_EQ(one.constantAddresses, 1u);
  EXPECT_EQ(one.globalLoadRequests, 0u);
  EXPECT_EQ(one.globalLoadSectors, 0u);
  EXPECT_EQ(countersFor(table + kHead + "a[t] = c[t / 8]; }").constantAddresses, 4u);
  EXPECT_EQ(countersFor(table + kHead + "a[t] = c[t]; }").constantAddresses, 32u);
  EXPECT_EQ(countersFor(table + kHead + "if (t < 5) a[t] = c[t]; }").constantAddresses, 5u);
  // Through a pointer it is constant memory still; of a __device__ variable or a const array it is global
  // memory.
  EXPECT_EQ(countersFor(table + kHead + "const int* p = c + 2; a[t] = p[t / 16]; }").constantAddresses, 2u);
  for (const std::string word : {"__device__", "const"}) {
    const Counters global = countersFor(word + " int c[2] = {1, 2};\n" + kHead + "a[t] = c[t % 2]; }");
    EXPECT_EQ(global.constantLoads, 0u);
    EXPECT_EQ(global.globalLoadRequests, 1u);
  }
  // Where lanes of one load are in both, a GPU loads from global memory.
  const Counters both =
      countersFor(table + kHead + "const int* p = t < 16 ? c : a; __syncwarp(); a[t] = p[t]; }");
  EXPECT_EQ(both.constantLoads, 0u);
  EXPECT_EQ(both.globalLoadRequests, 1u);
}

TEST(Symbols, ALaunchGivesThemTheirContent) {
  const std::string text = std::string("__constant__ int c[4] = {1, 1, 1, 1};\n") + kHead + "a[t] = c[t]; }";
  EXPECT_EQ(leftBySymbols(text, {{"c", parseArgument("i32:iota:4").value()}}),
            (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(leftBySymbols(text, {{"c", parseArgument("i32=9").value()}}), (std::vector<int>{9, 1, 1, 1}));
  const int two[2] = {7, 8};
  SymbolValue bytes{"c", {}, std::vector<std::byte>(sizeof(two)), 4};
  std::memcpy(bytes.bytes.data(), two, sizeof(two));
  EXPECT_EQ(leftBySymbols(text, {bytes}), (std::vector<int>{1, 7, 8, 1}));
  Launch launch = testing::launchText(text, 4, {"i32:zero:4"});
  launch.symbols = {{"c", parseArgument("i32:iota:5").value()}};
  const auto refused = simulate(launch);
  ASSERT_FALSE(refused.ok());
  EXPECT_SAYS(refused.error().message);
  launch.symbols = {{"d", parseArgument("i32=1").value()}};
  const auto unknown = simulate(launch);
  ASSERT_FALSE(unknown.ok());
  EXPECT_SAYS(unknown.error().sentence());
}

TEST(Symbols, AreRefusedWhereTheyCannotBe) {
  for (const char* text :
       {"__constant__ int c[99999];\n__global__ void k(int* a) { a[0] = c[0]; }",
        "__constant__ int c;\n__global__ void k(int* a) { c = 1; }",
        "extern __constant__ int c[];\n__global__ void k(int* a) { a[0] = c[0]; }",
        "__device__ int f() { return 1; }\n__device__ int c = f();\n__global__ void k(int* a) { a[0] = c; }",
        "__constant__ int c[2] = {1, 2, 3};\n__global__ void k(int* a) { a[0] = c[0]; }"}) {
    const ParsedText parsed(testing::makeSource(text));
    const auto checked = checkKernel(parsed, "k");
    ASSERT_FALSE(checked.ok()) << text;
    EXPECT_FALSE(checked.error().diagnostics.empty()) << text;
  }
}

TEST(Symbols, SharedArraysAtFileScopeAreTheBlocks) {
  EXPECT_EQ(leftBySymbols(std::string("__shared__ int s[4];\n") + kHead +
                          "s[t] = t; __syncthreads(); a[t] = s[3 - t]; }"),
            (std::vector<int>{3, 2, 1, 0}));
}

}  // namespace
}  // namespace lanescope
