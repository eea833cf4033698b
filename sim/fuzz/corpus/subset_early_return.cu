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

__global__ void early_return(unsigned* out) {
  if (threadIdx.x % 4 == 3) return;
  unsigned x = 5;
  if (threadIdx.x > 40) {
    x = 9;
    if (threadIdx.x % 2) return;
  }
  __syncwarp(__activemask());
  SLOT = x + __popc(__activemask());
}
