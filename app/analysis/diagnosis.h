#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/ncu_profile.h"

namespace lanescope {

/// The causes of a warp's waiting, as far as a chart tells them apart.
enum class StallGroup : std::uint8_t {
  Global,   ///< global memory, its queue, constants
  Shared,   ///< shared memory, shuffles and special functions, and their queue
  Barrier,  ///< barriers and fences
  Latency,  ///< a fixed latency of the previous instruction, a busy pipe
  Code,     ///< the next instruction or a branch
  Slots,    ///< another warp has the issue slot
  Issued,   ///< no waiting: the warp is issued
  Other,
};
inline constexpr std::size_t kStallGroups = 8;

/// A reason for which a sampled warp was not issued, or that it was.
struct StallReason {
  std::string_view id;       ///< in profiles and in Nsight Compute's columns: `long_sb`
  std::string_view nsight;   ///< its name there: `Stall Long Scoreboard`
  std::string_view words;    ///< in plain words, of a warp: `waits for global memory`
  std::string_view meaning;  ///< one sentence (Nsight Compute's documentation, "Warp Stall Reasons")
  StallGroup group = StallGroup::Other;
};

/// Every reason that is known here.
std::span<const StallReason> stallReasons();

/// The reason of that id; an unknown one is among the others, without a name.
StallReason toStallReason(std::string_view id);

/// A group in plain words: `waits for global memory`.
std::string_view stallGroupWords(StallGroup group);

/// The limit of a kernel's speed.
enum class Limiter {
  Unit,            ///< the unit nearest to its peak, which is saturated
  UnitAndLatency,  ///< that unit and latency: it is neither saturated nor far from its peak
  Latency,
};

/// The limiter of a kernel with `percent` as the share of peak of its nearest unit. The bounds, 80 and 60%,
/// are those of Nsight Compute's guided analysis (rule SOLBottleneck of "GPU Speed Of Light Throughput"):
/// above the first, work has to move to another unit; below the second, low throughput typically means
/// latency. They apply to the whole percent that is shown.
Limiter findLimiter(double percent);

/// `the unit`, `the unit and latency`, `latency`.
std::string_view limiterWords(Limiter limiter);

/// How near a unit is to its peak.
struct UnitLoad {
  ProfileMetric metric = ProfileMetric::Dram;
  std::string name;    ///< `DRAM`, `issue slots`
  double percent = 0;  ///< of its peak
};

/// A part of samples that have one reason.
struct StallShare {
  StallReason reason;
  std::string id;  ///< as recorded, known here or not
  std::uint64_t samples = 0;
  double share = 0;  ///< 0 to 1
};

/// A line of the text and the part of the warps' time that it takes.
struct LineShare {
  std::uint32_t line = 0;  ///< from 1
  std::string text;        ///< without the blanks around it; empty if the text has no such line
  double share = 0;        ///< of all samples, 0 to 1
  double instructionsPerWarp = 0;
  ProfileCounts counts;
  std::vector<StallShare> stalls;  ///< shares of the line's samples, the largest first

  /// The largest, apart from the samples in which the warp was issued; nullptr if it never waits.
  const StallShare* mainStall() const;
};

/// A profile's account of a kernel's time.
struct Diagnosis {
  std::uint64_t samples = 0;       ///< of all the code: each machine instruction once, if they are known
  std::uint64_t executed = 0;      ///< warp instructions of all the code, each machine instruction once
  double instructionsPerWarp = 0;  ///< those of `executed`
  double durationUs = 0;           ///< under the profiler; 0 if it was not measured
  std::vector<UnitLoad> units;     ///< those measured, the nearest to its peak first
  std::vector<StallShare> stalls;  ///< of all samples, the largest first
  /// Lines with samples or executed instructions, the most samples first. As in Nsight Compute, a line that
  /// calls an inlined function has some of that function's instructions too, so the lines' sum may exceed
  /// all.
  std::vector<LineShare> lines;
  double outside = 0;     ///< share of the samples in code of headers, 0 to 1
  std::string occupancy;  ///< one sentence; empty if it was not measured
  std::string sentence;   ///< one sentence: the kernel's limiter and its place

  /// The unit nearest to its peak; nullptr if none was measured.
  const UnitLoad* nearestUnit() const { return units.empty() ? nullptr : &units.front(); }
  /// The line with most samples; nullptr if no line has any.
  const LineShare* costliestLine() const {
    return lines.empty() || lines.front().counts.samples == 0 ? nullptr : &lines.front();
  }
};

/// Computes the diagnosis of a profile of `text`. Pure: the same profile gives the same words.
Diagnosis diagnose(const LaunchProfile& profile, std::string_view text);

/// The shares of a row's samples by reason, the largest first.
std::vector<StallShare> stallShares(const ProfileCounts& counts);

}  // namespace lanescope
