#pragma once

#include <vector>

#include "kernels/worker/cuda_call.h"
#include "sim/memory/device_memory.h"

namespace lanescope {

/// The arguments of a text's launch on the GPU: buffers filled as in the simulator, and scalars. Throws
/// CudaFailure.
class EditedBuffers {
 public:
  /// Reads argument specs (sim/memory/argument.h) and allocates memory. Errors, one sentence each: an invalid
  /// spec, more memory than the GPU has free or than kMaxBytes. `keepFresh`: keep a second copy on the GPU
  /// for reset().
  static Result<EditedBuffers> create(const std::vector<std::string>& specs, bool keepFresh);

  static constexpr std::uint64_t kMaxBytes = std::uint64_t{8} << 30U;

  /// Queues every buffer's initial fill again.
  void reset(const Stream& stream) const;

  /// Pointers to each argument's value, as a launch takes them; and each value's bytes.
  void** parameters() { return pointers_.data(); }
  const std::vector<std::size_t>& sizes() const { return sizes_; }

  std::size_t count() const { return used_.size(); }
  std::size_t findArgument(std::size_t buffer) const { return host_.findArgument(buffer); }
  ArgumentType findType(std::size_t buffer) const { return arguments_[findArgument(buffer)].type; }
  /// Copies a buffer back from the GPU; valid until the next call.
  std::span<const std::byte> fetch(std::size_t buffer, const Stream& stream);

 private:
  explicit EditedBuffers(DeviceMemory host) : host_(std::move(host)) {}
  void bind();

  std::vector<Argument> arguments_;
  DeviceMemory host_;
  std::vector<DeviceBuffer> fresh_;
  std::vector<DeviceBuffer> used_;
  std::vector<std::byte> fetched_;
  std::vector<std::uint64_t> values_;  ///< by argument: a pointer or a scalar's bits
  std::vector<void*> pointers_;        ///< to values_, and past them to zeros
  std::vector<std::size_t> sizes_;
};

}  // namespace lanescope
