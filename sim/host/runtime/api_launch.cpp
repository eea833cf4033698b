#include <initializer_list>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/host/runtime/device.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"

namespace lanescope::host {

namespace {

struct Limit {
  std::string_view of;
  std::uint64_t value = 0;
  std::uint64_t most = 0;
};

/// The limit of a grid or a block that is passed, as `a block has 1 to 1,024 threads, but this one has
/// 2,048`.
std::optional<std::string> findPassed(std::string_view whole, std::initializer_list<Limit> limits) {
  for (const Limit& limit : limits) {
    if (limit.value >= 1 && limit.value <= limit.most) continue;
    return fmt::format("a {} has 1 to {} {}, but this one has {}", whole, withCommas(limit.most), limit.of,
                       withCommas(limit.value));
  }
  return std::nullopt;
}

std::string extentsText(const Dim3& extents) {
  return fmt::format("{} x {} x {}", extents.x, extents.y, extents.z);
}

}  // namespace

std::optional<std::string> findRefusal(const Bytecode& kernel, const Configuration& configuration,
                                       std::uint64_t mostSharedBytes) {
  const Dim3& grid = configuration.grid;
  const Dim3& block = configuration.block;
  const std::string_view error = cudaGetErrorString(cudaErrorInvalidValue);
  auto passed = findPassed("block", {{"threads", block.count(), kMaxBlockThreads},
                                     {"threads in x", block.x, kMaxBlockThreads},
                                     {"threads in y", block.y, kMaxBlockThreads},
                                     {"threads in z", block.z, kMaxBlockZ}});
  if (!passed) {
    passed = findPassed("grid", {{"blocks in x", grid.x, kMaxGridX},
                                 {"blocks in y", grid.y, kMaxGridYZ},
                                 {"blocks in z", grid.z, kMaxGridYZ}});
  }
  if (passed) {
    return fmt::format("the launch of {} with a grid of {} blocks of {} threads failed ({}): {}",
                       kernel.kernelName, extentsText(grid), extentsText(block), error, *passed);
  }
  if (block.count() > kernel.mostBlockThreads) {
    return fmt::format(
        "the launch of {} with blocks of {} threads failed ({}): the kernel's __launch_bounds__ allows at "
        "most {}",
        kernel.kernelName, withCommas(block.count()), error, withCommas(kernel.mostBlockThreads));
  }
  const std::uint64_t shared = kernel.staticSharedBytes + configuration.sharedBytes;
  if (configuration.sharedBytes > 0 && shared > mostSharedBytes) {
    return fmt::format(
        "the launch of {} with {} bytes of shared memory failed ({}): it may have {}, more take "
        "cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize, up to {}",
        kernel.kernelName, withCommas(shared), error, withCommas(mostSharedBytes),
        withCommas(kMaxSharedBytes));
  }
  return std::nullopt;
}

// Launches, and queries about kernels: by the stubs that replace their functions on the host.

namespace {

/// The description that a stub gives of itself if it is called for a query, and not for a launch.
struct Described {
  std::string kernel;
  std::vector<std::size_t> sizes;
};
thread_local Described* asked = nullptr;

/// The configuration that `<<<…>>>` gives the stub called next; empty: it is called as a function.
struct Pending {
  Configuration configuration;
  cudaStream_t stream = nullptr;
};
thread_local std::optional<Pending> pending;

/// Arguments that outlive their call.
class KeptArguments {
 public:
  explicit KeptArguments(const std::vector<LanescopeParameter>& parameters) {
    for (const LanescopeParameter& parameter : parameters) {
      const auto* const first = static_cast<const std::byte*>(parameter.value);
      values_.emplace_back(first, first + parameter.bytes);
    }
  }
  std::vector<LanescopeParameter> parameters() const {
    std::vector<LanescopeParameter> parameters;
    for (const std::vector<std::byte>& value : values_) parameters.push_back({value.data(), value.size()});
    return parameters;
  }

 private:
  std::vector<std::vector<std::byte>> values_;
};

/// The kernel behind a function of the host: the stub is called without arguments, since it only takes their
/// addresses.
Described describe(const void* function) {
  Described described;
  asked = &described;
  reinterpret_cast<void (*)()>(const_cast<void*>(function))();
  asked = nullptr;
  return described;
}

Dim3 computeExtent(dim3 extent) { return {extent.x, extent.y, extent.z}; }

/// The kernel of a function; if there is none, the program ends.
CompiledKernelPtr lookUpKernel(const std::string& name) {
  const auto kernel = device().kernel(name);
  if (!kernel)
    endProgram(
        fmt::format("the kernel {} cannot be simulated.\n{}", unitName(name).name, kernel.error().message));
  return *kernel;
}

std::vector<LanescopeParameter> makeParameters(const Described& kernel, void** arguments) {
  std::vector<LanescopeParameter> parameters;
  for (std::size_t p = 0; p < kernel.sizes.size(); ++p) parameters.push_back({arguments[p], kernel.sizes[p]});
  return parameters;
}

}  // namespace

std::function<cudaError_t()> keptLaunch(const void* function, const LaunchExtents& extents,
                                        void** arguments) {
  const Described kernel = describe(function);
  const Configuration configuration{0, 0, computeExtent(extents.grid), computeExtent(extents.block),
                                    extents.sharedBytes};
  return [own = KeptArguments(makeParameters(kernel, arguments)), name = kernel.kernel, configuration] {
    return device().launch(name, own.parameters(), configuration);
  };
}

}  // namespace lanescope::host

using namespace lanescope;  // NOLINT(google-build-using-namespace): the functions below are CUDA's, in no namespace
using namespace lanescope::host;  // NOLINT(google-build-using-namespace)

unsigned int lanescopeConfigure(LanescopePlace place, dim3 grid, dim3 block, size_t sharedBytes,
                                cudaStream_t stream) {
  pending = {{place.line, place.unit, computeExtent(grid), computeExtent(block), sharedBytes}, stream};
  return 0;
}

void lanescopeStub(const char* kernel, const LanescopeParameter* parameters, size_t count) {
  if (asked != nullptr) {
    asked->kernel = kernel;
    for (std::size_t p = 0; p < count; ++p) asked->sizes.push_back(parameters[p].bytes);
    return;
  }
  if (!pending) {
    const std::string name = unitName(kernel).name;
    endProgram(fmt::format("{}: the kernel {} is called as a function. Launch it: {}<<<grid, block>>>(…).",
                           device().tutor().placeOfCaller(), name, name));
  }
  const auto [launched, stream] = *pending;
  pending.reset();
  if (findGraph(stream) == nullptr) {
    const InStream in(stream);
    device().launch(kernel, {parameters, parameters + count}, launched);
    return;
  }
  addNode(*findGraph(stream), NodeKind::Kernel,
          [own = KeptArguments({parameters, parameters + count}), name = std::string(kernel),
           configuration = launched] { return device().launch(name, own.parameters(), configuration); });
}

cudaError_t lanescopeLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                  size_t sharedBytes, cudaStream_t stream, bool isCooperative) {
  if (function == nullptr) return device().keep(cudaErrorInvalidDeviceFunction);
  const Described kernel = describe(function);
  if (kernel.kernel.empty()) return device().keep(cudaErrorInvalidDeviceFunction);
  if (LanescopeGraph* const graph = findGraph(stream)) {
    addNode(*graph, NodeKind::Kernel, keptLaunch(function, {grid, block, sharedBytes}, arguments));
    return cudaSuccess;
  }
  if (isCooperative) {
    int blocks = 0;
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    lanescopeMaxActiveBlocks(&blocks, function, static_cast<int>(computeExtent(block).count()), sharedBytes);
    const auto most = static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(multiprocessors);
    if (computeExtent(grid).count() > most) {
      device().reportError(
          device().tutor().placeOfCaller(),
          fmt::format(
              "the cooperative launch of {} failed ({}): at most {} of its blocks run at once, but the grid "
              "has {}.",
              unitName(kernel.kernel).name, cudaGetErrorString(cudaErrorCooperativeLaunchTooLarge),
              withCommas(most), withCommas(computeExtent(grid).count())));
      return device().keep(cudaErrorCooperativeLaunchTooLarge);
    }
  }
  const InStream in(stream);
  return device().launch(kernel.kernel, makeParameters(kernel, arguments),
                         {0, 0, computeExtent(grid), computeExtent(block), sharedBytes, isCooperative});
}

cudaError_t lanescopeFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const std::string name = describe(function).kernel;
  const CompiledKernelPtr kernel = lookUpKernel(name);
  *attributes = {};
  attributes->sharedSizeBytes = kernel->code.staticSharedBytes;
  attributes->localSizeBytes = kernel->code.localBytes;
  attributes->maxThreadsPerBlock = static_cast<int>(kernel->code.mostBlockThreads);
  attributes->numRegs = 32;  // unknown: the simulator has no register allocation
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(device().maxSharedBytes(name) - kernel->code.staticSharedBytes);
  return device().keep(cudaSuccess);
}

cudaError_t lanescopeFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return device().keep(cudaSuccess);
  const std::string name = describe(function).kernel;
  const cudaError_t error = device().setMaxSharedBytes(name, value);
  if (error != cudaSuccess) {
    device().tutor().explain(
        device().tutor().placeOfCaller(),
        fmt::format("cudaFuncSetAttribute failed for {}: a block has at most {} bytes of shared "
                    "memory, static and dynamic, but {} are asked for.",
                    unitName(name).name, withCommas(kMaxSharedBytes), value));
  }
  return device().keep(error);
}

cudaError_t lanescopeMaxActiveBlocks(int* blocks, const void* function, int threads, size_t sharedBytes) {
  const CompiledKernelPtr kernel = lookUpKernel(describe(function).kernel);
  if (threads <= 0 || threads > 1024) return device().keep(cudaErrorInvalidValue);
  const BlockDemand demand{static_cast<std::uint64_t>(threads), kernel->code.staticSharedBytes + sharedBytes,
                           32};
  *blocks = static_cast<int>(computeOccupancy(demand, deviceSmLimits()).blocks());
  return device().keep(cudaSuccess);
}

int lanescopeSymbol(const void* variable, const char* name, size_t bytes) {
  device().addSymbol(variable, name, bytes);
  return 0;
}

void* lanescopeManaged(const char* name, size_t bytes) {
  const Buffer* const buffer = device().memory().allocate(MemoryKind::Managed, bytes, nullptr);
  if (buffer == nullptr)
    endProgram(fmt::format("there is no memory for the variable {}.", unitName(name).name));
  device().addManaged(name, buffer->number, bytes);
  return buffer->bytes.data();
}

void lanescopeDeviceOnly() {
  endProgram(fmt::format(
      "{}: a __device__ function is called on the host. Call it from a kernel, or make it __host__ "
      "__device__.",
      device().tutor().placeOfCaller()));
}
