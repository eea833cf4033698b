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
  explicit StepVariable(const Trace& trace)
      : trace_(trace), bits_(trace.variables.size()), holds_(trace.variables.size()) {
    for (std::size_t v = 0; v < holds_.size(); ++v) holds_[v] = isWhole(trace.variables[v].type);
  }

  /// The variable that holds the size in every phase that has one; nothing: none does.
  std::optional<std::size_t> find() {
    for (const Phase& phase : trace_.phases) walk(phase);
    const auto found = std::ranges::find(holds_, true);
    if (compared_ == 0 || found == holds_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - holds_.begin());
  }

 private:
  void walk(const Phase& phase) {
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const Step step = trace_.steps[index];
      if (step.warp != 0) continue;
      if (phase.stepSize > 0 && exchanges(step.kind) && (step.active & 1U) != 0) compare(phase.stepSize);
      VariableSet set;
      for (std::uint32_t place = step.variableSets; place != kNoPlace; place = set.next) {
        trace_.variableSets.read(place, set);
        if (set.has(0)) bits_[set.variable] = set.bits[set.entryOf(0)];
      }
    }
  }

  void compare(std::uint32_t size) {
    ++compared_;
    for (std::size_t v = 0; v < holds_.size(); ++v) holds_[v] = holds_[v] && bits_[v] == size;
  }

  const Trace& trace_;
  std::vector<std::uint64_t> bits_;  ///< of each variable
  std::vector<bool> holds_;          ///< the size, whenever one was met
  std::size_t compared_ = 0;
};

}  // namespace

std::vector<std::string> phaseNames(const Trace& trace) {
  const std::optional<std::size_t> variable = StepVariable(trace).find();
  std::vector<std::string> names;
  names.reserve(trace.phases.size());
  for (const Phase& phase : trace.phases) {
    if (phase.kind != PhaseKind::Step)
      names.push_back(phase.label);
    else if (variable)
      names.push_back(fmt::format("{} = {}", trace.variables[*variable].name, phase.stepSize));
    else
      names.push_back(fmt::format("size {}", phase.stepSize));
  }
  return names;
}

}  // namespace lanescope
