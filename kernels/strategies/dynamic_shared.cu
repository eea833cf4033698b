// Dynamic shared memory. The same kernel, but the length of the array is the launch's third argument:
// one source and one binary for every block size.
__global__ void dynamic_shared(const float* in, float* out) {
  extern __shared__ float s[];
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
