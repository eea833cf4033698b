// Solutions of the n queens problem: with a stack of its own, and by recursion.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#define CHK(call)                      \
  if ((call) != cudaSuccess) {         \
    printf("error at %d\n", __LINE__); \
    abort();                           \
  }
typedef struct {
  unsigned cols, d1, d2;
  int row;
} State;
__device__ unsigned long long total;
__constant__ int boardSize;
__device__ unsigned int solve(State s, int n) {
  unsigned int count = 0;
  unsigned stackAvail[20], stackC[20], stackL[20], stackR[20];
  int sp = 0;
  const unsigned mask = (1u << n) - 1;
  stackC[0] = s.cols;
  stackL[0] = s.d1;
  stackR[0] = s.d2;
  stackAvail[0] = mask & ~(s.cols | s.d1 | s.d2);
  do {
    if (!stackAvail[sp]) {
      --sp;
      continue;
    }
    unsigned bit = stackAvail[sp] & -stackAvail[sp];
    stackAvail[sp] ^= bit;
    if (s.row + sp + 1 == n) {
      ++count;
      continue;
    }
    stackC[sp + 1] = stackC[sp] | bit;
    stackL[sp + 1] = (stackL[sp] | bit) << 1;
    stackR[sp + 1] = (stackR[sp] | bit) >> 1;
    ++sp;
    stackAvail[sp] = mask & ~(stackC[sp] | stackL[sp] | stackR[sp]);
  } while (sp >= 0);
  return count;
}
__device__ int recurse(unsigned c, unsigned l, unsigned r, int n) {
  unsigned mask = (1u << n) - 1;
  if (c == mask) return 1;
  int k = 0;
  for (unsigned a = mask & ~(c | l | r); a; a &= a - 1) {
    unsigned b = a & (~a + 1);
    k += recurse(c | b, (l | b) << 1, (r | b) >> 1, n);
  }
  return k;
}
__global__ void __launch_bounds__(64, 2) queens(const State* st, int m, unsigned* per) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= m) return;
  unsigned c = solve(st[i], boardSize);
  per[i] = c;
  atomicAdd(&total, (unsigned long long)c);
}
__global__ void queensRec(int n, int* out) {
  int b = 1 << threadIdx.x;
  out[threadIdx.x] = recurse(b, b << 1, b >> 1, n);
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 9;
  State* st;
  int m = 0;
  CHK(cudaMallocManaged(&st, n * n * sizeof(State)));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      unsigned a = 1u << i, b = 1u << j;
      if (i == j || abs(i - j) == 1) continue;
      State s = {a | b, ((a << 1) | b) << 1, ((a >> 1) | b) >> 1, 2};
      st[m++] = s;
    }
  CHK(cudaMemcpyToSymbol(boardSize, &n, sizeof n));
  unsigned long long zero = 0;
  CHK(cudaMemcpyToSymbol(total, &zero, sizeof zero));
  unsigned* per;
  CHK(cudaMalloc(&per, m * sizeof(unsigned)));
  queens<<<(m + 63) / 64, 64>>>(st, m, per);
  CHK(cudaPeekAtLastError());
  CHK(cudaDeviceSynchronize());
  unsigned long long t;
  CHK(cudaMemcpyFromSymbol(&t, total, sizeof t));
  printf("%d queens: %llu solutions\n", n, t);
  int* o;
  CHK(cudaMallocManaged((void**)&o, n * sizeof(int)));
  queensRec<<<1, n>>>(n, o);
  CHK(cudaDeviceSynchronize());
  int s = 0;
  for (int i = 0; i < n; i++) {
    printf("%d ", o[i]);
    s += o[i];
  }
  printf("= %d\n", s);
  void* addr;
  size_t sz;
  CHK(cudaGetSymbolAddress(&addr, total));
  CHK(cudaGetSymbolSize(&sz, total));
  printf("symbol of %zu bytes\n", sz);
  CHK(cudaFree(st));
  CHK(cudaFree(per));
  CHK(cudaFree(o));
  return 0;
}
