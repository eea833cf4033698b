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

__global__ void dynamic_shared(unsigned* out) {
  extern __shared__ __align__(16) unsigned char raw[];
  float* values = reinterpret_cast<float*>(raw);
  int* keys = (int*)(values + 64);
  values[threadIdx.x] = threadIdx.x * 2.0f;
  keys[63 - threadIdx.x] = threadIdx.x;
  __syncthreads();
  SLOT = (unsigned)values[keys[threadIdx.x]] + keys[5];
}
