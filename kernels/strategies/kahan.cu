// Compensated addition (Kahan). Beside its sum a thread keeps what rounding took from it, and gives it
// back at the next addition; two sums are put together with the exact error of their addition. n may be
// any number.
template <unsigned int block>
__global__ void kahan(const float* in, float* out, unsigned int n) {
  __shared__ float sums[block];
  __shared__ float losts[block];
  const unsigned int tid = threadIdx.x;
  const unsigned int stride = gridDim.x * blockDim.x;

  float sum = 0.0f;
  float lost = 0.0f;  // the sum so far is sum - lost
  for (unsigned int i = blockIdx.x * blockDim.x + tid; i < n; i += stride) {
    const float term = in[i] - lost;
    const float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  sums[tid] = sum;
  losts[tid] = lost;
  __syncthreads();

  for (unsigned int k = blockDim.x / 2; k > 0; k /= 2) {
    if (tid < k) {
      const float a = sums[tid];
      const float b = sums[tid + k];
      const float both = a + b;
      const float ofB = both - a;  // what of b arrived in the sum
      const float error = (a - (both - ofB)) + (b - ofB);
      sums[tid] = both;
      losts[tid] += losts[tid + k] - error;
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = sums[0] - losts[0];
}
