#include <stdio.h>
__global__ void helloFromGPU(void) {
  printf("Hello World from GPU! thread %d\n", threadIdx.x);
  if (threadIdx.x % 3 == 1) printf("odd %s %5.2f %c %lld %%\n", "str", 1.5, 'x', 123456789012LL);
}
__global__ void idx() {
  printf("threadIdx:(%d, %d, %d) blockIdx:(%d, %d, %d) blockDim:(%d, %d, %d) gridDim:(%d, %d, %d)\n",
         threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z, blockDim.x, blockDim.y,
         blockDim.z, gridDim.x, gridDim.y, gridDim.z);
}
int main(int argc, char** argv) {
  printf("Hello World from CPU!\n");
  helloFromGPU<<<1, 10>>>();
  idx<<<2, dim3(3, 2)>>>();
  cudaDeviceReset();
  return 0;
}
