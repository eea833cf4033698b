// Compensated addition (Kahan). A thread keeps the rounding error of its sum and corrects the next
// addition by it; two sums are added together with the exact error of their addition. n may be any
// number.
template <unsigned int block>
__global__ void kahan(const float* in, float* out, unsigned int n) {
  __shared__ float sums[block];
  __shared__ float errors[block];
  const unsigned int tid = threadIdx.x;
  const unsigned int stride = gridDim.x * blockDim.x;

  float sum = 0.0f;
  float error = 0.0f;  // the exact sum so far is sum - error
  for (unsigned int i = blockIdx.x * blockDim.x + tid; i < n; i += stride) {
    const float term = in[i] - error;
    const float next = sum + term;
    error = (next - sum) - term;
    sum = next;
  }
  sums[tid] = sum;
  errors[tid] = error;
  __syncthreads();

  for (unsigned int k = blockDim.x / 2; k > 0; k /= 2) {
    if (tid < k) {
      const float a = sums[tid];
      const float b = sums[tid + k];
      const float both = a + b;
      const float ofB = both - a;  // what of b arrived in the sum
      const float rounding = (a - (both - ofB)) + (b - ofB);
      sums[tid] = both;
      errors[tid] += errors[tid + k] - rounding;
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = sums[0] - errors[0];
}
