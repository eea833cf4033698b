// Keeps the multiples of three, places by ballots: the order within a warp is kept.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void compact(const int* in, int n, int* out, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  bool keep = i < n && in[i] % 3 == 0;
  unsigned mask = __ballot_sync(0xffffffff, keep);
  int base = 0;
  if (lane == 0) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(0xffffffff, base, 0);
  if (keep) out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

int main() {
  const int n = 1000;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 17) % 100;
  int *in, *out, *count, kept = 0;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  compact<<<(n + 127) / 128, 128>>>(in, n, out, count);
  cudaMemcpy(&kept, count, sizeof(int), cudaMemcpyDeviceToHost);
  std::vector<int> result(kept);
  cudaMemcpy(result.data(), out, kept * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(result.begin(), result.end());
  std::vector<int> expected;
  for (int v : h)
    if (v % 3 == 0) expected.push_back(v);
  std::sort(expected.begin(), expected.end());
  printf("kept %d of %d: %s\n", kept, n, result == expected ? "PASS" : "FAIL");
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
  return 0;
}
