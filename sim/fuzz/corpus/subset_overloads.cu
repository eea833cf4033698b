#define SLOT out[blockIdx.x * blockDim.x + threadIdx.x]
#ifdef __CUDACC__
#define OFFSET 7
#else
#define OFFSET 9
#endif
#if defined(OFFSET) && OFFSET > 5 && !defined(NOT_THERE)
#elif OFFSET == 3
#else
#endif
__device__ float twice(float x) { return 2.0f * x; }
__device__ int twice(int x) { return x << 1; }
__device__ unsigned twice(unsigned x, unsigned plus = 5) { return x * 2 + plus; }
template <typename T>
__device__ T larger(T a, T b) {
  return a < b ? b : a;
}
template <typename T, int N>
__device__ T power(T x) {
  T result = 1;
#pragma unroll
  for (int i = 0; i < N; ++i) result *= x;
  return result;
}
template <bool Doubles>
__device__ unsigned chosen(unsigned x) {
  if constexpr (Doubles) {
    return x * 2;
  } else {
    return x + 1;
  }
}

__global__ void overloads(unsigned* out) {
  float f = threadIdx.x;
  int i = threadIdx.x;
  unsigned u = threadIdx.x;
  SLOT = (unsigned)twice(f + 0.25f) + twice(-i) + twice(u) + twice(u, 9u) + larger(i, 40) + (unsigned)larger(f, 3.5f) +
         larger<unsigned>(u, 20) + power<unsigned, 3>(u) + chosen<true>(u) + chosen<false>(u);
}
