#ifdef __CUDACC__
#define OFFSET 7
#else
#define OFFSET 9
#endif
#if defined(OFFSET) && OFFSET > 5 && !defined(NOT_THERE)
#elif OFFSET == 3
#else
#endif

__global__ void atomics_global(unsigned* out) {
  atomicAdd(&out[threadIdx.x % 8], threadIdx.x);
  atomicMax(&out[8 + threadIdx.x % 4], threadIdx.x * 7);
  atomicAdd((float*)out + 16, 1.5f);
  atomicOr(out + 17, 1u << blockIdx.x);
  atomicAdd((int*)out + 18, -3);
}
