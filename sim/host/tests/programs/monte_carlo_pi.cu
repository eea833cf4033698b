// Pi by a generator of its own per thread.
#include <cmath>
#include <cstdio>

__device__ unsigned int nextRandom(unsigned int* state) {
  unsigned int x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  *state = x;
  return x;
}

__global__ void countHits(unsigned long long* hits, int perThread) {
  unsigned int state = 1234567u + 7919u * (blockIdx.x * blockDim.x + threadIdx.x);
  unsigned long long mine = 0;
  for (int k = 0; k < perThread; ++k) {
    float x = (nextRandom(&state) >> 8) * (1.0f / 16777216.0f);
    float y = (nextRandom(&state) >> 8) * (1.0f / 16777216.0f);
    if (fmaf(x, x, y * y) <= 1.0f) ++mine;
  }
  atomicAdd(hits, mine);
}

int main() {
  const int blocks = 32, threads = 128, perThread = 50;
  unsigned long long *hits, h = 0;
  cudaMalloc(&hits, sizeof h);
  cudaMemset(hits, 0, sizeof h);
  countHits<<<blocks, threads>>>(hits, perThread);
  cudaMemcpy(&h, hits, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(hits);
  double pi = 4.0 * h / (double(blocks) * threads * perThread);
  printf("hits: %llu, pi is about %.4f\n", h, pi);
  printf(fabs(pi - 3.14159265) < 0.02 ? "PASS\n" : "FAIL\n");
  return 0;
}
