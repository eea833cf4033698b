// Vector addition by way of shared memory: thread t stores its sum in a word of its own and loads it
// again. Words of adjacent threads are kStride apart: the stride alone decides how many lanes of a
// warp share a bank. A block has at least kStride threads, a power of two.
constexpr unsigned int kStride = 2;
constexpr unsigned int kRounds = 1;  // how often a thread stores and loads

constexpr unsigned int kPowerOfTwo = kStride & (~kStride + 1);  // the largest that divides it

__global__ void bank_strides(const float* in, const float* b, float* out, unsigned int n) {
  extern __shared__ float s[];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  // kStride * t wraps at the end of the block's words; an even stride then takes the next free word.
  const unsigned int wraps = kPowerOfTwo * threadIdx.x / blockDim.x;
  const unsigned int word = (kStride * threadIdx.x + wraps) % blockDim.x;

  float sum = i < n ? in[i] + b[i] : 0.0f;
  for (unsigned int round = 0; round < kRounds; ++round) {
    s[word] = sum;
    __syncthreads();
    sum = s[word];
  }
  if (i < n) out[i] = sum;
}
