// Radix sort by a scan of several levels, with padding against bank conflicts.
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <random>
#include <vector>
#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#ifdef ZERO_BANK_CONFLICTS
#define CONFLICT_FREE_OFFSET(n) ((n) >> NUM_BANKS + (n) >> (2 * LOG_NUM_BANKS))
#else
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
#endif
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
template <typename T>
void check(T err, const char* const func, const char* const file, const int line) {
  if (err != cudaSuccess) {
    fprintf(stderr, "CUDA error at: %s:%d\n%s %s\n", file, line, cudaGetErrorString(err), func);
    exit(1);
  }
}
typedef unsigned int uint32;
__global__ void blockScan(uint32* g_odata, const uint32* g_idata, uint32* sums, int n) {
  extern __shared__ uint32 temp[];
  int thid = threadIdx.x, B = blockDim.x * 2, base = blockIdx.x * B;
  int ai = thid, bi = thid + blockDim.x;
  int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
  temp[ai + bankOffsetA] = base + ai < n ? g_idata[base + ai] : 0;
  temp[bi + bankOffsetB] = base + bi < n ? g_idata[base + bi] : 0;
  int offset = 1;
  for (int d = B >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int i = offset * (2 * thid + 1) - 1, j = offset * (2 * thid + 2) - 1;
      i += CONFLICT_FREE_OFFSET(i);
      j += CONFLICT_FREE_OFFSET(j);
      temp[j] += temp[i];
    }
    offset *= 2;
  }
  if (thid == 0) {
    int last = B - 1 + CONFLICT_FREE_OFFSET(B - 1);
    if (sums) sums[blockIdx.x] = temp[last];
    temp[last] = 0;
  }
  for (int d = 1; d < B; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int i = offset * (2 * thid + 1) - 1, j = offset * (2 * thid + 2) - 1;
      i += CONFLICT_FREE_OFFSET(i);
      j += CONFLICT_FREE_OFFSET(j);
      uint32 t = temp[i];
      temp[i] = temp[j];
      temp[j] += t;
    }
  }
  __syncthreads();
  if (base + ai < n) g_odata[base + ai] = temp[ai + bankOffsetA];
  if (base + bi < n) g_odata[base + bi] = temp[bi + bankOffsetB];
}
__global__ void addSums(uint32* d, const uint32* s, int n, int B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] += s[i / B];
}
__global__ void predicate(const uint32* in, uint32* flag, int n, unsigned bit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) flag[i] = !((in[i] >> bit) & 1);
}
__global__ void scatter(const uint32* in, uint32* out, const uint32* pos, const uint32* flag, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32 zeros = pos[n - 1] + flag[n - 1];
  uint32 dst = flag[i] ? pos[i] : zeros + i - pos[i];
  out[dst] = in[i];
}
void scan(uint32* out, const uint32* in, int n) {
  const int T = 128, B = 2 * T;
  int blocks = (n + B - 1) / B;
  size_t sh = (B + B / NUM_BANKS) * sizeof(uint32);
  if (blocks == 1) {
    blockScan<<<1, T, sh>>>(out, in, NULL, n);
    return;
  }
  uint32 *s, *ss;
  checkCudaErrors(cudaMalloc(&s, blocks * 4));
  checkCudaErrors(cudaMalloc(&ss, blocks * 4));
  blockScan<<<blocks, T, sh>>>(out, in, s, n);
  scan(ss, s, blocks);
  addSums<<<(n + 255) / 256, 256>>>(out, ss, n, B);
  checkCudaErrors(cudaFree(s));
  checkCudaErrors(cudaFree(ss));
}
int main(int argc, char** argv) {
  int n = 5000;
  if (argc == 2) sscanf(argv[1], "%d", &n);
  std::vector<uint32> h(n), r;
  std::mt19937 gen(1);
  for (auto& v : h) v = gen() & 0xffff;
  r = h;
  std::sort(r.begin(), r.end());
  uint32 *a, *b, *f, *p;
  for (uint32** q : {&a, &b, &f, &p}) checkCudaErrors(cudaMalloc(q, n * sizeof(uint32)));
  checkCudaErrors(cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice));
  int g = (n + 255) / 256;
  for (unsigned bit = 0; bit < 16; ++bit) {
    predicate<<<g, 256>>>(a, f, n, bit);
    scan(p, f, n);
    scatter<<<g, 256>>>(a, b, p, f, n);
    cudaDeviceSynchronize();
    checkCudaErrors(cudaGetLastError());
    uint32* t = a;
    a = b;
    b = t;
  }
  checkCudaErrors(cudaMemcpy(h.data(), a, n * 4, cudaMemcpyDeviceToHost));
  puts(h == r ? "SORTED" : "NOT SORTED");
  cudaFree(a);
  cudaFree(b);
  cudaFree(f);
  cudaFree(p);
}
