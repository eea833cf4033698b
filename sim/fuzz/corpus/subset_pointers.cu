#ifdef __CUDACC__
#define OFFSET 7
#else
#define OFFSET 9
#endif
#if defined(OFFSET) && OFFSET > 5 && !defined(NOT_THERE)
#elif OFFSET == 3
#else
#endif

__global__ void pointers(unsigned* out) {
  __shared__ unsigned s[64];
  unsigned* mine = out + blockIdx.x * blockDim.x;
  unsigned* p = s + threadIdx.x;
  *p = threadIdx.x * 2;
  __syncthreads();
  const unsigned* end = s + 64;
  unsigned sum = 0;
  for (const unsigned* q = p; q < end; q += 16) sum += *q;
  long long distance = end - p;
  unsigned char* bytes = reinterpret_cast<unsigned char*>(p);
  bool isNull = p == nullptr;
  mine[threadIdx.x] = sum + (unsigned)distance + bytes[0] + isNull + (p != 0) + *(s + 3) + (&s[9])[-1];
}
