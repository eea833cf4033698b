// Reductions by templates, by the last block that is done, and votes at barriers.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
__device__ unsigned int retirementCount = 0;
__device__ volatile float result;
template <class T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
  __device__ inline operator const T*() const {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
};
template <>
struct SharedMemory<double> {
  __device__ inline operator double*() {
    extern __shared__ double __smem_d[];
    return (double*)__smem_d;
  }
  __device__ inline operator const double*() const {
    extern __shared__ double __smem_d[];
    return (double*)__smem_d;
  }
};
template <class T, unsigned int blockSize>
__device__ void warpReduce(volatile T* s, unsigned int tid) {
  if (blockSize >= 64) s[tid] += s[tid + 32];
  if (blockSize >= 32) s[tid] += s[tid + 16];
  if (blockSize >= 16) s[tid] += s[tid + 8];
  if (blockSize >= 8) s[tid] += s[tid + 4];
  if (blockSize >= 4) s[tid] += s[tid + 2];
  if (blockSize >= 2) s[tid] += s[tid + 1];
}
template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce6(T* g_idata, T* g_odata, unsigned int n) {
  T* sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + threadIdx.x,
               gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = mySum;
  __syncthreads();
  if ((blockSize >= 512) && (tid < 256)) {
    sdata[tid] = mySum = mySum + sdata[tid + 256];
  }
  __syncthreads();
  if ((blockSize >= 256) && (tid < 128)) {
    sdata[tid] = mySum = mySum + sdata[tid + 128];
  }
  __syncthreads();
  if ((blockSize >= 128) && (tid < 64)) {
    sdata[tid] = mySum = mySum + sdata[tid + 64];
  }
  __syncthreads();
  if (tid < 32) {
    if (blockSize >= 64) mySum += sdata[tid + 32];
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      mySum += __shfl_down_sync(0xffffffff, mySum, offset);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
template <class T>
void launch(int threads, int blocks, T* in, T* out, int n) {
  int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  dim3 dimBlock(threads, 1, 1), dimGrid(blocks, 1, 1);
  switch (threads) {
    case 512: reduce6<T, 512, false><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
    case 256: reduce6<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
    case 128: reduce6<T, 128, true><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
    case 64: reduce6<T, 64, false><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
    default: exit(EXIT_FAILURE);
  }
}
template <unsigned int blockSize>
__global__ void reduceSinglePass(const float* g_idata, float* g_odata, unsigned int n) {
  extern __shared__ float smem[];
  const unsigned int tid = threadIdx.x;
  float s = 0;
  for (unsigned i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x) s += g_idata[i];
  smem[tid] = s;
  __syncthreads();
  for (unsigned k = blockSize / 2; k > 0; k >>= 1) {
    if (tid < k) smem[tid] += smem[tid + k];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = smem[0];
  if (gridDim.x > 1) {
    __shared__ bool amLast;
    __threadfence();
    if (tid == 0) {
      unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
      amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast) {
      float t = 0;
      for (unsigned i = tid; i < gridDim.x; i += blockSize) t += ((volatile float*)g_odata)[i];
      smem[tid] = t;
      __syncthreads();
      for (unsigned k = blockSize / 2; k > 0; k >>= 1) {
        if (tid < k) smem[tid] += smem[tid + k];
        __syncthreads();
      }
      if (tid == 0) {
        g_odata[0] = smem[0];
        result = smem[0];
        retirementCount = 0;
      }
    }
  }
}
__global__ void counts(const int* a, int* o) {
  int t = threadIdx.x;
  int c = __syncthreads_count(a[t] > 10);
  int an = __syncthreads_and(a[t] >= 0);
  int orr = __syncthreads_or(a[t] == 77);
  if (!t) {
    o[0] = c;
    o[1] = an != 0;
    o[2] = orr != 0;
  }
}
#ifdef __CUDA_ARCH__
#define WHERE "device"
#else
#define WHERE "host"
#endif
__host__ __device__ int where() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  return 1;
#else
  return 0;
#endif
}
__global__ void which(int* o) { *o = where(); }
int main(int argc, char** argv) {
  int n = 1 << 16;
  double* d;
  double* o;
  float *f, *fo;
  int* ii;
  cudaMallocManaged(&d, n * sizeof(double));
  cudaMallocManaged(&o, 64 * sizeof(double));
  cudaMallocManaged(&f, n * sizeof(float));
  cudaMallocManaged(&fo, 64 * 4);
  cudaMallocManaged(&ii, 256 * 4);
  double ref = 0;
  for (int i = 0; i < n; i++) {
    d[i] = i % 13 * 0.5;
    ref += d[i];
    f[i] = i % 11;
    ii[i % 256] = i % 256;
  }
  for (int t = 64; t <= 512; t *= 2) {
    launch<double>(t, 16, d, o, n);
    cudaDeviceSynchronize();
    double s = 0;
    for (int i = 0; i < 16; i++) s += o[i];
    printf("%d threads: %s\n", t, s == ref ? "PASSED" : "FAILED");
  }
  launch<int>(256, 1, ii, (int*)o, 256);
  cudaDeviceSynchronize();
  printf("int %d\n", ((int*)o)[0]);
  reduceSinglePass<128><<<32, 128, 128 * sizeof(float)>>>(f, fo, n);
  cudaDeviceSynchronize();
  float r;
  cudaMemcpyFromSymbol(&r, result, sizeof(float));
  float fr = 0;
  for (int i = 0; i < n; i++) fr += f[i];
  printf("single pass %.0f %.0f %.0f\n", fo[0], r, fr);
  counts<<<1, 256>>>(ii, (int*)fo);
  cudaDeviceSynchronize();
  int* q = (int*)fo;
  printf("%d %d %d\n", q[0], q[1], q[2]);
  which<<<1, 1>>>(q);
  cudaDeviceSynchronize();
  printf("%d %d %s\n", *q, where(), WHERE);
  cudaFree(d);
  cudaFree(o);
  cudaFree(f);
  cudaFree(fo);
  cudaFree(ii);
  return EXIT_SUCCESS;
}
