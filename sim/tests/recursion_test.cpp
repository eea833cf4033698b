// Functions that call themselves: each lane to its own depth, with variables of its own.
#include <gtest/gtest.h>

#include <string>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

using testing::fault;
using testing::Ints;
using testing::left;

TEST(Recursion, GoesToEachLanesOwnDepth) {
  EXPECT_EQ(left("__device__ int fact(int n) { if (n <= 1) return 1; return n * fact(n - 1); }",
                 "out[t] = fact(t);", 8),
            (Ints{1, 1, 2, 6, 24, 120, 720, 5040}));
  EXPECT_EQ(left("__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }",
                 "out[t] = fib(t) + fib(2 * t);", 8),
            (Ints{0, 2, 4, 10, 24, 60, 152, 390}));
  EXPECT_EQ(left("__device__ int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }",
                 "out[t] = gcd(12 * (t + 1), 18);"),
            (Ints{6, 6, 18, 6}));
}

TEST(Recursion, KeepsTheCallersVariablesAndTemporaries) {
  EXPECT_EQ(left("__device__ int f(int n) {\n  int before = n * 10;\n  int rest = n > 0 ? f(n - 1) : 0;\n"
                 "  return before + rest * 2 + n;\n}",
                 "int kept = t * 1000; out[t] = kept + f(t) * 1 + kept;"),
            (Ints{0, 2011, 4044, 6121}));
  // The order of the arguments, and calls within arguments.
  EXPECT_EQ(
      left("__device__ int swap(int a, int b, int n) { return n == 0 ? a * 10 + b : swap(b, a, n - 1); }",
           "out[t] = swap(1, 2, t);"),
      (Ints{12, 21, 12, 21}));
  EXPECT_EQ(left("__device__ int ack(int m, int n) {\n  if (m == 0) return n + 1;\n"
                 "  if (n == 0) return ack(m - 1, 1);\n  return ack(m - 1, ack(m, n - 1));\n}",
                 "out[t] = ack(2, t);"),
            (Ints{3, 5, 7, 9}));
  // Both sides of a choice in one warp, in a loop.
  EXPECT_EQ(
      left("__device__ int odd(int n);\n__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
           "__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }",
           "int s = 0; for (int i = 0; i < 4; ++i) { s = s * 10 + (t % 2 ? even(t + i) : odd(t + i) + 2); }"
           "out[t] = s;"),
      (Ints{2323, 101, 2323, 101}));
}

TEST(Recursion, GivesEachCallItsArrays) {
  EXPECT_EQ(left("__device__ void sort(int* a, int l, int r) {\n  if (l >= r) return;\n"
                 "  int p = a[(l + r) / 2], i = l, j = r;\n  while (i <= j) {\n    while (a[i] < p) i++;\n"
                 "    while (a[j] > p) j--;\n    if (i <= j) { int x = a[i]; a[i] = a[j]; a[j] = x; i++; "
                 "j--; }\n  }\n"
                 "  sort(a, l, j); sort(a, i, r);\n}",
                 "int a[8] = {5, 1, 4, t, 3, 7, 0, 2}; sort(a, 0, 7);\n"
                 "int s = 0; for (int i = 0; i < 8; ++i) s = s * 10 + a[i]; out[t] = s;"),
            (Ints{123457, 1123457, 1223457, 1233457}));
  // A caller's array reached from its callee, which has one of the same name.
  EXPECT_EQ(left("__device__ int sum(int* above, int n) {\n  int own[2] = {n, above[0]};\n"
                 "  if (n == 0) return own[0] + own[1];\n  int rest = sum(own, n - 1);\n"
                 "  return rest * 10 + own[0] + (own[1] - above[0]);\n}",
                 "int top[1] = {7}; out[t] = sum(top, t);"),
            (Ints{7, 11, 112, 1123}));
  EXPECT_EQ(
      left("struct Node { int value; int left, right; };\n"
           "__device__ int total(const Node* tree, int at) {\n  if (at < 0) return 0;\n"
           "  const Node node = tree[at];\n"
           "  return node.value + total(tree, node.left) + total(tree, node.right);\n}",
           "__shared__ Node tree[4]; tree[t] = {t + 1, t == 0 ? 1 : -1, t == 0 ? 2 : t == 2 ? 3 : -1};\n"
           "__syncthreads(); out[t] = total(tree, t);"),
      (Ints{10, 2, 7, 4}));
}

TEST(Recursion, BeginsEachCallWithZerosInItsArrays) {
  EXPECT_EQ(left("__device__ int f(int n) {\n  int a[2];\n  int found = a[n >> 8];\n  a[n >> 8] = 7;\n"
                 "  return n > 0 ? found + f(n - 1) : found;\n}",
                 "out[t] = f(2) + f(2);"),
            (Ints{0, 0, 0, 0}));
}

TEST(Recursion, OfMethodsReferencesAndStructs) {
  EXPECT_EQ(
      left("struct P { int a, b; };\n__device__ P step(P p, int n) {\n"
           "  if (n == 0) return p;\n  P q = step(P{p.b, p.a + p.b}, n - 1);\n  q.a += 1;\n  return q;\n}",
           "P p = step(P{0, 1}, t + 3); out[t] = p.a * 100 + p.b;"),
      (Ints{503, 705, 1008, 1413}));
  EXPECT_EQ(left("struct Counter { int calls = 0; __device__ void down(int n) { ++calls; if (n > 0) down(n - "
                 "1); } };\n"
                 "__device__ void visit(int& count, int n) { ++count; for (int i = 0; i < n; ++i) "
                 "visit(count, i); }",
                 "Counter c; c.down(t); int n = 0; visit(n, t); out[t] = c.calls * 10 + n;"),
            (Ints{11, 22, 34, 48}));
  EXPECT_EQ(
      left(
          "template <class T> __device__ T power(T x, int n) { return n == 0 ? T(1) : x * power(x, n - 1); }",
          "out[t] = power(2, t) + (int)power(1.5, 2 * t);"),
      (Ints{2, 4, 9, 19}));
}

TEST(Recursion, TooDeepEndsTheLaunch) {
  const auto run = simulate(
      testing::launchText("__device__ int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }\n"
                          "__global__ void k(int* out) { out[threadIdx.x] = f(threadIdx.x == 5 ? -1 : 3); }",
                          32, {"i32:zero:32"}));
  ASSERT_FALSE(run.ok());
  EXPECT_SAYS(run.error().message);
  EXPECT_EQ(left("__device__ int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }", "out[t] = f(1000 + t);"),
            (Ints{1000, 1001, 1002, 1003}));
}

TEST(Recursion, SaysWhatIsNotSimulated) {
  EXPECT_SAYS(fault("__device__ auto f(int n) { return n == 0 ? 0 : f(n - 1); }", "out[t] = f(t);"));
}

TEST(Recursion, APointerToAVariableOfACallThatHasEndedIsFound) {
  const auto run =
      simulate(testing::launchText("__device__ int* f(int n) { int own[2] = {n, n}; if (n > 0) return f(n - "
                                   "1); int* p = own; return p; }\n"
                                   "__global__ void k(int* out) { out[threadIdx.x] = *f(2); }",
                                   1, {"i32:zero:1"}));
  ASSERT_FALSE(run.ok());
  EXPECT_SAYS(run.error().message);
}

}  // namespace
}  // namespace lanescope
