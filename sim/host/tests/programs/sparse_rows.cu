// A sparse matrix in CSR times a vector: a warp per row.
#include <cstdio>
#include <vector>

__global__ void spmv(const int* rows, const int* columns, const float* values, const float* x, float* y,
                     int n) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= n) return;
  float sum = 0;
  for (int k = rows[warp] + lane; k < rows[warp + 1]; k += 32) sum += values[k] * x[columns[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) y[warp] = sum;
}

int main() {
  const int n = 200;
  std::vector<int> rows{0}, columns;
  std::vector<float> values, x(n), y(n);
  for (int r = 0; r < n; ++r) {
    x[r] = static_cast<float>(r % 9);
    for (int k = 0; k < 1 + (r * 13) % 70; ++k) {
      columns.push_back((r * 31 + k * 7) % n);
      values.push_back(static_cast<float>(k % 5 + 1));
    }
    rows.push_back(static_cast<int>(columns.size()));
  }
  int *dRows, *dColumns;
  float *dValues, *dx, *dy;
  cudaMalloc(&dRows, rows.size() * sizeof(int));
  cudaMalloc(&dColumns, columns.size() * sizeof(int));
  cudaMalloc(&dValues, values.size() * sizeof(float));
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  cudaMemcpy(dRows, rows.data(), rows.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dColumns, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dValues, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  spmv<<<(n * 32 + 127) / 128, 128>>>(dRows, dColumns, dValues, dx, dy, n);
  cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < n; ++r) {
    float sum = 0;
    for (int k = rows[r]; k < rows[r + 1]; ++k) sum += values[k] * x[columns[k]];
    wrong += sum != y[r];
  }
  printf("y[7] = %.1f, y[199] = %.1f\n%s\n", y[7], y[199], wrong == 0 ? "PASS" : "FAIL");
  cudaFree(dRows);
  cudaFree(dColumns);
  cudaFree(dValues);
  cudaFree(dx);
  cudaFree(dy);
  return wrong != 0;
}
