#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/run/launch.h"
#include "sim/memory/counters.h"
#include "sim/observe/hazards.h"

namespace lanescope::host {

/// What a program launched: a kernel with its extents, as often as it did.
struct LaunchRecord {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  std::uint64_t sharedBytes = 0;  ///< static and dynamic
  int line = 0;                   ///< of the launch; 0: not known
  std::string file{};             ///< that the line is of; empty: the program has but one
  std::uint64_t launches = 0;
  double seconds = 0;               ///< of the simulator, in all
  std::uint64_t blocks = 0;         ///< in all
  std::uint64_t countedBlocks = 0;  ///< of them, those that the counters are of
  Counters counters;
};

/// A hazard of some launch, and how many launches had it.
struct HazardRecord {
  std::string kernel;
  Hazard hazard;       ///< its count is that of all launches
  std::string file{};  ///< that its lines are of; empty: the program has but one
  std::uint64_t launches = 1;
};

/// All launches of a program, in the order of their first.
struct LaunchRecords {
  std::vector<LaunchRecord> launches;
  std::vector<HazardRecord> hazards;
  std::uint64_t unlooked = 0;  ///< launches in which hazards were not looked for
  std::uint64_t repeated =
      0;  ///< launches that did not run: what they did before, on the same memory, was copied

  /// Adds it to that of the same kernel, extents and line.
  void add(const LaunchRecord& record);
  /// `file`: HazardRecord.
  void add(const std::string& kernel, const std::string& file, const HazardReport& report);
};

/// The table, a line per record, and the hazards with their lines; empty where nothing was launched.
std::string recordsText(const LaunchRecords& records);
/// `lanescope.run/1`: the same with every counter. `error`: why Lanescope ended the program, or did not begin
/// it; empty where it ended by itself.
std::string recordsJson(const LaunchRecords& records, const std::string& program, int status,
                        const std::string& error);

}  // namespace lanescope::host
