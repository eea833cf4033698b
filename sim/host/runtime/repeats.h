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

/// A launch with all that it is given. The buffers that its arguments point into are named by their order:
/// one that is allocated for each launch is the same to it.
struct LaunchName {
  std::string text;
  std::vector<std::uint64_t> buffers;  ///< their numbers

  void append(const LanescopeParameter& argument);
  void appendPointer(const MemoryMap& memory, const LanescopeParameter& argument);
};

/// Launches that a program repeats to time them, `for (…) multiply<<<…>>>(c, a, b)`. One that has run on this
/// very memory before need not run again: it would do the same.
class Repeats {
 public:
  /// Of every buffer its name, its size and a hash of its bytes.
  using State = std::vector<std::uint64_t>;

  /// The memory as it is, where it is worth comparing: the launch took long enough for what that takes, and
  /// may find a memory that it knows.
  std::optional<State> before(const LaunchName& launch, MemoryMap& memory) const;
  /// Does to the memory what the launch did when it ran on that state, and gives its record; nullptr: it must
  /// run.
  const LaunchRecord* repeat(const LaunchName& launch, const std::optional<State>& before, MemoryMap& memory);
  /// After it ran without a fault and without printing, from `before`.
  void ran(const LaunchName& launch, const std::optional<State>& before, MemoryMap& memory,
           const LaunchRecord& record);

 private:
  /// A buffer that a launch changed.
  struct Change {
    std::size_t at = 0;  ///< of the buffer's name in the state
    std::uint64_t hash = 0;
    std::vector<std::byte> bytes;
  };
  struct Outcome {
    State before;
    std::vector<Change> changes;
    std::vector<std::uint64_t>
        buffers;  ///< that it is for alone, since it left an address in memory; empty: for any
  };
  struct Seen {
    LaunchRecord record;
    std::vector<Outcome> outcomes;
    double spent = 0;  ///< seconds that it ran since the memory was last compared
    int misses = 0;    ///< how often in a row it ran on a memory that it did not know
  };

  std::optional<Outcome> outcome(const LaunchName& launch, const State& before, MemoryMap& memory);

  std::unordered_map<std::string, Seen> seen_;
  std::uint64_t keptBytes_ = 0;  ///< of all changes
};

}  // namespace lanescope::host
