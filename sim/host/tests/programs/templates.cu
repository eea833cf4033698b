// Kernels as templates over types and sizes, with deduction, and functors.
#include <cstdio>
#include <type_traits>
#include <vector>

struct Plus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

template <typename T>
__device__ T clampTo(T x, T lo, T hi) {
  return x < lo ? lo : (x > hi ? hi : x);
}

template <typename T>
__global__ void clampAll(T* data, int n, T lo, T hi) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = clampTo(data[i], lo, hi);
}

template <typename T, unsigned int BLOCK>
__global__ void blockSum(const T* in, T* out) {
  __shared__ T buffer[BLOCK];
  buffer[threadIdx.x] = in[blockIdx.x * BLOCK + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (unsigned int s = BLOCK / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = buffer[0];
}

// Parameters without names, one of which only decides which kernel it is.
enum Mode { kFirst, kLast };
template <int, typename T, Mode = kLast>
__global__ void unnamed(T* data) {
  data[threadIdx.x] += 1;
}
template <typename T, typename = void>
__global__ void twice(T* data) {
  data[threadIdx.x] *= 2;
}

// One of these is left for a type.
template <typename T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>
__global__ void scale(T* data) {
  data[threadIdx.x] *= 10;
}
template <typename T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0>
__global__ void scale(T* data) {
  data[threadIdx.x] /= 8;
}

// A parameter that is a template.
template <typename T>
struct Negated {
  __device__ T operator()(T x) const { return -x; }
};
template <template <typename> class Op, typename T>
__global__ void apply(T* data) {
  data[threadIdx.x] = Op<T>()(data[threadIdx.x]);
}

template <typename T>
void runUnnamed() {
  T* data;
  cudaMallocManaged(&data, 4 * sizeof(T));
  for (int i = 0; i < 4; ++i) data[i] = static_cast<T>(i);
  unnamed<3, T><<<1, 4>>>(data);
  unnamed<4, T, kFirst><<<1, 2>>>(data);
  twice<<<1, 4>>>(data);
  scale<<<1, 4>>>(data);
  apply<Negated><<<1, 1>>>(data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) printf(" %g", static_cast<double>(data[i]));
  printf("\n");
  cudaFree(data);
}

template <typename T>
void run(const char* name) {
  const int n = 512;
  std::vector<T> h(n);
  for (int i = 0; i < n; ++i) h[i] = static_cast<T>(i % 20);
  T *in, *out;
  cudaMalloc(&in, n * sizeof(T));
  cudaMalloc(&out, 4 * sizeof(T));
  cudaMemcpy(in, h.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  clampAll<<<4, 128>>>(in, n, static_cast<T>(3), static_cast<T>(15));
  blockSum<T, 128><<<4, 128>>>(in, out);
  T sums[4];
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  T total = 0;
  for (T s : sums) total = Plus()(total, s);
  printf("%s: %.1f\n", name, static_cast<double>(total));
  cudaFree(in);
  cudaFree(out);
}

int main() {
  run<int>("int");
  run<float>("float");
  run<double>("double");
  run<unsigned int>("unsigned");
  run<long long>("long long");
  runUnnamed<int>();
  runUnnamed<float>();
  return 0;
}
