// The order of addition. Each thread adds eight consecutive elements from left to right, so that the sum
// is made in the order of the array; compare it with sums that add the same floats in another order.
__global__ void order_of_addition(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  const float* run = in + (blockIdx.x * blockDim.x + tid) * 8;
  float sum = 0.0f;
  for (unsigned int i = 0; i < 8; ++i) {
    sum += run[i];
  }
  s[tid] = sum;
  __syncthreads();

  if (tid == 0) {  // the runs' sums, again from left to right
    for (unsigned int t = 1; t < blockDim.x; ++t) sum += s[t];
    out[blockIdx.x] = sum;
  }
}
