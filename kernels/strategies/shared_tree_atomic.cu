// A block tree in shared memory, one atomic per block. Every thread loads two elements; at step size d
// thread t adds word 2dt + d to word 2dt; at the end thread 0 adds the sum of the block to out[0],
// which must be 0 before.
template <unsigned int block>
__global__ void local_memory(const float* in, float* out) {
  __shared__ float s[2 * block];
  const unsigned int tid = threadIdx.x;
  const unsigned int elements = 2 * blockDim.x;
  const unsigned int offset = blockIdx.x * elements;

  s[tid] = in[offset + tid];
  s[tid + blockDim.x] = in[offset + tid + blockDim.x];

  for (unsigned int d = 1; d < elements; d *= 2) {
    __syncthreads();
    const unsigned int index = 2 * d * tid;
    if (index < elements) {
      s[index] += s[index + d];
    }
  }

  if (tid == 0) atomicAdd(out, s[0]);
}
