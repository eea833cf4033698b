
__global__ void shuffle_down(const float* in, float* out) {
  __shared__ float warpSums[32];
  unsigned int tid = threadIdx.x;
  const float* begin = in + blockIdx.x * blockDim.x * 2;
  float sum = begin[tid] + begin[tid + blockDim.x];
  sum += __shfl_down_sync(0xffffffff, sum, 16);
  sum += __shfl_down_sync(0xffffffff, sum, 8);
  sum += __shfl_down_sync(0xffffffff, sum, 4);
  sum += __shfl_down_sync(0xffffffff, sum, 2);
  sum += __shfl_down_sync(0xffffffff, sum, 1);
  unsigned int warpId = tid / 32;
  unsigned int laneId = tid % 32;
  if (laneId == 0) warpSums[warpId] = sum;
  __syncthreads();
  if (warpId == 0) {
    sum = (laneId < blockDim.x / 32) ? warpSums[laneId] : 0.0f;
    sum += __shfl_down_sync(0xffffffff, sum, 16);
    sum += __shfl_down_sync(0xffffffff, sum, 8);
    sum += __shfl_down_sync(0xffffffff, sum, 4);
    sum += __shfl_down_sync(0xffffffff, sum, 2);
    sum += __shfl_down_sync(0xffffffff, sum, 1);
    if (laneId == 0) out[blockIdx.x] = sum;
  }
}
