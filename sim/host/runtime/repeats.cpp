#include "sim/host/runtime/repeats.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "sim/memory/address.h"

namespace lanescope::host {
namespace {

constexpr double kLeastSeconds = 0.002;  ///< a launch at least this long is worth it
constexpr double kBytesPerSecond = 1e9;  ///< about a third of the measured speed of hashing
constexpr int kMostMisses = 4;           ///< after so many misses in a row a launch is assumed to miss always
constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;  ///< for all kept changes
constexpr std::uint64_t kByOrder = std::uint64_t{1} << 48;      ///< names by order, beyond all numbers
constexpr std::size_t kPerBuffer = 3;                           ///< words of a state

/// The buffer of a name in a state; nullptr: it is not there.
Buffer* findBuffer(std::uint64_t name, const LaunchName& launch, MemoryMap& memory) {
  const std::uint64_t number = name < kByOrder ? name : launch.buffers[name - kByOrder];
  const auto found = memory.all().find(number);
  return found == memory.all().end() ? nullptr : &found->second;
}

Repeats::State findState(const LaunchName& launch, MemoryMap& memory) {
  Repeats::State state;
  const auto add = [&](std::uint64_t name, Buffer& buffer) {
    state.push_back(name);
    state.push_back(buffer.bytes.size());
    state.push_back(memory.computeHash(buffer));
  };
  for (std::size_t b = 0; b < launch.buffers.size(); ++b)
    add(kByOrder + b, *findBuffer(kByOrder + b, launch, memory));
  for (auto& [number, buffer] : memory.all()) {
    if (!buffer.isFreed && std::ranges::find(launch.buffers, number) == launch.buffers.end())
      add(number, buffer);
  }
  return state;
}

/// True if there may be an address in some of these buffers.
bool hasAddress(std::span<const std::byte> bytes, const std::vector<std::uint64_t>& buffers) {
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word >> kOffsetBits != 0 && std::ranges::find(buffers, word >> kOffsetBits) != buffers.end())
      return true;
  }
  return false;
}

}  // namespace

void LaunchName::append(const LanescopeParameter& argument) {
  text.append(static_cast<const char*>(argument.value), argument.bytes);
}

void LaunchName::appendPointer(const MemoryMap& memory, const LanescopeParameter& argument) {
  std::uint64_t address = 0;
  std::memcpy(&address, argument.value, sizeof address);
  const std::uint64_t number = address >> kOffsetBits;
  if (const auto pointed = memory.all().find(number);
      pointed != memory.all().end() && !pointed->second.isFreed) {
    const auto known = std::ranges::find(buffers, number);
    const std::uint64_t offset = address & kOffsetMask;
    address = kByOrder + static_cast<std::uint64_t>(known - buffers.begin());
    if (known == buffers.end()) buffers.push_back(number);
    text.append(reinterpret_cast<const char*>(&offset), sizeof offset);
  }
  text.append(reinterpret_cast<const char*>(&address), sizeof address);
}

std::optional<Repeats::State> Repeats::before(const LaunchName& launch, MemoryMap& memory) const {
  const auto seen = seen_.find(launch.text);
  if (seen == seen_.end() || seen->second.misses >= kMostMisses) return std::nullopt;
  const double seconds = seen->second.record.seconds;
  if (seconds < kLeastSeconds) return std::nullopt;
  const double spent = seconds + seen->second.spent;
  if (static_cast<double>(memory.unhashedBytes()) > spent * kBytesPerSecond) return std::nullopt;
  return findState(launch, memory);
}

const LaunchRecord* Repeats::repeat(const LaunchName& launch, const std::optional<State>& before,
                                    MemoryMap& memory) {
  const auto found = seen_.find(launch.text);
  if (!before || found == seen_.end()) return nullptr;
  Seen& seen = found->second;
  const auto known = std::ranges::find_if(seen.outcomes, [&](const Outcome& outcome) {
    return outcome.before == *before && (outcome.buffers.empty() || outcome.buffers == launch.buffers);
  });
  if (known == seen.outcomes.end()) return nullptr;
  for (const Change& change : known->changes)
    memory.replace(*findBuffer((*before)[change.at], launch, memory), change.bytes, change.hash);
  seen.misses = 0;
  return &seen.record;
}

/// The changes of a launch since `before`; nullopt if they are too many to keep, or in memory of the host.
std::optional<Repeats::Outcome> Repeats::outcome(const LaunchName& launch, const State& before,
                                                 MemoryMap& memory) {
  const State after = findState(launch, memory);
  Outcome outcome{before, {}, {}};
  std::uint64_t bytes = 0;
  for (std::size_t at = 0; at < after.size(); at += kPerBuffer) {
    if (after[at + 2] == before[at + 2]) continue;
    const Buffer& buffer = *findBuffer(after[at], launch, memory);
    bytes += buffer.bytes.size();
    if (buffer.kind != MemoryKind::Device || keptBytes_ + bytes > kMostBytes) return std::nullopt;
    outcome.changes.push_back({at, after[at + 2], {buffer.bytes.begin(), buffer.bytes.end()}});
    if (hasAddress(buffer.bytes, launch.buffers)) outcome.buffers = launch.buffers;
  }
  keptBytes_ += bytes;
  return outcome;
}

void Repeats::ran(const LaunchName& launch, const std::optional<State>& before, MemoryMap& memory,
                  const LaunchRecord& record) {
  Seen& seen = seen_[launch.text];
  seen.record = record;
  seen.spent += record.seconds;
  if (!before) return;
  seen.spent = 0;
  ++seen.misses;
  if (auto found = outcome(launch, *before, memory)) seen.outcomes.push_back(std::move(*found));
}

}  // namespace lanescope::host
