// Device functions behind pointers: copied from symbols, passed to kernels, in tables and structs.
#include <cmath>
#include <cstdio>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

typedef float (*Function)(float);

__device__ float square(float x) { return x * x; }
__device__ float cube(float x) { return x * x * x; }
__device__ float negate(float x) { return -x; }

__device__ Function squarePointer = square;
__device__ Function functions[3] = {square, cube, negate};

__global__ void map(Function f, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(in[i]);
}

__global__ void mapEach(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (*functions[i % 3])(in[i]);
}

template <typename F>
__device__ float integrate(F f, float from, float to, int steps) {
  float sum = 0;
  for (int i = 0; i < steps; ++i) sum += f(from + (i + 0.5f) * (to - from) / steps);
  return sum * (to - from) / steps;
}

__global__ void integrals(float* out) { out[threadIdx.x] = integrate(functions[threadIdx.x], 0.0f, 2.0f, 64); }

int main() {
  const int n = 1000;
  float *in, *out;
  CHECK(cudaMallocManaged(&in, n * sizeof(float)));
  CHECK(cudaMallocManaged(&out, n * sizeof(float)));
  for (int i = 0; i < n; ++i) in[i] = i * 0.5f;
  Function f;
  CHECK(cudaMemcpyFromSymbol(&f, squarePointer, sizeof f));
  map<<<4, 256>>>(f, in, out, n);
  CHECK(cudaDeviceSynchronize());
  printf("square: %.2f %.2f\n", out[3], out[999]);
  Function all[3];
  CHECK(cudaMemcpyFromSymbol(all, functions, sizeof all));
  map<<<4, 256>>>(all[1], in, out, n);
  CHECK(cudaDeviceSynchronize());
  printf("cube: %.3f\n", out[3]);
  mapEach<<<4, 256>>>(in, out, n);
  CHECK(cudaDeviceSynchronize());
  printf("each: %.2f %.3f %.2f\n", out[9], out[10], out[11]);
  integrals<<<1, 3>>>(out);
  CHECK(cudaDeviceSynchronize());
  printf("integrals: %.2f %.2f %.2f\n", out[0], out[1], out[2]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return 0;
}
