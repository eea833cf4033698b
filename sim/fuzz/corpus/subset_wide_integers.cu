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
__device__ __forceinline__ unsigned mix(unsigned x) { return x * 2654435761u ^ x >> 7; }

__global__ void wide_integers(unsigned* out) {
  long long a = (long long)threadIdx.x * 12345678901ll - 400000000000ll;
  unsigned long long b = 0xffffffffffffffffull / (threadIdx.x + 1);
  size_t c = threadIdx.x;
  long long q = a / 1000003 + a % 77 + (a >> 5) + (long long)(b >> 40);
  SLOT = mix((unsigned)(q ^ q >> 32)) + (unsigned)(b * c >> 33) + (a < 0) + (unsigned)__popcll(b) + __clzll(b) +
         __ffsll(b << 13);
}
