#pragma once

#include <cstdint>

namespace lanescope {

/// A simulated pointer: the high 24 bits name what it points into, the low 40 the byte offset.
/// Buffer b starts at (b + 1) << 40, so a null pointer, and one that wandered, points to nothing.
/// Each variable in a thread's local memory has a name of its own, with the highest bit set.
inline constexpr unsigned kOffsetBits = 40;
inline constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;
inline constexpr std::uint64_t kSharedBase = std::uint64_t{0xffff} << kOffsetBits;

constexpr std::uint64_t bufferBase(std::uint64_t buffer) { return (buffer + 1) << kOffsetBits; }
constexpr bool isShared(std::uint64_t address) {
  return (address >> kOffsetBits) == (kSharedBase >> kOffsetBits);
}

constexpr std::uint64_t localBase(std::uint64_t local) { return (0x800000 + local) << kOffsetBits; }
constexpr bool isLocal(std::uint64_t address) { return address >> 63 != 0; }
constexpr std::uint64_t localIndex(std::uint64_t address) { return (address >> kOffsetBits) - 0x800000; }

/// Where dynamic shared memory begins behind `staticBytes` of static arrays.
constexpr std::uint64_t dynamicSharedOffset(std::uint64_t staticBytes) {
  return (staticBytes + 15) / 16 * 16;
}

}  // namespace lanescope
