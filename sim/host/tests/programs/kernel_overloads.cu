// Kernels of one name: overloads, instances and specialisations of templates, and those of other namespaces;
// each launch runs the one that C++ chooses.
#include <cstdio>

template <int N>
__device__ int weight() {
  return N;
}
template <>
__device__ int weight<3>() {
  return 300;
}

template <typename A, typename B>
__device__ float mix(A a, B b) {
  return a + b;
}
template <>
__device__ float mix<int, float>(int a, float b) {
  return a * b;
}
template <>
__device__ float mix(float a, float b) {
  return a - b;
}

template <typename T>
__global__ void fill(T* out, int n);

template <typename T>
__global__ void fill(T* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = T(1.5);
}
template <>
__global__ void fill<int>(int* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = 42;
}

template <int N>
__global__ void weigh(float* out) {
  out[0] = weight<N>();
  out[1] = mix(2, 3.5f);
  out[2] = mix(9.0f, 3.0f);
  out[3] = mix(2, 3);
  out[4] = mix<int, float>(4, 5);
}
template <>
__global__ void weigh<8>(float* out) {
  out[0] = -8;
}

__global__ void scale(const int* in, int* out, int a) { out[threadIdx.x] = in[threadIdx.x] * a; }
__global__ void scale(const int2* in, int* out, int a) {
  out[threadIdx.x] = (in[threadIdx.x].x + in[threadIdx.x].y) * a;
}
__global__ void scale(const int* left, const int* right, int* out, int a) {
  out[threadIdx.x] = (left[threadIdx.x] - right[threadIdx.x]) * a;
}

namespace naive {
__global__ void sum(const int* in, int* out, int n) {
  for (int i = 0; i < n; ++i) *out += in[i];
}
}  // namespace naive
namespace atomic {
__global__ void sum(const int* in, int* out, int n) {
  if (threadIdx.x < n) atomicAdd(out, in[threadIdx.x] * 2);
}
}  // namespace atomic

int main() {
  int* numbers;
  int* out;
  float* values;
  cudaMallocManaged(&numbers, 64 * sizeof(int));
  cudaMallocManaged(&out, 32 * sizeof(int));
  cudaMallocManaged(&values, 32 * sizeof(float));
  for (int i = 0; i < 64; ++i) numbers[i] = i;

  fill<<<1, 32>>>(out, 32);
  fill<<<1, 32>>>(values, 32);
  cudaDeviceSynchronize();
  printf("fill: %d %g\n", out[31], values[31]);

  weigh<3><<<1, 1>>>(values);
  cudaDeviceSynchronize();
  printf("weigh<3>: %g %g %g %g %g\n", values[0], values[1], values[2], values[3], values[4]);
  weigh<5><<<1, 1>>>(values);
  cudaDeviceSynchronize();
  printf("weigh<5>: %g\n", values[0]);
  weigh<8><<<1, 1>>>(values);
  cudaDeviceSynchronize();
  printf("weigh<8>: %g\n", values[0]);

  void (*pairs)(const int2*, int*, int) = scale;
  scale<<<1, 32>>>(numbers, out, 3);
  cudaDeviceSynchronize();
  printf("scale int: %d\n", out[31]);
  pairs<<<1, 32>>>(reinterpret_cast<int2*>(numbers), out, 3);
  cudaDeviceSynchronize();
  printf("scale int2: %d\n", out[31]);
  scale<<<1, 32>>>(numbers + 32, numbers, out, 3);
  cudaDeviceSynchronize();
  printf("scale two: %d\n", out[31]);

  *out = 0;
  naive::sum<<<1, 1>>>(numbers, out, 32);
  cudaDeviceSynchronize();
  printf("naive: %d\n", *out);
  *out = 0;
  atomic::sum<<<1, 32>>>(numbers, out, 32);
  cudaDeviceSynchronize();
  printf("atomic: %d\n", *out);

  cudaFree(numbers);
  cudaFree(out);
  cudaFree(values);
  return 0;
}
