#include <cstdio>
#include <cstdlib>
#define N 64
#define CUDA_SAFE(call)                                                                 \
  do {                                                                                  \
    cudaError_t err = call;                                                             \
    if (cudaSuccess != err) {                                                           \
      fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__, \
              cudaGetErrorString(err));                                                 \
      exit(EXIT_FAILURE);                                                               \
    }                                                                                   \
  } while (0)
#define KERNEL_CHECK()              \
  CUDA_SAFE(cudaPeekAtLastError()); \
  CUDA_SAFE(cudaDeviceSynchronize())
__global__ void later(int*, int);
struct Ops {
  __device__ static int twice(int x) { return 2 * x; }
};
namespace {
__global__ void anon(int* p) { p[threadIdx.x] += 1; }
}  // namespace
extern "C" __global__ void cstyle(int* p) { p[threadIdx.x] += 10; }
__global__ void __launch_bounds__(64, 2) bounded(int* p) { p[threadIdx.x] += 100; }
__global__ __launch_bounds__(64) void bounded2(int* __restrict__ p, const int unused) {
  p[threadIdx.x] += 1000;
}
template <typename T = int, int K = 7>
__global__ void deft(T* p) {
  p[threadIdx.x] += K;
}
template <class T>
struct Launcher {
  static void go(T* p) { deft<T, 3><<<1, N>>>(p); }
  void operator()(T* p) const { deft<T><<<dim3{1}, dim3{N, 1, 1}>>>(p); }
};
template <typename... A>
void callAll(void (*k)(A...), A... a) {
  k<<<1, N>>>(a...);
}
__device__ int helper(int x);
__global__ void useHelper(int* p) { p[threadIdx.x] = helper(p[threadIdx.x]); }
__device__ int helper(int x) { return x + 5; }
__device__ __constant__ int cc[2] = {3, 4};
__global__ void useC(int* p) { p[threadIdx.x] += cc[0] * cc[1]; }
enum class Mode { A, B = 4 };
template <Mode M>
__global__ void moded(int* p) {
  p[threadIdx.x] += (int)M;
}
template <bool B>
__global__ void flagged(int* p) {
  if (B) p[threadIdx.x] *= 2;
}
__host__ __device__ inline int both(int x) { return x * 3; }
__global__ void useBoth(int* p) { p[threadIdx.x] = both(p[threadIdx.x]); }
using K1 = void (*)(int*);
int main() {
  int *p, h[N];
  CUDA_SAFE(cudaMalloc(&p, sizeof h));
  CUDA_SAFE(cudaMemset(p, 0, sizeof h));
  anon<<<1, N>>>(p);
  cstyle<<<1, N>>>(p);
  if (h != nullptr)
    bounded<<<1, N>>>(p);
  else
    bounded2<<<1, N>>>(p, 1);
  for (int i = 0; i < 2; i++) bounded2<<<dim3(1), dim3(N)>>>(p, /* a comment, (with) brackets */ i);
  deft<<<1, N>>>(p);
  deft<int><<<1, N>>>(p);
  deft<int, 2><<<1, N, 0>>>(p);
  Launcher<int>::go(p);
  Launcher<int>()(p);
  callAll(anon, p);
  useHelper<<<1, N>>>(p);
  useC<<<1, N>>>(p);
  moded<Mode::B><<<1, N>>>(p);
  flagged<true><<<1, N>>>(p);
  flagged<(N > 100)><<<1, N>>>(p);
  useBoth<<<1, N>>>(p);
  K1 ks[2] = {anon, cstyle};
  for (auto k : ks) k<<<1, N>>>(p);
  (*ks[0])<<<1, N>>>(p);
  [&]() { anon<<<1, N>>>(p); }();
  auto g = [=](int b) { later<<<1, b>>>(p, 2); };
  g(N);
  switch (N) {
    case 64: anon<<<1, N>>>(p); break;
    default: break;
  }
  N > 3 ? anon<<<1, N>>>(p) : cstyle<<<1, N>>>(p);
  KERNEL_CHECK();
  CUDA_SAFE(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
  printf("%d %d\n", h[0], h[N - 1]);
  printf("%d\n", both(4));
  cudaFree(p);
}
__global__ void later(int* p, int n) { p[threadIdx.x] += n; }
