// The CUDA runtime's functions for the device and its errors.
#include <array>
#include <cstddef>
#include <cstdio>

#include "sim/host/runtime/device.h"
#include "sim/host/runtime/properties.h"

namespace lanescope::host {
namespace {

/// The value that cudaDeviceSetLimit() has set, or the limit of a new context; the heap's limit is the
/// Device's. The simulator's own limits are separate.
std::size_t& findLimit(cudaLimit limit) {
  static std::array<std::size_t, 7> limits{1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  return limits.at(static_cast<std::size_t>(limit));
}

bool isLimit(cudaLimit limit) {
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize;
}

cudaError_t isPresent(int number) { return number == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

}  // namespace
}  // namespace lanescope::host

using namespace lanescope;  // NOLINT(google-build-using-namespace): the functions below are CUDA's, in no namespace
using namespace lanescope::host;  // NOLINT(google-build-using-namespace)

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return device().keep(cudaSuccess);
}
cudaError_t cudaSetDevice(int number) { return device().keep(isPresent(number)); }
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
  findLimit(limit) = value;
  return device().keep(cudaSuccess);
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (!isLimit(limit)) return device().keep(cudaErrorUnsupportedLimit);
  *value = limit == cudaLimitMallocHeapSize ? device().heapBytes() : findLimit(limit);
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
