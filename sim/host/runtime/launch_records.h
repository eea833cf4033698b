#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/host/include/lanescope_api.h"
#include "sim/host/runtime/memory_map.h"
#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/counters.h"
#include "sim/trace/hazards.h"
#include "sim/trace/run.h"

namespace lanescope::host {

/// A program's launches of one kernel with one set of extents.
struct LaunchRecord {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  std::uint64_t sharedBytes = 0;  ///< static and dynamic
  int line = 0;                   ///< of the launch; 0 if unknown
  std::string file{};             ///< the file of that line; empty: the program has only one
  std::uint64_t launches = 0;
  double seconds = 0;               ///< of the simulator, in all
  std::uint64_t blocks = 0;         ///< in all
  std::uint64_t countedBlocks = 0;  ///< the number of them behind the counters
  Counters counters;
};

/// A hazard of some launch, and how many launches had it.
struct HazardRecord {
  std::string kernel;
  Hazard hazard;       ///< its count covers all launches
  std::string file{};  ///< the file of its lines; empty: the program has only one
  std::uint64_t launches = 1;
};

/// All launches of a program, in the order of first launch.
struct LaunchRecords {
  std::vector<LaunchRecord> launches;
  std::vector<HazardRecord> hazards;
  std::uint64_t unlooked = 0;  ///< launches without a search for hazards
  std::uint64_t repeated =
      0;  ///< launches that did not run: their earlier effect, on the same memory, was copied
  std::uint64_t unordered = 0;   ///< launches whose accesses are not known
  std::uint64_t unguarded = 0;   ///< ranges of pages that the host could use too early, at most at a time
  std::uint64_t dropped = 0;     ///< StreamOrder::dropped()
  std::uint64_t unfollowed = 0;  ///< buffers whose unwritten bytes are no longer looked for

  /// A kernel failed, or did what a GPU only tolerates; a launch, a copy or a free was refused; a stream or
  /// the host did not wait.
  bool hasError = false;

  /// True after such an error, or a hazard that is one.
  bool haveErrors() const;
  /// Adds a record to the one with the same kernel, extents and line.
  void add(const LaunchRecord& record);
  /// `file`: HazardRecord.
  void add(const std::string& kernel, const std::string& file, const HazardReport& report);
};

/// The table, a line per record, and the hazards with their lines; empty if nothing was launched.
std::string recordsText(const LaunchRecords& records);
/// `lanescope.run/1`: the same with every counter. `error`: the reason Lanescope ended the program, or did
/// not begin it; empty if it ended by itself.
std::string recordsJson(const LaunchRecords& records, const std::string& program, int status,
                        const std::string& error);

/// Logs a program's launches as they run: two lines of JSON each, in a file that others may read meanwhile.
class LaunchLog {
 public:
  /// `file`: not open for no log.
  explicit LaunchLog(std::ofstream file) : file_(std::move(file)) {}

  /// `{"launch":1,"kernel":…,"line":…,"grid":[x,y,z],"block":[x,y,z],"shared_bytes":…}`; line 0: unknown.
  void begins(std::uint64_t number, const Launch& launch, int line);
  /// `{"launch":1,"seconds":…,"hazards":n}`, with `"fault":"…"` if one ended it. nullptr: it was stopped.
  void ends(std::uint64_t number, double seconds, const Run* run);
  /// True if a line could not be written.
  bool isIncomplete() const { return file_.fail(); }

 private:
  std::ofstream file_;
};

/// The most bytes of memory that a captured launch may reach: as many as a trace has room for.
inline constexpr std::uint64_t kMostCapturedBytes = std::uint64_t{24} << 20;

/// The part of a program's memory that a launch reaches: the buffers that its pointers lead to, and the ones
/// that pointers in these lead to, numbered in that order, with the pointers changed to match. A pointer
/// that leads nowhere is kept as it is. Error: more than kMostCapturedBytes.
Result<RawArguments> reachedBy(const CompiledKernel& kernel,
                               std::span<const std::span<const std::byte>> parameters,
                               std::span<const std::span<std::byte>> buffers,
                               const std::map<std::string, std::uint64_t, std::less<>>& symbols);

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
