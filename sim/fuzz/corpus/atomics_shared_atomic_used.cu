// Atomics whose result is used, and reductions on other types, measured on an NVIDIA H200
// (h200-atomics.jsonl) under Nsight Compute.

__global__ void shared_atomic_used(unsigned int* out, unsigned int shift, unsigned int stride) {
  __shared__ unsigned int s[1024];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = atomicAdd(&s[((tid >> shift) * stride) & 1023], 1u);
}
