// Parameter packs: of types and values, in functions, classes and kernels; expansions and folds.
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

constexpr const char* kSums = R"(
template <typename T> __device__ T sum(T a) { return a; }
template <typename T, typename... Rest> __device__ T sum(T a, Rest... rest) { return a + sum(rest...); }
template <typename... Args> __device__ int count(Args... args) { return sizeof...(args) * 10 + sizeof...(Args); }
template <typename T, typename... Rest> __device__ int longest(T, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) return sizeof(T);
  else { int other = longest(rest...); return other > (int)sizeof(T) ? other : sizeof(T); }
}
)";

TEST(Packs, OfFunctionsAreDeducedAndExpanded) {
  EXPECT_EQ(left(kSums, "out[t] = sum(t, 2 * t, 3);"), (Ints{3, 6, 9, 12}));
  EXPECT_EQ(left(kSums, "out[t] = sum(1.5f, t, 2.5) * 2;"), (Ints{7, 9, 11, 13}));
  EXPECT_EQ(left(kSums, "out[t] = count() + count(1, 2.0f, t);"), (Ints{33, 33, 33, 33}));
  EXPECT_EQ(left(kSums, "out[t] = longest(1, 2.0, 'a') * 10 + longest('a');"), (Ints{81, 81, 81, 81}));
  EXPECT_EQ(left("template <typename... A> __device__ int f(int scale, A... a) {\n"
                 "  int values[] = {a * scale..., 7};\n  int s = 0;\n  for (int v : values) s = s * 10 + v;\n"
                 "  return s;\n}",
                 "out[t] = t == 0 ? f(1) : f(t, 1, 2);"),
            (Ints{7, 127, 247, 367}));
  EXPECT_EQ(left("template <typename... A> __device__ void fill(int v, A*... a) { ((*a = v++), ...); }",
                 "int x, y, z; fill(t, &x, &y, &z); out[t] = x * 100 + y * 10 + z;"),
            (Ints{12, 123, 234, 345}));
  EXPECT_EQ(left("template <typename... A> __device__ void add(int v, A&... a) { ((a += v), ...); }",
                 "int x = 1, y = 2; add(t, x, y); out[t] = x * 10 + y;"),
            (Ints{12, 23, 34, 45}));
}

TEST(Packs, OfValuesAndFolds) {
  EXPECT_EQ(left("template <int... N> __device__ int sum() { return (0 + ... + N); }\n"
                 "template <int... N> __device__ int minus() { return (N - ...); }\n"
                 "template <int... N> __device__ int fromLeft() { return (... - N); }",
                 "out[t] = sum<1, 2, 3>() * 100 + minus<9, 3, 1>() * 10 + fromLeft<9, 3, 1>() + sum<>();"),
            (Ints{675, 675, 675, 675}));
  EXPECT_EQ(left("template <typename... B> __device__ bool all(B... b) { return (... && b); }\n"
                 "template <typename... B> __device__ bool any(B... b) { return (b || ...); }",
                 "out[t] = all(t > 0, t < 3) * 100 + any(t == 0, t == 3) * 10 + all() + 2 * any();"),
            (Ints{11, 101, 101, 11}));
}

TEST(Packs, OfClasses) {
  EXPECT_EQ(left("template <typename... T> struct Tuple {};\n"
                 "template <typename T, typename... R> struct Tuple<T, R...> : Tuple<R...> {\n"
                 "  T head;\n  __device__ Tuple(T h, R... r) : Tuple<R...>(r...), head(h) {}\n"
                 "  __device__ int size() const { return 1 + sizeof...(R); }\n};\n"
                 "template <> struct Tuple<> { __device__ Tuple() {} };\n"
                 "template <typename T, typename... R> __device__ T first(const Tuple<T, R...>& t) { return "
                 "t.head; }",
                 "Tuple<int, float, int> p(t, 2.5f, 7); const Tuple<float, int>& rest = p;\n"
                 "out[t] = first(p) * 1000 + (int)(rest.head * 10) + p.size();"),
            (Ints{28, 1028, 2028, 3028}));
  EXPECT_EQ(left("template <int... N> struct Sequence { static constexpr int kCount = sizeof...(N); };\n"
                 "template <int... N> __device__ int total(Sequence<N...>) { return (N + ...); }",
                 "out[t] = total(Sequence<1, 2, 3>()) * 10 + Sequence<4, 5>::kCount;"),
            (Ints{62, 62, 62, 62}));
}

TEST(Packs, OfKernelsAndLambdas) {
  Launch launch = testing::launchText(
      "template <typename... A> __global__ void k(int* out, A... a) { out[threadIdx.x] = (a + ... + 0); }", 2,
      {"i32:zero:2", "i32=3", "f32=4.5"});
  launch.kernel = "k<int, float>";
  const auto run = simulate(launch);
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(testing::elements<int>(*run, 0), (Ints{7, 7}));
  EXPECT_EQ(left("", "auto sum = [](auto... x) { return (x + ... + 1); }; out[t] = sum(t, t) + sum();"),
            (Ints{2, 4, 6, 8}));
  EXPECT_EQ(left("template <class F, class... A> __device__ auto apply(F f, A... a) { return f(a...); }",
                 "out[t] = apply([](int x, int y) { return x * 10 + y; }, t, 5) + max(1, 2);"),
            (Ints{7, 17, 27, 37}));
}

TEST(Packs, SayWhatIsWrong) {
  EXPECT_SAYS(fault(kSums, "out[t] = sum();"));
  EXPECT_SAYS(fault("template <class... A> __device__ int f(A... a) { return a; }", "out[t] = f(1, 2);"));
  EXPECT_SAYS(fault("template <class... A> __device__ int f(A... a) { return g(t...); }\nint t;",
                    "out[t] = f(1, 2);"));
  EXPECT_SAYS(fault("template <class... A> __device__ int f(A... a) { return (a + ...); }", "out[t] = f();"));
  EXPECT_SAYS(
      fault("template <class... A> __device__ int f(A... a) { return sizeof...(t); }", "out[t] = f(1);"));
  EXPECT_EQ(fault("template <class... A> __device__ int f(A... a) { return (a = ... = 1); }", ""), "");
}

TEST(TemplatesOfVariables, SayWhatIsWrong) {
  EXPECT_SAYS(fault("template <typename T> __device__ T held = T();", "out[0] = held<int>;"));
  EXPECT_EQ(fault("template <typename T> constexpr T two[2] = {1, 2};", "out[0] = two<int>[0];"),
            "two<int> is not a number, which is not simulated");
  EXPECT_SAYS(fault("template <int N> constexpr int loop = loop<N + 1>;", "out[0] = loop<0>;"));
  EXPECT_SAYS(fault("template <typename T> constexpr int bits = 8 * sizeof(T);", "out[0] = bits<3>;"));
}

TEST(TemplatesAsParameters, SayWhatIsWrong) {
  const std::string fold =
      "template <template <typename> class Op> __device__ int f() { return Op<int>::k; }\n";
  EXPECT_SAYS(fault(fold, "out[0] = f<int>();"));
  EXPECT_SAYS(fault(fold + "struct Plain { static constexpr int k = 1; };", "out[0] = f<Plain>();"));
  EXPECT_EQ(fault(fold + "template <typename T> struct None {};", "out[0] = f<None>();"),
            "None<int> has no static member 'k'");
}

TEST(Packs, AreBounded) {
  std::string many = "1";
  for (int i = 0; i < 300; ++i) many += ", 1";
  EXPECT_SAYS(fault("template <class... A> __device__ int f(A... a) { return (a + ...); }",
                    "out[t] = f(" + many + ");"));
  EXPECT_SAYS(fault("template <int N, int... R> __device__ int f() { return f<N + 1, N, R...>(); }",
                    "out[t] = f<0>();"));
  EXPECT_EQ(fault("template <int... N> struct S { S<0, N...>* p; typename S<0, N...>::T x; };",
                  "S<> s; out[t] = sizeof(s);")
                .empty(),
            false);
}

TEST(Concepts, ChooseAmongOverloads) {
  const std::string before = R"(
#include <concepts>
template <typename T> concept Number = std::integral<T> || std::floating_point<T>;
template <std::integral T> __device__ int kind(T x) { return 1; }
template <std::floating_point T> __device__ int kind(T x) { return 2; }
template <typename T> requires std::is_pointer_v<T> || (sizeof(T) == 16) __device__ int kind(T x) { return 3; }
template <Number T, int N> requires (N > 1) __device__ T times(T x) { return x * N; }
template <std::same_as<float> T> __device__ int exact(T x) { return 4; }
template <class T> __device__ int exact(T x) requires (!std::same_as<T, float>) { return 5; }
__device__ auto least(std::integral auto a, Number auto b) { return a < b ? a : b; }
template <Number T> struct Box { T value; };
template <std::integral... T> __device__ int sum(T... x) { return (x + ...); }
)";
  EXPECT_EQ(left(before, "out[t] = kind(t) * 1000 + kind(1.0f) * 100 + kind(out) * 10 + times<int, 3>(t);"),
            (Ints{1230, 1233, 1236, 1239}));
  EXPECT_EQ(left(before, "Box<int> box{t}; out[t] = exact(1.0f) + least(box.value, 2) + sum(1, 2, 3) * 10;"),
            (Ints{64, 65, 66, 66}));
  const ParsedText kernel(
      testing::makeSource("#include <concepts>\ntemplate <std::integral T> requires (sizeof(T) == 4)\n"
                          "__global__ void k(T* x) { *x = 1; }"));
  EXPECT_TRUE(checkKernel(kernel, "k<int>").ok());
  EXPECT_NE(fault(before, "out[t] = times<bool*, 3>(nullptr) == nullptr;"), "");
}

TEST(VariableTemplates, DoNotMakeTemplatesOfWhatTheirValuesName) {
  EXPECT_EQ(left("constexpr int count = 3;\ntemplate <int N> constexpr int kSum = N + count;\n",
                 "out[t] = kSum<2>; if (count < t + 2) out[t] = t;"),
            (Ints{5, 5, 2, 3}));
}

TEST(TypeParameters, MayStandForConstTypes) {
  EXPECT_EQ(left("template <typename T> struct View {\n  T* data;\n"
                 "  __device__ T& operator[](int i) const { return data[i]; }\n};\n"
                 "template <typename T> __device__ int twice(T& x) { return 2 * x; }\n",
                 "int own[4] = {1, 2, 3, 4}; View<const int> view{own}; View<int> open{own}; open[2] = 9;\n"
                 "out[t] = view[t] + twice<const int>(view[0]);"),
            (Ints{3, 4, 11, 6}));
  EXPECT_NE(
      fault("template <typename T> struct View { T* data; __device__ T& at(int i) { return data[i]; } };\n",
            "int own[4]; View<const int> view{own}; view.at(0) = 3;"),
      "");
}

TEST(Lambdas, OfAutoWithinOneOfAutoHaveTheirOwnTypes) {
  EXPECT_EQ(left("template <int N, class F> __device__ void times(F&& f) {\n"
                 "  if constexpr (N > 0) { times<N - 1>(f); f(std::integral_constant<int, N - 1>{}); }\n}",
                 "int a[2][3] = {};\n"
                 "times<2>([&](auto i) { times<3>([&](auto j) { a[i][j] = t + i * 3 + j; }); });\n"
                 "out[t] = a[1][2] * 10 + a[0][1];"),
            (Ints{51, 62, 73, 84}));
}

}  // namespace
}  // namespace lanescope
