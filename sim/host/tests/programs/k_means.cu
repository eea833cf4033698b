// k-means with sums per block; the points are four squares.
#include <algorithm>
#include <cfloat>
#include <chrono>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <vector>
struct Data {
  explicit Data(int size) : size(size), bytes(size * sizeof(float)) {
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
  }
  Data(int size, std::vector<float>& h_x, std::vector<float>& h_y) : size(size), bytes(size * sizeof(float)) {
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMemcpy(x, h_x.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(y, h_y.data(), bytes, cudaMemcpyHostToDevice);
  }
  ~Data() {
    cudaFree(x);
    cudaFree(y);
  }
  void clear() {
    cudaMemset(x, 0, bytes);
    cudaMemset(y, 0, bytes);
  }
  float* x{nullptr};
  float* y{nullptr};
  int size{0};
  int bytes{0};
};
__device__ float squared_l2_distance(float x_1, float y_1, float x_2, float y_2) {
  return (x_1 - x_2) * (x_1 - x_2) + (y_1 - y_2) * (y_1 - y_2);
}
__global__ void assign_clusters(const float* __restrict__ data_x, const float* __restrict__ data_y,
                                int data_size, const float* __restrict__ means_x,
                                const float* __restrict__ means_y, float* __restrict__ new_sums_x,
                                float* __restrict__ new_sums_y, int k, int* __restrict__ counts) {
  extern __shared__ float shared_data[];
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= data_size) return;
  if (threadIdx.x < k) {
    shared_data[threadIdx.x] = means_x[threadIdx.x];
    shared_data[k + threadIdx.x] = means_y[threadIdx.x];
  }
  __syncthreads();
  const float x = data_x[index];
  const float y = data_y[index];
  float best_distance = FLT_MAX;
  int best_cluster = 0;
  for (int cluster = 0; cluster < k; ++cluster) {
    const float distance = squared_l2_distance(x, y, shared_data[cluster], shared_data[k + cluster]);
    if (distance < best_distance) {
      best_distance = distance;
      best_cluster = cluster;
    }
  }
  __syncthreads();
  const int x_idx = threadIdx.x, y_idx = threadIdx.x + blockDim.x,
            count = threadIdx.x + blockDim.x + blockDim.x;
  for (int cluster = 0; cluster < k; ++cluster) {
    shared_data[x_idx] = (best_cluster == cluster) ? x : 0;
    shared_data[y_idx] = (best_cluster == cluster) ? y : 0;
    shared_data[count] = (best_cluster == cluster) ? 1 : 0;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
      if (threadIdx.x < stride) {
        shared_data[x_idx] += shared_data[x_idx + stride];
        shared_data[y_idx] += shared_data[y_idx + stride];
        shared_data[count] += shared_data[count + stride];
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      const int cluster_index = blockIdx.x * k + cluster;
      new_sums_x[cluster_index] = shared_data[x_idx];
      new_sums_y[cluster_index] = shared_data[y_idx];
      counts[cluster_index] = shared_data[count];
    }
    __syncthreads();
  }
}
__global__ void compute_new_means(float* means_x, float* means_y, const float* sx, const float* sy,
                                  const int* counts, int blocks, int k) {
  int c = threadIdx.x;
  if (c >= k) return;
  float a = 0, b = 0;
  int n = 0;
  for (int i = 0; i < blocks; ++i) {
    a += sx[i * k + c];
    b += sy[i * k + c];
    n += counts[i * k + c];
  }
  const int count = max(1, n);
  means_x[c] = a / count;
  means_y[c] = b / count;
}
int main(int argc, const char* argv[]) {
  std::vector<float> h_x, h_y;
  const int k = argc > 1 ? std::atoi(argv[1]) : 4, iters = argc > 2 ? std::atoi(argv[2]) : 10;
  std::mt19937 rng(42);
  const float cx[] = {0, 10, 0, 10}, cy[] = {0, 0, 10, 10};
  for (int i = 0; i < 4096; ++i) {
    h_x.push_back(cx[i % 4] + (rng() % 1000) / 1000.0f);
    h_y.push_back(cy[i % 4] + (rng() % 1000) / 1000.0f);
  }
  const size_t n = h_x.size();
  Data d_data(n, h_x, h_y);
  std::vector<float> mx(h_x.begin(), h_x.begin() + k), my(h_y.begin(), h_y.begin() + k);
  Data d_means(k, mx, my);
  const int threads = 256, blocks = (n + threads - 1) / threads;
  Data d_sums(k * blocks);
  int* d_counts;
  cudaMalloc(&d_counts, k * blocks * sizeof(int));
  cudaMemset(d_counts, 0, k * blocks * sizeof(int));
  const auto start = std::chrono::high_resolution_clock::now();
  for (int it = 0; it < iters; ++it) {
    d_sums.clear();
    assign_clusters<<<blocks, threads, std::max<size_t>(3 * threads, 2 * k) * sizeof(float)>>>(
        d_data.x, d_data.y, d_data.size, d_means.x, d_means.y, d_sums.x, d_sums.y, k, d_counts);
    cudaDeviceSynchronize();
    compute_new_means<<<1, k>>>(d_means.x, d_means.y, d_sums.x, d_sums.y, d_counts, blocks, k);
    cudaDeviceSynchronize();
  }
  const auto end = std::chrono::high_resolution_clock::now();
  std::cerr << "Took: " << std::chrono::duration_cast<std::chrono::duration<float>>(end - start).count()
            << "s" << std::endl;
  cudaFree(d_counts);
  cudaMemcpy(mx.data(), d_means.x, d_means.bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(my.data(), d_means.y, d_means.bytes, cudaMemcpyDeviceToHost);
  for (int c = 0; c < k; ++c) printf("%.3f %.3f\n", mx[c], my[c]);
}
