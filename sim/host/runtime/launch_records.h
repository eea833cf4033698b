#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/run/launch.h"
#include "sim/memory/counters.h"
#include "sim/trace/hazards.h"

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

}  // namespace lanescope::host
