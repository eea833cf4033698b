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

__global__ void vectors(unsigned* out) {
  float4 v = make_float4(threadIdx.x, 2.0f, 3.5f, -1.0f);
  v.y += v.x * 0.5f;
  float4 w = v;
  w.z = w.x - v.y;
  int2 p = {(int)v.x, 7};
  uint3 q{1u, p.x + 3u};
  double2 d = make_double2(v.x, w.z);
  int3 r = make_int3(p.y, p.x, 4);
  uchar4 b = make_uchar4(r.x, 300 & 255, r.z, p.x);
  SLOT = mix(__float_as_uint(v.x + v.y * v.z + v.w + w.z)) + q.x + q.y * 3 + q.z + (int)d.x - (int)d.y + r.x * r.y +
         b.x + b.w + sizeof(float3) + sizeof(float4);
}
