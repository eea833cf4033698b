// The structure of arrays of a lesson, with fields of many megabytes, and large variables at file scope.
#include <cstdio>
struct Points {
  double x[1 << 20];
  float y[1 << 21];
  int n;
};
struct Both {
  Points a, b;
};
__device__ Both both;
__device__ float huge[20 << 20];
__device__ int table[1 << 20] = {1, 2, 3};
__global__ void fill(Both* q) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  both.b.y[i] = i;
  both.a.x[i] = 2 * i;
  huge[i * 1000] = table[i];
  if (i == 0) both.b.n = 7;
  q->a.x[i] = 1;
}
__global__ void add(float* out) {
  const int i = threadIdx.x;
  out[i] = both.b.y[i] + both.a.x[i] + huge[i * 1000] + both.b.n;
}
int main() {
  Both* q;
  float *d, h[4];
  cudaMalloc(&q, sizeof(Both));
  cudaMalloc(&d, sizeof h);
  fill<<<4, 256>>>(q);
  add<<<1, 4>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g %g %zu\n", h[0], h[1], h[3], sizeof(Both));
  cudaFree(d);
  cudaFree(q);
  return cudaGetLastError();
}
