#include "sim/host/runtime/memory_map.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>

#include "sim/memory/address.h"

namespace lanescope::host {
namespace {

/// Numbers with addresses that a host's process may have: 47 bits of address, less the number's 40.
constexpr std::uint64_t kMappable = 126;
constexpr std::uint64_t kNumbers = std::uint64_t{1} << 21;

/// Smaller buffers are read again for their hash: protecting their pages and lifting that costs more.
constexpr std::size_t kLeastProtected = std::size_t{128} << 10;

/// A process has at most 65,530 mappings, and each guard splits one.
constexpr std::size_t kMostGuards = 1024;

/// The bytes of the pages that a buffer begins in.
std::size_t countPages(std::size_t bytes) { return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes; }

std::size_t countUnits(std::size_t bytes) {
  return std::max<std::size_t>(1, (bytes + kAllocationUnit - 1) / kAllocationUnit) * kAllocationUnit;
}

/// The space of a buffer under a number that many share, as far apart as CUDA's allocator puts them.
std::size_t computeRoom(std::size_t bytes) { return (bytes + 511) / 512 * 512; }

bool protectPages(const Guard& guard, int protection) {
  auto* const first = reinterpret_cast<void*>(guard.begin);  // NOLINT(performance-no-int-to-ptr)
  return ::mprotect(first, guard.end - guard.begin, protection) == 0;
}

/// The same pages without overlaps, rising, cut wherever one begins or ends.
std::vector<Guard> withoutOverlaps(const std::vector<Guard>& guards) {
  struct Change {
    int read = 0;
    int none = 0;
  };
  std::map<std::uint64_t, Change> changes;  // how many guards begin at an address, less those that end
  for (const Guard& guard : guards) {
    const auto count = guard.access == HostAccess::None ? &Change::none : &Change::read;
    ++(changes[guard.begin].*count);
    --(changes[guard.end].*count);
  }
  std::vector<Guard> parts;
  Change open;
  std::uint64_t begin = 0;
  for (const auto& [at, change] : changes) {
    if (open.none > 0 || open.read > 0)
      parts.push_back({begin, at, open.none > 0 ? HostAccess::None : HostAccess::Read});
    open.none += change.none;
    open.read += change.read;
    begin = at;
  }
  return parts;
}

/// The numbers in which this process already has memory: its program, its libraries, its stack.
std::vector<std::uint64_t> numbersOfHost() {
  std::vector<std::uint64_t> numbers;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::uint64_t number = std::strtoull(line.c_str(), nullptr, 16) >> kOffsetBits;
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
  }
  // Numbers in which the loader and the allocator will allocate later.
  for (const std::uint64_t number :
       {std::uint64_t{0x55}, std::uint64_t{0x56}, std::uint64_t{0x7e}, std::uint64_t{0x7f}})
    numbers.push_back(number);
  return numbers;
}

}  // namespace

std::uint64_t Buffer::address() const { return (number << kOffsetBits) + offset; }

MemoryMap::MemoryMap(std::uint64_t limitBytes) : hostNumbers_(numbersOfHost()), limit_(limitBytes) {
  std::uint64_t number = kMappable - 1;
  for (const MemoryKind kind : {MemoryKind::Managed, MemoryKind::Pinned}) {
    while (isOfHost(number)) --number;
    hostNumbers_.push_back(shared_[kind] = number);
  }
}

MemoryMap::~MemoryMap() {
  discardParts();
  for (auto& [number, buffer] : buffers_) {
    if (!buffer.isFreed) discard(buffer);
  }
}

bool MemoryMap::isOfHost(std::uint64_t number) const {
  return std::ranges::find(hostNumbers_, number) != hostNumbers_.end();
}

std::uint64_t MemoryMap::numberBeyond() const {
  std::uint64_t number = std::max(kMappable, buffers_.empty() ? 0 : buffers_.rbegin()->first + 1);
  while (isOfHost(number)) ++number;
  return number;
}

/// Fresh numbers while there are some, so that a pointer to freed memory differs from every valid one;
/// then the one that was released longest ago.
std::optional<std::uint64_t> MemoryMap::freshNumber(bool isMapped, std::size_t bytes) {
  while (next_ < kNumbers && isOfHost(next_)) ++next_;
  const bool fits = bytes <= kOffsetMask / 2;
  if (fits && next_ < (isMapped ? kMappable : kNumbers)) {
    // The last numbers that can be mapped are kept for buffers that must be mapped.
    if (!isMapped && next_ > kMappable / 2 && next_ < kMappable && released_.empty()) {
      if (const std::uint64_t beyond = numberBeyond(); beyond < kNumbers) return beyond;
    }
    if (isMapped || next_ <= kMappable / 2 || released_.empty()) return next_++;
  }
  for (auto number = released_.begin(); number != released_.end(); ++number) {
    if (isMapped && *number >= kMappable) continue;
    const std::uint64_t again = *number;
    released_.erase(number);
    return again;
  }
  const std::uint64_t beyond = numberBeyond();
  if (fits && !isMapped && beyond < kNumbers) return beyond;
  return std::nullopt;
}

Buffer* MemoryMap::allocate(MemoryKind kind, std::size_t bytes, const void* caller) {
  if (bytes > limit_ - std::min(limit_, used_)) return nullptr;
  const auto number = freshNumber(isOfBoth(kind), bytes);
  if (!number) return isOfBoth(kind) ? allocatePart(kind, bytes, caller) : nullptr;
  Buffer buffer{*number, 0, kind, {}, caller};
  if (isOfBoth(kind)) {
    void* const wanted = reinterpret_cast<void*>(buffer.address());  // NOLINT(performance-no-int-to-ptr)
    void* const mapped = ::mmap(wanted, countUnits(bytes), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    buffer.bytes = {static_cast<std::byte*>(mapped), bytes};
    if (mapped != wanted) {
      ::munmap(mapped, countUnits(bytes));
      return nullptr;
    }
    ::mprotect(buffer.bytes.data() + countPages(bytes), countUnits(bytes) - countPages(bytes), PROT_NONE);
  } else {
    void* const memory = ::mmap(nullptr, countUnits(bytes), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    buffer.bytes = {static_cast<std::byte*>(memory), bytes};
  }
  used_ += bytes;
  return &(buffers_[*number] = buffer);
}

Buffer* MemoryMap::allocatePart(MemoryKind kind, std::size_t bytes, const void* caller) {
  const std::size_t room = computeRoom(bytes);
  const std::uint64_t number = shared_.at(kind);
  // Memory that a kernel may still use is protected by the page: a new buffer shares none of these pages.
  const bool isApart = !guards_.empty();
  if (const auto freed = freeParts_.find({kind, room});
      !isApart && freed != freeParts_.end() && !freed->second.empty()) {
    Buffer& part = parts_.at(freed->second.back());
    freed->second.pop_back();
    part.bytes = {part.bytes.data(), bytes};
    std::ranges::fill(part.bytes, std::byte{0});
    part.caller = caller;
    part.freedBy = nullptr;
    part.isFreed = false;
    used_ += bytes;
    return &part;
  }
  const auto found = buffers_.find(number);
  const std::size_t taken = found == buffers_.end() ? 0 : found->second.bytes.size();
  const std::size_t mapped = taken == 0 ? 0 : countUnits(taken);
  const std::size_t begin = isApart ? mapped : taken;
  if (room > kOffsetMask / 2 || begin > kOffsetMask / 2 - room) return nullptr;
  const std::uint64_t base = number << kOffsetBits;
  if (begin + room > mapped) {
    void* const wanted = reinterpret_cast<void*>(base + mapped);  // NOLINT(performance-no-int-to-ptr)
    const std::size_t more = countUnits(begin + room) - mapped;
    void* const got = ::mmap(wanted, more, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) return nullptr;
    if (got != wanted) {
      ::munmap(got, more);
      return nullptr;
    }
  }
  auto* const memory = reinterpret_cast<std::byte*>(base);  // NOLINT(performance-no-int-to-ptr)
  Buffer& whole = buffers_[number];
  whole = {number, 0, kind, {memory, begin + room}};
  whole.isSymbol = true;
  whole.isUsedInParts = true;
  used_ += bytes;
  return &(parts_[base + begin] = Buffer{number, begin, kind, {memory + begin, bytes}, caller});
}

Buffer* MemoryMap::name(std::span<std::byte> hostMemory, const void* caller) {
  const auto number = freshNumber(false, hostMemory.size());
  if (!number) return nullptr;
  return &(buffers_[*number] = Buffer{*number, 0, MemoryKind::Registered, hostMemory, caller});
}

void MemoryMap::discard(Buffer& buffer) {
  if (buffer.kind != MemoryKind::Registered) {
    ::munmap(buffer.bytes.data(), countUnits(buffer.bytes.size()));
    used_ -= buffer.bytes.size();
  }
  buffer.isFreed = true;
  buffer.isUnchanged = false;
  buffer.history.reset();
  std::erase_if(guards_, [&](const Guard& guard) { return guard.begin >> kOffsetBits == buffer.number; });
  isGuarding_ = !guards_.empty();
}

std::uint64_t MemoryMap::computeHash(Buffer& buffer) {
  const std::string_view bytes(reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size());
  if (buffer.kind != MemoryKind::Device || bytes.size() < kLeastProtected)
    return std::hash<std::string_view>{}(bytes);
  if (!buffer.isUnchanged) {
    protect(buffer);
    buffer.hash = std::hash<std::string_view>{}(bytes);
  }
  return buffer.hash;
}

std::uint64_t MemoryMap::unhashedBytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [number, buffer] : buffers_)
    bytes += buffer.isFreed || buffer.isUnchanged ? 0 : buffer.bytes.size();
  return bytes;
}

void MemoryMap::replace(Buffer& buffer, std::span<const std::byte> bytes, std::uint64_t hash) {
  const bool isKept = buffer.bytes.size() >= kLeastProtected;
  if (isKept) letWrite(buffer.bytes.data());
  std::ranges::copy(bytes, buffer.bytes.begin());
  if (isKept) protect(buffer);
  buffer.hash = hash;
}

void MemoryMap::protect(Buffer& buffer) {
  buffer.isUnchanged = ::mprotect(buffer.bytes.data(), countUnits(buffer.bytes.size()), PROT_READ) == 0;
}

bool MemoryMap::letWrite(const void* address) {
  const auto* const at = static_cast<const std::byte*>(address);
  for (auto& [number, buffer] : buffers_) {
    const std::size_t bytes = countUnits(buffer.bytes.size());
    const bool isIn = !buffer.isFreed && buffer.kind == MemoryKind::Device && at >= buffer.bytes.data() &&
                      at < buffer.bytes.data() + bytes;
    if (!isIn) continue;
    // Several threads may fault here at once.
    std::atomic_ref(buffer.isUnchanged).store(false);
    return ::mprotect(buffer.bytes.data(), bytes, PROT_READ | PROT_WRITE) == 0;
  }
  return false;
}

bool MemoryMap::isPadded() const {
  return std::ranges::none_of(buffers_, [](const auto& each) {
    return !each.second.isFreed && each.second.kind == MemoryKind::Registered;
  });
}

bool MemoryMap::release(const void* pointer, const void* caller) {
  Buffer* const buffer = find(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (buffer == nullptr || buffer->isFreed || buffer->address() != address) return false;
  buffer->freedBy = caller;
  if (parts_.contains(address)) {
    buffer->isFreed = true;
    used_ -= buffer->bytes.size();
    freeParts_[{buffer->kind, computeRoom(buffer->bytes.size())}].push_back(address);
    return true;
  }
  discard(*buffer);
  released_.push_back(buffer->number);
  return true;
}

void MemoryMap::discardParts() {
  for (const auto& [address, part] : parts_) used_ -= part.isFreed ? 0 : part.bytes.size();
  for (const auto& [kind, number] : shared_) {
    const auto whole = buffers_.find(number);
    if (whole == buffers_.end()) continue;
    ::munmap(whole->second.bytes.data(), countUnits(whole->second.bytes.size()));
    buffers_.erase(whole);
  }
  parts_.clear();
  freeParts_.clear();
}

void MemoryMap::releaseAll() {
  discardParts();
  for (auto& [number, buffer] : buffers_) {
    if (buffer.isFreed || buffer.isSymbol || buffer.kind == MemoryKind::Registered) continue;
    discard(buffer);
    released_.push_back(number);
  }
}

Buffer* MemoryMap::find(std::uint64_t address) {
  const auto found = buffers_.find(address >> kOffsetBits);
  const auto part = parts_.upper_bound(address);
  if (part != parts_.begin() && std::prev(part)->second.number == address >> kOffsetBits)
    return &std::prev(part)->second;
  return found == buffers_.end() ? nullptr : &found->second;
}

std::vector<std::span<std::byte>> MemoryMap::buffers() const {
  std::vector<std::span<std::byte>> spans(buffers_.empty() ? 1 : buffers_.rbegin()->first);
  for (const auto& [number, buffer] : buffers_) {
    if (!buffer.isFreed) spans[number - 1] = buffer.bytes;
  }
  return spans;
}

Guard MemoryMap::findPages(std::uint64_t begin, std::uint64_t end) const {
  const auto found = buffers_.find(begin >> kOffsetBits);
  if (found == buffers_.end() || found->second.isFreed || !found->second.isOfBoth()) return {};
  const Buffer& buffer = found->second;
  // The rest of a buffer's last page is unused, unless buffers share the number.
  const bool isAlone = shared_.at(buffer.kind) != buffer.number;
  if (isAlone && end == buffer.address() + buffer.bytes.size())
    end = buffer.address() + countPages(buffer.bytes.size());
  begin = (begin + kPageBytes - 1) / kPageBytes * kPageBytes;
  end = end / kPageBytes * kPageBytes;
  return begin < end ? Guard{begin, end} : Guard{};
}

std::size_t MemoryMap::guard(const std::vector<Guard>& guards) {
  std::vector<Guard> wanted = withoutOverlaps(guards);
  const std::size_t leftOut = wanted.size() - std::min(wanted.size(), kMostGuards);
  wanted.resize(wanted.size() - leftOut);
  if (wanted == guards_) return leftOut;
  letHost();
  // From the first protected page on a thread may fault, and waits for the lock.
  ++guardChanges_;
  isGuarding_ = !wanted.empty();
  for (const Guard& each : wanted) {
    if (protectPages(each, each.access == HostAccess::Read ? PROT_READ : PROT_NONE)) guards_.push_back(each);
  }
  isGuarding_ = !guards_.empty();
  return leftOut;
}

void MemoryMap::letHost() {
  if (guards_.empty()) return;
  for (const Guard& each : guards_) {
    if (each.access != HostAccess::Any) protectPages(each, PROT_READ | PROT_WRITE);
  }
  guards_.clear();
  ++guardChanges_;
  isGuarding_ = false;
}

bool MemoryMap::letHost(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto found =
      std::ranges::find_if(guards_, [at](const Guard& each) { return at >= each.begin && at < each.end; });
  if (found == guards_.end()) return false;
  // Another thread may have been allowed it meanwhile.
  if (found->access != HostAccess::Any && !protectPages(*found, PROT_READ | PROT_WRITE)) return false;
  found->access = HostAccess::Any;
  return true;
}

const void* MemoryMap::findGuarded(const void* memory, std::size_t bytes, bool isWrite) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const auto found = std::ranges::find_if(guards_, [&](const Guard& each) {
    const bool isForbidden = each.access == HostAccess::None || (each.access == HostAccess::Read && isWrite);
    return isForbidden && begin < each.end && begin + bytes > each.begin;
  });
  if (found == guards_.end()) return nullptr;
  return reinterpret_cast<const void*>(std::max(begin, found->begin));  // NOLINT(performance-no-int-to-ptr)
}

bool MemoryMap::letPastEnd(const void* address) {
  const Buffer* const buffer = find(address);
  const auto* const at = static_cast<const std::byte*>(address);
  if (buffer == nullptr || buffer->isFreed || !buffer->isOfBoth() || parts_.contains(buffer->address()))
    return false;
  std::byte* const end = buffer->bytes.data() + countPages(buffer->bytes.size());
  std::byte* const unitEnd = buffer->bytes.data() + countUnits(buffer->bytes.size());
  if (at < end || at >= unitEnd) return false;
  return ::mprotect(end, static_cast<std::size_t>(unitEnd - end), PROT_READ | PROT_WRITE) == 0;
}

bool MemoryMap::isOfHost(const void* address) const {
  const auto page = reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{kPageBytes - 1};
  unsigned char ignored = 0;
  auto* const start = reinterpret_cast<void*>(page);  // NOLINT(performance-no-int-to-ptr)
  if (::mincore(start, 1, &ignored) == 0) return true;
  const std::uint64_t number = formedFrom(reinterpret_cast<std::uintptr_t>(address)) >> kOffsetBits;
  const auto near = buffers_.find(number);
  return isOfHost(reinterpret_cast<std::uintptr_t>(address) >> kOffsetBits) &&
         (near == buffers_.end() || near->second.isFreed);
}

}  // namespace lanescope::host
