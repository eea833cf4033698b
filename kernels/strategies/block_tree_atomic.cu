// A block tree in global memory, one atomic per block. Each block adds up its elements in global memory,
// and thread 0 adds the sum of the block to out[0], which must be 0 before.
__global__ void block_tree_atomic(const float* in, float* out, float* scratch) {
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

  if (tid == 0) atomicAdd(out, words[0]);
}
