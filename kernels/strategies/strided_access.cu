// Vector addition with a stride: adjacent threads' elements are kStride apart. The threads go through
// the arrays kStride times, each time one element later. n may be any number.
constexpr unsigned int kStride = 4;  // 1: adjacent threads, adjacent elements

__global__ void strided_access(const float* in, const float* b, float* out, unsigned int n) {
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int threads = gridDim.x * blockDim.x;
  for (unsigned int first = 0; first < kStride; ++first) {
    for (unsigned int i = first + kStride * thread; i < n; i += kStride * threads) {
      out[i] = in[i] + b[i];
    }
  }
}
