#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/host/include/lanescope_api.h"
#include "sim/host/runtime/launch_records.h"
#include "sim/host/runtime/memory_map.h"

namespace lanescope::host {

/// A launch with all its data. The buffers that its arguments point into are named by their order: a buffer
/// that is allocated anew for each launch keeps its name.
struct LaunchName {
  std::string text;
  std::vector<std::uint64_t> buffers;  ///< their numbers

  void append(const LanescopeParameter& argument);
  void appendPointer(const MemoryMap& memory, const LanescopeParameter& argument);
};

/// Launches that a program repeats to time them, `for (…) multiply<<<…>>>(c, a, b)`. A launch that has run on
/// the same memory before need not run again: it would do the same.
class Repeats {
 public:
  /// Every buffer's name, size and hash of its bytes.
  using State = std::vector<std::uint64_t>;

  /// The current memory, if it is worth comparing: the launch took long enough for that cost, and may find a
  /// known memory.
  std::optional<State> before(const LaunchName& launch, MemoryMap& memory) const;
  /// Changes the memory as the launch did when it ran on that state, and returns its record; nullptr: it must
  /// run.
  const LaunchRecord* repeat(const LaunchName& launch, const std::optional<State>& before, MemoryMap& memory);
  /// Called after it ran without a fault and without printing, from `before`.
  void ran(const LaunchName& launch, const std::optional<State>& before, MemoryMap& memory,
           const LaunchRecord& record);

 private:
  /// A buffer that a launch changed.
  struct Change {
    std::size_t at = 0;  ///< index of the buffer's name in the state
    std::uint64_t hash = 0;
    std::vector<std::byte> bytes;
  };
  struct Outcome {
    State before;
    std::vector<Change> changes;
    std::vector<std::uint64_t> buffers;  ///< the only buffer numbers it is valid for, since it left an
                                         ///< address in memory; empty: for any
  };
  struct Seen {
    LaunchRecord record;
    std::vector<Outcome> outcomes;
    double spent = 0;  ///< seconds of its runs since the memory was last compared
    int misses = 0;    ///< how often in a row it ran on an unknown memory
  };

  std::optional<Outcome> outcome(const LaunchName& launch, const State& before, MemoryMap& memory);

  std::unordered_map<std::string, Seen> seen_;
  std::uint64_t keptBytes_ = 0;  ///< for all changes
};

}  // namespace lanescope::host
