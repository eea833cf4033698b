#include "kernels/worker/edited_buffers.h"

#include <bit>

#include "kernels/protocol/bench_rules.h"
#include "kernels/worker/device.h"
#include "sim/memory/device_memory.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kSpareBytes = std::uint64_t{512} << 20U;  // L2's flush, stacks, the driver's own
constexpr std::size_t kMostParameters = 1024;  // 4 KiB of parameters hold no more pointers than half of that

}  // namespace

Result<EditedBuffers> EditedBuffers::create(const std::vector<std::string>& specs, bool keepFresh) {
  std::vector<Argument> arguments;
  std::uint64_t needed = 0;
  for (const std::string& spec : specs) {
    const auto argument = parseArgument(spec);
    if (!argument) return argument.error();
    if (argument->isStruct) {
      return Error{"'" + spec + "' is a struct, which is not passed to a GPU from here.",
                   "Simulate the launch, or run the whole program on the GPU."};
    }
    needed += argument->bytes() * (keepFresh ? 2 : 1);
    arguments.push_back(*argument);
  }
  const std::uint64_t free = freeDeviceMemory();
  if (needed > 0 && needed + kSpareBytes > free) {
    return Error{"The buffers need " + bytesText(needed) + " of GPU memory" +
                     (keepFresh ? ", a fresh copy counted," : "") + " and " + bytesText(free) + " are free.",
                 "Choose smaller buffers."};
  }
  auto host = DeviceMemory::create(arguments, kMaxBytes);
  if (!host) return host.error();
  EditedBuffers buffers(std::move(host).value());
  buffers.arguments_ = std::move(arguments);
  for (std::size_t i = 0; i < buffers.host_.bufferCount(); ++i) {
    const auto bytes = std::as_const(buffers.host_).buffer(i);
    buffers.used_.emplace_back(bytes.size());
    DeviceBuffer& first = keepFresh ? buffers.fresh_.emplace_back(bytes.size()) : buffers.used_.back();
    check(cudaMemcpy(first.data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "take the buffers");
  }
  buffers.bind();
  return Result<EditedBuffers>(std::move(buffers));
}

/// A kernel with more parameters than arguments reads zeros, not the worker's memory.
void EditedBuffers::bind() {
  values_.assign(arguments_.size() + 8, 0);
  std::size_t buffer = 0;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& argument = arguments_[i];
    values_[i] = argument.isBuffer ? std::bit_cast<std::uint64_t>(used_[buffer++].data()) +
                                         argument.offset * argumentTypeBytes(argument.type)
                                   : scalarBits(argument);
    sizes_.push_back(argument.isBuffer ? sizeof(void*) : argumentTypeBytes(argument.type));
  }
  for (std::size_t i = 0; i < kMostParameters; ++i) {
    pointers_.push_back(&values_[std::min(i, arguments_.size())]);
  }
}

void EditedBuffers::reset(const Stream& stream) const {
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    check(cudaMemcpyAsync(used_[i].data(), fresh_[i].data(), used_[i].bytes(), cudaMemcpyDeviceToDevice,
                          stream.get()),
          "fill the buffers");
  }
}

std::span<const std::byte> EditedBuffers::fetch(std::size_t buffer, const Stream& stream) {
  fetched_.resize(used_[buffer].bytes());
  check(cudaMemcpyAsync(fetched_.data(), used_[buffer].data(), fetched_.size(), cudaMemcpyDeviceToHost,
                        stream.get()),
        "hand over a buffer");
  stream.wait("hand over a buffer");
  return fetched_;
}

}  // namespace lanescope
