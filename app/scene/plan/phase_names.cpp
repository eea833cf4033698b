#include "app/scene/plan/phase_names.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace lanescope {
namespace {

bool isWhole(ValueType type) {
  return type == ValueType::I32 || type == ValueType::U32 || type == ValueType::I64 || type == ValueType::U64;
}

/// Whether lanes exchange values there: what they are apart is then the size of the step.
bool exchanges(StepKind kind) {
  return kind == StepKind::Shuffle || kind == StepKind::SharedStore || kind == StepKind::GlobalStore;
}

/// Follows the variables of the block's first thread, which takes part in every step of a tree.
class StepVariable {
 public:
  explicit StepVariable(const Trace& trace) : trace_(trace), followed_(trace.variables.size()) {
    for (std::size_t v = 0; v < followed_.size(); ++v) followed_[v].holds = isWhole(trace.variables[v].type);
    for (const Phase& phase : trace_.phases) walk(phase);
    const auto found = std::ranges::find_if(followed_, [this](const Followed& each) {
      return each.holds && each.met > 0 && 2 * each.met >= compared_;
    });
    if (found != followed_.end()) found_ = static_cast<std::size_t>(found - followed_.begin());
  }

  /// `k = 4`, in a phase where a variable holds the size as it does in all later ones; else the phase's
  /// label.
  std::string nameOf(const Phase& phase) const {
    if (phase.kind != PhaseKind::Step || !found_ || phase.firstStep < followed_[*found_].from)
      return phase.label;
    return fmt::format("{} = {}", trace_.variables[*found_].name, phase.stepSize);
  }

 private:
  struct Followed {
    std::uint64_t bits = 0;
    std::uint32_t from = 0;  ///< first step of the phase that it held the size in first
    std::uint32_t met = 0;   ///< how often it held the size
    bool isSet = false;
    bool holds = false;  ///< the size, whenever one was met since it was set
  };

  void walk(const Phase& phase) {
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const Step step = trace_.steps[index];
      if (step.warp != 0) continue;
      if (phase.stepSize > 0 && exchanges(step.kind) && (step.active & 1U) != 0) compare(phase);
      VariableSet set;
      for (std::uint32_t place = step.variableSets; place != kNoPlace; place = set.next) {
        trace_.variableSets.read(place, set);
        if (!set.has(0)) continue;
        followed_[set.variable].bits = set.bits[set.entryOf(0)];
        followed_[set.variable].isSet = true;
      }
    }
  }

  void compare(const Phase& phase) {
    ++compared_;
    for (Followed& each : followed_) {
      if (!each.isSet) continue;  // the first addition of a tree may be before its loop
      each.holds = each.holds && each.bits == phase.stepSize;
      if (each.met++ == 0) each.from = phase.firstStep;
    }
  }

  const Trace& trace_;
  std::vector<Followed> followed_;  ///< by variable
  std::uint32_t compared_ = 0;
  std::optional<std::size_t> found_{};
};

}  // namespace

std::vector<std::string> phaseNames(const Trace& trace) {
  const StepVariable variable(trace);
  std::vector<std::string> names;
  names.reserve(trace.phases.size());
  for (const Phase& phase : trace.phases) names.push_back(variable.nameOf(phase));
  return names;
}

}  // namespace lanescope
