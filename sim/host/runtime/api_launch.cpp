// Launches, and what is asked of kernels: by the stubs that their functions on the host are.
#include <fmt/format.h>

#include <algorithm>

#include "sim/host/runtime/device.h"
#include "sim/memory/address.h"
#include "sim/memory/occupancy.h"

namespace lanescope::host {
namespace {

/// What a stub says of itself where it is called to be asked, and not to be launched.
struct Described {
  std::string kernel;
  std::vector<std::size_t> sizes;
};
thread_local Described* asked = nullptr;

/// The kernel behind a function of the host: the stub is called without arguments, which it only takes the
/// addresses of.
Described describe(const void* function) {
  Described described;
  asked = &described;
  reinterpret_cast<void (*)()>(const_cast<void*>(function))();
  asked = nullptr;
  return described;
}

Dim3 extentOf(dim3 extent) { return {extent.x, extent.y, extent.z}; }

/// The kernel of a function, or the program's end.
CompiledKernelPtr kernelOf(const std::string& name) {
  const auto kernel = device().kernel(name);
  if (!kernel)
    endProgram(fmt::format("the kernel {} cannot be simulated.\n{}", name, kernel.error().message));
  return *kernel;
}

}  // namespace
}  // namespace lanescope::host

using namespace lanescope;  // NOLINT(google-build-using-namespace): the functions below are CUDA's, in no namespace
using namespace lanescope::host;  // NOLINT(google-build-using-namespace)

unsigned int lanescopeConfigure(int line, dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t) {
  device().pending = Configuration{line, extentOf(grid), extentOf(block), sharedBytes};
  return 0;
}

void lanescopeStub(const char* kernel, const LanescopeParameter* parameters, size_t count) {
  if (asked != nullptr) {
    asked->kernel = kernel;
    for (std::size_t p = 0; p < count; ++p) asked->sizes.push_back(parameters[p].bytes);
    return;
  }
  Device& gpu = device();
  if (!gpu.pending) {
    endProgram(fmt::format("{}: the kernel {} is called as a function. Launch it: {}<<<grid, block>>>(…).",
                           gpu.tutor().placeOfCaller(), kernel, kernel));
  }
  const Configuration configuration = *gpu.pending;
  gpu.pending.reset();
  gpu.launch(kernel, {parameters, parameters + count}, configuration);
}

cudaError_t lanescopeLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                  size_t sharedBytes, cudaStream_t, bool isCooperative) {
  if (function == nullptr) return device().keep(cudaErrorInvalidDeviceFunction);
  const Described kernel = describe(function);
  if (kernel.kernel.empty()) return device().keep(cudaErrorInvalidDeviceFunction);
  std::vector<LanescopeParameter> parameters;
  for (std::size_t p = 0; p < kernel.sizes.size(); ++p) parameters.push_back({arguments[p], kernel.sizes[p]});
  if (isCooperative) {
    int blocks = 0;
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    lanescopeMaxActiveBlocks(&blocks, function, static_cast<int>(extentOf(block).count()), sharedBytes);
    if (extentOf(grid).count() >
        static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(multiprocessors))
      return device().keep(cudaErrorCooperativeLaunchTooLarge);
  }
  return device().launch(kernel.kernel, parameters,
                         {0, extentOf(grid), extentOf(block), sharedBytes, isCooperative});
}

cudaError_t lanescopeFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const std::string name = describe(function).kernel;
  const CompiledKernelPtr kernel = kernelOf(name);
  *attributes = {};
  attributes->sharedSizeBytes = kernel->code.staticSharedBytes;
  attributes->localSizeBytes = kernel->code.localBytes;
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;  // not known: the simulator has no register allocation
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(device().maxSharedBytes(name) - kernel->code.staticSharedBytes);
  return device().keep(cudaSuccess);
}

cudaError_t lanescopeFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return device().keep(cudaSuccess);
  return device().keep(device().setMaxSharedBytes(describe(function).kernel, value));
}

cudaError_t lanescopeMaxActiveBlocks(int* blocks, const void* function, int threads, size_t sharedBytes) {
  const CompiledKernelPtr kernel = kernelOf(describe(function).kernel);
  if (threads <= 0 || threads > 1024) return device().keep(cudaErrorInvalidValue);
  const BlockDemand demand{static_cast<std::uint64_t>(threads), kernel->code.staticSharedBytes + sharedBytes,
                           32};
  *blocks = static_cast<int>(occupancyOf(demand, *findSmLimits("9.0")).blocks());
  return device().keep(cudaSuccess);
}

int lanescopeSymbol(const void* variable, const char* name, size_t bytes) {
  device().addSymbol(variable, name, bytes);
  return 0;
}

void* lanescopeManaged(const char* name, size_t bytes) {
  const Buffer* const buffer = device().memory().allocate(MemoryKind::Managed, bytes, nullptr);
  if (buffer == nullptr) endProgram(fmt::format("there is no memory for the variable {}.", name));
  device().addManaged(name, buffer->number, bytes);
  return buffer->bytes.data();
}

void lanescopeDeviceOnly() {
  endProgram(fmt::format(
      "{}: a __device__ function is called on the host. Call it from a kernel, or make it __host__ "
      "__device__.",
      device().tutor().placeOfCaller()));
}
