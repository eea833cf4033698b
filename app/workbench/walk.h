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
#include "sim/trace/trace.h"

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
std::string_view stopKindName(StopKind kind);

/// A hazard's place in a trace.
struct HazardMark {
  std::uint32_t step = 0;  ///< Cursor::steps when its later access is done
  std::string message;     ///< one sentence
  std::int64_t cell = -1;  ///< the traced word that two threads race for, or that is read unwritten; -1: none
  bool operator==(const HazardMark&) const = default;
};

/// The places of a run's hazards in its trace: the first example of each, if it is in the traced block. By
/// step.
std::vector<HazardMark> hazardMarks(const HazardReport& report, const Trace& trace);

/// The places that meet each condition, as Cursor::steps when the step that meets it is done; sorted.
struct TraceEvents {
  std::array<std::vector<std::uint32_t>, kStopKinds> at;
  const std::vector<std::uint32_t>& of(StopKind kind) const { return at[static_cast<std::size_t>(kind)]; }
};
TraceEvents findEvents(const Trace& trace, const std::vector<HazardMark>& hazards);

/// The next place after `from` (or the last before it) of a sorted list, or nullopt.
std::optional<std::uint32_t> nextPlace(const std::vector<std::uint32_t>& places, std::uint32_t from,
                                       bool forward);

/// What a walk by phase stops for.
enum class PhaseMoment : std::uint8_t {
  None,            ///< it does not stop there
  MostWavefronts,  ///< of the phase's accesses with bank conflicts, the first of those with most wavefronts
  FewestLanes,     ///< if none conflicts: the first step with the fewest active lanes, if a warp has more
  End,
};

/// The stops of a walk by phase: in each phase a moment, if it has one before its end, then its end.
struct PhaseStops {
  std::vector<std::uint32_t> at;     ///< as Cursor::steps, sorted
  std::vector<PhaseMoment> moments;  ///< of each

  /// None unless it is a stop.
  PhaseMoment momentAt(std::uint32_t steps) const;
};
PhaseStops findPhaseStops(const Trace& trace);

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

/// The opening place of a trace, as Cursor::steps: with something to see, and something still to come.
///
/// In the phase of the same kind and step size as `like`, unless all is over at its end, else in the first
/// that adds at a step size, after its first conflicted access (its first exchange, if none conflicts). If no
/// phase has a step size, after the first such access of all. If threads exchange nothing: after half of the
/// times that lanes of a warp leave a loop, else after half of the accesses to global memory.
std::uint32_t openingStep(const Trace& trace, const Phase* like = nullptr);

/// How long a move from one state to the next takes on the screen, in seconds; 0: none is shown.
inline constexpr std::array<double, 4> kMotionSeconds{0, 0.25, 0.6, 1.5};

/// The clock of the move to the current state, or of the way back to it. At rest it costs nothing.
class Motion {
 public:
  double seconds() const { return seconds_; }
  void setSeconds(double seconds) { seconds_ = seconds; }
  /// The next of kMotionSeconds, the first after the last.
  void changeSeconds();

  /// Begins a move: the steps from `from` on (as Cursor::steps) are new. It takes at most `most` seconds, so
  /// that it ends before the next.
  void begin(std::uint32_t from, double most);
  /// The same move, the other way: the steps from `from` on are undone. Its progress falls from 1 to 0.
  void beginBack(std::uint32_t from, double most);
  void finish() { left_ = 0; }
  /// Moves its clock; true while the picture differs from the previous one.
  bool advance(double seconds);

  bool moving() const { return left_ > 0; }
  bool isBack() const { return isBack_; }
  /// 0 to 1, slow at both ends; 1 at rest.
  float progress() const;
  std::uint32_t from() const { return from_; }

 private:
  double seconds_ = kMotionSeconds[1];
  double total_ = 0;
  double left_ = 0;
  std::uint32_t from_ = 0;
  bool isBack_ = false;
};

/// The object under the pointer, or kept by a click; -1 for none.
struct Focus {
  std::int64_t thread = -1;  ///< linear index in the block
  std::int64_t cell = -1;    ///< shared cell
  std::int64_t line = -1;    ///< of the source, from 1
  bool operator==(const Focus&) const = default;
  bool empty() const { return thread < 0 && cell < 0 && line < 0; }
};

/// Everything that belongs to a focus at a moment; lists are sorted, none twice.
struct Linked {
  std::vector<std::uint32_t> threads;
  std::vector<std::uint32_t> cells;
  std::vector<std::uint32_t> lines;
  bool operator==(const Linked&) const = default;
};

/// The parts that light up with a focus, at the replay's place. A thread brings the words of the last shared
/// access it took part in, within the phase, and the line of its warp. A word brings the threads of the last
/// access to it within the phase, and that line. A line brings the lanes that were active when their warp
/// last ran it, if it is still there, and their words.
Linked linkedTo(const Replay& replay, const Focus& focus);

}  // namespace lanescope
