// Deduced template arguments of classes, loops whose conditions are declarations, copies of arrays for names,
// loops that bind parts.
#include <cuda_runtime.h>

#include <cstddef>
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

template <typename T = int, int N = 4>
struct Row {
  T at[N];
};

template <typename T>
struct Cell {
  T value;
  __device__ Cell(T x) : value(x) {}
  template <typename U>
  __device__ Cell(T x, U y) : value(x + (T)y) {}
};

struct Point {
  int x, y;
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

  Row row;
  row.at[0] = 3;
  Row zeros{};
  auto* cell = new Cell(3.5f);
  Cell grown(3, 2.75f);
  printf("%d %d %d %g %d\n", row.at[0], zeros.at[1], (int)sizeof(row), cell->value, grown.value);
  delete cell;

  Point points[3] = {{1, 2}, {3, 4}, {5, 6}};
  int parts = (int)offsetof(Point, y) - 4;
  for (auto [px, py] : points) {
    parts += px * py;
    px = 100;
  }
  for (auto& [px, py] : points) {
    px += 1;
    if (py == 4) continue;
    py = 0;
  }
  int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  for (const auto& [a1, a2, a3] : rows) parts += a1 * a2 - a3;
  for (auto& [a1, a2, a3] : rows) a1 = a2 + a3;
  printf("%d %d %d %d %d\n", parts, points[0].x, points[1].y, points[2].y, rows[1][0]);
}

int main() {
  int* in;
  cudaMallocManaged(&in, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) in[i] = i + 1;
  use_parts<<<1, 1>>>(in, 4);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
}
