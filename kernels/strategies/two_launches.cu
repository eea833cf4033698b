// Two launches, the same digits every time. Block b adds a fixed set of elements in a fixed order and
// stores its part; a second launch, of one block, adds the parts the same way. n may be any number.
__global__ void two_launches(const float* in, float* out, unsigned int n) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;
  const unsigned int stride = gridDim.x * blockDim.x;

  float sum = 0.0f;
  unsigned int i = blockIdx.x * blockDim.x + tid;
  for (; i + 3 * stride < n; i += 4 * stride) {  // four loads in flight
    const float a = in[i];
    const float b = in[i + stride];
    const float c = in[i + 2 * stride];
    const float d = in[i + 3 * stride];
    sum += (a + b) + (c + d);
  }
  for (; i < n; i += stride) sum += in[i];
  s[tid] = sum;
  __syncthreads();

  for (unsigned int k = blockDim.x / 2; k > 0; k /= 2) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
