#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace lanescope {

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
  std::map<std::uint64_t, std::uint64_t> free_;  ///< consecutive free granules, by the first
  std::size_t blocks_ = 0;
  std::uint64_t allocated_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace lanescope
