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

__global__ void prints(unsigned* out) {
  assert(blockDim.x == 64);
  if (threadIdx.x == 3) printf("block %d: %5.2f %x %c\n", blockIdx.x, 1.5, 255u, 'z');
  SLOT = 1;
}
