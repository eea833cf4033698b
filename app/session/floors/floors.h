#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/floors/gpu_rates.h"
#include "app/session/floors/launch_counts.h"
#include "app/session/profile/diagnosis.h"
#include "app/session/sass/code/machine_code.h"
#include "app/session/sass/issue_slots.h"

namespace lanescope {

/// The machine instructions of a launch: what issue slots have to take.
struct IssuedInstructions {
  double warpInstructions = 0;
  std::string source;              ///< where they are known from, one clause
  std::vector<LineSlots> lines{};  ///< of each line, where they are known from the machine code
};

/// Those of a launch, from the profile of the same text with as many threads per block: each line's
/// instructions per execution of the line, times its executions here. `profiled`: the counts of the launch
/// that was profiled.
std::optional<IssuedInstructions> issuedOf(const LaunchProfile& profile, const LaunchCounts& profiled,
                                           const LaunchCounts& counts, const std::string& origin);

/// Those of a launch, from the machine code of its text and its counts (issueSlots). Nothing where the counts
/// do not say how often each operation of the text is executed.
std::optional<IssuedInstructions> issuedOf(const MachineCode& code, const LaunchCounts& counts);

/// Those of a launch whose machine code was executed. Nothing where there are none.
std::optional<IssuedInstructions> issuedOf(const MachineCode& code, const ExecutedCode& executed);

/// The least time that one unit alone needs for a launch.
struct UnitFloor {
  RateUnit unit = RateUnit::Dram;
  double us = 0;      ///< without the launch
  double amount = 0;  ///< sectors, wavefronts or warp instructions
  UnitRate rate;
};

/// The floors of a launch on a GPU. They hold whatever else happens, as long as the compiler makes all the
/// accesses that were counted: a kernel cannot be faster than the launch and the unit that needs the longest.
struct Floors {
  double launchUs = 0;               ///< of an empty kernel; 0 where it is not known
  std::vector<UnitFloor> units;      ///< the longest first
  std::vector<std::string> unknown;  ///< one clause for each unit that nothing is known of, and why

  /// The unit that needs the longest; nullptr where none has anything to do.
  const UnitFloor* longest() const { return units.empty() ? nullptr : &units.front(); }
  /// Launch and longest unit, microseconds.
  double us() const { return launchUs + (units.empty() ? 0 : units.front().us); }
};

/// Computes them. With warm caches, of what is read as much as L2 holds need not come from DRAM; of what is
/// written as much may still be there when the kernel ends, in either case. Units of the SMs count only as
/// many SMs as there are blocks. `noCode`: why the machine instructions are not known, one clause.
Floors floorsOf(const LaunchCounts& counts, const std::optional<IssuedInstructions>& issued,
                const GpuRates& gpu, CacheState cache,
                const std::string& noCode = "the machine code is not known");

/// A unit by its name in profiles: `DRAM`, `L2`, `shared memory`, `issue slots`.
std::string_view unitName(RateUnit unit);
/// What a unit's work is counted in: `sectors`, `wavefronts`, `warp instructions`.
std::string_view unitWork(RateUnit unit);

/// Above this ratio of a measured time to its floor, no unit explains it: most of it is waiting.
inline constexpr double kWaitingRatio = 2;

/// `12.3`; of less than a tenth two digits that are not 0: `0.043`.
std::string microseconds(double us);
/// One sentence: the floor and the unit that makes it, and beside it the measured time, where there is one
/// (0: there is none).
std::string floorSentence(const Floors& floors, double measuredUs);

/// One sentence on what a time far above its floor is waited with, from the profile; empty where the time is
/// not over kWaitingRatio times the floor.
std::string waitingSentence(const Floors& floors, double measuredUs, const Diagnosis* diagnosis);

}  // namespace lanescope
