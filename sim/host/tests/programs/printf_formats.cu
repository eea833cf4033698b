// What printf makes of its formats in a kernel; an assertion that holds.
#include <cassert>
#include <cinttypes>
#include <cstdio>
struct P {
  int x;
  float y;
};
__device__ const char* names[] = {"zero", "one", "two"};
__global__ void formats(P p, const char* s) {
  printf("%d %i %u %x %X %o %c %%\n", -5, 7, 42u, 255, 255, 8, 'z');
  printf("%5d|%-5d|%05d|%+d|% d\n", 42, 42, 42, 42, 42);
  printf("%f %.2f %8.3f %e %g %G %a\n", 3.14159, 2.5f, 1.0 / 3, 12345.678, 1e-10, 1e20, 1.0);
  printf("%ld %lu %lld %llu %hd\n", -1L, 1UL, -1LL, 1ULL << 63, (short)70000);
  printf("%s %10s|%-10s|%.2s\n", names[2], "right", "left", "cut");
  printf("%p %d\n", (void*)nullptr, p.x);
  printf("%*d|%.2f\n", 6, 9, 3.14159);
  printf("plain\n");
  printf("%s\n", p.y > 1 ? "big" : "small");
  printf("%" PRId64 " %08.3f %#x %#o\n", (int64_t)1 << 40, -3.14159, 255, 8);
  int n = printf("abc %d\n", 1);
  printf("%d\n", n);
  printf("nan %f inf %f %f\n", nanf(""), INFINITY, -1.0 / 0.0);
  if (s) printf("%s", s);
}
__global__ void hello() {
  printf("Hello from block %d,%d thread (%d,%d,%d) of %d\n", blockIdx.x, blockIdx.y, threadIdx.x, threadIdx.y,
         threadIdx.z, blockDim.x * blockDim.y * blockDim.z);
}
__global__ void check(int n) {
  int i = threadIdx.x;
  assert(i < n);
}
int main() {
  P p = {3, 1.5f};
  formats<<<1, 1>>>(p, nullptr);
  cudaDeviceSynchronize();
  hello<<<1, dim3(2, 1, 2)>>>();
  cudaDeviceSynchronize();
  check<<<1, 8>>>(8);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22);
  cudaDeviceReset();
  return 0;
}
