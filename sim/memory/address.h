#pragma once

#include <cstdint>

namespace lanescope {

/// A simulated pointer: the high 24 bits name what it points into, the low 40 the byte offset.
/// Buffer b starts at (b + 1) << 40, so a null pointer, and one that wandered, points to nothing.
inline constexpr unsigned kOffsetBits = 40;
inline constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;
inline constexpr std::uint64_t kSharedBase = std::uint64_t{0xffff} << kOffsetBits;

constexpr std::uint64_t bufferBase(std::uint64_t buffer) { return (buffer + 1) << kOffsetBits; }
constexpr bool isShared(std::uint64_t address) {
  return (address >> kOffsetBits) == (kSharedBase >> kOffsetBits);
}

/// Where dynamic shared memory begins behind `staticBytes` of static arrays.
constexpr std::uint64_t dynamicSharedOffset(std::uint64_t staticBytes) {
  return (staticBytes + 15) / 16 * 16;
}

}  // namespace lanescope
