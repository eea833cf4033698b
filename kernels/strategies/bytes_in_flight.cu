// Vector addition with loads in flight: a thread issues kLoads loads from each array before it uses
// any of them, then strides over the grid. n may be any number.
constexpr unsigned int kLoads = 4;

__global__ void bytes_in_flight(const float* in, const float* b, float* out, unsigned int n) {
  const unsigned int stride = gridDim.x * blockDim.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + (kLoads - 1) * stride < n; i += kLoads * stride) {
    float left[kLoads];
    float right[kLoads];
    for (unsigned int l = 0; l < kLoads; ++l) {
      left[l] = in[i + l * stride];
      right[l] = b[i + l * stride];
    }
    for (unsigned int l = 0; l < kLoads; ++l) out[i + l * stride] = left[l] + right[l];
  }
  for (; i < n; i += stride) out[i] = in[i] + b[i];
}
