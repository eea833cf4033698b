// Objects and tables that constexpr functions and constructors make, and functions as template arguments.
#include <cstdio>

struct Color {
  unsigned char r, g, b;
  __host__ __device__ constexpr Color() : r(9), g(0), b(0) {}
  __host__ __device__ constexpr Color(unsigned char r, unsigned char g, unsigned char b) : r(r), g(g), b(b) {}
};
constexpr Color kInk(1, 2, 3);
__constant__ Color palette[4] = {Color(10, 20, 30), {40, 50, 60}, kInk};
__device__ Color paper(7, 8, 9);

__host__ __device__ constexpr int log2Of(int n) {
  int result = 0;
  while (n >>= 1) ++result;
  return result;
}
constexpr int kThreads = 64;

struct Weights {
  float at[log2Of(kThreads)];
};
__host__ __device__ constexpr Weights halves() {
  Weights result{};
  float weight = 1;
  for (float& one : result.at) {
    weight *= 0.5f;
    one = weight;
  }
  return result;
}
__constant__ Weights weights = halves();

struct Settings {
  int rounds, add;
};
constexpr Settings kSettings{3, 5};

namespace ops {
__device__ float square(float x) { return x * x; }
template <typename T>
__device__ T larger(T a, T b) {
  return a > b ? a : b;
}
}  // namespace ops

__device__ float scaled(float x, float by = 0.5f);

template <float (*F)(float)>
__global__ void map(float* x) {
  x[threadIdx.x] = F(x[threadIdx.x]);
}

template <float (*Op)(float, float), int N>
__global__ void reduce(float* x) {
  __shared__ float s[1 << log2Of(N)];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int stride = N / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] = Op(s[threadIdx.x], s[threadIdx.x + stride]);
    __syncthreads();
  }
  if (threadIdx.x == 0) x[0] = s[0];
}

template <int Rounds>
__global__ void show(float* x) {
  constexpr int added = kSettings.add;
  for (int i = 0; i < Rounds; ++i) x[i] = scaled(weights.at[i]) + added;
  x[Rounds] = scaled(palette[2].g, 10) + palette[1].r + palette[3].r + paper.b;
}

__device__ float scaled(float x, float by) { return x * by; }

int main() {
  float* x;
  cudaMallocManaged(&x, kThreads * sizeof(float));
  for (int i = 0; i < kThreads; ++i) x[i] = i - 40;
  map<ops::square><<<1, kThreads>>>(x);
  reduce<ops::larger<float>, kThreads><<<1, kThreads>>>(x);
  cudaDeviceSynchronize();
  printf("largest %g\n", x[0]);
  show<kSettings.rounds><<<1, 1>>>(x);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) printf("%g ", x[i]);
  printf("\n%d %d\n", kInk.r + kInk.b, log2Of(kThreads));
  cudaFree(x);
}
