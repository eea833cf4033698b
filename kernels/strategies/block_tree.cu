// A block tree in global memory. Thread t adds word 2dt + d to word 2dt for d = 1, 2, 4 …; the first step
// loads its words from the input, which is not changed.
__global__ void block_tree(const float* in, float* out, float* scratch) {
  const unsigned int tid = threadIdx.x;
  const unsigned int elements = 2 * blockDim.x;
  const float* begin = in + blockIdx.x * elements;
  float* words = scratch + blockIdx.x * elements;

  words[2 * tid] = begin[2 * tid] + begin[2 * tid + 1];
  for (unsigned int d = 2; d < elements; d *= 2) {
    __syncthreads();
    const unsigned int index = 2 * d * tid;
    if (index < elements) {
      words[index] += words[index + d];
    }
  }

  if (tid == 0) out[blockIdx.x] = words[0];
}
