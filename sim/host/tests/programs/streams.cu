// Work in chunks on several streams, from pinned memory.
#include <cstdio>

#define gpuErrchk(ans) \
  { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}

__global__ void scale(float* a, int offset, int count, float factor) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  if (i < offset + count) a[i] = a[i] * factor;
}

int main() {
  const int blockSize = 256, nStreams = 4;
  const int n = 4 * 1024 * blockSize / 16;
  const int streamSize = n / nStreams;
  const int streamBytes = streamSize * sizeof(float);
  float *a, *d_a;
  gpuErrchk(cudaMallocHost((void**)&a, n * sizeof(float)));
  gpuErrchk(cudaMalloc((void**)&d_a, n * sizeof(float)));
  for (int i = 0; i < n; ++i) a[i] = (float)(i % 100);
  cudaStream_t stream[nStreams];
  for (int i = 0; i < nStreams; ++i) gpuErrchk(cudaStreamCreate(&stream[i]));
  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    gpuErrchk(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
    scale<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset, streamSize, (float)(i + 1));
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
  }
  gpuErrchk(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += a[i] != (float)(i % 100) * (float)(i / streamSize + 1);
  printf("wrong: %d, last: %.1f\n", wrong, a[n - 1]);
  for (int i = 0; i < nStreams; ++i) gpuErrchk(cudaStreamDestroy(stream[i]));
  cudaFree(d_a);
  cudaFreeHost(a);
  printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong;
}
