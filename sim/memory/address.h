#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope {

/// A simulated pointer: the high 24 bits name the object it points into, the low 40 are the byte offset. So a
/// pointer keeps the name of the object it was formed from, even if arithmetic leads out of it.
///   buffer b              b + 1; the offset counts from its start. A null pointer names nothing.
///   shared object s       bit 22, s + 1; the offset counts from the start of the block's shared memory,
///                         as banks do. Each static array is an object, all extern arrays are one.
///   local variable l      bit 23, ten bits for the thread it belongs to, l + 1; the offset counts from
///                         its start.
/// A negative index that leads below offset 0 ends in the name below, at the far end of its offsets.
inline constexpr unsigned kOffsetBits = 40;
inline constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;

/// The offset of a pointer from the start of its object. It is negative if arithmetic led below the start.
constexpr std::int64_t signedOffset(std::uint64_t address) {
  return static_cast<std::int64_t>(address << (64 - kOffsetBits)) >> (64 - kOffsetBits);
}
/// The address with the name of the object that it was formed from, found by that offset.
constexpr std::uint64_t formedFrom(std::uint64_t address) {
  return signedOffset(address) < 0 ? address + kOffsetMask + 1 : address;
}

// The number of an object fits into a size of 32 bits, too: an address has 24 bits for it.

constexpr std::uint64_t bufferBase(std::uint64_t buffer) { return (buffer + 1) << kOffsetBits; }
/// The buffer of a global address. A number past all buffers if it names none.
constexpr std::size_t bufferIndex(std::uint64_t address) {
  return static_cast<std::size_t>((address >> kOffsetBits) - 1);
}

inline constexpr std::uint64_t kSharedName = 0x400000;
constexpr std::uint64_t sharedBase(std::uint64_t object) { return (kSharedName + 1 + object) << kOffsetBits; }
constexpr bool isShared(std::uint64_t address) { return address >> 62 == 1; }
/// The object of a shared address. A number past all objects if it names none.
constexpr std::size_t sharedObject(std::uint64_t address) {
  return static_cast<std::size_t>((address >> kOffsetBits) - kSharedName - 1);
}

inline constexpr std::uint64_t kLocalName = 0x800000;
inline constexpr unsigned kLocalBits = 13;
/// The most local variables that can be named, one less than the bits allow: 0 is below the first.
inline constexpr std::uint64_t kMaxLocals = (std::uint64_t{1} << kLocalBits) - 1;
/// The stack per thread for functions that call themselves.
inline constexpr std::size_t kMaxStackBytes = std::size_t{64} << 10;
constexpr std::uint64_t localBase(std::uint64_t local) { return (kLocalName + 1 + local) << kOffsetBits; }
/// The address in a thread's own local memory that corresponds to thread 0's `localAddress`.
constexpr std::uint64_t ofThread(std::uint64_t localAddress, std::uint64_t thread) {
  return localAddress + (thread << (kOffsetBits + kLocalBits));
}
constexpr bool isLocal(std::uint64_t address) { return address >> 63 != 0; }
/// The variable of a local address. A number past all variables if it names none.
constexpr std::size_t localIndex(std::uint64_t address) {
  return static_cast<std::size_t>((address >> kOffsetBits & kMaxLocals) - 1);
}
/// The thread in its block that a local address belongs to.
constexpr std::uint64_t localThread(std::uint64_t address) {
  return address >> (kOffsetBits + kLocalBits) & 0x3ff;
}

/// The start of dynamic shared memory behind `staticBytes` of static arrays.
constexpr std::uint64_t dynamicSharedOffset(std::uint64_t staticBytes) {
  return (staticBytes + 15) / 16 * 16;
}

}  // namespace lanescope
