// A histogram of characters: global atomics, then shared ones.
#include <cstdio>
#include <cstring>
#include <string>

__global__ void histGlobal(const char* text, int n, unsigned int* bins) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n && text[i] >= 'a' && text[i] <= 'z') atomicAdd(&bins[text[i] - 'a'], 1);
}

__global__ void histShared(const char* text, int n, unsigned int* bins) {
  __shared__ unsigned int local[26];
  if (threadIdx.x < 26) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    int k = text[i] - 'a';
    if (k >= 0 && k < 26) atomicAdd(&local[k], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 26) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "the quick brown fox jumps over the lazy dog ";
  const int n = static_cast<int>(text.size());
  char* d_text;
  unsigned int* d_bins;
  unsigned int a[26], b[26];
  cudaMalloc(&d_text, n);
  cudaMalloc(&d_bins, sizeof a);
  cudaMemcpy(d_text, text.c_str(), n, cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, sizeof a);
  histGlobal<<<(n + 127) / 128, 128>>>(d_text, n, d_bins);
  cudaMemcpy(a, d_bins, sizeof a, cudaMemcpyDeviceToHost);
  cudaMemset(d_bins, 0, sizeof b);
  histShared<<<8, 128>>>(d_text, n, d_bins);
  cudaMemcpy(b, d_bins, sizeof b, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 26; ++k) printf("%c: %u\n", 'a' + k, a[k]);
  printf(memcmp(a, b, sizeof a) == 0 ? "PASS\n" : "FAIL\n");
  cudaFree(d_text);
  cudaFree(d_bins);
  return 0;
}
