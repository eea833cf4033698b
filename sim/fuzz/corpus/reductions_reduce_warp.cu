__device__ inline float warpReduceUp(float val) {
  unsigned int offset = 1;
  while (offset < warpSize) {
    val = val + __shfl_down_sync(0xffffffff, val, offset);
    offset <<= 1;
  }
  return val;
}

__global__ void reduce_warp(const float* a, float* out, unsigned int n) {
  __shared__ float shared[32];
  unsigned int index = blockIdx.x * blockDim.x + threadIdx.x;
  float val = index < n ? a[index] : 0.0f;
  unsigned int wid = threadIdx.x / warpSize;
  unsigned int lane = threadIdx.x % warpSize;
  val = warpReduceUp(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0.0f;
  if (wid == 0) val = warpReduceUp(val);
  if (threadIdx.x == 0) atomicAdd(out, val);
}
