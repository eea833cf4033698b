// Completely unrolled. The block's size is a template argument, so the compiler knows every step: no
// loop, no test of a counter, and the steps that a smaller block does not have are not there.
template <unsigned int block, unsigned int k>
__device__ inline void step(float* s, unsigned int tid) {
  if constexpr (block >= 2 * k) {
    if (tid < k) s[tid] += s[tid + k];
    if (k > warpSize) __syncthreads();
    else __syncwarp();  // from here on only the first warp adds
  }
}

template <unsigned int block>
__global__ void completely_unrolled(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  const float* begin = in + blockIdx.x * block * 2;
  s[tid] = begin[tid] + begin[tid + block];
  __syncthreads();

  step<block, 512>(s, tid);
  step<block, 256>(s, tid);
  step<block, 128>(s, tid);
  step<block, 64>(s, tid);
  step<block, 32>(s, tid);
  step<block, 16>(s, tid);
  step<block, 8>(s, tid);
  step<block, 4>(s, tid);
  step<block, 2>(s, tid);
  step<block, 1>(s, tid);

  if (tid == 0) out[blockIdx.x] = s[0];
}
