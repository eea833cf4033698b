#include <stdio.h>
__global__ void k(int* p) { p[threadIdx.x] = 1; }
__global__ void bad(int* p) { p[1 << 28] = 1; }
int main() {
  int* d = nullptr;
  k<<<1, 2048>>>(nullptr);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  k<<<0, 32>>>(nullptr);
  printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
  printf("%d %s\n", cudaGetLastError(), cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorString(cudaSetDevice(7)));
  cudaGetLastError();
  cudaError_t e = cudaMalloc(&d, (size_t)1 << 50);
  printf("%d %s\n", e, cudaGetErrorString(e));
  int hx[1];
  e = cudaMemcpy(hx, hx, 4, (cudaMemcpyKind)77);
  printf("%d\n", e);
  e = cudaFree((void*)0x1234);
  printf("%d %s\n", e, cudaGetErrorString(e));
  printf("%d\n", cudaGetLastError());
  e = cudaMalloc(&d, 1024);
  k<<<1, 32, 100 * 1024>>>(d);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  k<<<1, dim3(8, 8, 128)>>>(d);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  bad<<<1, 1>>>(d);
  e = cudaDeviceSynchronize();
  printf("%d %s\n", e, cudaGetErrorString(e));
  e = cudaMalloc(&d, 4);
  printf("%d\n", e);
  e = cudaGetLastError();
  printf("%d\n", e);
  e = cudaGetLastError();
  printf("%d\n", e);
  printf("%s\n", cudaGetErrorString((cudaError_t)12345));
  return 0;
}
