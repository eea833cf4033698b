// The CUDA runtime's functions on the device, its errors, streams and events.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "sim/host/runtime/device.h"
#include "sim/language/text/launch_limits.h"
#include "sim/memory/occupancy.h"

// Everything is done when it is asked for, in the order of the calls, so that a stream keeps nothing.
struct LanescopeStream {
  unsigned int flags = 0;
};
struct LanescopeEvent {
  std::chrono::steady_clock::time_point time;
  bool isRecorded = false;
  bool isTiming = true;
};

namespace lanescope::host {
namespace {

const SmLimits& limits() { return *findSmLimits("9.0"); }

constexpr int kMultiprocessors = 132;  ///< of an H200, which the machine `nvidia` was measured on
constexpr int kClockKHz = 1980000;

cudaError_t isThere(int number) { return number == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

void describe(cudaDeviceProp& p) {
  std::memset(&p, 0, sizeof p);
  std::snprintf(p.name, sizeof p.name, "Lanescope simulator");
  p.totalGlobalMem = device().memory().limit();
  p.sharedMemPerBlock = 48 * 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = static_cast<int>(limits().registers);
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = static_cast<int>(kMaxBlockThreads);
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = static_cast<int>(kMaxBlockThreads);
  p.maxThreadsDim[2] = static_cast<int>(kMaxBlockZ);
  p.maxGridSize[0] = static_cast<int>(kMaxGridX);
  p.maxGridSize[1] = p.maxGridSize[2] = static_cast<int>(kMaxGridYZ);
  p.totalConstMem = 64 * 1024;
  p.major = 9;
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = kMultiprocessors;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = p.ECCEnabled = 1;
  p.concurrentManagedAccess = p.cooperativeLaunch = p.streamPrioritiesSupported =
      p.computePreemptionSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = p.deviceOverlap = p.clusterLaunch = 1;
  p.asyncEngineCount = 3;
  p.memoryBusWidth = 6144;
  p.l2CacheSize = 60 << 20;
  p.maxThreadsPerMultiProcessor = static_cast<int>(limits().threads);
  p.maxBlocksPerMultiProcessor = static_cast<int>(limits().blocks);
  p.sharedMemPerMultiprocessor = limits().sharedBytes;
  p.sharedMemPerBlockOptin = kMaxSharedBytes;
  p.reservedSharedMemPerBlock = limits().reservedBytes;
  p.clockRate = kClockKHz;
  p.memoryClockRate = 3201000;
  p.singleToDoublePrecisionPerfRatio = 2;
}

int attributeOf(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: return p.maxGridSize[1];
    case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory: return static_cast<int>(p.totalConstMem);
    case cudaDevAttrWarpSize: return p.warpSize;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: return p.regsPerBlock;
    case cudaDevAttrClockRate: return p.clockRate;
    case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
    case cudaDevAttrMemoryClockRate: return p.memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize: return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
    case cudaDevAttrComputeCapabilityMajor: return p.major;
    case cudaDevAttrComputeCapabilityMinor: return p.minor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrReservedSharedMemoryPerBlock: return static_cast<int>(p.reservedSharedMemPerBlock);
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported: return 1;
    default: return 0;
  }
}

cudaError_t waited() {
  device().synchronize();
  return device().keep(cudaSuccess);
}

}  // namespace
}  // namespace lanescope::host

using namespace lanescope;  // NOLINT(google-build-using-namespace): the functions below are CUDA's, in no namespace
using namespace lanescope::host;  // NOLINT(google-build-using-namespace)

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return device().keep(cudaSuccess);
}
cudaError_t cudaSetDevice(int number) { return device().keep(isThere(number)); }
cudaError_t cudaGetDevice(int* number) {
  *number = 0;
  return device().keep(cudaSuccess);
}
cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp*) { return cudaGetDevice(number); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (number == 0) describe(*properties);
  return device().keep(isThere(number));
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  cudaDeviceProp properties;
  describe(properties);
  *value = attributeOf(properties, attribute);
  return device().keep(isThere(number));
}
cudaError_t cudaDeviceSynchronize() { return waited(); }
cudaError_t cudaDeviceReset() {
  device().reset();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return device().keep(cudaSuccess); }
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  *value = limit == cudaLimitStackSize ? 1024 : limit == cudaLimitPrintfFifoSize ? 1 << 20 : 8 << 20;
  return device().keep(cudaSuccess);
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return device().keep(cudaSuccess); }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return device().keep(cudaSuccess);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return device().keep(cudaSuccess);
}
cudaError_t cudaSetDeviceFlags(unsigned int) { return device().keep(cudaSuccess); }
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return device().keep(cudaSuccess);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return device().keep(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return device().keep(cudaErrorPeerAccessNotEnabled); }
cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int) {
  std::snprintf(text, static_cast<std::size_t>(bytes), "0000:00:00.0");
  return device().keep(cudaSuccess);
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return device().keep(cudaSuccess);
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaGetLastError() { return device().lastError(true); }
cudaError_t cudaPeekAtLastError() { return device().lastError(false); }
const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
// clang-format off
#define LANESCOPE_ERROR(name, number, text) case name: return text;
// clang-format on
#include "sim/host/include/lanescope_errors.h"
  }
  return "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
// clang-format off
#define LANESCOPE_ERROR(name, number, text) case name: return #name;
// clang-format on
#include "sim/host/include/lanescope_errors.h"
  }
  return "unrecognized error code";
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  *stream = std::make_unique<LanescopeStream>(LanescopeStream{flags}).release();
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream == nullptr) return device().keep(cudaErrorInvalidResourceHandle);
  const std::unique_ptr<LanescopeStream> owned(stream);
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return waited(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return waited(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int) {
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  device().synchronize();
  callback(stream, device().sticky(), data);
  return device().keep(cudaSuccess);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
  device().synchronize();
  function(data);
  return device().keep(cudaSuccess);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  auto made = std::make_unique<LanescopeEvent>();
  made->isTiming = (flags & cudaEventDisableTiming) == 0;
  *event = made.release();
  return device().keep(cudaSuccess);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  if (event == nullptr) return device().keep(cudaErrorInvalidResourceHandle);
  event->time = std::chrono::steady_clock::now();
  event->isRecorded = true;
  return device().keep(cudaSuccess);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event == nullptr ? device().keep(cudaErrorInvalidResourceHandle) : waited();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return event == nullptr ? device().keep(cudaErrorInvalidResourceHandle) : waited();
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const bool isRight = milliseconds != nullptr && start != nullptr && end != nullptr && start->isRecorded &&
                       end->isRecorded && start->isTiming && end->isTiming;
  if (!isRight) return device().keep(cudaErrorInvalidResourceHandle);
  device().sayTimesAreSimulated();
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return device().keep(cudaSuccess);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return device().keep(cudaErrorInvalidResourceHandle);
  const std::unique_ptr<LanescopeEvent> owned(event);
  return device().keep(cudaSuccess);
}
