// Specifiers of a declaration in any order, also between the words of its type.
#include <cstdio>
typedef float Real;
float __constant__ static weights[2] = {3, 4};
int __device__ counter;
void static __device__ __forceinline__ add(int* p) { atomicAdd(p, 1); }
__global__ void reversed(double* out, const float volatile* in) {
  double extern __shared__ values[];
  float __shared__ fixed[4];
  unsigned long static constexpr n = 4ul;
  int const static m = 2;
  long __shared__ int whole[4];
  Real __shared__ reals[4];
  const int unsigned volatile* unused = nullptr;
  values[threadIdx.x] = threadIdx.x;
  fixed[threadIdx.x] = weights[1];
  whole[threadIdx.x] = n;
  reals[threadIdx.x] = in[threadIdx.x];
  add(&counter);
  __syncthreads();
  if (unused == nullptr)
    out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x] + fixed[0] + whole[1] + reals[2] * m;
}
int main() {
  double *d, h[4];
  float *f, g[4] = {1, 2, 3, 4};
  int n;
  cudaMalloc(&f, sizeof g);
  cudaMemcpy(f, g, sizeof g, cudaMemcpyHostToDevice);
  cudaMalloc(&d, sizeof h);
  reversed<<<1, 4, 4 * sizeof(double)>>>(d, f);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&n, counter, sizeof n);
  printf("%g %g %d\n", h[0], h[3], n);
  cudaFree(d);
  cudaFree(f);
  return cudaGetLastError();
}
