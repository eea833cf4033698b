#include "sim/host/runtime/repeats.h"

#include <functional>
#include <string_view>
#include <utility>

namespace lanescope::host {
namespace {

constexpr double kLeastSeconds = 0.01;      ///< of a launch that is worth it
constexpr double kBytesPerSecond = 0.25e9;  ///< a tenth of what hashing manages
constexpr int kMostChanges = 3;             ///< a launch that changed the memory so often will not settle

Repeats::State stateOf(const MemoryMap& memory) {
  Repeats::State state;
  for (const auto& [number, buffer] : memory.all()) {
    if (buffer.isFreed) continue;
    const std::string_view bytes(reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size());
    state.push_back(number);
    state.push_back(bytes.size());
    state.push_back(std::hash<std::string_view>{}(bytes));
  }
  return state;
}

std::uint64_t bytesOf(const MemoryMap& memory) {
  std::uint64_t bytes = 0;
  for (const auto& [number, buffer] : memory.all()) bytes += buffer.isFreed ? 0 : buffer.bytes.size();
  return bytes;
}

}  // namespace

std::optional<Repeats::State> Repeats::before(const std::string& launch, const MemoryMap& memory) const {
  const auto seen = seen_.find(launch);
  if (seen == seen_.end() || seen->second.changes >= kMostChanges) return std::nullopt;
  const double seconds = seen->second.record.seconds;
  if (seconds < kLeastSeconds || static_cast<double>(bytesOf(memory)) > seconds * kBytesPerSecond)
    return std::nullopt;
  return stateOf(memory);
}

const LaunchRecord* Repeats::known(const std::string& launch, const std::optional<State>& before) const {
  const auto seen = seen_.find(launch);
  const bool isKnown = before && seen != seen_.end() && seen->second.settled == before;
  return isKnown ? &seen->second.record : nullptr;
}

void Repeats::ran(const std::string& launch, const std::optional<State>& before, const MemoryMap& memory,
                  const LaunchRecord& record) {
  Seen& seen = seen_[launch];
  seen.record = record;
  if (!before) return;
  State after = stateOf(memory);
  if (after == *before) {
    seen.settled = std::move(after);
  } else {
    ++seen.changes;
  }
}

}  // namespace lanescope::host
