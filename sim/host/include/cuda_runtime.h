// The CUDA runtime for programs on Lanescope. Included before the first line of a program, as nvcc does.
#pragma once
#pragma GCC system_header
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "lanescope_api.h"
#include "lanescope_device.h"
#include "lanescope_stub.h"

// Without optimization, too: the place of a call is that of the program's line.
#define LANESCOPE_INLINE inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))

template <class T>
LANESCOPE_INLINE cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc(reinterpret_cast<void**>(const_cast<void**>(reinterpret_cast<void* const*>(pointer))),
                      bytes);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                               unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
LANESCOPE_INLINE cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = nullptr) {
  return cudaSuccess;
}
LANESCOPE_INLINE cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned int,
                                                  cudaStream_t = nullptr) {
  return cudaSuccess;
}
LANESCOPE_INLINE cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
LANESCOPE_INLINE cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return cudaSuccess;
}
LANESCOPE_INLINE cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t = 0, unsigned int = 0) {
  return cudaSuccess;
}
LANESCOPE_INLINE cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags = 0) {
  return cudaEventCreateWithFlags(event, flags);
}
LANESCOPE_INLINE cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                                      unsigned int = 0) {
  return cudaEventRecord(event, stream);
}
LANESCOPE_INLINE cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                                                 size_t bytes, cudaStream_t = nullptr) {
  return cudaMemcpyPeer(to, toDevice, from, fromDevice, bytes);
}

template <class T>
LANESCOPE_INLINE cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t,
                                                     cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
LANESCOPE_INLINE cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, int) {
  return cudaMemsetAsync(pointer, value, bytes, static_cast<cudaStream_t>(nullptr));
}
// Pools and the L2 cache have nothing to set: the one pool has all memory, and no cache is simulated.
LANESCOPE_INLINE cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return cudaSuccess; }
LANESCOPE_INLINE cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t) {
  return cudaSuccess;
}
LANESCOPE_INLINE cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID,
                                                    const cudaStreamAttrValue*) {
  return cudaSuccess;
}
LANESCOPE_INLINE cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
LANESCOPE_INLINE cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
  return cudaSuccess;
}
LANESCOPE_INLINE cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                                               cudaStream_t = nullptr) {
  return cudaMemset3D(memory, value, extent);
}
LANESCOPE_INLINE cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                                      size_t pitch, size_t width, size_t height,
                                                      cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}
LANESCOPE_INLINE cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from,
                                                        size_t x, size_t y, size_t width, size_t height,
                                                        cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}
LANESCOPE_INLINE cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
LANESCOPE_INLINE cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
LANESCOPE_INLINE cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return cudaSetDevice(device);
}
LANESCOPE_INLINE cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  *flags = 0;
  return cudaSuccess;
}
LANESCOPE_INLINE cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
LANESCOPE_INLINE cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
LANESCOPE_INLINE cudaError_t cudaProfilerStart() { return cudaSuccess; }
LANESCOPE_INLINE cudaError_t cudaProfilerStop() { return cudaSuccess; }

// Graphs: the forms of CUDA 11 and of CUDA 12.
LANESCOPE_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                  unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
LANESCOPE_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*,
                                                  char*, size_t) {
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
}
LANESCOPE_INLINE cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*,
                                                      const cudaGraphNode_t* to, size_t count) {
  return lanescopeAddDependencies(to, count);
}
LANESCOPE_INLINE cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*,
                                                      const cudaGraphNode_t* to, const void*, size_t count) {
  return lanescopeAddDependencies(to, count);
}
LANESCOPE_INLINE cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }

// Textures.
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return lanescope_host::Channels<T>::format();
}
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

// Symbols: a variable of the device is named by its shadow on the host.
template <class T>
LANESCOPE_INLINE cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                                size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return lanescopeSymbolCopy((const void*)&symbol, nullptr, from, bytes, offset, kind, true);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                                     size_t offset = 0,
                                                     cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                     cudaStream_t = nullptr) {
  return lanescopeSymbolCopy((const void*)&symbol, nullptr, from, bytes, offset, kind, true);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return lanescopeSymbolCopy((const void*)&symbol, to, nullptr, bytes, offset, kind, false);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                                       size_t offset = 0,
                                                       cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                       cudaStream_t = nullptr) {
  return lanescopeSymbolCopy((const void*)&symbol, to, nullptr, bytes, offset, kind, false);
}
template <class P, class T>
LANESCOPE_INLINE cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
  return lanescopeSymbolAddress(reinterpret_cast<void**>(pointer), nullptr, (const void*)&symbol);
}
template <class T>
LANESCOPE_INLINE cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return lanescopeSymbolAddress(nullptr, bytes, (const void*)&symbol);
}

// Kernels by their functions.
template <class F>
LANESCOPE_INLINE cudaError_t cudaLaunchKernel(F* kernel, dim3 grid, dim3 block, void** arguments,
                                              size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
  return lanescopeLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, sharedBytes,
                               stream, false);
}
template <class F>
LANESCOPE_INLINE cudaError_t cudaLaunchCooperativeKernel(F* kernel, dim3 grid, dim3 block, void** arguments,
                                                         size_t sharedBytes = 0,
                                                         cudaStream_t stream = nullptr) {
  return lanescopeLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, sharedBytes,
                               stream, true);
}
template <class F>
LANESCOPE_INLINE cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, F* kernel) {
  return lanescopeFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class F>
LANESCOPE_INLINE cudaError_t cudaFuncSetAttribute(F* kernel, cudaFuncAttribute attribute, int value) {
  return lanescopeFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
/// A launch with the parameters' types, as `<<<…>>>` converts them.
template <class... P, class... A>
LANESCOPE_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...),
                                                A&&... arguments) {
  bool isCooperative = false;
  for (unsigned int a = 0; a < config->numAttrs; ++a)
    isCooperative |=
        config->attrs[a].id == cudaLaunchAttributeCooperative && config->attrs[a].val.cooperative != 0;
  return [&](P... parameters) {
    void* pointers[] = {const_cast<void*>(static_cast<const volatile void*>(&parameters))..., nullptr};
    return lanescopeLaunchKernel(reinterpret_cast<const void*>(kernel), config->gridDim, config->blockDim,
                                 pointers, config->dynamicSmemBytes, config->stream, isCooperative);
  }(static_cast<A&&>(arguments)...);
}
LANESCOPE_INLINE cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                                 void** arguments) {
  return lanescopeLaunchKernel(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                               config->stream, false);
}
template <class F>
LANESCOPE_INLINE cudaError_t cudaFuncSetSharedMemConfig(F*, cudaSharedMemConfig) {
  return cudaSuccess;
}
template <class F>
LANESCOPE_INLINE cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, F* kernel, int blocks,
                                                                       int) {
  cudaFuncAttributes attributes;
  const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
  if (error == cudaSuccess)
    *bytes = 228 * 1024 / static_cast<size_t>(blocks) - 1024 - attributes.sharedSizeBytes;
  return error;
}
template <class F>
LANESCOPE_INLINE cudaError_t cudaFuncSetCacheConfig(F*, cudaFuncCache) {
  return cudaSuccess;
}
template <class F>
LANESCOPE_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F* kernel,
                                                                           int threads, size_t sharedBytes) {
  return lanescopeMaxActiveBlocks(blocks, reinterpret_cast<const void*>(kernel), threads, sharedBytes);
}
template <class F>
LANESCOPE_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F* kernel,
                                                                                    int threads,
                                                                                    size_t sharedBytes,
                                                                                    unsigned int) {
  return lanescopeMaxActiveBlocks(blocks, reinterpret_cast<const void*>(kernel), threads, sharedBytes);
}
/// The block size with the most resident threads per SM, the largest of several; the documented heuristic.
template <class F, class S>
LANESCOPE_INLINE cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGrid, int* block,
                                                                            F* kernel, S sharedBytesOf,
                                                                            int limit = 0) {
  cudaFuncAttributes attributes;
  cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
  if (error != cudaSuccess) return error;
  int best = 0, threads = attributes.maxThreadsPerBlock, multiprocessors = 0;
  if (limit > 0 && limit < threads) threads = limit;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  for (int each = (threads + 31) / 32 * 32; each > 0; each -= 32) {
    const int size = each < threads ? each : threads;
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, sharedBytesOf(size));
    if (error != cudaSuccess) return error;
    if (blocks * size > best) {
      best = blocks * size;
      *block = size;
      *minGrid = blocks * multiprocessors;
    }
  }
  return cudaSuccess;
}
template <class F>
LANESCOPE_INLINE cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGrid, int* block, F* kernel,
                                                                size_t sharedBytes = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      minGrid, block, kernel, [sharedBytes](int) { return sharedBytes; }, limit);
}

static inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t x, size_t y) {
  return {pointer, pitch, x, y};
}
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
