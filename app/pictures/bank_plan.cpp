#include "app/pictures/bank_plan.h"

#include <algorithm>

#include "app/pictures/bank_layout.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

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
      const StepKind kind = trace.steps.findKind(index);
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

std::optional<std::uint32_t> BankPlan::findLast(const std::vector<std::uint32_t>& steps, const Phase& phase,
                                                Cursor cursor) {
  const auto due = std::ranges::lower_bound(steps, cursor.steps);
  if (due == steps.begin() || *(due - 1) < phase.firstStep) return std::nullopt;
  return *(due - 1);
}

}  // namespace lanescope
