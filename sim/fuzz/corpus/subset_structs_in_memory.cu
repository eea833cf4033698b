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
struct Pair {
  float value;
  int index;
};
struct Nested {
  Pair best;
  unsigned counts[3];
  char tag;
};
__host__ __device__ inline Pair better(Pair a, const Pair& b) { return a.value < b.value ? b : a; }

__global__ void structs_in_memory(unsigned* out) {
  __shared__ Pair pairs[64];
  __shared__ Nested one;
  __shared__ unsigned total;
  unsigned tid = threadIdx.x;
  pairs[tid] = Pair{(float)(tid * 37 % 64), (int)tid};
  if (tid == 0) {
    total = 0;
    one.best = {-1.0f, -1};
    one.counts[2] = 9;
    one.tag = 'q';
  }
  __syncthreads();
  for (int step = 32; step > 0; step >>= 1) {
    if (tid < step) pairs[tid] = better(pairs[tid], pairs[tid + step]);
    __syncthreads();
  }
  if (tid == 5) one.best = pairs[0];
  if (tid == 6) total = one.counts[2] + one.tag;
  __syncthreads();
  SLOT = one.best.index * 100 + (unsigned)one.best.value + total;
}
