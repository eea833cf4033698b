// Atomics whose result is used, and reductions on other types, measured on an NVIDIA H200
// (h200-atomics.jsonl) under Nsight Compute.

__global__ void shared_atomic_used(unsigned int* out, unsigned int shift, unsigned int stride) {
  __shared__ unsigned int s[1024];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = atomicAdd(&s[((tid >> shift) * stride) & 1023], 1u);
}

__global__ void shared_max_used(int* out, unsigned int shift, unsigned int stride) {
  __shared__ int s[1024];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = atomicMax(&s[((tid >> shift) * stride) & 1023], (int)tid);
}

__global__ void shared_cas_used(unsigned int* out, unsigned int shift, unsigned int stride) {
  __shared__ unsigned int s[1024];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = atomicCAS(&s[((tid >> shift) * stride) & 1023], 0u, tid);
}

__global__ void global_atomic_used(unsigned int* counts, unsigned int* out, unsigned int shift, unsigned int stride) {
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  out[tid] = atomicAdd(&counts[((tid >> shift) * stride) & 1023], tid);
}

__global__ void global_exchange_used(unsigned int* counts, unsigned int* out, unsigned int shift, unsigned int stride) {
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  out[tid] = atomicExch(&counts[((tid >> shift) * stride) & 1023], tid);
}

__global__ void global_red_int(int* counts, unsigned int shift, unsigned int stride) {
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(&counts[((tid >> shift) * stride) & 1023], (int)tid);
}

__global__ void global_red_double(double* sums, unsigned int shift, unsigned int stride) {
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[((tid >> shift) * stride) & 511], 1.0);
}
