// Reductions in the style of NVIDIA's sample: SharedMemory<T>, a specialisation for double, operators as types.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t status = (call);                                                 \
    if (status != cudaSuccess) {                                                 \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

// Shared memory as an array of T: one extern array has one type only.
template <class T>
struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
  __device__ inline operator const T *() const {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
template <>
struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
  __device__ inline operator const double *() const {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
};

template <class T>
struct Plus {
  static constexpr const char *name = "sum";
  __host__ __device__ static T identity() { return T(0); }
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct Max {
  static constexpr const char *name = "max";
  __host__ __device__ static T identity() { return T(-1000000); }
  __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <class T, class Op>
__global__ void reduce3(const T *g_idata, T *g_odata, unsigned int n, Op op) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  T mine = (i < n) ? g_idata[i] : Op::identity();
  if (i + blockDim.x < n) mine = op(mine, g_idata[i + blockDim.x]);
  sdata[tid] = mine;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] = mine = op(mine, sdata[tid + s]);
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = mine;
}

template <class T, unsigned int blockSize, bool nIsPow2, class Op>
__global__ void reduce6(const T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  Op op;
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  T mine = Op::identity();
  while (i < n) {
    mine = op(mine, g_idata[i]);
    if (nIsPow2 || i + blockSize < n) mine = op(mine, g_idata[i + blockSize]);
    i += gridSize;
  }
  sdata[tid] = mine;
  __syncthreads();
  if (blockSize >= 256 && tid < 128) sdata[tid] = mine = op(mine, sdata[tid + 128]);
  __syncthreads();
  if (blockSize >= 128 && tid < 64) sdata[tid] = mine = op(mine, sdata[tid + 64]);
  __syncthreads();
  if (tid < 32) {
    if (blockSize >= 64) mine = op(mine, sdata[tid + 32]);
    for (int offset = 16; offset > 0; offset /= 2) mine = op(mine, __shfl_down_sync(0xffffffff, mine, offset));
  }
  if (tid == 0) g_odata[blockIdx.x] = mine;
}

template <class T, template <class> class Op>
bool test(const char *type, int n) {
  std::vector<T> input(n);
  for (int i = 0; i < n; ++i) input[i] = T((i * 37) % 101 - 40);
  Op<T> op;
  T expected = Op<T>::identity();
  for (T value : input) expected = op(expected, value);
  const int threads = 128, blocks = (n + threads * 2 - 1) / (threads * 2);
  T *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, n * sizeof(T)));
  CHECK(cudaMalloc(&d_out, blocks * sizeof(T)));
  CHECK(cudaMemcpy(d_in, input.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  bool passed = true;
  for (int kernel : {3, 6}) {
    if (kernel == 3) {
      reduce3<<<blocks, threads, threads * sizeof(T)>>>(d_in, d_out, n, op);
    } else {
      reduce6<T, threads, false, Op<T>><<<blocks, threads, threads * sizeof(T)>>>(d_in, d_out, n);
    }
    CHECK(cudaGetLastError());
    std::vector<T> partial(blocks);
    CHECK(cudaMemcpy(partial.data(), d_out, blocks * sizeof(T), cudaMemcpyDeviceToHost));
    T result = Op<T>::identity();
    for (T value : partial) result = op(result, value);
    printf("%s of %d %s by reduce%d: %g\n", Op<T>::name, n, type, kernel, double(result));
    passed = passed && result == expected;
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  return passed;
}

int main() {
  bool passed = test<int, Plus>("ints", 5000);
  passed = test<float, Plus>("floats", 4096) && passed;
  passed = test<double, Plus>("doubles", 3001) && passed;
  passed = test<double, Max>("doubles", 1000) && passed;
  printf("%s\n", passed ? "Test PASSED" : "Test FAILED");
  return passed ? 0 : 1;
}
