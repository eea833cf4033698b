#include <cstdio>
#include <cstdlib>
#define NSTREAM 4
__global__ void work(float* d, int off, int n) {
  int i = off + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < off + n) {
    float x = i;
    float s = sinf(x), c = cosf(x);
    d[i] = d[i] + sqrtf(s * s + c * c);
  }
}
void CUDART_CB cb(cudaStream_t s, cudaError_t st, void* data) {
  printf("callback from stream %d\n", *((int*)data));
}
void CUDART_CB hf(void* p) { ++*(int*)p; }
void CUDART_CB calls(void* p) {
  work<<<1, 32>>>((float*)p, 0, 32);
  cudaError_t waited = cudaDeviceSynchronize(), cleared = cudaMemset(p, 0, 128);
  printf("in a host function: %s, %s, %s\n", cudaGetErrorName(waited), cudaGetErrorName(cleared),
         cudaGetErrorName(cudaGetLastError()));
}
int main(int argc, char** argv) {
  const int n = 1 << 14;
  float* h;
  cudaHostAlloc((void**)&h, n * 4, cudaHostAllocDefault);
  for (int i = 0; i < n; i++) h[i] = 0;
  float* d;
  cudaMalloc(&d, n * 4);
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "8", 1);
  cudaStream_t st[NSTREAM];
  int ids[NSTREAM];
  int lo, hi;
  cudaDeviceGetStreamPriorityRange(&lo, &hi);
  for (int i = 0; i < NSTREAM; i++) cudaStreamCreateWithPriority(&st[i], cudaStreamNonBlocking, hi);
  cudaEvent_t ev[NSTREAM];
  int count = 0;
  for (int i = 0; i < NSTREAM; i++) {
    ids[i] = i;
    cudaEventCreateWithFlags(&ev[i], cudaEventDisableTiming);
    int off = i * n / NSTREAM;
    cudaMemcpyAsync(&d[off], &h[off], n / NSTREAM * 4, cudaMemcpyHostToDevice, st[i]);
    work<<<n / NSTREAM / 256, 256, 0, st[i]>>>(d, off, n / NSTREAM);
    cudaMemcpyAsync(&h[off], &d[off], n / NSTREAM * 4, cudaMemcpyDeviceToHost, st[i]);
    cudaEventRecord(ev[i], st[i]);
    cudaStreamWaitEvent(st[NSTREAM - 1], ev[i], 0);
    cudaStreamAddCallback(st[i], cb, &ids[i], 0);
    cudaLaunchHostFunc(st[i], hf, &count);
    cudaStreamSynchronize(st[i]);
  }
  cudaLaunchHostFunc(st[0], calls, d);
  cudaStreamSynchronize(st[0]);
  printf("after it: %s\n", cudaGetErrorName(cudaGetLastError()));
  if (cudaStreamQuery(st[0]) == cudaErrorNotReady) printf("not ready\n");
  unsigned long long counter = 0;
  while (cudaEventQuery(ev[3]) == cudaErrorNotReady) counter++;
  cudaDeviceSynchronize();
  float maxErr = 0;
  for (int i = 0; i < n; i++) maxErr = fmaxf(maxErr, fabsf(h[i] - 1.0f));
  printf("max error below 1e-6: %d, count %d\n", maxErr < 1e-6f, count);
  unsigned fl;
  int pr;
  cudaStreamGetFlags(st[0], &fl);
  cudaStreamGetPriority(st[0], &pr);
  printf("%u %d\n", fl, pr == hi);
  for (int i = 0; i < NSTREAM; i++) {
    cudaStreamDestroy(st[i]);
    cudaEventDestroy(ev[i]);
  }
  cudaFree(d);
  cudaFreeHost(h);
  cudaDeviceReset();
}
