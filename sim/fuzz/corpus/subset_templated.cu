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
template <typename T, int N>
__device__ T power(T x) {
  T result = 1;
#pragma unroll
  for (int i = 0; i < N; ++i) result *= x;
  return result;
}

template <unsigned blockSize, typename T>
__global__ void templated(unsigned* out) {
  __shared__ T s[blockSize];
  s[threadIdx.x] = (T)threadIdx.x;
  __syncthreads();
  if constexpr (blockSize >= 64) {
    if (threadIdx.x < 32) s[threadIdx.x] += s[threadIdx.x + 32];
    __syncthreads();
  }
  SLOT = (unsigned)s[threadIdx.x / 2] + power<T, 2>(3) + sizeof(T);
}
