#pragma once

#include <cstdint>
#include <span>
#include <string_view>

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

}  // namespace lanescope
