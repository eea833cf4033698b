#include "app/pictures/picture_plan.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "app/course/phase_text.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/ladder.h"
#include "app/pictures/line_costs.h"
#include "app/pictures/tile_scene.h"
#include "app/pictures/timeline_rounds.h"
#include "app/pictures/timeline_scene.h"
#include "app/workbench/text_buffer.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

bool isWhole(ValueType type) {
  return type == ValueType::I32 || type == ValueType::U32 || type == ValueType::I64 || type == ValueType::U64;
}

/// True if lanes exchange values in such a step: the distance between them is then the size of the step.
bool exchanges(StepKind kind) {
  return exchangesRegisters(kind) || kind == StepKind::SharedStore || kind == StepKind::GlobalStore;
}

bool isSigned(ValueType type) { return type == ValueType::I32 || type == ValueType::I64; }

std::string numberText(std::uint64_t bits, ValueType type) {
  if (!isSigned(type)) return std::to_string(bits);
  return std::to_string(type == ValueType::I32
                            ? std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))}
                            : static_cast<std::int64_t>(bits));
}

/// Follows the variables of the block's first thread, which takes part in every step of a tree.
class StepVariable {
 public:
  explicit StepVariable(const Trace& trace)
      : trace_(trace), followed_(trace.variables.size()), values_(trace.phases.size()) {
    for (std::size_t v = 0; v < followed_.size(); ++v) followed_[v].holds = isWhole(trace.variables[v].type);
    for (std::size_t index = 0; index < trace_.phases.size(); ++index) walk(index);
    const auto found = std::ranges::find_if(followed_, [this](const Followed& each) {
      return each.holds && each.met > 0 && 2 * each.met >= compared_;
    });
    if (found != followed_.end()) found_ = static_cast<std::size_t>(found - followed_.begin());
  }

  /// `k = 4` for a phase in which a variable holds the size, as in all later phases; else the phase's label.
  std::string nameFor(const Phase& phase) const {
    if (phase.kind != PhaseKind::Step || !found_ || phase.firstStep < followed_[*found_].from)
      return phase.label;
    return fmt::format("{} = {}", trace_.variables[*found_].name, phase.stepSize);
  }

  /// Names for several phases that would be named alike: by the first variable that has one value in each of
  /// them, and different values in all. Empty if there is none.
  std::vector<std::string> namesApart(const std::vector<std::size_t>& phases) const {
    for (std::size_t v = 0; v < followed_.size(); ++v) {
      if (!isWhole(trace_.variables[v].type)) continue;
      std::set<std::uint64_t> different;
      for (const std::size_t phase : phases) {
        const auto value = values_[phase].find(v);
        if (value == values_[phase].end() || !value->second) break;
        different.insert(*value->second);
      }
      if (different.size() < phases.size()) continue;
      std::vector<std::string> names;
      for (const std::size_t phase : phases) {
        const TracedVariable& variable = trace_.variables[v];
        names.push_back(variable.name + " = " + numberText(*values_[phase].at(v), variable.type));
      }
      return names;
    }
    return {};
  }

 private:
  struct Followed {
    std::uint64_t bits = 0;
    std::uint32_t from = 0;  ///< first step of the phase that it held the size in first
    std::uint32_t met = 0;   ///< how often it held the size
    bool isSet = false;
    bool isUniform = false;  ///< all lanes of the warp that set it gave it that value
    bool holds = false;      ///< the size whenever one was found since it was set
  };

  void walk(std::size_t number) {
    const Phase& phase = trace_.phases[number];
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const Step step = trace_.steps[index];
      if (step.warp != 0) continue;
      if (phase.stepSize > 0 && exchanges(step.kind) && (step.active & 1U) != 0) compare(number);
      forEachSet(trace_, step, [this](const VariableSet& set) {
        if (!set.has(0)) return;
        Followed& followed = followed_[set.variable];
        followed.bits = set.bits[set.findKernelEntry(0)];
        followed.isSet = true;
        followed.isUniform =
            std::all_of(set.bits.begin(), set.bits.begin() + static_cast<std::ptrdiff_t>(set.count()),
                        [&](std::uint64_t bits) { return bits == followed.bits; });
      });
    }
  }

  void compare(std::size_t number) {
    const Phase& phase = trace_.phases[number];
    ++compared_;
    for (std::size_t v = 0; v < followed_.size(); ++v) {
      Followed& each = followed_[v];
      if (!each.isSet) continue;  // the first addition of a tree may be before its loop
      const std::optional<std::uint64_t> value = each.isUniform ? std::optional(each.bits) : std::nullopt;
      const auto [known, isFirst] = values_[number].try_emplace(v, value);
      if (!isFirst && known->second != value) known->second.reset();
      each.holds = each.holds && each.bits == phase.stepSize;
      if (each.met++ == 0) each.from = phase.firstStep;
    }
  }

  const Trace& trace_;
  std::vector<Followed> followed_;  ///< by variable
  /// By phase: the values of variables in steps in which lanes exchange values; not set if there are several.
  std::vector<std::map<std::size_t, std::optional<std::uint64_t>>> values_;
  std::uint32_t compared_ = 0;
  std::optional<std::size_t> found_{};
};

}  // namespace

std::vector<std::string> phaseNames(const Trace& trace) {
  const StepVariable variable(trace);
  std::vector<std::string> names;
  names.reserve(trace.phases.size());
  for (const Phase& phase : trace.phases) names.push_back(variable.nameFor(phase));
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t phase = 0; phase < names.size(); ++phase) {
    if (trace.phases[phase].kind == PhaseKind::Step) alike[names[phase]].push_back(phase);
  }
  for (const auto& [name, phases] : alike) {
    if (phases.size() < 2) continue;
    const std::vector<std::string> apart = variable.namesApart(phases);
    for (std::size_t i = 0; i < apart.size(); ++i) names[phases[i]] = apart[i];
  }
  return names;
}

namespace {

std::vector<Counters> countersBefore(const Trace& trace) {
  std::vector<Counters> before;
  Counters sum;
  for (const Phase& phase : trace.phases) {
    before.push_back(sum);
    sum += phase.counters;
  }
  return before;
}

}  // namespace

std::shared_ptr<const PicturePlan> planPictures(const Trace& trace) {
  auto plan = std::make_shared<PicturePlan>();
  plan->ladder = std::make_shared<const LadderPlan>(planLadder(trace));
  plan->tiles = std::make_shared<const TilePlan>(planTiles(trace));
  plan->banks = std::make_shared<const BankPlan>(planBanks(trace));
  plan->lines = std::make_shared<const LinePlan>(planLines(trace));
  plan->timeline = planTimeline(trace);
  plan->rounds = planRounds(trace);
  if (trace.launch.source != nullptr) {
    countWork(trace.launch.work, &WorkCount::tokenizations);
    plan->code = plainText(trace.launch.source->text());
    if (plan->code.ends_with('\n')) plan->code.pop_back();
    plan->tokens = colourTokens(plan->code);
  }
  plan->beforePhases = countersBefore(trace);
  plan->phaseNames = phaseNames(trace);
  for (std::uint32_t phase = 0; phase < trace.phases.size(); ++phase)
    plan->phaseTexts.push_back(phaseText(trace, phase));
  return plan;
}

}  // namespace lanescope
