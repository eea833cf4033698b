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

__global__ void atomics_shared(unsigned* out) {
  __shared__ unsigned s[16];
  __shared__ int low;
  __shared__ float sum;
  __shared__ unsigned long long big;
  unsigned tid = threadIdx.x;
  if (tid < 16) s[tid] = tid;
  if (tid == 0) {
    low = 1000;
    sum = 0;
    big = 1ull << 40;
  }
  __syncthreads();
  atomicAdd(&s[tid % 4], tid);
  atomicSub(&s[4], 2u);
  atomicMax(&s[5], tid * 3);
  atomicMin(&low, 50 - (int)tid);
  atomicAnd(&s[6], ~(1u << tid % 3));
  atomicOr(&s[7], 1u << tid % 32);
  atomicXor(&s[8], tid);
  atomicInc(&s[9], 20);
  atomicDec(&s[10], 30);
  atomicAdd(&sum, 0.5f * tid);
  atomicAdd(&big, (unsigned long long)tid << 20);
  if (tid == 33) atomicExch(&s[11], 77u);
  if (tid == 34) s[12] = atomicCAS(&s[13], 13u, 99u);
  __syncthreads();
  SLOT = s[tid % 16] + low + (unsigned)sum + (unsigned)(big >> 20);
}
