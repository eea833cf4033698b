// Both sides of a branch. Even threads double their sum and then halve it, kRounds times; odd threads halve it first: the
// same result, on two paths. A warp with lanes of both kinds runs both paths: they are serialized.
constexpr unsigned int kRounds = 2;

__global__ void both_sides(const float* in, const float* b, float* out, unsigned int n) {
  const unsigned int stride = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    float sum = in[i] + b[i];
    if (threadIdx.x % 2 == 0) {
      for (unsigned int k = 0; k < kRounds; ++k) {
        sum += sum;
        sum *= 0.5f;
      }
    } else {
      for (unsigned int k = 0; k < kRounds; ++k) {
        sum *= 0.5f;
        sum += sum;
      }
    }
    out[i] = sum;
  }
}
