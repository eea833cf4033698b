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

__global__ void narrow_integers(unsigned* out) {
  int i = threadIdx.x - 20;
  char c = static_cast<char>(i * 9);
  unsigned char u = (unsigned char)(i * 9);
  short s = short(i * 3000);
  unsigned short v = (unsigned short)(i * 3000);
  bool b = i;
  c += 5;
  u -= 200;
  s *= 3;
  SLOT = mix(c) + mix(u) + mix(s) + mix(v) + b + (c > u) + (s < v) + sizeof(s);
}
