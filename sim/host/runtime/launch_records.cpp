#include "sim/host/runtime/launch_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/base/diagnostic.h"
#include "sim/base/json.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/address.h"

namespace lanescope::host {

/// `[x,y,z]`.
inline Json extentJson(Dim3 extent) { return {extent.x, extent.y, extent.z}; }

void LaunchLog::begins(std::uint64_t number, const Launch& launch, int line) {
  if (!file_.is_open()) return;
  const Json json{{"launch", number},
                  {"kernel", launch.kernel},
                  {"line", line},
                  {"grid", extentJson(launch.grid)},
                  {"block", extentJson(launch.block)},
                  {"shared_bytes", launch.dynamicSharedBytes}};
  file_ << jsonLine(json) << std::endl;
}

void LaunchLog::ends(std::uint64_t number, double seconds, const Run* run) {
  if (!file_.is_open()) return;
  Json json{{"launch", number}, {"seconds", seconds}};
  if (run != nullptr) json["hazards"] = run->hazards ? run->hazards->hazards.size() : 0;
  if (run != nullptr && run->fault) json["fault"] = run->fault->error.sentence();
  file_ << jsonLine(json) << std::endl;
}

namespace {

std::string extentText(Dim3 extent) {
  if (extent.z > 1) return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
  if (extent.y > 1) return fmt::format("{}x{}", extent.x, extent.y);
  return fmt::format("{}", extent.x);
}

std::string timeText(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.1f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

/// A count from some of the blocks, scaled to all of them.
std::string countText(const LaunchRecord& record, std::uint64_t counted) {
  if (record.countedBlocks == record.blocks || counted == 0) return withCommas(counted);
  if (record.countedBlocks == 0) return "?";
  const double all = static_cast<double>(counted) * static_cast<double>(record.blocks) /
                     static_cast<double>(record.countedBlocks);
  return "~" + withCommas(static_cast<std::uint64_t>(std::llround(all)));
}

/// The last part of a path, without its folders.
std::string fileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// `Met 5 times in 2 launches.`; empty if it was met once.
std::string metText(const HazardRecord& record) {
  std::string text = lanescope::metText(record.hazard);
  if (record.launches > 1) text += fmt::format(" in {} launches", withCommas(record.launches));
  return text.empty() ? "" : " " + asSentence(text);
}

/// `error: kernels.cu: thread 3 …`, with the file if the program has several.
std::string hazardText(const HazardRecord& record) {
  const Hazard& hazard = record.hazard;
  return fmt::format("{}: {}{}{} {}\n", hazard.severity == HazardSeverity::Error ? "error" : "warning",
                     record.file.empty() ? "" : fileName(record.file) + ": ", hazard.message, metText(record),
                     hazard.fix);
}

/// Warnings of one kernel and one kind: more than so many are one sentence.
constexpr std::size_t kMostAlone = 2;

/// A sentence for each hazard. Warnings of one kind in one kernel are one, with their lines.
std::string hazardsText(const std::vector<HazardRecord>& records) {
  const auto isLike = [](const HazardRecord& one) {
    return [&one](const HazardRecord& other) {
      return other.hazard.severity == HazardSeverity::Warning && other.kernel == one.kernel &&
             other.file == one.file && other.hazard.kind == one.hazard.kind;
    };
  };
  std::string text;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const HazardRecord& record = records[i];
    const auto like = isLike(record);
    const auto count = static_cast<std::size_t>(std::ranges::count_if(records, like));
    if (record.hazard.severity != HazardSeverity::Warning || count <= kMostAlone) {
      text += hazardText(record);
      continue;
    }
    if (std::any_of(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(i), like)) continue;
    std::set<std::uint32_t> lines;
    for (const HazardRecord& other : records) {
      if (like(other)) lines.insert(other.hazard.access.line);
    }
    const std::vector<std::uint32_t> numbers(lines.begin(), lines.end());
    const std::string first = hazardText(record);
    text += fmt::format("warning: {} has {} warnings of one kind, on {} {}. The first: {}", record.kernel,
                        count, numbers.size() == 1 ? "line" : "lines", rangesText(numbers),
                        first.substr(first.find(": ") + 2));
  }
  return text;
}

using Row = std::array<std::string, 11>;

Row findRow(const LaunchRecord& record, std::uint64_t hazards) {
  const Counters& c = record.counters;
  const std::string file = record.file.empty() ? "" : fileName(record.file) + ":";
  const std::string line = record.line == 0 ? "" : fmt::format("{}{}", file, record.line);
  const std::string divergent =
      c.branches == 0 ? "-"
                      : fmt::format("{:.0f}%", 100.0 * static_cast<double>(c.divergentBranches) /
                                                   static_cast<double>(c.branches));
  return {record.kernel,
          line,
          record.launches == 1 ? "" : fmt::format("x{}", withCommas(record.launches)),
          extentText(record.grid),
          extentText(record.block),
          withCommas(record.sharedBytes),
          timeText(record.seconds),
          countText(record, c.sharedWavefronts()) + " / " + countText(record, c.bankConflicts()),
          countText(record, c.globalSectors()),
          divergent,
          hazards == 0 ? "-" : fmt::format("{}", hazards)};
}

}  // namespace

void LaunchRecords::add(const LaunchRecord& record) {
  const auto same = std::ranges::find_if(launches, [&](const LaunchRecord& known) {
    return known.kernel == record.kernel && known.grid == record.grid && known.block == record.block &&
           known.sharedBytes == record.sharedBytes && known.line == record.line && known.file == record.file;
  });
  if (same == launches.end()) {
    launches.push_back(record);
    return;
  }
  same->launches += record.launches;
  same->seconds += record.seconds;
  same->blocks += record.blocks;
  same->countedBlocks += record.countedBlocks;
  same->counters += record.counters;
}

void LaunchRecords::add(const std::string& kernel, const std::string& file, const HazardReport& report) {
  for (const Hazard& hazard : report.hazards) {
    const auto same = std::ranges::find_if(hazards, [&](const HazardRecord& known) {
      const bool isSameLine = known.hazard.access.line == hazard.access.line &&
                              known.hazard.earlier.has_value() == hazard.earlier.has_value() &&
                              (!hazard.earlier || known.hazard.earlier->line == hazard.earlier->line);
      return known.kernel == kernel && known.file == file && known.hazard.kind == hazard.kind && isSameLine;
    });
    if (same == hazards.end()) {
      hazards.push_back({kernel, hazard, file});
    } else {
      ++same->launches;
      same->hazard.count += hazard.count;
    }
  }
}

bool LaunchRecords::haveErrors() const {
  return hasError || std::ranges::any_of(hazards, [](const HazardRecord& record) {
           return record.hazard.severity == HazardSeverity::Error;
         });
}

std::string recordsText(const LaunchRecords& records) {
  if (records.launches.empty()) return "";
  std::vector<Row> rows{{"kernel", "line", "times", "grid", "block", "shared B", "simulated in",
                         "wavefronts / conflicts", "sectors", "divergent", "hazards"}};
  for (const LaunchRecord& record : records.launches) {
    const auto hazards = std::ranges::count(records.hazards, record.kernel, &HazardRecord::kernel);
    rows.push_back(findRow(record, static_cast<std::uint64_t>(hazards)));
  }
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text = "\n";
  for (const Row& row : rows) {
    std::string line = fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t c = 1; c < row.size(); ++c) {
      if (widths[c] > 0) line += fmt::format("  {:>{}}", row[c], widths[c]);
    }
    text += line + "\n";
  }
  text += hazardsText(records.hazards);
  const auto isPart = [](const LaunchRecord& record) { return record.countedBlocks < record.blocks; };
  if (std::ranges::any_of(records.launches, isPart))
    text += "~: counted in the first blocks of a launch, and scaled to all of them\n";
  if (records.unlooked > 0) {
    text += fmt::format("hazards: not looked for in {} repeated launches\n", withCommas(records.unlooked));
  }
  if (records.unfollowed > 0) {
    text += fmt::format("bytes that were never written: no longer looked for in {}\n",
                        counted(records.unfollowed, "buffer"));
  }
  if (records.unordered > 0) {
    text += fmt::format("order of streams and host: not looked for in {}\n",
                        counted(records.unordered, "launch"));
  }
  if (records.unguarded > 0) {
    text += fmt::format("early use by the host: not looked for in {} of pages, as too many were in flight\n",
                        counted(records.unguarded, "range"));
  }
  if (records.dropped > 0) {
    text += fmt::format("order of streams and host: not looked for after {}, as too many were in flight\n",
                        counted(records.dropped, "operation"));
  }
  if (records.repeated > 0) {
    text += fmt::format(
        "repeated: {} launches did not run again, since the same launch had run on the same memory: its "
        "results were copied; each is counted like that launch\n",
        withCommas(records.repeated));
  }
  return text;
}

std::string recordsJson(const LaunchRecords& records, const std::string& program, int status,
                        const std::string& error) {
  Json json{{"schema", "lanescope.run/1"}, {"program", program}, {"status", status}};
  if (!error.empty()) json["error"] = error;
  json["launches"] = Json::array();
  for (const LaunchRecord& record : records.launches) {
    Json one{{"kernel", record.kernel},
             {"line", record.line},
             {"launches", record.launches},
             {"grid", extentJson(record.grid)},
             {"block", extentJson(record.block)},
             {"shared_bytes", record.sharedBytes},
             {"seconds", record.seconds},
             {"blocks", record.blocks},
             {"counted_blocks", record.countedBlocks}};
    if (!record.file.empty()) one["file"] = record.file;
    for (const NamedCounter& counter : allCounters(record.counters))
      one["counters"][counter.name] = counter.value;
    json["launches"].push_back(std::move(one));
  }
  json["hazards"] = Json::array();
  for (const HazardRecord& record : records.hazards) {
    const Hazard& hazard = record.hazard;
    Json one{{"kernel", record.kernel},
             {"kind", hazardKindName(hazard.kind)},
             {"severity", hazard.severity == HazardSeverity::Error ? "error" : "warning"},
             {"line", hazard.access.line},
             {"launches", record.launches},
             {"count", hazard.count},
             {"message", hazard.message},
             {"fix", hazard.fix}};
    if (!record.file.empty()) one["file"] = record.file;
    json["hazards"].push_back(std::move(one));
  }
  json["launches_not_looked_at"] = records.unlooked;
  json["launches_not_run_again"] = records.repeated;
  json["launches_not_ordered"] = records.unordered;
  json["ranges_not_guarded"] = records.unguarded;
  json["operations_not_ordered"] = records.dropped;
  json["buffers_not_followed"] = records.unfollowed;
  return jsonText(json);
}

namespace {

/// The number of no buffer, for any launch.
constexpr std::uint64_t kNowhere = (kSharedName >> 1U) - 1;

class Gatherer {
 public:
  explicit Gatherer(std::span<const std::span<std::byte>> buffers) : buffers_(buffers) {}

  /// The pointers among an object's bytes, changed to the gathered buffers' numbers.
  void syncTo(std::span<std::byte> bytes, const Type& type) {
    for (const Leaf& leaf : findLeaves(type)) {
      if (!leaf.type->isPointer() || leaf.offset + sizeof(std::uint64_t) > bytes.size()) continue;
      std::uint64_t address = 0;
      std::memcpy(&address, bytes.data() + leaf.offset, sizeof address);
      address = changed(address, leaf.type->element);
      std::memcpy(bytes.data() + leaf.offset, &address, sizeof address);
    }
  }

  std::uint64_t changed(std::uint64_t address, const Type* element) {
    const std::uint64_t number = address >> kOffsetBits;
    if (number == 0) return address;
    const std::uint64_t offset = address & kOffsetMask;
    if (number > buffers_.size() || buffers_[number - 1].empty()) return kNowhere << kOffsetBits | offset;
    const auto [known, isNew] = numbers_.emplace(number, raw_.buffers.size() + 1);
    if (isNew) {
      const std::span<std::byte> bytes = buffers_[number - 1];
      bytes_ += bytes.size();
      raw_.buffers.emplace_back();
      if (bytes_ <= kMostCapturedBytes) raw_.buffers.back().assign(bytes.begin(), bytes.end());
      waiting_.push_back({raw_.buffers.size() - 1, element});
    }
    return known->second << kOffsetBits | offset;
  }

  /// Follows the pointers in the reached buffers, until there are no new ones.
  void syncAll() {
    while (!waiting_.empty() && bytes_ <= kMostCapturedBytes) {
      const auto [buffer, element] = waiting_.back();
      waiting_.pop_back();
      if (element == nullptr || element->size == 0 || !hasPointers(*element)) continue;
      // Moved out first: following may add buffers.
      std::vector<std::byte> bytes = std::move(raw_.buffers[buffer]);
      for (std::size_t at = 0; at + element->size <= bytes.size(); at += element->size)
        syncTo(std::span(bytes).subspan(at, element->size), *element);
      raw_.buffers[buffer] = std::move(bytes);
    }
  }

  std::uint64_t bytes() const { return bytes_; }
  RawArguments& raw() { return raw_; }

 private:
  struct Waiting {
    std::size_t buffer = 0;
    const Type* element = nullptr;
  };

  static bool hasPointers(const Type& type) {
    return std::ranges::any_of(findLeaves(type), [](const Leaf& leaf) { return leaf.type->isPointer(); });
  }

  std::span<const std::span<std::byte>> buffers_;
  std::map<std::uint64_t, std::uint64_t> numbers_;  ///< from the program's buffers to the given ones
  std::vector<Waiting> waiting_;
  std::uint64_t bytes_ = 0;
  RawArguments raw_;
};

}  // namespace

Result<RawArguments> reachedBy(const CompiledKernel& kernel,
                               std::span<const std::span<const std::byte>> parameters,
                               std::span<const std::span<std::byte>> buffers,
                               const std::map<std::string, std::uint64_t, std::less<>>& symbols) {
  const Bytecode& code = kernel.code;
  const std::size_t wanted = code.parameters.size() - code.symbols.size();
  Gatherer gatherer(buffers);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    std::vector<std::byte> bytes(parameters[p].begin(), parameters[p].end());
    if (p < wanted) gatherer.syncTo(bytes, *code.parameterTypes[p]);
    gatherer.raw().parameters.push_back(std::move(bytes));
  }
  for (std::size_t s = 0; s < code.symbols.size(); ++s) {
    const auto address = symbols.find(code.symbols[s].name);
    if (address == symbols.end()) continue;
    gatherer.raw().symbols[address->first] =
        gatherer.changed(address->second, code.parameterTypes[wanted + s]->element);
  }
  gatherer.syncAll();
  if (gatherer.bytes() > kMostCapturedBytes) {
    return Error{fmt::format("The launch of {} reaches more than {} MiB of memory, too much to be traced.",
                             code.kernelName, kMostCapturedBytes >> 20U),
                 "Run the program with less data: a smaller N, or a smaller size as its argument."};
  }
  return std::move(gatherer.raw());
}

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
