// A filter whose weights are in constant memory, and a counter in device memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

const int RADIUS = 2;
__constant__ float weights[2 * RADIUS + 1];
__device__ int clipped = 0;
__device__ float scale = 0.5f;

__global__ void filter(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k) {
    int j = i + k;
    if (j < 0 || j >= n) {
      atomicAdd(&clipped, 1);
      continue;
    }
    sum += weights[k + RADIUS] * in[j];
  }
  out[i] = sum * scale;
}

int main() {
  const int n = 1000;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = float(i % 7);
  const float host_weights[2 * RADIUS + 1] = {1, 2, 4, 2, 1};
  CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights)));

  float *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  for (int round = 0; round < 2; ++round) {
    filter<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
    int count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, clipped, sizeof(count)));
    double sum = 0;
    for (float x : out) sum += x;
    printf("round %d: sum %.1f, first %.2f, clipped %d\n", round, sum, out[0], count);
    float twice = 1.0f;
    CHECK(cudaMemcpyToSymbol(scale, &twice, sizeof(twice)));
  }
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, weights));
  CHECK(cudaMemset(address, 0, sizeof(host_weights)));
  filter<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
  CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("without weights: %.1f\n", out[500]);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  return 0;
}
