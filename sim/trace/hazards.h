#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/run/launch.h"

namespace lanescope {

enum class HazardKind : std::uint8_t {
  ReadAfterWrite,  // races come first
  WriteAfterRead,
  WriteAfterWrite,
  UninitializedShared,
  MissedBarrier,
  MissingLanes,
  UndefinedLane,
  OutOfBounds,
  Misaligned,
  NullPointer,
  DanglingPointer,
  MixedSpaces,
  EndlessLoop,
  FailedAssertion,
  UninitializedGlobal,
};
/// Two unordered accesses to one word.
constexpr bool isRace(HazardKind kind) { return kind <= HazardKind::WriteAfterWrite; }
/// Its name in JSON: `read_after_write`.
std::string_view hazardKindName(HazardKind kind);

/// Error: the result may be wrong or the launch fails. Warning: the cases that racecheck warns of too: code
/// that relies on the lanes of a warp running in step, or two writes of one value.
enum class HazardSeverity : std::uint8_t { Warning, Error };

/// The distance between the two threads.
enum class HazardScope : std::uint8_t { Thread, Warp, Block, Grid };
std::string_view hazardScopeName(HazardScope scope);

/// One side of a hazard: the thread, its access, and the place.
struct HazardAccess {
  std::string verb;  ///< "reads", "writes" or "atomically updates"; other hazards: the operation
  std::uint32_t line = 0;
  SourceSpan span;
  Dim3 block;
  Dim3 thread;
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t barriers = 0;  ///< barriers that the block had passed before
  /// The step of the run's trace with this access; nullopt if it belongs to another block, or no trace was
  /// recorded.
  std::optional<std::uint32_t> step;
};

/// Hazards of one kind between one pair of source lines, with the first example.
struct Hazard {
  HazardKind kind = HazardKind::ReadAfterWrite;
  HazardSeverity severity = HazardSeverity::Error;
  HazardScope scope = HazardScope::Thread;
  std::string array;                    ///< empty if no array is meant
  std::string place;                    ///< `s[40]`, `tile[3][4]`
  bool isShared = false;                ///< the array's memory
  bool isLocal = false;                 ///< it is a thread's own variable
  std::optional<HazardAccess> earlier;  ///< in the simulated order
  HazardAccess access;
  std::uint64_t count = 1;  ///< number of occurrences, thread by thread
  std::string message;      ///< one sentence with its full stop
  std::string fix;          ///< the advice, one sentence
};

/// `met 4 times`; empty if it was met once.
std::string metText(const Hazard& hazard);

/// Two accesses of one block are ordered by __syncthreads() and its kin, for all threads, and by
/// __syncwarp(mask), for the mask's lanes. Shuffles and votes exchange registers and order no memory, and
/// __threadfence() alone orders nothing (CUDA Programming Guide, "Warp Shuffle Functions", "Warp Vote
/// Functions", "Synchronization Functions", "Memory Fence Functions"). Blocks have no order, unless one hands
/// over with a fence and an atomic whose result the other tests.
struct HazardOptions {
  /// Warp accesses to check; the search ends after the block that passes them.
  std::uint64_t accessLimit = std::uint64_t{1} << 19;
  /// Reports kept; further ones are only counted.
  std::size_t reportLimit = 32;
};

/// Unordered accesses, shared memory read before it is written, barriers and masks that not all threads meet,
/// and faults.
struct HazardReport {
  std::string kernel;
  std::vector<Hazard> hazards;  ///< errors first, each in the order of their discovery
  std::uint64_t omitted = 0;    ///< groups beyond the report limit
  std::uint64_t blocksLooked = 0;
  std::uint64_t blocks = 0;
  bool isComplete = true;  ///< every block was checked to its end
};

}  // namespace lanescope
