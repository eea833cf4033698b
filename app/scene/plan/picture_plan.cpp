#include "app/scene/plan/picture_plan.h"

#include <algorithm>

#include "app/scene/banks/bank_layout.h"
#include "app/scene/plan/phase_names.h"
#include "app/session/walk/phase_text.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

BankPlan planBanks(const Trace& trace) {
  BankPlan plan;
  plan.words = sharedWords(trace);
  plan.cellOfWord.assign(plan.words, -1);
  for (std::uint32_t cell = trace.sharedCells; cell-- > 0;) {
    const std::uint32_t word = wordOfCell(trace, cell);
    if (word < plan.words) plan.cellOfWord[word] = static_cast<std::int32_t>(cell);
  }
  for (const Phase& phase : trace.phases) {
    std::uint32_t most = 0;
    std::uint32_t mostSectors = 0;
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const StepKind kind = trace.steps.kindOf(index);
      if (kind == StepKind::Shuffle) plan.shuffles.push_back(index);
      if (isGlobal(kind) && trace.steps[index].sectors >= mostSectors) {
        mostSectors = trace.steps[index].sectors;
        plan.widest.push_back(index);
      }
      if (!isShared(kind)) continue;
      const std::uint32_t wavefronts = trace.steps[index].wavefronts;
      if (wavefronts < most) continue;
      most = wavefronts;
      plan.busiest.push_back(index);
    }
  }
  return plan;
}

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

std::optional<std::uint32_t> BankPlan::lastOf(const std::vector<std::uint32_t>& steps, const Phase& phase,
                                              Cursor cursor) {
  const auto due = std::ranges::lower_bound(steps, cursor.steps);
  if (due == steps.begin() || *(due - 1) < phase.firstStep) return std::nullopt;
  return *(due - 1);
}

std::shared_ptr<const PicturePlan> planPictures(const Trace& trace) {
  auto plan = std::make_shared<PicturePlan>();
  plan->ladder = planLadder(trace);
  plan->tiles = planTiles(trace);
  plan->banks = planBanks(trace);
  plan->lines = planLines(trace);
  plan->timeline = planTimeline(trace);
  if (trace.launch.source != nullptr) plan->tokens = colourTokens(trace.launch.source->text());
  plan->beforePhases = countersBefore(trace);
  plan->phaseNames = phaseNames(trace);
  for (std::uint32_t phase = 0; phase < trace.phases.size(); ++phase)
    plan->phaseTexts.push_back(phaseText(trace, phase));
  return plan;
}

}  // namespace lanescope
