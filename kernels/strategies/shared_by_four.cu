// Shared memory, unrolled by four. A block takes four times as many elements: each thread loads four at
// once and adds them in a register before anything goes to shared memory.
template <unsigned int block>
__global__ void shared_by_four(const float* in, float* out) {
  __shared__ float s[block];
  const unsigned int tid = threadIdx.x;

  const float* begin = in + blockIdx.x * blockDim.x * 4;
  const float a = begin[tid];
  const float b = begin[tid + blockDim.x];
  const float c = begin[tid + 2 * blockDim.x];
  const float d = begin[tid + 3 * blockDim.x];
  s[tid] = a + b + c + d;
  __syncthreads();

  unsigned int k = blockDim.x / 2;
  for (; k > warpSize; k /= 2) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }
  for (; k > 0; k /= 2) {  // only lanes of the first warp add
    if (tid < k) s[tid] += s[tid + k];
    __syncwarp();
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
