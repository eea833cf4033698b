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

__global__ void expressions(unsigned* out) {
  int i = threadIdx.x;
  int a = i, b = 3;
  int c = a++ + ++b;
  c += (a > 5 && b++ > 0) ? a : -b;
  c <<= 2;
  c ^= a | b & ~i;
  c -= (a, b);
  unsigned bits = __brev(i) >> 20 | __popc(i * 77) << 3;
  c += __ffs(i) + __clz(i + 1) + abs(i - 30) + min(i, 12) + max(a, b);
  char letter = 'A' + i % 26;
  SLOT = (unsigned)c + bits + letter + (i == 3 || i / (i + 1) == 0 ? 1 : 0) + 0x10 + 0b101 + 1'000;
}
