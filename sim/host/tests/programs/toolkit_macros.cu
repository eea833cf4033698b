// Include guards and versions of the toolkit's headers, and the qualifiers, which nvcc has as macros.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#ifndef __device__
#define __device__
#endif
#ifndef __host__
#define __host__
#endif
#ifndef __global__
#define __global__
#endif
#if !defined(__forceinline__) || !defined(__launch_bounds__) || !defined(__shared__)
#define __shared__
#error nvcc has the qualifiers as macros
#endif
#if defined(__DRIVER_TYPES_H__) && defined(__CUDA_RUNTIME_H__) && defined(__CUDA_RUNTIME_API_H__) && \
    defined(__VECTOR_TYPES_H__) && defined(__DEVICE_LAUNCH_PARAMETERS_H__) && defined(__HOST_DEFINES_H__)
#define RUNTIME 1
#else
#define RUNTIME 0
#endif
#if defined(__CUDA_FP16_H__) && defined(CURAND_KERNEL_H_) && defined(__cuda_cuda_h__) && \
    defined(_COOPERATIVE_GROUPS_H_) && defined(__CUDA_BF16_HPP__) && defined(__NV_TARGET_H) && \
    defined(CURAND_H_) && !defined(CUBLAS_API_H_) && !defined(_CUFFT_H_)
#define INCLUDED 1
#else
#define INCLUDED 0
#endif
#if defined(__NVCC__) && defined(__CUDACC__) && __CUDACC_VER_MAJOR__ >= 12 && CUDART_VERSION >= 12000 && \
    CUDA_VERSION == CUDART_VERSION && defined(__CUDACC_VER_BUILD__)
#define VERSIONS 1
#else
#define VERSIONS 0
#endif
#if defined(__GNUC__) && defined(__linux__) && __SIZEOF_POINTER__ == 8 && __CHAR_BIT__ == 8 && \
    __INT_MAX__ == 2147483647 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(_WIN32)
#define MACHINE 1
#else
#define MACHINE 0
#endif
__host__ __device__ int pass() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  return 2;
#else
  return 1;
#endif
}
#define DEVICE_INLINE __device__ __forceinline__
DEVICE_INLINE int surfaceDepth(int x) { return 2 * x; }
__global__ void look(int* out) {
  out[0] = RUNTIME + 10 * INCLUDED + 100 * VERSIONS + 1000 * MACHINE;
  out[1] = pass() + surfaceDepth(10);
}
int main() {
  int *d, h[2];
  cudaMalloc(&d, sizeof h);
  look<<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n%d %d\n", h[0], h[1], RUNTIME + 10 * INCLUDED + 100 * VERSIONS + 1000 * MACHINE, pass());
  cudaFree(d);
  return cudaGetLastError();
}
