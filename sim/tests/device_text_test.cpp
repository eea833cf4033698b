// What of a program's text goes to a compiler that has the device only.
#include "sim/language/parse/syntax.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sim/language/check/checker.h"

namespace lanescope {
namespace {

using syntax::deviceText;

std::string cut(const std::string& text, std::string_view kernel, std::vector<IncludedText> includes = {}) {
  return deviceText(SourceText("p.cu", text, std::move(includes)), kernel);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(DeviceText, IsTheTextWhereNothingIsForTheHost) {
  const std::string text =
      "#define N 4\n__device__ int twice(int a) { return 2 * a; }  // for k\n"
      "__global__ void k(int* a) { a[N] = twice(a[N]); }\n";
  EXPECT_EQ(cut(text, "k"), text);
}

TEST(DeviceText, KeepsWhatAKernelReachesInItsPlace) {
  const std::string text =
      "#include <vector>\n"
      "#include \"missing.h\"\n"
      "#include <cuda_fp16.h>\n"
      "#define N 4\n"
      "int hostly() { return std::vector<int>(3).size(); }\n"
      "__device__ int twice(int a) { return 2 * a; }\n"
      "__device__ int unused(int a) { return Unknown(a); }\n"
      "__global__ void other(Unknown a) {}\n"
      "  __global__ void k(int* a) { a[1] = twice(a[N]); }\n"
      "int main() { k<<<1, 1>>>(nullptr); }\n";
  EXPECT_EQ(cut(text, "k"),
            "#include <climits>\n#include <cstdint>\n#include <cuda_fp16.h>\n"
            "#include <vector>\n#line 1\n\n\n\n\n\n"
            "__device__ int twice(int a) { return 2 * a; }\n\n\n"
            "  __global__ void k(int* a) { a[1] = twice(a[ 4 ]); }\n");
  EXPECT_TRUE(has(cut(text, ""), "other"));
}

TEST(DeviceText, ReadsTheTextsOwnHeaders) {
  const std::string made =
      cut("#include \"tile.h\"\n__global__ void k(int* a) { a[0] = TILE + side(); }\n", "k",
          {{"tile.h",
            "#include <cstdio>\n#define TILE 16\n__device__ int side() { return 3; }\nvoid show();\n"}});
  EXPECT_EQ(made,
            "#include <climits>\n#include <cstdint>\n#include <cstdio>\n#line "
            "1\n__device__ int side() { return 3; }\n"
            "__global__ void k(int* a) { a[0] = 16   + side(); }\n");
}

TEST(DeviceText, LeavesOutWhatTheHostRunsOfAClass) {
  const std::string text =
      "namespace shapes { struct Point {\n"
      "  float x;\n"
      "  Point(const std::string& from) : x(std::stof(from)) {}\n"
      "  void show() const { std::cout << x; }\n"
      "  __host__ __device__ float twice() const { return 2 * x; }\n"
      "  friend std::ostream& operator<<(std::ostream& out, const Point& p) { return out << p.x; }\n"
      "  struct Inner { int a; void show() { std::cout << a; } } inner;\n"
      "  __device__ float half() const;\n"
      "};\n"
      "__device__ float Point::half() const { return x / 2; }\n"
      "float none(Point p) { return p.x; } }\n"
      "__global__ void k(shapes::Point* p) { p->x = p->twice() + p->half(); }\n";
  const std::string made = cut(text, "k");
  EXPECT_FALSE(has(made, "std::")) << made;
  EXPECT_FALSE(has(made, "none")) << made;
  EXPECT_TRUE(has(made, "float twice() const { return 2 * x; }")) << made;
  EXPECT_TRUE(has(made, "struct Inner { int a;")) << made;
  EXPECT_TRUE(has(made, "} inner;")) << made;
  EXPECT_TRUE(has(made, "float Point::half() const { return x / 2; }")) << made;
  EXPECT_FALSE(has(made, "using")) << made;
  EXPECT_TRUE(has(
      cut("namespace a { template <class T> __global__ void k(T* x) {} struct V {}; void f(); }\n", "k<V>"),
      " using a::k;"));
}

TEST(DeviceText, KeepsOperatorsTemplatesAndConstants) {
  const std::string text =
      "#include <cmath>\n"
      "using namespace std;\n"
      "namespace cg = cooperative_groups;\n"
      "const int kSize = 8, kOther = 9;\n"
      "enum Mode { Fast, Slow };\n"
      "struct V { float x; };\n"
      "__device__ V operator+(V a, V b) { return V{a.x + b.x}; }\n"
      "template <typename T> struct Sum { __device__ T operator()(T a, T b) { return a + b; } };\n"
      "__constant__ float weights[kSize];\n"
      "template <typename T, typename Op, int M>\n"
      "__global__ void k(T* a, Op op) { a[0] = op(a[0], a[1]); if (M == Fast) a[0].x *= weights[0]; }\n"
      "int main() {}\n";
  const std::string made = cut(text, "k<V, Sum<V>, 0>");
  for (const char* const part :
       {"operator+", "struct Sum", "weights[kSize]", "kSize = 8", "enum Mode", "cg ="})
    EXPECT_TRUE(has(made, part)) << part << "\n" << made;
  EXPECT_FALSE(has(made, "namespace std")) << made;
}

TEST(DeviceText, IsCheckedAsTheWholeText) {
  const std::string text =
      "#include <cstdio>\n"
      "struct Options { int n; Options(int argc) : n(argc) {} __device__ int size() const { return n; } };\n"
      "#define CHECK(x) do { if (x) exit(1); } while (0)\n"
      "#define SQUARE(x) ((x) * (x))\n"
      "template <int N> __global__ void k(int* a, Options o) {\n"
      "  __shared__ int s[N];\n"
      "  s[threadIdx.x] = SQUARE(o.size());\n"
      "  printf(\"%d\\n\", s[0]);\n"
      "  a[0] = s[0];\n"
      "}\n"
      "int main(int argc, char**) { CHECK(cudaDeviceSynchronize()); k<32><<<1, 32>>>(nullptr, {argc}); }\n";
  const auto source = std::make_shared<const SourceText>("p.cu", cut(text, "k<32>"));
  const auto checked = checkKernel(ParsedText(source), "k<32>");
  EXPECT_TRUE(checked.ok()) << checked.error().message << source->text();
}

}  // namespace
}  // namespace lanescope
