// A kernel in a namespace, for classes of another one, that reduces its tiles with a lambda.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

namespace shapes {
template <int D>
struct Point {
  int at[D];
};

template <typename P>
struct Length {
  __device__ int operator()(const P& p) const {
    int sum = 0;
    for (int value : p.at) sum += value * value;
    return sum;
  }
};
}  // namespace shapes

namespace reductions {
template <typename P, typename F>
__global__ void extremes(const P* points, F measure, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int length = measure(points[threadIdx.x]);
  const int most = cg::reduce(tile, length, [](int a, int b) { return a > b ? a : b; });
  const int odd = cg::reduce(tile, length, [](int a, int b) { return a ^ (b & 1); });
  const int sum = cg::reduce(tile, length, cg::plus<int>());
  if (tile.thread_rank() != 0) return;
  out[3 * tile.meta_group_rank()] = most;
  out[3 * tile.meta_group_rank() + 1] = odd;
  out[3 * tile.meta_group_rank() + 2] = sum;
}
}  // namespace reductions

int main() {
  using Point = shapes::Point<3>;
  Point* points;
  int* out;
  cudaMallocManaged(&points, 64 * sizeof(Point));
  cudaMallocManaged(&out, 12 * sizeof(int));
  for (int i = 0; i < 64; ++i) points[i] = Point{{i % 7, i % 5, i % 3}};
  reductions::extremes<<<1, 64>>>(points, shapes::Length<Point>(), out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 12; ++i) printf("%d%c", out[i], i % 3 == 2 ? '\n' : ' ');
  cudaFree(points);
  cudaFree(out);
  return 0;
}
