// goto in kernels: out of nested loops, to a common end, and back to the beginning.
#include <cstdio>

#define N 64

__device__ int position(const int (*table)[8], int key) {
  int row, column;
  for (row = 0; row < 8; ++row)
    for (column = 0; column < 8; ++column)
      if (table[row][column] == key) goto found;
  return -1;
found:
  return row * 8 + column;
}

__global__ void search(const int (*table)[8], int* where) {
  where[threadIdx.x] = position(table, threadIdx.x);
}

__global__ void collatz(int* steps, int limit) {
  int x = threadIdx.x + 1, count = 0;
again:
  if (x == 1) goto done;
  if (count >= limit) {
    count = -1;
    goto done;
  }
  x = x % 2 ? 3 * x + 1 : x / 2;
  ++count;
  goto again;
done:
  steps[threadIdx.x] = count;
}

__global__ void check(const float* x, int* status, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, code = 0;
  if (i >= n) return;
  if (!isfinite(x[i])) {
    code = 1;
    goto end;
  }
  if (x[i] < 0) {
    code = 2;
    goto end;
  }
  for (int k = 1; k < 10; ++k)
    if (x[i] > k * k * 10) {
      code = 10 + k;
      if (k == 5) goto end;
    }
end:
  status[i] = code;
}

int main() {
  int(*table)[8], *out;
  float* x;
  cudaMallocManaged(&table, 8 * sizeof(*table));
  cudaMallocManaged(&out, N * sizeof(int));
  cudaMallocManaged(&x, N * sizeof(float));
  for (int i = 0; i < 64; i++) table[i / 8][i % 8] = i * 5 % 61;
  for (int i = 0; i < N; i++) x[i] = i % 9 == 0 ? 1.0f / 0.0f : i % 5 ? i * i / 7.0f : -i;
  search<<<1, N>>>(table, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  collatz<<<1, N>>>(out, 100);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  check<<<2, 32>>>(x, out, N);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  cudaFree(table);
  cudaFree(out);
  cudaFree(x);
  return 0;
}
