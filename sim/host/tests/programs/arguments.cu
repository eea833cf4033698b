// Command-line arguments, exit statuses and std::chrono.
#include <chrono>
#include <cstdio>
#include <cstdlib>

__global__ void square(int* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * v[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  if (n <= 0) {
    fprintf(stderr, "usage: %s [n]\n", argv[0]);
    return 2;
  }
  auto begin = std::chrono::high_resolution_clock::now();
  int* h = new int[n];
  for (int i = 0; i < n; ++i) h[i] = i + 1;
  int* d;
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  square<<<(n + 31) / 32, 32>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  auto end = std::chrono::high_resolution_clock::now();
  std::chrono::duration<double> took = end - begin;
  for (int i = 0; i < n; ++i) printf("%d%c", h[i], i + 1 < n ? ' ' : '\n');
  fprintf(stderr, "%f s\n", took.count());
  cudaFree(d);
  delete[] h;
  return 0;
}
