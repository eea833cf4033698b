// Heat on a plate by Jacobi's iteration, until it changes little; in managed memory.
#include <cstdio>
#include <cstdlib>
#include <utility>

__global__ void jacobi(const double* now, double* next, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= 0 || y <= 0 || x >= n - 1 || y >= n - 1) return;
  next[y * n + x] =
      0.25 * ((now[y * n + x - 1] + now[y * n + x + 1]) + (now[(y - 1) * n + x] + now[(y + 1) * n + x]));
}

int main() {
  const int n = 24;
  double *a, *b;
  if (cudaMallocManaged(&a, n * n * sizeof(double)) != cudaSuccess) return EXIT_FAILURE;
  if (cudaMallocManaged(&b, n * n * sizeof(double)) != cudaSuccess) return EXIT_FAILURE;
  for (int i = 0; i < n * n; ++i) a[i] = b[i] = i < n ? 100.0 : 0.0;
  dim3 block(8, 8), grid(n / 8, n / 8);
  int steps = 0;
  for (double change = 1; change > 0.25 && steps < 100; ++steps) {
    jacobi<<<grid, block>>>(a, b, n);
    cudaDeviceSynchronize();
    change = 0;
    for (int i = 0; i < n * n; ++i) {
      double d = b[i] > a[i] ? b[i] - a[i] : a[i] - b[i];
      if (d > change) change = d;
    }
    std::swap(a, b);
  }
  printf("%d steps, in the middle of the second row: %.6f\n", steps, a[n + n / 2]);
  cudaFree(a);
  cudaFree(b);
  return EXIT_SUCCESS;
}
