// Deduced template arguments of classes, loops whose conditions are declarations, copies of arrays for names.
#include <cuda_runtime.h>

#include <cstdio>

template <typename T, int N>
struct Window {
  const T* data;
  __device__ Window(const T (&values)[N]) : data(values) {}
  __device__ T sum() const {
    T total = 0;
    for (int i = 0; i < N; ++i) total += data[i];
    return total;
  }
};

template <typename A, typename B = A>
struct Pair {
  A first;
  B second;
  __host__ __device__ Pair(A a, B b) : first(a), second(b) {}
  __host__ __device__ explicit Pair(A both) : first(both), second(both) {}
  __host__ __device__ Pair swapped() const {
    Pair other(second, first);
    return other;
  }
};

template <typename T>
class View {
 public:
  __host__ __device__ View(T* data, int count) : data_(data), count_(count) {}
  __host__ __device__ T* begin() const { return data_; }
  __host__ __device__ T* end() const { return data_ + count_; }

 private:
  T* data_;
  int count_;
};

namespace geometry {
namespace detail {
__device__ float half(float x) { return x / 2; }
}  // namespace detail
}  // namespace geometry
using namespace geometry;

__device__ int countdown(int* left) { return *left > 0 ? (*left)-- : 0; }

__global__ void use_parts(const int* in, int n) {
  int total = 0;
  for (int value : View(in, n)) total += value;
  View view{in + 1, n - 1};
  for (auto value : view) total += value;

  const float values[3] = {1, 2, 4};
  Window window = values;
  Pair a(1.5f, 2);
  auto b = Pair{3, 4.25};
  Pair c(7L);
  Pair copy = a;
  printf("%d %g | %g %d %d | %d %g | %ld %ld | %g\n", total, window.sum(), a.first, a.second, (int)sizeof(a),
         b.first, b.second, c.first, c.second, copy.first + Pair(2.0f).swapped().first);

  int left = 4, sum = 0, rounds = 0;
  while (int taken = countdown(&left)) {
    ++rounds;
    if (taken == 2) continue;
    sum += taken;
  }
  for (int i = 0; int rest = 5 - i; ++i) {
    if (rest == 3) continue;
    if (rest == 1) break;
    sum += 100 * rest;
  }
  printf("%d %d\n", rounds, sum);

  float corners[2][2] = {{1, 2}, {3, 4}};
  auto [x, y] = corners[1];
  auto& [u, v] = corners[1];
  u = 30;
  x += 1;
  printf("%g %g %g %g %g\n", x, y, u, v, corners[1][0]);
  printf("%g\n", detail::half(5));
}

int main() {
  int* in;
  cudaMallocManaged(&in, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) in[i] = i + 1;
  use_parts<<<1, 1>>>(in, 4);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
}
