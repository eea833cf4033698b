#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace lanescope {

/// What kernels allocate with malloc and new: blocks of a buffer of the device, which outlive their launch.
/// The bytes are the buffer's; this is who has them. Offsets are bytes into the buffer.
class DeviceHeap {
 public:
  enum class Release : std::uint8_t { Done, Twice, Never };
  struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  ///< 0: nothing is allocated there
  };

  explicit DeviceHeap(std::uint64_t bytes);

  /// The offset of a new block, a multiple of 16; nothing where no room is left, or for 0 bytes.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);
  Release release(std::uint64_t offset);
  /// The block that has the byte at the offset.
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
  std::map<std::uint64_t, std::uint64_t> free_;  ///< granules in a row, by the first
  std::size_t blocks_ = 0;
  std::uint64_t allocated_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace lanescope
