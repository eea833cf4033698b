// Warp, block, grid, for any operator with an identity element. A lane that has no element of its own
// uses the identity, so every lane can take part in every step, and n may be any number.
enum Operator { Sum, Product, Minimum, Maximum };

template <Operator op>
__device__ inline float combine(float a, float b) {
  if constexpr (op == Sum) return a + b;
  else if constexpr (op == Product) return a * b;
  else if constexpr (op == Minimum) return min(a, b);
  else return max(a, b);
}

// The highest and the lowest value: infinity and -infinity, or the largest and the smallest int.
template <class T>
__device__ inline T highest() {
  if constexpr (static_cast<T>(0.5f) == static_cast<T>(0)) return static_cast<T>(2147483647);
  else return static_cast<T>(__int_as_float(0x7f800000));
}

template <class T>
__device__ inline T lowest() {
  if constexpr (static_cast<T>(0.5f) == static_cast<T>(0)) return static_cast<T>(-2147483647 - 1);
  else return -highest<T>();
}

// combine(identity, x) is x.
template <Operator op>
__device__ inline float identity() {
  if constexpr (op == Sum) return 0.0f;
  else if constexpr (op == Product) return 1.0f;
  else if constexpr (op == Minimum) return highest<float>();
  else return lowest<float>();
}

template <Operator op>
__device__ inline float warpReduce(float value, unsigned int lanes) {
  for (unsigned int k = lanes / 2; k > 0; k /= 2) {
    value = combine<op>(value, __shfl_down_sync(0xffffffff, value, k));
  }
  return value;
}

template <Operator op>
__device__ inline float blockReduce(float value, float* warpValues) {
  const unsigned int lanes = min(warpSize, blockDim.x);
  const unsigned int laneId = threadIdx.x % warpSize;
  value = warpReduce<op>(value, lanes);
  if (laneId == 0) warpValues[threadIdx.x / warpSize] = value;
  __syncthreads();
  if (threadIdx.x < warpSize) {
    value = identity<op>();
    for (unsigned int w = laneId; w * warpSize < blockDim.x; w += warpSize) {
      value = combine<op>(value, warpValues[w]);
    }
    value = warpReduce<op>(value, lanes);
  }
  return value;
}

template <Operator op>
__global__ void warp_block_grid(const float* in, float* out, unsigned int n) {
  extern __shared__ float warpValues[];
  const unsigned int stride = gridDim.x * blockDim.x;

  float value = identity<op>();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    value = combine<op>(value, in[i]);
  }
  value = blockReduce<op>(value, warpValues);
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}
