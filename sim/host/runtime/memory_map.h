#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/host/runtime/buffer_history.h"

namespace lanescope::host {

/// Memory is allocated in multiples of so many bytes, as CUDA's allocator maps it: a kernel that goes a
/// little past its buffer has no fault on a GPU.
inline constexpr std::size_t kAllocationUnit = std::size_t{2} << 20;

/// Memory is protected by the page.
inline constexpr std::size_t kPageBytes = 4096;

/// The owner of a buffer's memory: only the device; both; the host, with the device allowed to reach it
/// (allocated or registered).
enum class MemoryKind : std::uint8_t { Device, Managed, Pinned, Registered };

/// True if the host and the device reach it at one address.
constexpr bool isOfBoth(MemoryKind kind) { return kind == MemoryKind::Managed || kind == MemoryKind::Pinned; }

/// What the host may do with memory that both reach, while the device may still work on it.
enum class HostAccess : std::uint8_t { Any, Read, None };

/// Whole pages, by address: [begin, end), and what the host may do there.
struct Guard {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  HostAccess access = HostAccess::Any;
  bool operator==(const Guard&) const = default;
};

/// An allocation of the program. Its number is the high part of its address, as the simulator names buffers
/// (sim/memory/address.h); 0 is unused.
struct Buffer {
  std::uint64_t number = 0;
  std::uint64_t offset = 0;  ///< within its number's memory, which it shares with others
  MemoryKind kind = MemoryKind::Device;
  std::span<std::byte> bytes;    ///< its bytes; for the device's memory, not at its address
  const void* caller = nullptr;  ///< the program's code that allocated it
  bool isFreed = false;
  bool isSymbol = false;     ///< a variable's: the program does not free it
  unsigned flags = 0;        ///< from cudaHostAlloc
  bool isUnchanged = false;  ///< since `hash` was taken: its memory is protected, and a write causes a fault
  std::uint64_t hash = 0;
  const void* freedBy = nullptr;             ///< the program's code that freed it
  std::shared_ptr<BufferHistory> history{};  ///< null: all its bytes count as written
  bool isUsedInParts = false;                ///< a launch accessed less than the whole

  /// Set if some of its bytes may not be written.
  BufferHistory* incomplete() const {
    return history != nullptr && !history->isOver() ? history.get() : nullptr;
  }

  std::uint64_t address() const;
  bool isOfBoth() const { return host::isOfBoth(kind); }
};

/// The program's memory. A device address is not a host address: nothing is mapped there, so that the host
/// faults if it reads one. Memory that both may reach is mapped at its address.
class MemoryMap {
 public:
  explicit MemoryMap(std::uint64_t limitBytes);
  ~MemoryMap();
  MemoryMap(const MemoryMap&) = delete;
  MemoryMap& operator=(const MemoryMap&) = delete;

  /// Zeroed memory; nullptr if no memory is left.
  Buffer* allocate(MemoryKind kind, std::size_t bytes, const void* caller);
  /// A device-side name for memory of the host.
  Buffer* name(std::span<std::byte> hostMemory, const void* caller);
  /// False: it is not the start of a buffer, or it was freed.
  bool release(const void* pointer, const void* caller = nullptr);
  void releaseAll();

  /// The buffer that an address is in or beyond: of the same number; freed ones too. In a number that many
  /// share, the one that begins there or before.
  Buffer* find(std::uint64_t address);
  Buffer* find(const void* pointer) { return find(reinterpret_cast<std::uintptr_t>(pointer)); }
  /// By number less one, as a launch takes them: empty if there is none.
  std::vector<std::span<std::byte>> buffers() const;
  const std::map<std::uint64_t, Buffer>& all() const { return buffers_; }
  std::map<std::uint64_t, Buffer>& all() { return buffers_; }
  /// By address: the buffers within a number that many share, which itself is one of all().
  const std::map<std::uint64_t, Buffer>& parts() const { return parts_; }

  /// A hash of a buffer's bytes. The hash of a large buffer in the device's memory is kept until its bytes
  /// change.
  std::uint64_t computeHash(Buffer& buffer);
  /// Number of bytes to read for the hashes of all buffers.
  std::uint64_t unhashedBytes() const;
  /// Replaces the bytes of a buffer of the device, with their hash.
  void replace(Buffer& buffer, std::span<const std::byte> bytes, std::uint64_t hash);
  /// For a fault at an address of the host: true if it was the first write since a hash was taken, which may
  /// continue now. Callable from a signal's handler.
  bool letWrite(const void* address);

  /// True if every buffer's memory, except the host's, extends to the next multiple of kAllocationUnit.
  bool isPadded() const;
  std::uint64_t used() const { return used_; }
  std::uint64_t limit() const { return limit_; }

  /// The pages that have no byte outside of these, of memory that both reach: empty if there is none.
  Guard findPages(std::uint64_t begin, std::uint64_t end) const;
  /// Forbids the host these pages, of memory that both reach, and no others. They may overlap. Returns how
  /// many ranges of pages are too many, and so are not forbidden.
  std::size_t guard(const std::vector<Guard>& guards);
  /// Allows the host everything.
  void letHost();
  /// Allows the host the pages guarded together with that address; false if they are not guarded.
  bool letHost(const void* address);
  /// The first of these bytes that the host is forbidden to read, or to write; null: none.
  const void* findGuarded(const void* memory, std::size_t bytes, bool isWrite) const;
  /// True if the host is forbidden something. Callable without the device's lock.
  bool isGuarding() const { return isGuarding_; }
  /// How often guard() and letHost() have changed what the host is forbidden: a fault that comes back at the
  /// same count is not due to a change in between. Callable without the device's lock.
  std::uint64_t guardChanges() const { return guardChanges_; }
  /// For a fault at an address: true if it is in the unit of such a buffer, past the buffer's last page; it
  /// may continue there, as on a GPU, which maps whole units.
  bool letPastEnd(const void* address);
  /// True if the host has something at the address, or the address is among those that it has.
  bool isOfHost(const void* address) const;

 private:
  std::uint64_t numberBeyond() const;
  std::optional<std::uint64_t> freshNumber(bool isMapped, std::size_t bytes);
  bool isOfHost(std::uint64_t number) const;
  Buffer* allocatePart(MemoryKind kind, std::size_t bytes, const void* caller);
  void discard(Buffer& buffer);
  void discardParts();
  void protect(Buffer& buffer);

  std::map<std::uint64_t, Buffer> buffers_;
  std::deque<std::uint64_t> released_;      ///< numbers that may be used again, the oldest first
  std::vector<std::uint64_t> hostNumbers_;  ///< and those in shared_
  /// Buffers that the host also reaches have one of few numbers; once these are used up, all of a kind share
  /// one more.
  std::map<MemoryKind, std::uint64_t> shared_;
  std::map<std::uint64_t, Buffer> parts_;
  std::map<std::pair<MemoryKind, std::size_t>, std::vector<std::uint64_t>> freeParts_;  ///< by room
  std::uint64_t next_ = 1;
  std::uint64_t used_ = 0;
  std::uint64_t limit_ = 0;
  std::vector<Guard> guards_;  ///< rising, without overlaps; what the host was allowed again is still there
  std::atomic<bool> isGuarding_{false};
  std::atomic<std::uint64_t> guardChanges_{0};
};

}  // namespace lanescope::host
