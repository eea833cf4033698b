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

__global__ void vectors_in_memory(unsigned* out) {
  __shared__ float4 s[64];
  __shared__ double2 d[32];
  __shared__ uchar4 bytes[64];
  int tid = threadIdx.x;
  s[tid] = make_float4(tid, tid + 1, tid + 2, tid + 3);
  if (tid < 32) d[tid] = make_double2(tid, -tid);
  bytes[tid] = make_uchar4(tid, tid * 2, tid * 3, 255);
  __syncthreads();
  float4 a = s[63 - tid];
  const float* flat = reinterpret_cast<const float*>(s);
  float2 b = *(float2*)&flat[(tid * 2) % 254];
  double2 c = d[tid % 32];
  uchar4 e = bytes[tid ^ 1];
  __syncthreads();
  s[tid].y += a.z;
  SLOT = (unsigned)(a.x + a.y * 3 + a.w) + (unsigned)(b.x * b.y) + (unsigned)(int)(c.x * 5 + c.y) + e.x + e.y + e.w +
         (unsigned)s[tid].y;
}
