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
__device__ unsigned sumOf(const unsigned* values, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  return sum;
}

__global__ void local_arrays(unsigned* out) {
  unsigned counts[4] = {1, 2};
  int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  short small[5];
  double wide[3];
  float cube[2][2][2] = {};
  unsigned tid = threadIdx.x;
  for (int i = 0; i < 9; ++i) counts[(tid + i) % 4] += i;
  for (int i = 0; i < 5; ++i) small[i] = (short)(i * tid);
  for (int i = 0; i < 3; ++i) wide[i] = i + tid * 0.5;
  grid[tid % 2][tid % 3] = -8;
  cube[tid & 1][tid >> 1 & 1][tid >> 2 & 1] = tid;
  unsigned* p = counts + 1;
  p[1] ^= 21;
  unsigned hash = 0;
  for (int i = 0; i < 4; ++i) hash = mix(hash + counts[i]);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) hash = mix(hash + grid[i][j]);
  for (int i = 0; i < 8; ++i) hash += (unsigned)cube[i >> 2][i >> 1 & 1][i & 1] * i;
  SLOT = hash + small[3] + small[tid % 5] + (unsigned)(wide[2] + wide[tid % 3]) + sumOf(counts, 4);
}
