// Static shared memory. The length of the array is a constant, so the compiler reserves it; the block
// copies its elements there and does the rest on the chip.
template <unsigned int block>
__global__ void static_shared(const float* in, float* out) {
  __shared__ float s[block];
  const unsigned int tid = threadIdx.x;

  s[tid] = in[blockIdx.x * blockDim.x + tid];
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
