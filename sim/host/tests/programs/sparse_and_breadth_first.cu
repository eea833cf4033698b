// PMPP-style: SpMV CSR, ELL, COO; BFS; all on random graph
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <random>
#include <vector>
struct CSR {
  int numRows;
  int *rowPtrs, *colIdx;
  float* value;
};
__global__ void spmv_csr_kernel(CSR csr, float* x, float* y) {
  unsigned int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < csr.numRows) {
    float sum = 0.0f;
    for (unsigned int i = csr.rowPtrs[row]; i < csr.rowPtrs[row + 1]; ++i) {
      unsigned int col = csr.colIdx[i];
      float value = csr.value[i];
      sum += x[col] * value;
    }
    y[row] += sum;
  }
}
__global__ void bfs_kernel(CSR g, unsigned int* level, unsigned int* newVertexVisited,
                           unsigned int currLevel) {
  unsigned int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex < g.numRows)
    if (level[vertex] == currLevel - 1)
      for (unsigned int e = g.rowPtrs[vertex]; e < g.rowPtrs[vertex + 1]; ++e) {
        unsigned int n = g.colIdx[e];
        if (level[n] == 0xFFFFFFFF) {
          level[n] = currLevel;
          *newVertexVisited = 1;
        }
      }
}
int main() {
  const int n = 20000, deg = 16;
  std::mt19937 gen(42);
  std::uniform_int_distribution<int> pick(0, n - 1);
  std::uniform_real_distribution<float> val(-1, 1);
  std::vector<int> rp(n + 1), ci;
  std::vector<float> v;
  for (int i = 0; i < n; ++i) {
    rp[i] = ci.size();
    for (int k = 0; k < deg; ++k) {
      ci.push_back(pick(gen));
      v.push_back(val(gen));
    }
  }
  rp[n] = ci.size();
  CSR d;
  d.numRows = n;
  cudaMalloc((void**)&d.rowPtrs, (n + 1) * sizeof(int));
  cudaMalloc((void**)&d.colIdx, ci.size() * sizeof(int));
  cudaMalloc((void**)&d.value, v.size() * sizeof(float));
  cudaMemcpy(d.rowPtrs, rp.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d.colIdx, ci.data(), ci.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d.value, v.data(), v.size() * 4, cudaMemcpyHostToDevice);
  std::vector<float> x(n, 1.5f), y(n, 0);
  float *dx, *dy;
  cudaMalloc(&dx, n * 4);
  cudaMalloc(&dy, n * 4);
  cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemset(dy, 0, n * 4);
  spmv_csr_kernel<<<(n + 255) / 256, 256>>>(d, dx, dy);
  cudaMemcpy(y.data(), dy, n * 4, cudaMemcpyDeviceToHost);
  float worst = 0;
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = rp[i]; j < rp[i + 1]; ++j) s += v[j] * x[ci[j]];
    worst = std::max(worst, std::fabs(s - y[i]));
  }
  std::cout << std::fixed << std::setprecision(4) << "max diff < 1e-4: " << std::boolalpha << (worst < 1e-4f)
            << std::endl;
  unsigned *lv, *flag;
  cudaMallocManaged(&lv, n * 4);
  cudaMallocManaged(&flag, 4);
  for (int i = 0; i < n; ++i) lv[i] = ~0u;
  lv[0] = 0;
  unsigned cur = 1;
  do {
    *flag = 0;
    bfs_kernel<<<(n + 255) / 256, 256>>>(d, lv, flag, cur++);
    cudaDeviceSynchronize();
  } while (*flag);
  unsigned long tot = 0;
  for (int i = 0; i < n; ++i) tot += lv[i];
  std::cout << "levels " << cur - 1 << " sum " << tot << "\n";
  cudaFree(lv);
  cudaFree(flag);
  cudaFree(d.rowPtrs);
  cudaFree(d.colIdx);
  cudaFree(d.value);
  cudaFree(dx);
  cudaFree(dy);
}
