// The first program of a course: printf in a kernel.
#include <stdio.h>

__global__ void hello(void) { printf("Hello from block %d, thread %d\n", blockIdx.x, threadIdx.x); }

int main(void) {
  printf("Hello from the CPU\n");
  hello<<<1, 4>>>();
  cudaDeviceSynchronize();
  hello<<<1, 2>>>();
  printf("launched\n");
  cudaDeviceReset();
  return 0;
}
