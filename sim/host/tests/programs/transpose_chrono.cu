// Three transposes of a matrix, timed by std::chrono, each checked.
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

constexpr int TILE_DIM = 32;
constexpr int BLOCK_ROWS = 8;

__global__ void copy(float* odata, const float* idata) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void transposeCoalesced(float* odata, const float* idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transposeNoConflicts(float* odata, const float* idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int n = 256;
  std::vector<float> in(n * n), out(n * n);
  for (int i = 0; i < n * n; ++i) in[i] = static_cast<float>(i);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * n * sizeof(float));
  cudaMalloc(&d_out, n * n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  dim3 grid(n / TILE_DIM, n / TILE_DIM), block(TILE_DIM, BLOCK_ROWS);
  auto check = [&](const std::string& name, bool isTransposed, const std::function<void()>& launch) {
    cudaMemset(d_out, 0, n * n * sizeof(float));
    auto t0 = std::chrono::steady_clock::now();
    launch();
    cudaDeviceSynchronize();
    auto t1 = std::chrono::steady_clock::now();
    fprintf(stderr, "%s: %lld us\n", name.c_str(),
            (long long)std::chrono::duration_cast<std::chrono::microseconds>(t1 - t0).count());
    cudaMemcpy(out.data(), d_out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) errors += out[y * n + x] != (isTransposed ? in[x * n + y] : in[y * n + x]);
    printf("%-22s %s\n", name.c_str(), errors == 0 ? "PASS" : "FAIL");
  };
  check("copy", false, [&] { copy<<<grid, block>>>(d_out, d_in); });
  check("coalesced", true, [&] { transposeCoalesced<<<grid, block>>>(d_out, d_in); });
  check("without conflicts", true, [&] { transposeNoConflicts<<<grid, block>>>(d_out, d_in); });
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}
