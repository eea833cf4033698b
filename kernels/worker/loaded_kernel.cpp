#include "kernels/worker/loaded_kernel.h"

#include <string>

#include <cuda.h>
#include <dlfcn.h>

#include "kernels/protocol/nvrtc.h"

namespace lanescope {

struct LoadedKernel::Driver {
  decltype(&cuModuleLoadData) loadData = nullptr;
  decltype(&cuModuleUnload) unload = nullptr;
  decltype(&cuModuleGetFunction) getFunction = nullptr;
  decltype(&cuFuncGetAttribute) getAttribute = nullptr;
  decltype(&cuFuncSetAttribute) setAttribute = nullptr;
  decltype(&cuLaunchKernel) launchKernel = nullptr;
  decltype(&cuGetErrorString) errorString = nullptr;
  decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor) residentBlocks = nullptr;
  CUresult (*parameterInfo)(CUfunction, std::size_t, std::size_t*, std::size_t*) = nullptr;

  Driver() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error("The NVIDIA driver's libcuda.so.1 was not found.");
    const bool found = receive(library, "cuModuleLoadData", loadData) &&
                       receive(library, "cuModuleUnload", unload) &&
                       receive(library, "cuModuleGetFunction", getFunction) &&
                       receive(library, "cuFuncGetAttribute", getAttribute) &&
                       receive(library, "cuFuncSetAttribute", setAttribute) &&
                       receive(library, "cuLaunchKernel", launchKernel) &&
                       receive(library, "cuGetErrorString", errorString) &&
                       receive(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor", residentBlocks);
    if (!found) throw std::runtime_error("The NVIDIA driver is too old to load a kernel: update it.");
    receive(library, "cuFuncGetParamInfo", parameterInfo);
  }

  void check(CUresult code, const std::string& task) const {
    if (code == CUDA_SUCCESS) return;
    const char* why = nullptr;
    errorString(code, &why);
    // The runtime's codes equal the driver's if both have one.
    throw CudaFailure(static_cast<cudaError_t>(code),
                      "The GPU could not " + task + ": " + (why != nullptr ? why : "an unknown error") + ".");
  }

 private:
  template <class Function>
  static bool receive(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }
};

LoadedKernel::LoadedKernel(const std::string& image, const std::string& symbol)
    : driver_(std::make_unique<Driver>()) {
  CUmodule module = nullptr;
  driver_->check(driver_->loadData(&module, image.data()), "load the compiled kernel");
  module_ = module;
  CUfunction function = nullptr;
  driver_->check(driver_->getFunction(&function, module, symbol.c_str()), "find the compiled kernel");
  function_ = function;
}

LoadedKernel::LoadedKernel(const void* linked) : driver_(std::make_unique<Driver>()) {
  cudaFunction_t function = nullptr;
  lanescope::check(cudaGetFuncBySymbol(&function, linked), "find its own kernel");
  function_ = function;
}

LoadedKernel::~LoadedKernel() {
  if (module_ != nullptr) driver_->unload(static_cast<CUmodule>(module_));
}

int LoadedKernel::attribute(int which) const {
  int value = 0;
  driver_->check(driver_->getAttribute(&value, static_cast<CUfunction_attribute>(which),
                                       static_cast<CUfunction>(function_)),
                 "give the attributes of the compiled kernel");
  return value;
}

std::uint32_t LoadedKernel::registers() const {
  return static_cast<std::uint32_t>(attribute(CU_FUNC_ATTRIBUTE_NUM_REGS));
}

std::uint64_t LoadedKernel::staticSharedBytes() const {
  return static_cast<std::uint64_t>(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
}

std::uint64_t LoadedKernel::localBytes() const {
  return static_cast<std::uint64_t>(attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
}

std::uint32_t LoadedKernel::residentBlocks(std::uint32_t threads, std::uint64_t dynamicSharedBytes) const {
  int blocks = 0;
  driver_->check(driver_->residentBlocks(&blocks, static_cast<CUfunction>(function_),
                                         static_cast<int>(threads), dynamicSharedBytes),
                 "say how many blocks an SM holds");
  return static_cast<std::uint32_t>(blocks);
}

void LoadedKernel::allowDynamicShared(std::uint64_t bytes) const {
  int most = 0;
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "say what it has");
  if (bytes + staticSharedBytes() > static_cast<std::uint64_t>(most)) {
    throw std::runtime_error("A block asks for " + std::to_string(bytes + staticSharedBytes()) +
                             " bytes of shared memory and this GPU has " + std::to_string(most) +
                             " for it: choose less.");
  }
  driver_->check(
      driver_->setAttribute(static_cast<CUfunction>(function_),
                            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(bytes)),
      "give a block " + std::to_string(bytes) + " bytes of dynamic shared memory");
}

std::string LoadedKernel::parameterProblem(const std::vector<std::size_t>& sizes) const {
  if (driver_->parameterInfo == nullptr) return {};
  std::size_t count = 0;
  for (std::size_t offset = 0, size = 0;
       driver_->parameterInfo(static_cast<CUfunction>(function_), count, &offset, &size) == CUDA_SUCCESS;
       ++count) {
    if (count < sizes.size() && sizes[count] != size) {
      return "Parameter " + std::to_string(count) + " of the kernel takes " + std::to_string(size) +
             " bytes and its argument has " + std::to_string(sizes[count]) + ".";
    }
  }
  if (count == sizes.size()) return {};
  return "The kernel takes " + std::to_string(count) + " arguments and was given " +
         std::to_string(sizes.size()) + ".";
}

void LoadedKernel::launch(const TextLaunch& launch, void** parameters, const Stream& stream) const {
  driver_->check(driver_->launchKernel(static_cast<CUfunction>(function_), launch.grid[0], launch.grid[1],
                                       launch.grid[2], launch.block[0], launch.block[1], launch.block[2],
                                       static_cast<unsigned int>(launch.dynamicSharedBytes), stream.get(),
                                       parameters, nullptr),
                 "launch the kernel");
}

namespace {

/// `sm_90`
std::string currentArchitecture() {
  int device = 0;
  int major = 0;
  int minor = 0;
  check(cudaGetDevice(&device), "say which it is");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "say what it is");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "say what it is");
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

std::string findFirstError(const CompiledText& compiled) {
  for (const CompilerFinding& finding : compiled.findings) {
    if (finding.isError) return "line " + std::to_string(finding.line) + ": " + finding.message;
  }
  return "the compiler gives no reason";
}

}  // namespace

std::shared_ptr<const LoadedKernel> loadVariant(const Variant& variant, const StrategyShape& shape) {
  const auto nvrtc = Nvrtc::load();
  if (!nvrtc) throw TextFailure(nvrtc.error().sentence());
  TextLaunch launch{.kernel = shape.kernel};
  if (shape.type != ElementType::Float)
    launch.text = "#define float " + std::string(elementTypeName(shape.type)) + "\n#line 1\n";
  launch.text += *variant.text;
  const auto compiled = nvrtc->compile(launch, currentArchitecture());
  if (!compiled) throw TextFailure(compiled.error().sentence());
  if (!compiled->compiled)
    throw TextFailure("'" + variant.series + "' does not compile: " + findFirstError(*compiled) + ".");
  auto kernel = std::make_shared<const LoadedKernel>(compiled->image, compiled->loweredName);
  if (shape.dynamicSharedBytes > 0) kernel->allowDynamicShared(shape.dynamicSharedBytes);
  return kernel;
}

}  // namespace lanescope
