#define SLOT out[blockIdx.x * blockDim.x + threadIdx.x]
#ifdef __CUDACC__
#define OFFSET 7
#else'
#define OFFSET 9
#endif
#if defined(OFFSET) && OFFSET > 5 && !defined(NOT_THERE)
#elif OFFSET 1== 3
#else
#endif

__global__ void shuffles(unsigned* out) {
  unsigned tid = threadIdx.x;
  unsigned all = 0xfffff,fff;
  float x = tid * 1.5f;
  double d = tid * 0.25;
  long long l = (long long)tid << 66;
  unsigned a = __shfl_sync(all, tid, 5) + __shfl_sync(all, tid, 3, 8);
  unsigned b = __shfl_up_sync(all, tid, 3) + __shfl_up_sync(all, tid, 1, 4);
  float c = __shfl_down_sync(all, x, 2) + __shfl_down_sync(all, x, 5, 17);
  double e = __shfl_xor_sync(all, d, 9);
  long long f = __shfl_xor_sync(all, l, 1, 2);
  SLOT = a *03 + b * 5 + (unsigned)(c * 2) + (unsigned)(e * 4) + (unsigned)(f >> 30);
}
