#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "sim/host/runtime/device.h"
#include "sim/memory/machine_model.h"

namespace lanescope::host {
namespace {

void describeLimits(cudaDeviceProp& p) {
  p.sharedMemPerBlock = 48 * 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = static_cast<int>(deviceSmLimits().registers);
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = static_cast<int>(kMaxBlockThreads);
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = static_cast<int>(kMaxBlockThreads);
  p.maxThreadsDim[2] = static_cast<int>(kMaxBlockZ);
  p.maxGridSize[0] = static_cast<int>(kMaxGridX);
  p.maxGridSize[1] = p.maxGridSize[2] = static_cast<int>(kMaxGridYZ);
  p.totalConstMem = 64 * 1024;
  p.maxThreadsPerMultiProcessor = static_cast<int>(deviceSmLimits().threads);
  p.maxBlocksPerMultiProcessor = static_cast<int>(deviceSmLimits().blocks);
  p.sharedMemPerMultiprocessor = deviceSmLimits().sharedBytes;
  p.sharedMemPerBlockOptin = kMaxSharedBytes;
  p.reservedSharedMemPerBlock = deviceSmLimits().reservedBytes;
}

/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
void describeTextures(cudaDeviceProp& p) {
  const auto put = [](auto& extents, auto... values) {
    std::size_t i = 0;
    ((extents[i++] = values), ...);
  };
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.maxTexture1D = 131072;
  p.maxTexture1DMipmap = 32768;
  p.maxTexture1DLinear = 268435456;
  put(p.maxTexture2D, 131072, 65536);
  put(p.maxTexture2DMipmap, 32768, 32768);
  put(p.maxTexture2DLinear, 131072, 65000, 2097120);
  put(p.maxTexture2DGather, 32768, 32768);
  put(p.maxTexture3D, 16384, 16384, 16384);
  put(p.maxTexture3DAlt, 8192, 8192, 32768);
  p.maxTextureCubemap = p.maxSurfaceCubemap = p.maxSurface1D = 32768;
  put(p.maxTexture1DLayered, 32768, 2048);
  put(p.maxTexture2DLayered, 32768, 32768, 2048);
  put(p.maxTextureCubemapLayered, 32768, 2046);
  put(p.maxSurface2D, 131072, 65536);
  put(p.maxSurface3D, 16384, 16384, 16384);
  put(p.maxSurface1DLayered, 32768, 2048);
  put(p.maxSurface2DLayered, 32768, 32768, 2048);
  put(p.maxSurfaceCubemapLayered, 32768, 2046);
}

}  // namespace

const SmLimits& deviceSmLimits() { return *findSmLimits("9.0"); }

cudaDeviceProp deviceProperties(std::uint64_t memoryBytes) {
  cudaDeviceProp p;
  std::memset(&p, 0, sizeof p);
  std::snprintf(p.name, sizeof p.name, "NVIDIA H200");
  p.totalGlobalMem = memoryBytes;
  describeLimits(p);
  describeTextures(p);
  p.major = 9;
  p.multiProcessorCount = 132;
  p.clockRate = 1'980'000;
  p.memoryClockRate = 3'201'000;
  p.memoryBusWidth = 6016;
  p.l2CacheSize = 60 << 20;
  p.persistingL2CacheMaxSize = p.l2CacheSize / 8 * 5;
  p.accessPolicyMaxWindowSize = 134'213'632;
  p.asyncEngineCount = 3;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = p.ECCEnabled = 1;
  p.concurrentManagedAccess = p.cooperativeLaunch = p.cooperativeMultiDeviceLaunch = 1;
  p.streamPrioritiesSupported = p.computePreemptionSupported = p.canUseHostPointerForRegisteredMem = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = p.deviceOverlap = p.clusterLaunch = 1;
  p.hostRegisterSupported = p.memoryPoolsSupported = p.sparseCudaArraySupported = 1;
  p.timelineSemaphoreInteropSupported = p.ipcEventSupported = 1;
  return p;
}

int findAttribute(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  switch (attribute) {
// clang-format off
#define ATTRIBUTE(name, field) case cudaDevAttr##name: return static_cast<int>(p.field);
    // clang-format on
    ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock)
    ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0])
    ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1])
    ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2])
    ATTRIBUTE(MaxGridDimX, maxGridSize[0])
    ATTRIBUTE(MaxGridDimY, maxGridSize[1])
    ATTRIBUTE(MaxGridDimZ, maxGridSize[2])
    ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock)
    ATTRIBUTE(TotalConstantMemory, totalConstMem)
    ATTRIBUTE(WarpSize, warpSize)
    ATTRIBUTE(MaxPitch, memPitch)
    ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock)
    ATTRIBUTE(ClockRate, clockRate)
    ATTRIBUTE(TextureAlignment, textureAlignment)
    ATTRIBUTE(GpuOverlap, deviceOverlap)
    ATTRIBUTE(MultiProcessorCount, multiProcessorCount)
    ATTRIBUTE(CanMapHostMemory, canMapHostMemory)
    ATTRIBUTE(MaxTexture1DWidth, maxTexture1D)
    ATTRIBUTE(MaxTexture2DWidth, maxTexture2D[0])
    ATTRIBUTE(MaxTexture2DHeight, maxTexture2D[1])
    ATTRIBUTE(MaxTexture3DWidth, maxTexture3D[0])
    ATTRIBUTE(MaxTexture3DHeight, maxTexture3D[1])
    ATTRIBUTE(MaxTexture3DDepth, maxTexture3D[2])
    ATTRIBUTE(MaxTexture2DLayeredWidth, maxTexture2DLayered[0])
    ATTRIBUTE(MaxTexture2DLayeredHeight, maxTexture2DLayered[1])
    ATTRIBUTE(MaxTexture2DLayeredLayers, maxTexture2DLayered[2])
    ATTRIBUTE(MaxTexture1DLayeredWidth, maxTexture1DLayered[0])
    ATTRIBUTE(MaxTexture1DLayeredLayers, maxTexture1DLayered[1])
    ATTRIBUTE(MaxTexture1DLinearWidth, maxTexture1DLinear)
    ATTRIBUTE(MaxTexture2DLinearWidth, maxTexture2DLinear[0])
    ATTRIBUTE(MaxTexture2DLinearHeight, maxTexture2DLinear[1])
    ATTRIBUTE(MaxTexture2DLinearPitch, maxTexture2DLinear[2])
    ATTRIBUTE(TexturePitchAlignment, texturePitchAlignment)
    ATTRIBUTE(SurfaceAlignment, surfaceAlignment)
    ATTRIBUTE(ConcurrentKernels, concurrentKernels)
    ATTRIBUTE(EccEnabled, ECCEnabled)
    ATTRIBUTE(MemoryClockRate, memoryClockRate)
    ATTRIBUTE(GlobalMemoryBusWidth, memoryBusWidth)
    ATTRIBUTE(L2CacheSize, l2CacheSize)
    ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)
    ATTRIBUTE(AsyncEngineCount, asyncEngineCount)
    ATTRIBUTE(UnifiedAddressing, unifiedAddressing)
    ATTRIBUTE(ComputeCapabilityMajor, major)
    ATTRIBUTE(ComputeCapabilityMinor, minor)
    ATTRIBUTE(StreamPrioritiesSupported, streamPrioritiesSupported)
    ATTRIBUTE(GlobalL1CacheSupported, globalL1CacheSupported)
    ATTRIBUTE(LocalL1CacheSupported, localL1CacheSupported)
    ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor)
    ATTRIBUTE(MaxRegistersPerMultiprocessor, regsPerMultiprocessor)
    ATTRIBUTE(ManagedMemory, managedMemory)
    ATTRIBUTE(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio)
    ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess)
    ATTRIBUTE(ComputePreemptionSupported, computePreemptionSupported)
    ATTRIBUTE(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem)
    ATTRIBUTE(CooperativeLaunch, cooperativeLaunch)
    ATTRIBUTE(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch)
    ATTRIBUTE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin)
    ATTRIBUTE(HostRegisterSupported, hostRegisterSupported)
    ATTRIBUTE(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor)
    ATTRIBUTE(MaxPersistingL2CacheSize, persistingL2CacheMaxSize)
    ATTRIBUTE(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize)
    ATTRIBUTE(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock)
    ATTRIBUTE(SparseCudaArraySupported, sparseCudaArraySupported)
    ATTRIBUTE(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported)
    ATTRIBUTE(MemoryPoolsSupported, memoryPoolsSupported)
    ATTRIBUTE(ClusterLaunch, clusterLaunch)
#undef ATTRIBUTE
    default: return 0;
  }
}

// The CUDA runtime's functions for the device and its errors.

namespace {

/// The value that cudaDeviceSetLimit() has set, or the limit of a new context; those of the heap and of
/// printf are the Device's. The simulator's own limits are separate.
std::size_t& findLimit(cudaLimit limit) {
  static std::array<std::size_t, 7> limits{1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  return limits.at(static_cast<std::size_t>(limit));
}

bool isLimit(cudaLimit limit) {
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize;
}

cudaError_t isPresent(int number) { return number == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

/// The same for a device that a program chooses; says that there is only one.
cudaError_t choose(int number, std::string_view function) {
  if (number != 0) {
    Tutor& tutor = device().tutor();
    tutor.explain(tutor.placeOfCaller(),
                  fmt::format("{}({}): there is one device here, number 0, and it stays the "
                              "current one. cudaGetDeviceCount() tells how many there are.",
                              function, number));
  }
  return isPresent(number);
}

}  // namespace
}  // namespace lanescope::host

using namespace lanescope;  // NOLINT(google-build-using-namespace): the functions below are CUDA's, in no namespace
using namespace lanescope::host;  // NOLINT(google-build-using-namespace)

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return device().keep(cudaSuccess);
}
cudaError_t cudaSetDevice(int number) { return device().keep(choose(number, "cudaSetDevice")); }
cudaError_t cudaGetDevice(int* number) {
  *number = 0;
  return device().keep(cudaSuccess);
}
cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp*) { return cudaGetDevice(number); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (properties == nullptr) return device().keep(cudaErrorInvalidValue);
  if (number == 0) *properties = deviceProperties(device().totalBytes());
  return device().keep(isPresent(number));
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  *value = findAttribute(deviceProperties(device().totalBytes()), attribute);
  return device().keep(isPresent(number));
}
cudaError_t cudaDeviceSynchronize() {
  device().synchronize();
  return device().keep(cudaSuccess);
}
cudaError_t cudaDeviceReset() {
  device().reset();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (!isLimit(limit)) return device().keep(cudaErrorUnsupportedLimit);
  if (limit == cudaLimitMallocHeapSize) return device().keep(device().setHeapBytes(value));
  if (limit == cudaLimitPrintfFifoSize)
    return device().keep(device().printed().setBytes(value) ? cudaSuccess : cudaErrorInvalidValue);
  findLimit(limit) = value;
  return device().keep(cudaSuccess);
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (!isLimit(limit)) return device().keep(cudaErrorUnsupportedLimit);
  *value = limit == cudaLimitMallocHeapSize   ? device().heapBytes()
           : limit == cudaLimitPrintfFifoSize ? device().printed().bytes()
                                              : findLimit(limit);
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
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return device().keep(cudaErrorInvalidDevice);  // there is only one device
}
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
