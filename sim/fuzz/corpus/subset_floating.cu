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

__global__ void floating(unsigned* out) {
  float x = threadIdx.x * 0.37f - 5.0f;
  double y = x;
  y = y * y - 1.0 / 3;
  float z = (float)(y / (x + 0.25));
  int whole = (int)z;
  SLOT = mix(__float_as_uint(z)) + whole + (unsigned)(long long)(y * 1000) + (z > x) + (z != z);
}
