// The host's copy of a program's text.
#include "sim/host/host_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::host {
namespace {

std::string rewritten(std::string_view preprocessed) { return hostText(preprocessed).text; }

void expectHas(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(HostText, MakesALaunchACallOfItsFunction) {
  expectHas(rewritten("int main() { k<<<g, b>>>(a, 3); }"),
            "(::lanescopeConfigure(1, g, b) ? (void)0 : k(a, 3));");
  expectHas(rewritten("int main() { ns::k<float, (3 > 2)><<<dim3(1, 2), 32, 0, s>>>(a); }"),
            "(::lanescopeConfigure(1, dim3(1, 2), 32, 0, s) ? (void)0 : ns::k<float, (3 > 2)>(a));");
  expectHas(rewritten("int main() { if (x) ks[i]<<<1, sizeof(int)>>>(); }"),
            "if (x) (::lanescopeConfigure(1, 1, sizeof(int)) ? (void)0 : ks[i]());");
}

TEST(HostText, TakesTheSpacesThatFormattersPutIntoLaunches) {
  expectHas(rewritten("int main() { k << <1, 2, 0, s >> > (a); }"),
            "(::lanescopeConfigure(1, 1, 2, 0, s ) ? (void)0 : k  (a));");
  expectHas(rewritten("int main() { k<T> <<< f(g >> 1), dim3(a<b<c>>::n) >>> (); }"),
            "(::lanescopeConfigure(1,  f(g >> 1), dim3(a<b<c>>::n) ) ? (void)0 : k<T>");
  const std::string output = "std::operator<< <char>(out, 'x');\n";
  EXPECT_EQ(rewritten(output), output + "\n");
}

TEST(HostText, NumbersKernelsOfOneName) {
  const std::string text = rewritten(
      "__global__ void k(int* a);\n__global__ void k(int* a) {}\nnamespace n { __global__ void k(float* a) "
      "{} }\n"
      "template <class T> __global__ void k(T* a, int) {}\ntemplate <> __global__ void k<int>(int* a, int) "
      "{}\n");
  expectHas(text, "stub(\"k\", a);");
  expectHas(text, "stub(\"n::k@2\", a);");
  expectHas(text, "instance(\"k@3\",");
  expectHas(text, "stub(\"k@4\", a");
}

TEST(HostText, NamesTheFileOfWhatItTellsTheRuntime) {
  const HostText second = hostText(
      "__device__ int a; __managed__ int m; __global__ void k() { a = 1; }\nvoid f() { k<<<1, 2>>>(); }",
      {2, false});
  expectHas(second.text, "static int a;");
  expectHas(second.text, "(const void*)&a, \"2#a\"");
  expectHas(second.text, "static int (&m) = ::lanescope_host::managed<int >(\"2#m\")");
  expectHas(second.text, "stub(\"2#k\")");
  expectHas(second.text, "::lanescopeConfigure({2, 2}, 1, 2)");
  EXPECT_FALSE(second.usesOthers);
  const HostText linked =
      hostText("extern __device__ int a; extern __managed__ int m[2]; __managed__ int n;", {1, true});
  EXPECT_TRUE(linked.usesOthers);
  expectHas(linked.text, "extern int (&m)[2];");
  expectHas(linked.text, " int (&n) = ");
  EXPECT_EQ(linked.text.find("static int (&n)"), std::string::npos) << linked.text;
  EXPECT_FALSE(hostText("extern __shared__ float s[];", {1, true}).usesOthers);
}

TEST(HostText, GivesAKernelTheAddressOfAReference) {
  const std::string text = rewritten("__global__ void k(Item& item, const int (&table)[4], int n) {}");
  expectHas(text, "stub(\"k\", __builtin_addressof(item)");
  expectHas(text, ", n);");
}

TEST(HostText, KeepsShiftsAndTemplatesAsTheyAre) {
  const std::string text = "std::vector<std::vector<int>> v; int x = 1 << 3 >> 1; a<b<c<d>>> e;\n";
  EXPECT_EQ(rewritten(text), text + "\n");
}

TEST(HostText, GivesKernelsBodiesThatNameTheirInstance) {
  expectHas(rewritten("__global__ void k(float* a, const int n) { a[0] = n; }"),
            " void k(float* a, const int n) { ::lanescope_host::stub(\"k\", a, n); }");
  const std::string text =
      rewritten("template <typename T, int N = 4> __global__ void k(T (*a)[N]) { use(a); }");
  expectHas(text, "append(text, ::lanescope_host::typeText<T>())");
  expectHas(text, "append(text, ::lanescope_host::ConstantText<decltype(N), N>::text())");
  expectHas(text, ", a); }");
  expectHas(rewritten("namespace ns { template <> __global__ void k<float, 7>(float* a) {} }"),
            "stub(\"ns::k\", a)");
}

TEST(HostText, LeavesTheHostItsFunctionsAndTakesTheDevices) {
  const std::string text = rewritten(
      "struct V { __host__ __device__ V(int a) : x(a) {} __device__ int twice() const { return x * "
      "threadIdx.x; } int x; };\n"
      "__device__ int f(int x) { return __shfl_sync(~0, x, 0); }\nconstexpr __device__ int four() { return "
      "4; }\n");
  expectHas(text, "V(int a) : x(a) {}");
  expectHas(text, "twice() const { ::lanescopeDeviceOnly(); }");
  expectHas(text, "int f(int x) { ::lanescopeDeviceOnly(); }");
  expectHas(text, "four() { return 4; }");
}

TEST(HostText, MakesClassesOfLambdasThatKernelsMayTake) {
  const HostText copied = hostText(
      "void f(const float* x, int n) { float a = 2, *y = g(n); Node* list;\n"
      "apply<<<1, n>>>([=] __device__ (int i) { int n = 3; y[i] = a * x[i].y + list->next + n + M::a; }, n); "
      "}");
  EXPECT_EQ(copied.classes,
            "template <class L0, class L1, class L2, class L3> struct lanescope_lambda_1 { L0 y; L1 a; L2 x; "
            "L3 list; __device__ auto operator()(int i) const { int n = 3; y[i] = a * x[i].y + list->next + "
            "n + M::a; } };\n");
  expectHas(copied.text, "using LanescopeType2 = ::std::decay_t<decltype(x)>;");
  expectHas(copied.text, "auto operator() (int i) const { ::lanescopeDeviceOnly(); }");
  expectHas(copied.text, "return LanescopeLambda{y, a, x, list}; }(), n)); }");
}

TEST(HostText, LeavesLambdasThatNoKernelCanTake) {
  const std::string host = "auto f = [=](int i) { return i + a; };\n";
  EXPECT_EQ(rewritten(host), host + "\n");
  const HostText reference = hostText("void f() { int a; auto g = [&a] __device__ () { return a; }; }");
  EXPECT_EQ(reference.classes, "");
  const HostText both = hostText(
      "namespace n { void f(short s) { auto g = [t = s * 2] __host__ __device__ () -> int { return t; }; } "
      "}");
  EXPECT_EQ(both.classes,
            "namespace n { template <class L0> struct lanescope_lambda_1 { L0 t; __device__ int operator()() "
            "const { return t; } };\n}\n");
  expectHas(both.text, "const { return t; } static ::std::string lanescopeName()");
  expectHas(both.text, "return LanescopeLambda{s * 2}; }()");
}

TEST(HostText, NamesSymbolsByTheirShadows) {
  const std::string text =
      rewritten("__constant__ float c[4], d;\n__device__ int count = 0;\nextern __device__ int e;\n");
  expectHas(text, "lanescopeSymbol((const void*)&c, \"c\", sizeof(c))");
  expectHas(text, "lanescopeSymbol((const void*)&d, \"d\", sizeof(d))");
  expectHas(text, "lanescopeSymbol((const void*)&count, \"count\", sizeof(count))");
  EXPECT_EQ(text.find("\"e\""), std::string::npos);
}

TEST(HostText, NamesAVariableThatIsDeclaredWithItsType) {
  const std::string text = rewritten(
      "__constant__ struct Config { int w, h; float scale[3]; } config;\n"
      "__device__ union { int i; float f; } bits[2];\n__device__ struct Point { int x; };\nint last;\n");
  expectHas(text, "struct Config { int w, h; float scale[3]; } config;");
  expectHas(text, "lanescopeSymbol((const void*)&config, \"config\", sizeof(config))");
  expectHas(text, "lanescopeSymbol((const void*)&bits, \"bits\", sizeof(bits))");
  EXPECT_EQ(text.find("\"Point\""), std::string::npos);
  EXPECT_EQ(text.find("\"w\""), std::string::npos);
}

TEST(HostText, KeepsEveryLineInItsPlace) {
  const std::string text =
      "__global__ void k(int* a)\n{\n  a[0] = 1;\n}\nint main() {\n  k<<<1,\n      2>>>(\n    p);\n}\nint "
      "last;\n";
  const std::string host = rewritten(text);
  EXPECT_EQ(std::count(host.begin(), host.begin() + static_cast<std::ptrdiff_t>(host.find("last")), '\n'), 9);
}

TEST(HostText, LeavesSystemHeadersAlone) {
  const std::string text = "# 1 \"x.h\" 1 3\n__global__ void k() { a <<< b; }\n# 2 \"p.cu\" 2\nint x;\n";
  EXPECT_EQ(rewritten(text), text + "\n");
}

TEST(HostText, NamesTheProgramsOwnFiles) {
  const HostText host =
      hostText("# 1 \"p.cu\"\n# 1 \"/usr/include/stdio.h\" 1 3\nint a;\n# 1 \"lib/tile.h\" 1\nint b;\n");
  const std::vector<std::string> files{"p.cu", "lib/tile.h"};
  EXPECT_EQ(host.files, files);
}

}  // namespace
}  // namespace lanescope::host
