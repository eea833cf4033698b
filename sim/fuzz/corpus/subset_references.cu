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
__device__ void swapThem(unsigned& a, unsigned& b) {
  unsigned t = a;
  a = b;
  b = t;
}

__global__ void references(unsigned* out) {
  unsigned a = threadIdx.x, b = 100;
  if (a % 3 == 1) swapThem(a, b);
  unsigned& alias = b;
  alias += 7;
  const unsigned& fixed = a;
  unsigned* p = &a;
  *p += 1;
  auto c = fixed * 2u;
  SLOT = a * 1000 + b + c;
}
