#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/memory/argument.h"

namespace lanescope {

/// The global buffers of a launch, filled according to its arguments.
class DeviceMemory {
 public:
  static constexpr std::size_t kNoArgument = SIZE_MAX;  ///< argument index of a buffer that is not an
                                                        ///< argument

  /// Error: more bytes than the limit.
  static Result<DeviceMemory> create(std::span<const Argument> arguments, std::uint64_t limitBytes);

  /// Memory over the buffers of a program, by their numbers. An empty buffer is no memory. The buffers must
  /// live as long as the result.
  static DeviceMemory over(std::vector<std::span<std::byte>> buffers);

  /// The bytes of buffer number `buffer` (buffers count from 0 in argument order).
  std::span<std::byte> buffer(std::size_t buffer) {
    return isBorrowed() ? borrowed_[buffer] : std::span<std::byte>(buffers_[buffer]);
  }
  std::span<const std::byte> buffer(std::size_t buffer) const {
    return isBorrowed() ? std::span<const std::byte>(borrowed_[buffer])
                        : std::span<const std::byte>(buffers_[buffer]);
  }
  std::size_t bufferCount() const { return isBorrowed() ? borrowed_.size() : buffers_.size(); }
  /// True if the buffers are those given to over(): not arguments of the launch, and not to be moved out.
  bool isBorrowed() const { return !borrowed_.empty(); }
  /// Adds a buffer with that content and a new argument number.
  void append(std::vector<std::byte> bytes, std::size_t argument) {
    buffers_.push_back(std::move(bytes));
    arguments_.push_back(argument);
  }
  void replace(std::size_t buffer, std::vector<std::byte> bytes) { buffers_[buffer] = std::move(bytes); }
  /// Argument index of a buffer.
  std::size_t findArgument(std::size_t buffer) const { return arguments_[buffer]; }
  /// Moves every buffer's bytes out.
  std::vector<std::vector<std::byte>> releaseBuffers() && { return std::move(buffers_); }

 private:
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::size_t> arguments_;
  std::vector<std::span<std::byte>> borrowed_;
};

/// The initial bytes of an argument: a buffer's elements, which memory has room for, or the scalar in its
/// type.
std::vector<std::byte> toBytes(const Argument& argument);

/// A scalar in its type, in the low bytes.
std::uint64_t scalarBits(const Argument& argument);

/// The initial value of element `i` of a buffer with that fill: a whole number, rounded to the element's
/// type. The elements of an f32x4 buffer are its single floats.
double findElement(ArgumentType type, Fill fill, std::uint64_t i);

/// Sum of a buffer's elements in double.
double computeSum(std::span<const std::byte> bytes, ArgumentType type);
/// FNV-1a, 64 bits, of a buffer's bytes, the same as in the H200 measurements. These start from
/// 1469598103934665603, the standard offset basis without its last digit, so this hash does too.
std::uint64_t fnv1a(std::span<const std::byte> bytes);

/// The heap of malloc and new in kernels: blocks in a buffer of the device, which outlive their launch. The
/// buffer holds the bytes. This class keeps the list of blocks. Offsets are bytes into the buffer.
class DeviceHeap {
 public:
  enum class Release : std::uint8_t { Done, Twice, Never };
  struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  ///< 0: no allocation there
  };

  explicit DeviceHeap(std::uint64_t bytes);

  /// The offset of a new block, a multiple of 16. Empty if no room is left, or for 0 bytes.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);
  Release release(std::uint64_t offset);
  /// The block with the byte at the offset.
  Extent blockAt(std::uint64_t offset) const;
  std::uint64_t size() const { return bytes_; }
  std::size_t blocks() const { return blocks_; }
  std::uint64_t allocatedBytes() const { return allocated_; }

 private:
  static constexpr std::uint64_t kGranule = 16;
  struct Granule {
    std::uint32_t first = 0;  ///< of its block, counted from 1; 0: free
    std::uint32_t bytes = 0;  ///< of the block that begins here
    bool wasFreed = false;    ///< a block that began here was freed
  };

  std::uint64_t bytes_;
  std::vector<Granule> granules_;
  std::map<std::size_t, std::size_t> free_;  ///< consecutive free granules, by the first
  std::size_t blocks_ = 0;
  std::uint64_t allocated_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace lanescope
