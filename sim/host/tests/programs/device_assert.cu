#include <assert.h>
#include <stdio.h>
__global__ void testKernel(int N) {
  int gtid = blockIdx.x * blockDim.x + threadIdx.x;
  assert(gtid < N);
}
int main() {
  testKernel<<<2, 32>>>(60);
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaErrorAssert)
    printf("Device assert failed as expected, CUDA error message is: %s\n\n", cudaGetErrorString(error));
  printf("simpleAssert completed, returned %s\n", error == cudaErrorAssert ? "OK" : "ERROR!");
  exit(error == cudaErrorAssert ? EXIT_SUCCESS : EXIT_FAILURE);
}
