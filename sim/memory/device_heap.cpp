#include "sim/memory/device_heap.h"

#include <algorithm>
#include <iterator>

namespace lanescope {

DeviceHeap::DeviceHeap(std::uint64_t bytes) : bytes_(bytes), granules_(bytes / kGranule) {
  if (!granules_.empty()) free_[0] = granules_.size();
}

std::optional<std::uint64_t> DeviceHeap::allocate(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > bytes_) return std::nullopt;
  const std::uint64_t count = (bytes + kGranule - 1) / kGranule;
  const auto found = std::ranges::find_if(free_, [&](const auto& run) { return run.second >= count; });
  if (found == free_.end()) return std::nullopt;
  const auto [first, length] = *found;
  free_.erase(found);
  if (length > count) free_[first + count] = length - count;
  for (std::uint64_t g = first; g < first + count; ++g)
    granules_[g].first = static_cast<std::uint32_t>(first + 1);
  granules_[first].bytes = static_cast<std::uint32_t>(bytes);
  granules_[first].wasFreed = false;
  ++blocks_;
  allocated_ += bytes;
  return first * kGranule;
}

DeviceHeap::Release DeviceHeap::release(std::uint64_t offset) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t first = offset / kGranule;
  if (offset % kGranule != 0 || first >= granules_.size()) return Release::Never;
  if (granules_[first].first != first + 1)
    return granules_[first].wasFreed && granules_[first].first == 0 ? Release::Twice : Release::Never;
  std::uint64_t count = (granules_[first].bytes + kGranule - 1) / kGranule;
  --blocks_;
  allocated_ -= granules_[first].bytes;
  for (std::uint64_t g = first; g < first + count; ++g) granules_[g].first = 0;
  granules_[first].wasFreed = true;
  std::uint64_t begin = first;
  auto next = free_.lower_bound(first);
  if (next != free_.end() && next->first == first + count) {
    count += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == first) {
      begin = before->first;
      count += before->second;
      free_.erase(before);
    }
  }
  free_[begin] = count;
  return Release::Done;
}

// Without the lock: a pointer to a block comes from its allocation, and the blocks of a kernel that allocates
// run one at a time.
DeviceHeap::Extent DeviceHeap::blockAt(std::uint64_t offset) const {
  const std::uint64_t granule = offset / kGranule;
  if (granule >= granules_.size() || granules_[granule].first == 0) return {};
  const std::uint64_t first = granules_[granule].first - 1;
  return {first * kGranule, first * kGranule + granules_[first].bytes};
}

}  // namespace lanescope
