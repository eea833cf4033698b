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

__global__ void mathematics(unsigned* out) {
  float x = threadIdx.x * 0.5f + 0.25f;
  double y = x * 3.0;
  unsigned exact = __float_as_uint(sqrtf(x)) ^ __float_as_uint(__fmaf_rn(x, x, -1.0f)) ^
                   __float_as_uint(floorf(x) + ceilf(x) + truncf(-x) + rintf(x) + fabsf(-x)) ^
                   __float_as_uint(fminf(x, 7.0f) + fmaxf(x, 2.0f));
  double root = sqrt(y) + fabs(-y) + fma(y, y, 0.5) + fmax(y, 1.0);
  // Within an ulp or two of the exact value: compared after rounding to a few digits.
  unsigned rough = (unsigned)(expf(x * 0.1f) * 1000) + (unsigned)(logf(x) * 1000 + 5000) +
                   (unsigned)(sinf(x) * 1000 + 2000) + (unsigned)(cosf(x) * 1000 + 2000) +
                   (unsigned)(powf(x, 1.3f) * 100) + (unsigned)(rsqrtf(x) * 1000) + (unsigned)(exp(-y) * 1000);
  SLOT = exact + (unsigned)(root * 4096) + (rough > 3 ? 1 : 0);
}
