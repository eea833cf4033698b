#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/analysis/bench_data.h"
#include "app/analysis/diagnosis.h"
#include "app/analysis/gpu_rates.h"
#include "app/analysis/launch_counts.h"
#include "sim/sass/issue_slots.h"
#include "sim/sass/machine_code.h"

namespace lanescope {

/// The machine instructions of a launch: they take the issue slots.
struct IssuedInstructions {
  double warpInstructions = 0;
  std::string source;              ///< their origin, one clause
  std::vector<LineSlots> lines{};  ///< of each line, if known from the machine code
};

/// The machine instructions of a launch, from the profile of the same text with as many threads per block:
/// each line's instructions per execution of the line, times its executions here. `profiled`: the counts of
/// the launch that was profiled.
std::optional<IssuedInstructions> countIssued(const LaunchProfile& profile, const LaunchCounts& profiled,
                                              const LaunchCounts& counts, const std::string& origin);

/// The machine instructions of a launch, from the machine code of its text and its counts (issueSlots).
/// Nullopt if the counts do not say how often each operation of the text is executed.
std::optional<IssuedInstructions> countIssued(const MachineCode& code, const LaunchCounts& counts);

/// The machine instructions of a launch with executed machine code. Nullopt if there are none.
std::optional<IssuedInstructions> countIssued(const MachineCode& code, const ExecutedCode& executed);

/// The least time that one unit alone needs for a launch.
struct UnitFloor {
  RateUnit unit = RateUnit::Dram;
  double us = 0;      ///< without the launch
  double amount = 0;  ///< sectors, wavefronts or warp instructions
  UnitRate rate;
};

/// The floors of a launch on a GPU. They always hold, as long as the compiler makes all the accesses that
/// were counted: a kernel cannot be faster than the launch and the unit that needs the longest.
struct Floors {
  double launchUs = 0;               ///< of an empty kernel; 0 if unknown
  std::vector<UnitFloor> units;      ///< the longest first
  std::vector<std::string> unknown;  ///< one clause for each unit without a known time, and why

  /// The unit that needs the longest; nullptr if all are idle.
  const UnitFloor* longest() const { return units.empty() ? nullptr : &units.front(); }
  /// Launch and longest unit, microseconds.
  double us() const { return launchUs + (units.empty() ? 0 : units.front().us); }
};

/// Computes the floors. With warm caches, reads of up to L2's size need not come from DRAM; of the writes as
/// much may still be in L2 when the kernel ends, in either case. Units of the SMs count only as many SMs as
/// there are blocks. `noCode`: why the machine instructions are unknown, one clause.
Floors computeFloors(const LaunchCounts& counts, const std::optional<IssuedInstructions>& issued,
                     const GpuRates& gpu, CacheState cache,
                     const std::string& noCode = "the machine code is not known");

/// A unit by its name in profiles: `DRAM`, `L2`, `shared memory`, `issue slots`.
std::string_view unitName(RateUnit unit);
/// The noun for a unit's work: `sectors`, `wavefronts`, `warp instructions`.
std::string_view unitWork(RateUnit unit);

/// Above this ratio of a measured time to its floor, no unit explains it: most of it is waiting.
inline constexpr double kWaitingRatio = 2;

/// `12.3`; of less than a tenth two digits that are not 0: `0.043`.
std::string microseconds(double us);
/// One sentence: the floor and the unit that makes it, and beside it the measured time, unless it is 0 (not
/// measured).
std::string floorSentence(const Floors& floors, double measuredUs);

/// One sentence on the cause of the waiting in a time far above its floor, from the profile; empty unless the
/// time is over kWaitingRatio times the floor.
std::string waitingSentence(const Floors& floors, double measuredUs, const Diagnosis* diagnosis);

/// The least time, in microseconds, in which a GPU can be launched and move so many bytes, from measurements
/// on it: an empty kernel's time, DRAM's read ceiling and, if known, L2's. As in computeFloors(), L2 may hold
/// the written data and, with warm caches, the input. 0 if there is no ceiling.
double sizeFloorUs(double readBytes, double writtenBytes, const BenchData& data, CacheState cache);

}  // namespace lanescope
