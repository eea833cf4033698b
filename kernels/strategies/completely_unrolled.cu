// Completely unrolled. The block size is a template argument, so the compiler knows every step: no loop,
// no test of a counter, and no code for the steps that a smaller block does not have.
template <unsigned int block, unsigned int k>
__device__ inline void blockStep(float* s, unsigned int tid) {
  if constexpr (block >= 2 * k) {
    if (k > warpSize) {
      if (tid < k) s[tid] += s[tid + k];
      __syncthreads();
    }
  }
}

template <unsigned int block, unsigned int k>
__device__ inline void warpStep(float* s, unsigned int tid) {
  if constexpr (block >= 2 * k) {
    if (k <= warpSize) {
      if (tid < k) s[tid] += s[tid + k];
      __syncwarp();
    }
  }
}

template <unsigned int block>
__global__ void completely_unrolled(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  const float* begin = in + blockIdx.x * block * 2;
  s[tid] = begin[tid] + begin[tid + block];
  __syncthreads();

  blockStep<block, 512>(s, tid);
  blockStep<block, 256>(s, tid);
  blockStep<block, 128>(s, tid);
  blockStep<block, 64>(s, tid);
  blockStep<block, 32>(s, tid);
  blockStep<block, 16>(s, tid);
  blockStep<block, 8>(s, tid);
  blockStep<block, 4>(s, tid);
  blockStep<block, 2>(s, tid);

  if (tid < warpSize) {  // only the first warp
    warpStep<block, 32>(s, tid);
    warpStep<block, 16>(s, tid);
    warpStep<block, 8>(s, tid);
    warpStep<block, 4>(s, tid);
    warpStep<block, 2>(s, tid);
    warpStep<block, 1>(s, tid);
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
