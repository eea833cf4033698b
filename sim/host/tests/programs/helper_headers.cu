#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_string.h>
#include <helper_timer.h>
#include <stdio.h>
__global__ void vectorAdd(const float* A, const float* B, float* C, int numElements) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < numElements) C[i] = A[i] + B[i] + 0.0f;
}
int main(int argc, char** argv) {
  checkCudaErrors(cudaProfilerStart());
  int devID = findCudaDevice(argc, (const char**)argv);
  int size = 0;
  if (checkCmdLineFlag(argc, (const char**)argv, "size"))
    size = getCmdLineArgumentInt(argc, (const char**)argv, "size");
  StopWatchInterface* timer = NULL;
  sdkCreateTimer(&timer);
  sdkResetTimer(&timer);
  sdkStartTimer(&timer);
  int n = 50000;
  printf("[Vector addition of %d elements]\n", n);
  float *a, *b, *c;
  checkCudaErrors(cudaMallocManaged(&a, n * 4));
  checkCudaErrors(cudaMallocManaged(&b, n * 4));
  checkCudaErrors(cudaMallocManaged(&c, n * 4));
  for (int i = 0; i < n; i++) {
    a[i] = rand() / (float)RAND_MAX;
    b[i] = rand() / (float)RAND_MAX;
  }
  printf("CUDA kernel launch with %d blocks of %d threads\n", (n + 255) / 256, 256);
  vectorAdd<<<(n + 255) / 256, 256>>>(a, b, c, n);
  getLastCudaError("kernel launch failure");
  checkCudaErrors(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    if (fabs(a[i] + b[i] - c[i]) > 1e-5) {
      fprintf(stderr, "Result verification failed at element %d!\n", i);
      exit(EXIT_FAILURE);
    }
  sdkStopTimer(&timer);
  float t = sdkGetTimerValue(&timer);
  sdkDeleteTimer(&timer);
  fprintf(stderr, "%f\n", t);
  cudaDeviceProp dp;
  cudaGetDeviceProperties(&dp, devID);
  printf("%d SMs x %d cores\n", dp.multiProcessorCount, _ConvertSMVer2Cores(dp.major, dp.minor));
  printf("Test PASSED\n");
  checkCudaErrors(cudaFree(a));
  cudaFree(b);
  cudaFree(c);
  printf("%s\n", compareData((float*)0, (float*)0, 0u, 0.f, 0.f) ? "Y" : "N");
  return 0;
}
