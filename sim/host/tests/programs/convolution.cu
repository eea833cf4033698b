// A 1D convolution with a halo in shared memory, and offset pointers.
#include <stdio.h>
#include <stdlib.h>
#define RADIUS 3
#define BLOCK 64

__global__ void stencil(const int* in, int* out) {
  __shared__ int temp[BLOCK + 2 * RADIUS];
  int g = threadIdx.x + blockIdx.x * blockDim.x;
  int l = threadIdx.x + RADIUS;
  temp[l] = in[g];
  if (threadIdx.x < RADIUS) {
    temp[l - RADIUS] = in[g - RADIUS];
    temp[l + BLOCK] = in[g + BLOCK];
  }
  __syncthreads();
  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[l + offset];
  out[g] = result;
}

int main(void) {
  const int n = 1024, padded = n + 2 * RADIUS;
  int *in = (int*)malloc(padded * sizeof(int)), *out = (int*)malloc(padded * sizeof(int));
  for (int i = 0; i < padded; i++) in[i] = 1, out[i] = 0;
  int *d_in, *d_out;
  cudaMalloc(&d_in, padded * sizeof(int));
  cudaMalloc(&d_out, padded * sizeof(int));
  cudaMemcpy(d_in, in, padded * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_out, out, padded * sizeof(int), cudaMemcpyHostToDevice);
  stencil<<<n / BLOCK, BLOCK>>>(d_in + RADIUS, d_out + RADIUS);
  cudaMemcpy(out, d_out, padded * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < padded; i++) {
    int want = i < RADIUS || i >= n + RADIUS ? 0 : 2 * RADIUS + 1;
    if (out[i] != want) {
      printf("Mismatch at index %d, was: %d, should be: %d\n", i, out[i], want);
      return 1;
    }
  }
  printf("Success!\n");
  cudaFree(d_in);
  cudaFree(d_out);
  free(in);
  free(out);
  return 0;
}
