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

__global__ void counted_barriers(unsigned* out) {
  unsigned tid = threadIdx.x;
  int n = __syncthreads_count(tid % 5 == blockIdx.x);
  int all = __syncthreads_and(tid < 64), any = __syncthreads_or(tid == 200);
  SLOT = n * 100 + all * 10 + any;
}
