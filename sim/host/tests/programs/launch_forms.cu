#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <nvtx3/nvToolsExt.h>
#include <vector_types.h>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>
#define LAUNCH(k, g, b, ...)            \
  do {                                  \
    k<<<(g), (b)>>>(__VA_ARGS__);       \
    cudaError_t e = cudaGetLastError(); \
    if (e) printf("x %d\n", e);         \
  } while (0)
namespace math {
namespace detail {
template <typename T, int K>
__global__ void axpb(T* x, T b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = K * x[i] + b;
}
}  // namespace detail
__global__ void fill(float* x, float v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = v;
}
}  // namespace math
struct Runner {
  float* d;
  int n;
  Runner(int n) : n(n) { cudaMalloc(&d, n * sizeof(float)); }
  ~Runner() { cudaFree(d); }
  void run(float v) { math::fill<<<dim3((n + 63) / 64), dim3(64), 0, 0>>>(d, v, n); }
  float first() {
    float f;
    cudaMemcpy(&f, d, sizeof f, cudaMemcpyDeviceToHost);
    return f;
  }
};
template <typename F>
void launchWith(F f, float* d, int n) {
  f<<<(n + 127) / 128, 128>>>(d, 9.0f, n);
}
typedef void (*Kern)(float*, float, int);
enum Op { ADD, MUL = 5 };
constexpr int N = 1 << 10;
const int M = N / 2;
static const float PI2 = 6.25f;
__global__ void consts(float* o) {
  if (threadIdx.x == 0) {
    o[0] = M;
    o[1] = PI2;
    o[2] = MUL;
    o[3] = CUDART_PI_F;
    o[4] = N;
  }
}
static __global__ void half_k(const __half* a, float* o) {
  o[threadIdx.x] = __half2float(a[threadIdx.x]) * 2;
}
int main(int argc, char** argv) {
  Runner r(N);
  r.run(2.5f);
  printf("%g\n", r.first());
  math::detail::axpb<float, 3><<<(N + 255) / 256, 256>>>(r.d, 1.0f, N);
  printf("%g\n", r.first());
  launchWith(math::fill, r.d, N);
  printf("%g\n", r.first());
  Kern ks[] = {math::fill, math::detail::axpb<float, 2>};
  for (int i = 0; i < 2; ++i) {
    ks[i]<<<4, 256>>>(r.d, 1.25f, N);
    printf("%g\n", r.first());
  }
  auto lam = [&](float v) {
    math::fill<<<4, 256>>>(r.d, v, N);
    cudaDeviceSynchronize();
  };
  lam(77);
  printf("%g\n", r.first());
  LAUNCH(math::fill, 4, 256, r.d, 6.0f, N);
  printf("%g\n", r.first());
  std::thread t([&] {
    r.run(8);
    cudaDeviceSynchronize();
  });
  t.join();
  printf("%g\n", r.first());
  consts<<<1, 32>>>(r.d);
  float h[5];
  cudaMemcpy(h, r.d, sizeof h, cudaMemcpyDeviceToHost);
  for (float v : h) printf("%g ", v);
  printf("\n");
  std::vector<__half> hh(32);
  for (int i = 0; i < 32; ++i) hh[i] = __float2half(i * 0.5f);
  __half* dh;
  cudaMalloc(&dh, 64);
  cudaMemcpy(dh, hh.data(), 64, cudaMemcpyHostToDevice);
  half_k<<<1, 32>>>(dh, r.d);
  cudaMemcpy(h, r.d, sizeof h, cudaMemcpyDeviceToHost);
  for (float v : h) printf("%g ", v);
  printf("\n");
  void* args[] = {&r.d, &h[1], (void*)&N};
  cudaLaunchKernel((const void*)math::fill, dim3(4), dim3(256), args, 0, 0);
  printf("%g\n", r.first());
  cudaFuncAttributes at;
  cudaFuncGetAttributes(&at, math::fill);
  printf("%d\n", at.maxThreadsPerBlock);
  int bs, gs;
  cudaOccupancyMaxPotentialBlockSize(&gs, &bs, math::fill, 0, 0);
  printf("%d %d\n", gs, bs);
  cuFloatComplex c = make_cuFloatComplex(1, 2);
  c = cuCmulf(c, c);
  printf("%g %g\n", cuCrealf(c), cuCimagf(c));
  nvtxRangePush("x");
  nvtxRangePop();
  cudaLaunchConfig_t cfg = {};
  cfg.gridDim = dim3(4);
  cfg.blockDim = dim3(256);
  cudaLaunchKernelEx(&cfg, math::fill, r.d, 3.0f, N);
  printf("%g\n", r.first());
  cudaFree(dh);
}
