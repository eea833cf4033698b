#include <cstdio>
#include <cstdlib>
#include <cstring>
__device__ float devData;
__constant__ int lut[8];
__managed__ int mcount = 5;
__device__ int arr[4] = {1, 2, 3, 4};
__global__ void checkGlobalVariable() {
  printf("Device: the value of the global variable is %f\n", devData);
  devData += 2.0f;
  atomicAdd(&mcount, lut[3]);
  arr[2] += 10;
}
__global__ void fillVolume(char* base, size_t pitch, int width, int height, int depth) {
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y) {
      float* row = (float*)(base + (z * height + y) * pitch);
      for (int x = 0; x < width; ++x) row[x] = x + 10 * y + 100 * z;
    }
}
int main() {
  float v = 3.14f;
  int l[8] = {0, 1, 2, 42, 4, 5, 6, 7};
  cudaMemcpyToSymbol(devData, &v, sizeof(float));
  cudaMemcpyToSymbol(lut, l, sizeof l);
  printf("Host: copied %f to the global variable\n", v);
  checkGlobalVariable<<<1, 1>>>();
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&v, devData, sizeof(float));
  printf("Host: the value changed by the kernel to %f, %d\n", v, mcount);
  float* dp;
  cudaGetSymbolAddress((void**)&dp, devData);
  v = 1;
  cudaMemcpy(dp, &v, 4, cudaMemcpyHostToDevice);
  cudaMemcpyFromSymbol(&v, devData, 4);
  printf("%f\n", v);
  int a[4];
  cudaMemcpyFromSymbol(a, arr, sizeof a, 0, cudaMemcpyDeviceToHost);
  printf("%d\n", a[2]);
  cudaExtent e = make_cudaExtent(8 * sizeof(float), 4, 2);
  cudaPitchedPtr p;
  cudaMalloc3D(&p, e);
  fillVolume<<<1, 1>>>((char*)p.ptr, p.pitch, 8, 4, 2);
  float* h = (float*)malloc(8 * 4 * 2 * 4);
  cudaMemcpy3DParms mp = {0};
  mp.srcPtr = p;
  mp.dstPtr = make_cudaPitchedPtr(h, 8 * 4, 8, 4);
  mp.extent = e;
  mp.kind = cudaMemcpyDeviceToHost;
  printf("%d\n", cudaMemcpy3D(&mp));
  printf("%f %f\n", h[8 * 4 + 8 + 3], h[63]);
  cudaMemset3D(p, 0, e);
  cudaMemcpy3D(&mp);
  printf("%f\n", h[63]);
  cudaFree(p.ptr);
  int* u;
  cudaMallocManaged(&u, 1024);
  cudaMemLocation loc;
  loc.type = cudaMemLocationTypeDevice;
  loc.id = 0;
  cudaMemPrefetchAsync(u, 1024, loc, 0, 0);
  loc.type = cudaMemLocationTypeHost;
  cudaMemPrefetchAsync(u, 1024, loc, 0, 0);
  u[0] = 4;
  printf("%d\n", u[0]);
  cudaPointerAttributes at;
  cudaPointerGetAttributes(&at, u);
  printf("%d\n", at.type);
  cudaPointerGetAttributes(&at, h);
  printf("%d %d\n", at.type, cudaGetLastError());
  cudaPointerGetAttributes(&at, dp);
  printf("%d %d\n", at.type, at.device);
  int* w;
  cudaHostAlloc(&w, 4096, cudaHostAllocMapped);
  int* wd;
  cudaHostGetDevicePointer(&wd, w, 0);
  printf("%d\n", wd != nullptr);
  unsigned fl;
  cudaHostGetFlags(&fl, w);
  printf("%u\n", fl & cudaHostAllocMapped);
  void* big = malloc(8192);
  printf("%d\n", cudaHostRegister(big, 8192, cudaHostRegisterMapped));
  printf("%d\n", cudaHostUnregister(big));
  cudaStream_t s;
  cudaStreamCreate(&s);
  void* as;
  cudaMallocAsync(&as, 100, s);
  cudaMemsetAsync(as, 0, 100, s);
  cudaFreeAsync(as, s);
  cudaStreamSynchronize(s);
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  unsigned long long th = ~0ull;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &th);
  size_t sz;
  cudaGetSymbolSize(&sz, arr);
  printf("%zu\n", sz);
  cudaStreamDestroy(s);
  cudaFreeHost(w);
  cudaFree(u);
  free(big);
  free(h);
  cudaArray_t ca;
  cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>();
  cudaMallocArray(&ca, &cd, 16, 16);
  cudaFreeArray(ca);
}
