// Names that several namespaces have, and names that CUDA has too: each use means what C++ says it means.
#include <cstdio>

namespace planar {
struct Point {
  int x;
  int scale;
  __device__ Point(int v);
  __device__ int get() const { return x; }
};
__device__ int max(int a, int b) { return a * 1000 + b; }
__device__ int twice(int a) { return max(a, a); }
__device__ int scale(Point p) { return p.x * 2; }
__device__ int f(Point p) { return p.x + 10; }
__constant__ int coefficient = 5;
constexpr int kCount = 3;
enum Mode { kSum = 1, kMax = 2 };
enum class Op { kAdd = 4, kSub = 5 };
typedef int Id;
template <typename T>
struct Box {
  T value;
  static constexpr int kCount = 50;
  __device__ int count() const { return kCount; }
  __device__ T max(T other) const { return value > other ? value : other; }
  __device__ int both() const { return max(1) + planar::kCount; }
};
template <typename T>
__device__ T next(T x) { return x + 1; }
namespace deep {
__device__ int f(int a) { return a + 1; }
__device__ int g(int a) { return f(a) + planar::deep::f(a) + max(1, 2); }
}  // namespace deep
}  // namespace planar

__device__ planar::Point::Point(int v) : x(v), scale(v + 7) {}

namespace solid {
using planar::Point;
struct Box {
  int value;
  __device__ Box(int v) : value(v) {}
  __device__ ~Box() {}
  __device__ int get(int kCount) const { return kCount + value; }
};
inline namespace v2 {
__device__ int scale(Box b) { return b.value * 3; }
}
__device__ int f(Box b) { return b.value + 100; }
__constant__ int coefficient = 7;
constexpr int kCount = 4;
enum Mode { kSum = 10, kMax = 20 };
enum class Op { kAdd = 6, kSub = 7 };
typedef float Id;
template <typename T>
__device__ T next(T x) { return x + 2; }
template <typename T>
__device__ T min(T a, T b) { return a < b ? b : a; }
namespace inner {
__device__ int scale(int v) { return v * 5; }
__device__ int up(int v) { return scale(v) + solid::kCount; }
struct Pair : Box {
  __device__ Pair(int v) : Box(v) {}
  __device__ int twice() const { return 2 * get(1); }
};
}  // namespace inner
}  // namespace solid
namespace si = solid::inner;

__constant__ int coefficient = 3;
__device__ int f(int a) { return a + 1000; }
__device__ int abs(int v, int w) { return v * w; }
namespace signs {
__device__ float abs(float v) { return v * 3; }
__device__ float negated(float v) { return -abs(v); }
}  // namespace signs
template <typename T>
__device__ int scaled(T t) { return scale(t); }
template <int N>
__device__ int number() { return N; }
template <typename T>
__global__ void count(int* out, T box) { out[0] = box.value + T::kCount; }

__global__ void check(int* out) {
  planar::Point p(5);
  solid::Box s(6);
  planar::Box<int> b{9};
  int i = 0;
  out[i++] = max(3, 4) * 100 + ::max(5, 6) * 10;
  out[i++] = planar::max(3, 4);
  out[i++] = planar::twice(2);
  out[i++] = f(1);
  out[i++] = f(p) + f(s);
  out[i++] = planar::deep::f(1) + planar::deep::g(1);
  out[i++] = coefficient * 100 + planar::coefficient * 10 + solid::coefficient;
  out[i++] = planar::kSum + solid::kMax + planar::Mode::kMax + solid::Mode::kSum;
  out[i++] = int(planar::Op::kAdd) * 10 + int(solid::Op::kSub);
  out[i++] = min(3, 4) * 10 + solid::min(3, 4);
  out[i++] = scale(p) * 100 + scale(s);
  out[i++] = scaled(p) * 100 + scaled(s);
  out[i++] = p.scale + p.get();
  out[i++] = b.count() + planar::Box<int>::kCount + b.both();
  out[i++] = planar::next(1) * 10 + solid::next(1);
  out[i++] = s.get(100) + solid::inner::scale(2) + si::up(2) + si::Pair(4).twice();
  planar::Id whole = 3;
  solid::Id half = 2.5f;
  out[i++] = int(whole * half * 2);
  out[i++] = abs(3, 4) + int(signs::abs(2.0f)) + int(signs::negated(2.0f)) * 2;
  out[i++] = number<planar::kCount>() * 10 + number<solid::kCount>();
  {
    using namespace planar;
    out[i++] = kCount;
  }
  {
    using solid::kCount;
    using solid::next;
    out[i++] = kCount * 10 + next(5);
  }
  out[i++] = [](const solid::Box& z) { return z.value + solid::kCount; }(s);
  int max = 9;
  out[i++] = max;
  out[i] = -1;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  int value = 9;
  cudaMemcpyToSymbol(solid::coefficient, &value, sizeof value);
  cudaMemcpyFromSymbol(&value, planar::coefficient, sizeof value);
  check<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; out[i] != -1; ++i) printf("%d\n", out[i]);
  count<<<1, 1>>>(out, planar::Box<int>{4});
  cudaDeviceSynchronize();
  printf("copied %d, counted %d\n", value, out[0]);
  cudaFree(out);
}
