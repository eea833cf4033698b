// The parts of helper_cuda.h in NVIDIA's samples that course programs use, written anew for Lanescope.
#pragma once
#pragma GCC system_header
#include <cuda_runtime.h>
#include "helper_string.h"
#include "helper_timer.h"

template <class T>
void lanescopeCheck(T result, const char* call, const char* file, int line) {
  if (result == cudaSuccess) return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<int>(result),
          cudaGetErrorName(result), call);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(value) lanescopeCheck((value), #value, __FILE__, __LINE__)

inline void lanescopeLastError(const char* message, const char* file, int line, bool ends) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
          static_cast<int>(error), cudaGetErrorString(error));
  if (ends) exit(EXIT_FAILURE);
}
#define getLastCudaError(message) lanescopeLastError(message, __FILE__, __LINE__, true)
#define printLastCudaError(message) lanescopeLastError(message, __FILE__, __LINE__, false)

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

/// Cores per SM by compute capability (CUDA C++ Programming Guide, "Compute Capabilities").
inline int _ConvertSMVer2Cores(int major, int minor) {
  if (major == 7) return 64;
  return major == 8 && minor == 0 ? 64 : 128;
}
inline const char* _ConvertSMVer2ArchName(int major, int) {
  return major == 9 ? "Hopper" : major == 8 ? "Ampere" : major == 7 ? "Volta" : "Blackwell";
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int gpuDeviceInit(int device) {
  checkCudaErrors(cudaSetDevice(device));
  return device;
}
inline int findCudaDevice(int argc, const char** argv) {
  int device = 0;
  if (checkCmdLineFlag(argc, argv, "device")) device = getCmdLineArgumentInt(argc, argv, "device=");
  checkCudaErrors(cudaSetDevice(device));
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
         _ConvertSMVer2ArchName(properties.major, properties.minor), properties.major, properties.minor);
  return device;
}
inline bool checkCudaCapabilities(int major, int minor) {
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
  return properties.major > major || (properties.major == major && properties.minor >= minor);
}
