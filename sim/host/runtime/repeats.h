#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/host/runtime/launch_records.h"
#include "sim/host/runtime/memory_map.h"

namespace lanescope::host {

/// Launches that a program repeats to time them, `for (…) multiply<<<…>>>(c, a, b)`. One that left the memory
/// as it had found it will do so again while nothing else changes the memory: it need not run again.
class Repeats {
 public:
  /// Of every buffer its number, its size and a hash of its bytes.
  using State = std::vector<std::uint64_t>;

  /// The memory as it is, where it is worth comparing: the launch, named with all that it is given, took far
  /// longer than that takes, and may settle.
  std::optional<State> before(const std::string& launch, const MemoryMap& memory) const;
  /// What the launch did when it last ran, if it would leave that state as it is; nullptr: it must run.
  const LaunchRecord* known(const std::string& launch, const std::optional<State>& before) const;
  /// After it ran without a fault and without printing, from `before`.
  void ran(const std::string& launch, const std::optional<State>& before, const MemoryMap& memory,
           const LaunchRecord& record);

 private:
  struct Seen {
    LaunchRecord record;
    std::optional<State> settled;  ///< it began and ended with
    int changes = 0;               ///< how often it ended with another state than it began with
  };
  std::unordered_map<std::string, Seen> seen_;
};

}  // namespace lanescope::host
