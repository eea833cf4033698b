#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "app/pictures/ladder_builder.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// The result of a call: it is set in passing, and stays when the variable that it was assigned to changes.
bool isResult(const TracedVariable& variable) { return variable.name.ends_with("()"); }

/// Counts, by variable, how often it held the operand of a shuffle or of a reduction over lanes.
class RegisterExchange {
 public:
  explicit RegisterExchange(const Trace& trace)
      : trace_(trace),
        variables_(trace.variables.size()),
        warpSize_(trace.launch.machine.warpSize),
        values_(trace.threads * variables_),
        waiting_(trace.warps),
        carried_(variables_),
        handed_(variables_),
        handedIn_(trace.phases.size(), std::vector<std::uint32_t>(variables_)),
        takenIn_(handedIn_) {
    for (std::uint32_t index = 0; index < trace.steps.size(); ++index) syncTo(index);
  }

  bool isAny() const { return !trace_.shuffleSources.empty(); }
  /// Over the whole trace; if no shuffle read any, the one that carries input values most often.
  std::optional<std::uint32_t> most() const {
    std::optional<std::uint32_t> best;
    const auto rank = [&](std::uint32_t v) {
      return std::tuple(handed_[v], !isResult(trace_.variables[v]), carried_[v]);
    };
    for (std::uint32_t v = 0; v < variables_; ++v)
      if (carried_[v] > 0 && (!best || rank(v) > rank(*best))) best = v;
    return best;
  }
  std::optional<std::uint32_t> givenIn(std::size_t phase) const { return findMost(handedIn_[phase]); }
  /// The variable that receives the lanes' values.
  std::optional<std::uint32_t> takenIn(std::size_t phase) const { return findMost(takenIn_[phase]); }

 private:
  /// A shuffle whose result no variable has taken yet.
  struct Waiting {
    std::optional<std::uint32_t> step;
    std::vector<VariableValue> held;  ///< by lane and variable, as it was made
  };

  std::optional<std::uint32_t> findMost(const std::vector<std::uint32_t>& counts) const {
    std::optional<std::uint32_t> best;
    const auto rank = [&](std::uint32_t v) { return std::pair(counts[v], !isResult(trace_.variables[v])); };
    for (std::uint32_t v = 0; v < variables_; ++v)
      if (carried_[v] > 0 && counts[v] > 0 && (!best || rank(v) > rank(*best))) best = v;
    return best;
  }

  void syncTo(std::uint32_t index) {
    const Step step = trace_.steps[index];
    Waiting& waiting = waiting_[step.warp];
    if (exchangesRegisters(step.kind)) {
      const std::size_t first = std::size_t{step.warp} * warpSize_ * variables_;
      const std::size_t count = std::min(warpSize_ * variables_, values_.size() - first);
      waiting.step = index;
      waiting.held.assign(values_.begin() + static_cast<std::ptrdiff_t>(first),
                          values_.begin() + static_cast<std::ptrdiff_t>(first + count));
    }
    bool isTaken = false;
    forEachChange(trace_, step, [&](const VariableChange& change) {
      values_[change.thread * variables_ + change.variable] = change.after;
      carried_[change.variable] += change.after.from != kNoProvenance ? 1 : 0;
      if (waiting.step) isTaken = receive(step, waiting, change) || isTaken;
    });
    if (isTaken) waiting.step.reset();
  }

  // True if the change depends on the shuffle's operands.
  bool receive(const Step& step, const Waiting& waiting, const VariableChange& change) {
    bool isTaken = false;
    for (const Read& read : trace_.reads.since(change.reads, *waiting.step)) {
      if (read.step != *waiting.step) continue;
      isTaken = true;
      const std::size_t lane = read.cellOrThread % warpSize_;
      for (std::size_t v = 0; v < variables_; ++v) {
        const VariableValue& held = waiting.held[lane * variables_ + v];
        if (!held.set || held.from != read.from) continue;
        ++handed_[v];
        ++handedIn_[step.phase][v];
      }
    }
    if (isTaken) ++takenIn_[step.phase][change.variable];
    return isTaken;
  }

  const Trace& trace_;
  std::size_t variables_;
  std::size_t warpSize_;
  std::vector<VariableValue> values_;  // [thread * variables_ + variable]
  std::vector<Waiting> waiting_;       // by warp
  std::vector<std::uint32_t> carried_, handed_;
  std::vector<std::vector<std::uint32_t>> handedIn_, takenIn_;  // by phase
};

/// The changes of variables in a phase.
class PhaseChanges {
 public:
  PhaseChanges(const Trace& trace, const Phase& phase)
      : trace_(trace), first_(trace.variables.size(), kNever), last_(trace.variables.size()) {
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const Step step = trace.steps[index];
      exchanges_ = exchanges_ || exchangesRegisters(step.kind);
      forEachChange(trace, step, [&](const VariableChange& change) {
        first_[change.variable] = std::min(first_[change.variable], index);
        std::vector<VariableValue>& last = last_[change.variable];
        last.resize(trace.threads);
        last[change.thread] = change.after;
      });
    }
  }

  bool has(std::uint32_t variable) const { return first_[variable] != kNever; }

  /// The variable in which the value is made: the first to be set of those that end the phase with the same
  /// value as `variable` in every thread that the phase changes. Else the variable itself.
  std::uint32_t madeIn(std::uint32_t variable) const {
    std::uint32_t found = variable;
    for (std::uint32_t other = 0; !exchanges_ && other < first_.size(); ++other) {
      if (isResult(trace_.variables[other]) || first_[other] >= first_[found]) continue;
      if (trace_.variables[other].type == trace_.variables[variable].type && isSame(other, variable))
        found = other;
    }
    return found;
  }

 private:
  bool isSame(std::uint32_t other, std::uint32_t variable) const {
    return std::ranges::equal(
        last_[other], last_[variable],
        [](const VariableValue& a, const VariableValue& b) { return !b.set || a == b; });
  }

  const Trace& trace_;
  std::vector<std::uint32_t> first_;              // by variable: the step that first sets it
  std::vector<std::vector<VariableValue>> last_;  // by variable and thread: its value at the end of the phase
  bool exchanges_ = false;
};

}  // namespace

std::vector<std::optional<std::uint32_t>> variablesOfRows(const Trace& trace) {
  const RegisterExchange exchange(trace);
  const std::optional<std::uint32_t> main = exchange.isAny() ? exchange.most() : std::nullopt;
  if (!main) return {};
  std::vector<std::optional<std::uint32_t>> variables(trace.phases.size());
  // A second call of a function may have variables of its own. If a phase leaves the main variable alone,
  // take the one that its shuffles exchange, or that later shuffles do; if shuffles only read it, the one
  // that receives their results.
  std::optional<std::uint32_t> next;
  for (std::size_t number = trace.phases.size(); number-- > 0;) {
    const PhaseChanges changes(trace, trace.phases[number]);
    if (const auto handed = exchange.givenIn(number)) next = handed;
    for (const std::optional<std::uint32_t> each : {main, next, exchange.takenIn(number)}) {
      if (!each || !changes.has(*each)) continue;
      variables[number] = changes.madeIn(*each);
      break;
    }
  }
  return variables;
}

}  // namespace lanescope
