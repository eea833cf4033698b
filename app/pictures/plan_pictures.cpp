#include "app/pictures/plan_pictures.h"

#include "app/pictures/bank_plan.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/ladder_plan.h"
#include "app/pictures/phase_names.h"
#include "app/pictures/line_costs.h"
#include "app/pictures/source_tokens.h"
#include "app/pictures/tile_plan.h"
#include "app/pictures/timeline_marks.h"
#include "app/course/phase_text.h"

namespace lanescope {
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
  if (trace.launch.source != nullptr) {
    countWork(trace.launch.work, &WorkCount::tokenizations);
    plan->tokens = colourTokens(trace.launch.source->text());
  }
  plan->beforePhases = countersBefore(trace);
  plan->phaseNames = phaseNames(trace);
  for (std::uint32_t phase = 0; phase < trace.phases.size(); ++phase)
    plan->phaseTexts.push_back(phaseText(trace, phase));
  return plan;
}

}  // namespace lanescope
