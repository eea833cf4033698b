#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "kernels/strategies/experiment.h"
#include "kernels/worker/cuda_call.h"

namespace lanescope {

/// A kernel, loaded from an image that NVRTC made or linked into this program, through the driver's own
/// interface, which is looked up at run time. Everything throws CudaFailure or std::runtime_error with one
/// sentence.
class LoadedKernel {
 public:
  /// Needs a current context: any earlier call of the runtime has made one.
  LoadedKernel(const std::string& image, const std::string& symbol);
  /// One of this program's own kernels, as cudaLaunchKernel takes it.
  explicit LoadedKernel(const void* linked);
  ~LoadedKernel();
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  std::uint32_t registers() const;
  std::uint64_t staticSharedBytes() const;
  std::uint64_t localBytes() const;

  /// The number of blocks of that many threads, with that much dynamic shared memory, that an SM holds at a
  /// time.
  std::uint32_t residentBlocks(std::uint32_t threads, std::uint64_t dynamicSharedBytes) const;

  /// Allows a block that many bytes of dynamic shared memory.
  void allowDynamicShared(std::uint64_t bytes) const;

  /// One sentence if the number of parameters is not `count`, or if one has another size than `sizes`; empty
  /// if they fit or the driver (before CUDA 12.4) cannot tell.
  std::string parameterProblem(const std::vector<std::size_t>& sizes) const;

  /// Queues one launch; `parameters` points to each argument's value.
  void launch(const TextLaunch& launch, void** parameters, const Stream& stream) const;

 private:
  struct Driver;
  int attribute(int which) const;

  std::unique_ptr<Driver> driver_;
  void* module_ = nullptr;
  void* function_ = nullptr;
};

/// A shipped text that the machine's compiler rejects; the process continues.
struct TextFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The kernel of a variant, compiled by NVRTC for the current GPU like edited kernels, with `float` as the
/// type of element. Throws TextFailure with one sentence, and CudaFailure.
std::shared_ptr<const LoadedKernel> loadVariant(const Variant& variant, const StrategyShape& shape);

}  // namespace lanescope
