// Inclusive scans of blocks by Hillis and Steele, then of the blocks' sums, then both added.
#include <cstdio>
#include <numeric>
#include <vector>

__global__ void scanBlocks(const int* in, int* out, int* sums, int n) {
  extern __shared__ int temp[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  int from = 0, to = 1;
  temp[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    temp[to * blockDim.x + tid] =
        temp[from * blockDim.x + tid] + (tid >= offset ? temp[from * blockDim.x + tid - offset] : 0);
    from = 1 - from;
    to = 1 - to;
    __syncthreads();
  }
  if (i < n) out[i] = temp[from * blockDim.x + tid];
  if (sums && tid == blockDim.x - 1) sums[blockIdx.x] = temp[from * blockDim.x + tid];
}

__global__ void addSums(int* out, const int* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];
}

int main() {
  const int n = 5000, block = 256, grid = (n + block - 1) / block;
  std::vector<int> h(n), result(n), expected(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 7919) % 11 - 3;
  std::partial_sum(h.begin(), h.end(), expected.begin());
  int *in, *out, *sums;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&sums, grid * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scanBlocks<<<grid, block, 2 * block * sizeof(int)>>>(in, out, sums, n);
  scanBlocks<<<1, block, 2 * block * sizeof(int)>>>(sums, sums, nullptr, grid);
  addSums<<<grid, block>>>(out, sums, n);
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("last: %d\n%s\n", result[n - 1], result == expected ? "PASS" : "FAIL");
  cudaFree(in);
  cudaFree(out);
  cudaFree(sums);
  return 0;
}
