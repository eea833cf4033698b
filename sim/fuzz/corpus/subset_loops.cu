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

__global__ void loops(unsigned* out) {
  unsigned tid = threadIdx.x, n = 0, x = tid + 1;
  while (x != 1 && n < 40) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++n;
  }
  int k = 0;
  do {
    k += 3;
    if (k % 5 == 0) break;
  } while (k < (int)tid);
  for (unsigned i = 0, j = 10; i < j; i++, j--) {
    if (i == tid % 6) continue;
    n += i * j;
  }
  SLOT = n * 100 + k;
}
