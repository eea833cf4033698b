#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/hazards.h"
#include "sim/trace/replay.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// The conditions for breakpoints, besides source lines.
enum class StopKind : std::uint8_t {
  Conflict,    ///< a shared access takes more wavefronts than it needs
  Divergence,  ///< the active lanes of a warp go both ways at a branch
  Hazard,      ///< an unordered access, or another finding of a HazardReport
  Barrier,     ///< the last warp arrives at __syncthreads
};
inline constexpr std::size_t kStopKinds = 4;
/// `conflict`, `divergence`, `hazard`, `barrier`.
std::string_view nameFor(StopKind kind);

/// A hazard's place in a trace.
struct HazardMark {
  std::uint32_t step = 0;  ///< Cursor::steps when its later access is done
  std::string message;     ///< one sentence
  bool operator==(const HazardMark&) const = default;
};

/// The places of a run's hazards in its trace: the first example of each, if it is in the traced block. By
/// step.
std::vector<HazardMark> hazardMarks(const HazardReport& report);

/// The places that meet each condition, as Cursor::steps when the step that meets it is done; sorted.
struct TraceEvents {
  std::array<std::vector<std::uint32_t>, kStopKinds> at;
  const std::vector<std::uint32_t>& of(StopKind kind) const { return at[static_cast<std::size_t>(kind)]; }
};
TraceEvents findEvents(const Trace& trace, const std::vector<HazardMark>& hazards);

/// The next place after `from` (or the last before it) of a sorted list, or nullopt.
std::optional<std::uint32_t> nextPlace(const std::vector<std::uint32_t>& places, std::uint32_t from,
                                       bool forward);

/// The first line from `line` on that a step of the trace is on: the line of a breakpoint there. Nullopt if
/// no step is on it or below.
std::optional<std::uint32_t> nextRunLine(const Trace& trace, std::uint32_t line);

/// Breakpoints: source lines and conditions.
class Stops {
 public:
  const std::set<std::uint32_t>& lines() const { return lines_; }
  bool hasLine(std::uint32_t line) const { return lines_.contains(line); }
  void toggleLine(std::uint32_t line);
  bool has(StopKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  void toggle(StopKind kind);
  bool empty() const;
  void clear();

  /// The nearest place after `from` (before it, unless forward) that one of them means, as Cursor::steps. A
  /// line stops once for each time that a warp comes to it.
  std::optional<std::uint32_t> next(const Trace& trace, const TraceEvents& events, std::uint32_t from,
                                    bool forward) const;

 private:
  std::optional<std::uint32_t> nextOnLine(const Trace& trace, std::uint32_t from, bool forward) const;

  std::set<std::uint32_t> lines_;
  std::array<bool, kStopKinds> kinds_{};
};

}  // namespace lanescope
