#include "sim/memory/device_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <new>
#include <type_traits>

#include "sim/memory/argument.h"

namespace lanescope {
namespace {

/// The product of any number of these is exact in 32 bits, as an int and as a float: at most 2^11 * 3^9.
std::int64_t computeFactor(std::uint64_t i, std::uint32_t hash) {
  if (i < 1024 && (i == 0 || std::has_single_bit(i))) return 2;
  if (i < 1024 && i % 3 == 0 && std::has_single_bit(i / 3)) return 3;
  return hash % 2 == 0 ? 1 : -1;
}

std::int64_t toNumber(Fill fill, std::uint64_t i) {
  const auto computeHash = [](std::uint64_t of) {
    return (static_cast<std::uint32_t>(of) * 2654435761u) >> 16;
  };
  const std::uint32_t hash = computeHash(i) % 100;
  switch (fill) {
    case Fill::Zero: return 0;
    case Fill::Hash: return hash;
    case Fill::Hash1: return hash + 1;
    case Fill::Ones: return 1;
    case Fill::Iota: return static_cast<std::int64_t>(i);
    case Fill::Factors: return computeFactor(i, hash);
    case Fill::Least: return 10 + computeHash(i + 104) % 90;
  }
  return 0;
}

template <class T>
T elementAs(Fill fill, std::uint64_t i) {
  const std::int64_t number = toNumber(fill, i);
  if constexpr (std::is_class_v<T>) {
    return T::rounded(static_cast<double>(number));
  } else {
    return static_cast<T>(std::is_unsigned_v<T> && fill == Fill::Factors && number < 0 ? 1 : number);
  }
}

template <class T>
void fillAs(std::span<std::byte> bytes, Fill fill) {
  if (fill == Fill::Zero) return;
  for (std::size_t i = 0; i * sizeof(T) < bytes.size(); ++i) {
    const T value = elementAs<T>(fill, i);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

void fillBuffer(std::span<std::byte> bytes, ArgumentType type, Fill fill) {
  withElement(type, [&]<class Element>(Element /*any*/) { fillAs<Element>(bytes, fill); });
}

template <class T>
double sumAs(std::span<const std::byte> bytes) {
  double sum = 0;
  for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + i, sizeof(T));
    sum += static_cast<double>(asNumber(value));
  }
  return sum;
}

}  // namespace

Result<DeviceMemory> DeviceMemory::create(std::span<const Argument> arguments, std::uint64_t limitBytes) {
  limitBytes = std::min<std::uint64_t>(limitBytes, SIZE_MAX);
  std::uint64_t total = 0;
  for (const Argument& argument : arguments) {
    if (argument.isBuffer) total += argument.bytes();
  }
  const Error tooMuch{"The buffers need " + std::to_string(total >> 20) + " MiB, more than the limit of " +
                          std::to_string(limitBytes >> 20) + " MiB.",
                      "Choose smaller buffers.",
                      {}};
  if (total > limitBytes) return tooMuch;
  DeviceMemory memory;
  try {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].isBuffer) continue;
      memory.buffers_.emplace_back(static_cast<std::size_t>(arguments[i].bytes()));
      memory.arguments_.push_back(i);
      fillBuffer(memory.buffers_.back(), arguments[i].type, arguments[i].fill);
    }
  } catch (const std::bad_alloc&) {
    return tooMuch;
  }
  return memory;
}

DeviceMemory DeviceMemory::over(std::vector<std::span<std::byte>> buffers) {
  DeviceMemory memory;
  memory.borrowed_ = std::move(buffers);
  return memory;
}

std::vector<std::byte> toBytes(const Argument& argument) {
  if (argument.isBuffer) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(argument.bytes()));
    fillBuffer(bytes, argument.type, argument.fill);
    return bytes;
  }
  std::vector<std::byte> bytes(argumentTypeBytes(argument.type));
  const std::uint64_t bits = scalarBits(argument);
  std::memcpy(bytes.data(), &bits, std::min(bytes.size(), sizeof bits));
  return bytes;
}

std::uint64_t scalarBits(const Argument& argument) {
  return withElement(argument.type, [&]<class Element>(Element value) {
    // The low bytes of an integer are the narrower integer, on GPUs, x86 and Arm alike.
    if constexpr (std::is_integral_v<Element>) return argument.integer;
    if constexpr (std::is_class_v<Element>) value = Element::rounded(argument.real);
    if constexpr (std::is_floating_point_v<Element>) value = static_cast<Element>(argument.real);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  });
}

double findElement(ArgumentType type, Fill fill, std::uint64_t i) {
  return withElement(type, [&]<class Element>(Element /*any*/) {
    return static_cast<double>(asNumber(elementAs<Element>(fill, i)));
  });
}

double computeSum(std::span<const std::byte> bytes, ArgumentType type) {
  return withElement(type, [&]<class Element>(Element /*any*/) { return sumAs<Element>(bytes); });
}

std::uint64_t fnv1a(std::span<const std::byte> bytes) {
  std::uint64_t hash = 1469598103934665603u;
  for (const std::byte byte : bytes) {
    hash ^= static_cast<std::uint64_t>(byte);
    hash *= 0x100000001b3u;
  }
  return hash;
}

DeviceHeap::DeviceHeap(std::uint64_t bytes)
    : bytes_(bytes), granules_(static_cast<std::size_t>(bytes / kGranule)) {
  if (!granules_.empty()) free_[0] = granules_.size();
}

std::optional<std::uint64_t> DeviceHeap::allocate(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > bytes_) return std::nullopt;
  const auto count = static_cast<std::size_t>((bytes + kGranule - 1) / kGranule);
  const auto found = std::ranges::find_if(free_, [&](const auto& run) { return run.second >= count; });
  if (found == free_.end()) return std::nullopt;
  const auto [first, length] = *found;
  free_.erase(found);
  if (length > count) free_[first + count] = length - count;
  for (std::size_t g = first; g < first + count; ++g)
    granules_[g].first = static_cast<std::uint32_t>(first + 1);
  granules_[first].bytes = static_cast<std::uint32_t>(bytes);
  granules_[first].wasFreed = false;
  ++blocks_;
  allocated_ += bytes;
  return first * kGranule;
}

DeviceHeap::Release DeviceHeap::release(std::uint64_t offset) {
  const std::lock_guard lock(mutex_);
  if (offset % kGranule != 0 || offset / kGranule >= granules_.size()) return Release::Never;
  const auto first = static_cast<std::size_t>(offset / kGranule);
  if (granules_[first].first != first + 1)
    return granules_[first].wasFreed && granules_[first].first == 0 ? Release::Twice : Release::Never;
  auto count = static_cast<std::size_t>((granules_[first].bytes + kGranule - 1) / kGranule);
  --blocks_;
  allocated_ -= granules_[first].bytes;
  for (std::size_t g = first; g < first + count; ++g) granules_[g].first = 0;
  granules_[first].wasFreed = true;
  std::size_t begin = first;
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
  if (offset / kGranule >= granules_.size()) return {};
  const Granule& granule = granules_[static_cast<std::size_t>(offset / kGranule)];
  if (granule.first == 0) return {};
  const std::size_t first = granule.first - 1;
  return {first * kGranule, first * kGranule + granules_[first].bytes};
}

}  // namespace lanescope
