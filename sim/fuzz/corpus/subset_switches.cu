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

__global__ void switches(unsigned* out) {
  unsigned tid = threadIdx.x;
  unsigned result = 0;
  for (int i = 0; i < 6; ++i) {
    switch ((tid + i) % 7) {
      case 0: result += 1; break;
      case 1: result += 10;  // falls through
      case 2: result += 100; break;
      case 5:
        if (tid & 1) continue;
        result += 1000;
        break;
      default: result ^= i;
      case 3: result *= 3;
    }
    if (result > 100000) return;
  }
  SLOT = result;
}
