// The subset's arithmetic and control flow against the same expressions in C++.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/tests/launches.h"

namespace lanescope {
namespace {

/// Runs `out[i] = …` bodies over 64 threads; `i` is the thread, `x` an int between -7 and 56.
std::vector<std::int32_t> integers(const std::string& body) {
  const auto simulation = simulate(testing::launchText(
      "__global__ void k(int* out) {\n int i = threadIdx.x; int x = i - 7;\n" + body + "\n}\n", 64,
      {"i32:zero:64"}));
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().sentence());
  return simulation.ok() ? testing::elements<std::int32_t>(*simulation, 0) : std::vector<std::int32_t>(64);
}

std::vector<float> floats(const std::string& body) {
  const auto simulation = simulate(testing::launchText(
      "__global__ void k(float* out) {\n int i = threadIdx.x; int x = i - 7;\n" + body + "\n}\n", 64,
      {"f32:zero:64"}));
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().sentence());
  return simulation.ok() ? testing::elements<float>(*simulation, 0) : std::vector<float>(64);
}

template <class F>
void expectEach(const std::string& expression, F f) {
  const auto values = integers("out[i] = " + expression + ";");
  for (int i = 0; i < 64; ++i) {
    const int x = i - 7;
    EXPECT_EQ(values[static_cast<std::size_t>(i)], static_cast<std::int32_t>(f(i, x)))
        << expression << " at " << i;
  }
}

// The expressions are as a student would write them; the compiler need not like their style.
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wconversion"
#define SAME(expression)                     \
  expectEach(#expression, [](int i, int x) { \
    (void)i;                                 \
    (void)x;                                 \
    return expression;                       \
  })

TEST(Arithmetic, IntegersAreAsInCpp) {
  SAME(x + 3 * i - 2);
  SAME(x / 3);
  SAME(x % 3);
  // By powers of two, which are no divisions to the machine.
  SAME(x / 2);
  SAME(x % 2);
  SAME(-x / 16);
  SAME((x - 50) % 8);
  SAME(x / 1073741824);
  SAME((x * 30000000) % 1073741824);
  SAME((x - 9) / -4);
  SAME((unsigned)x / 8u);
  SAME((unsigned)x % 16u);
  SAME((unsigned)x / 2147483648u);
  SAME((x < 0 ? -2147483647 - 1 : x) / (-2147483647 - 1));  // whose magnitude is one, but with a sign
  SAME((x * 3000000000ll) / 4096 % 1000003);
  SAME((x * 3000000000ll) % 65536);
  SAME((x & 6) | (i ^ 5));
  SAME(x << 3);
  SAME(x >> 1);
  SAME(~x);
  SAME(-x);
  SAME(!x);
  SAME(x < 3 && i > 2 || x == 20);
  SAME(x > 5 ? i : -i);
  SAME((x > 5 ? i * 5000000000ll : -3ll) / 1000);
  SAME((unsigned)x / 2u);
  SAME((unsigned)x % 10u);
  SAME((unsigned)x >> 4);
  SAME(x < 3u);
  SAME((signed char)(x * 50));
  SAME((unsigned char)(x * 50));
  SAME((short)(x * 5000));
  SAME((int)((long long)x * 4000000000ll >> 20));
  SAME((int)(x * 0.75f));
  SAME((int)(x * 0.75));
  SAME((unsigned)(i * 1.5f));
  SAME(0x7f + 010 + 1'000);
  SAME((int)sizeof(double) + (int)sizeof(x));
  SAME(i >= 10 == (x >= 3));
}

TEST(Arithmetic, ACharIsSignedOnEveryMachine) { EXPECT_EQ(integers("out[i] = (char)(i + 150);")[50], -56); }

TEST(Arithmetic, DivisionByZeroIsWhatTheHardwareGives) {
  const auto quotient = integers("int zero = x - x; out[i] = 5 / zero;");
  EXPECT_EQ(quotient[0], -1);
  const auto wrapped = integers("int least = -2147483647 - 1; out[i] = least / (x - i + 6);");
  EXPECT_EQ(wrapped[0], INT32_MIN);
}

TEST(Arithmetic, FloatsRoundOnceAndHaveNoExcessPrecision) {
  const auto values = floats("float a = i * 0.1f; float b = a * a; out[i] = b + 1.0f / 3.0f;");
  for (int i = 0; i < 64; ++i) {
    volatile float a = static_cast<float>(i) * 0.1f;
    volatile float b = a * a;
    volatile float sum = b + 1.0f / 3.0f;
    EXPECT_EQ(values[static_cast<std::size_t>(i)], sum);
  }
  const auto doubles = floats("double d = i; out[i] = (float)(d / 7.0);");
  EXPECT_EQ(doubles[5], static_cast<float>(5 / 7.0));
  EXPECT_EQ(floats("out[i] = min(x * 1.0f, 2.5f);")[60], 2.5f);
  EXPECT_EQ(floats("out[i] = fmaxf(x, -2.5f);")[0], -2.5f);
  EXPECT_TRUE(std::signbit(floats("out[i] = -0.0f * i;")[0]));
}

TEST(Arithmetic, MinusZeroIsBelowZeroAndNanLosesToNumbers) {
  const std::string zeros = "float plus = i * 0.0f; float minus = -plus; ";
  for (const char* order : {"plus, minus", "minus, plus"}) {
    EXPECT_TRUE(std::signbit(floats(zeros + "out[i] = fminf(" + order + ");")[1])) << order;
    EXPECT_FALSE(std::signbit(floats(zeros + "out[i] = fmaxf(" + order + ");")[1])) << order;
  }
  const std::string nan = "float nan = (x - x) / (float)(x - x); ";
  EXPECT_EQ(floats(nan + "out[i] = fminf(nan, 3.0f);")[0], 3.0f);
  EXPECT_EQ(floats(nan + "out[i] = fmaxf(3.0f, nan);")[0], 3.0f);
}

TEST(Arithmetic, FloatToIntegerSaturates) {
  EXPECT_EQ(integers("float big = 3e9f; out[i] = (int)big;")[0], INT32_MAX);
  EXPECT_EQ(integers("float big = -3e9f; out[i] = (int)big;")[0], INT32_MIN);
  EXPECT_EQ(integers("float zero = x - x; out[i] = (int)(zero / zero);")[0], 0);
}

TEST(ControlFlow, LoopsBreaksContinuesAndReturns) {
  const auto values = integers(
      "int sum = 0;\n"
      "for (int k = 0; k < 20; ++k) {\n"
      "  if (k == i) continue;\n"
      "  if (k > x + 9) break;\n"
      "  int j = 0;\n"
      "  while (true) { if (j++ >= k % 4) break; sum += j; }\n"
      "  do { sum += 1; } while (sum % 5 == 0);\n"
      "}\n"
      "if (i == 13) return;\n"
      "out[i] = sum;");
  for (int i = 0; i < 64; ++i) {
    const int x = i - 7;
    int sum = 0;
    for (int k = 0; k < 20; ++k) {
      if (k == i) continue;
      if (k > x + 9) break;
      int j = 0;
      while (true) {
        if (j++ >= k % 4) break;
        sum += j;
      }
      do {
        sum += 1;
      } while (sum % 5 == 0);
    }
    EXPECT_EQ(values[static_cast<std::size_t>(i)], i == 13 ? 0 : sum) << i;
  }
}

TEST(ControlFlow, TheRightSideOfAndRunsOnlyWhereItMust) {
  const auto values = integers("if (i < 63 && out[i + 1] == 0) out[i] = 1; else out[i] = 2;");
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[63], 2);
  const auto chosen = integers("out[i] = i < 1 ? 5 : out[i - 1] + 1;");
  EXPECT_EQ(chosen[0], 5);
}

TEST(Functions, AreInlinedWithTheirOwnReturns) {
  const auto simulation = simulate(
      testing::launchText("template <int N> __device__ int scaled(int v) { return v * N; }\n"
                          "__device__ int clamp(int v, int low) { if (v < low) return low; return v; }\n"
                          "__global__ void k(int* out) { int i = threadIdx.x; out[i] = clamp(clamp(i - 7, "
                          "2), 4) + scaled<3>(i); }\n",
                          64, {"i32:zero:64"}));
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  const auto values = testing::elements<std::int32_t>(*simulation, 0);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(values[static_cast<std::size_t>(i)], std::max(std::max(i - 7, 2), 4) + 3 * i);
}

TEST(Memory, PointersArraysAndNarrowTypes) {
  EXPECT_EQ(integers("int* p = out + i; *p = 3; p[0] += 4; (*p)++; out[i] *= 2;")[9], 16);
  EXPECT_EQ(
      integers("__shared__ int t[8][9]; t[i / 8][i % 8] = i; __syncthreads(); out[i] = t[i % 8][i / 8];")[1],
      8);
  EXPECT_EQ(integers("__shared__ unsigned char b[64]; b[i] = i * 5; __syncthreads(); out[i] = b[i];")[63],
            63 * 5 % 256);
  EXPECT_EQ(integers("int* p = &out[i]; int* q = out; *p = (int)(p - q);")[40], 40);
  EXPECT_EQ(integers("int a = 1, b; b = a = 5; a += b++; out[i] = a * 100 + b;")[0], 1006);
}

TEST(Grids, ThreadsAndBlocksHaveThreeDimensions) {
  Launch launch = testing::launchText(
      "__global__ void k(int* out) {\n"
      "  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"
      "  int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n"
      "  out[b * blockDim.x * blockDim.y * blockDim.z + t] = b * 1000 + t;\n}\n",
      1, {"i32:zero:360"});
  launch.block = {3, 5, 2};
  launch.grid = {2, 3, 2};
  const auto simulation = simulate(launch);
  ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
  const auto values = testing::elements<std::int32_t>(*simulation, 0);
  for (int i = 0; i < 360; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i / 30 * 1000 + i % 30);
}

}  // namespace
}  // namespace lanescope
