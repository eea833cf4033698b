// What a program sees of its mistakes in launches and copies.
#include <cstdio>

__global__ void noop(int* p) {
  if (p) p[0] = 1;
}

static void show(const char* what, cudaError_t e) {
  printf("%s: %s (%s)\n", what, cudaGetErrorName(e), cudaGetErrorString(e));
}

int main() {
  int* d = nullptr;
  show("malloc", cudaMalloc(&d, 16));
  noop<<<1, 2048>>>(d);
  show("peek", cudaPeekAtLastError());
  show("get", cudaGetLastError());
  show("again", cudaGetLastError());
  noop<<<0, 32>>>(d);
  show("no blocks", cudaGetLastError());
  noop<<<dim3(1, 70000), 32>>>(d);
  show("too high", cudaGetLastError());
  noop<<<1, 32, 100 * 1024>>>(d);
  show("too much shared memory", cudaGetLastError());
  show("device 7", cudaSetDevice(7));
  show("sync", cudaDeviceSynchronize());
  cudaGetLastError();
  noop<<<1, 32>>>(d);
  show("right", cudaDeviceSynchronize());
  int v = 0;
  show("copy", cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost));
  printf("v = %d\n", v);
  show("free", cudaFree(d));
  show("free null", cudaFree(nullptr));
  return 0;
}
