#include "app/course/guide_facts.h"

#include <algorithm>
#include <bit>

#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

const Hazard* firstRace(const Session& session) {
  if (session.shownRun() == nullptr || !session.shownRun()->run->hazards) return nullptr;
  const std::vector<Hazard>& hazards = session.shownRun()->run->hazards->hazards;
  const auto race = std::ranges::find_if(hazards, [](const Hazard& each) { return isRace(each.kind); });
  return race == hazards.end() ? nullptr : &*race;
}

void addStep(const Trace& trace, const Step& step, GuideFacts& facts) {
  facts["active"] = std::to_string(std::popcount(step.active));
  facts["lanes"] = std::to_string(trace.lanesOfWarp(step.warp));
  facts["wavefronts"] = std::to_string(step.wavefronts);
  facts["ideal"] = std::to_string(step.idealWavefronts);
  const BankUse use = computeBankUse(trace, step);
  const auto several = [](const std::vector<std::uint32_t>& words) { return words.size() > 1; };
  const auto bank = std::ranges::find_if(use.words, several);
  if (bank == use.words.end()) return;
  facts["bank"] = std::to_string(bank - use.words.begin());
  facts["wordA"] = std::to_string((*bank)[0]);
  facts["wordB"] = std::to_string((*bank)[1]);
}

/// The next step of the warp that a step is of.
std::uint32_t nextOfWarp(const Trace& trace, std::uint32_t index) {
  const std::uint16_t warp = trace.steps[index].warp;
  for (std::uint32_t next = index + 1; next < trace.steps.size(); ++next) {
    if (trace.steps[next].warp == warp) return next;
  }
  return index;
}

}  // namespace

GuideSituation readSituation(const Session& session, std::int64_t thread, bool chartsAreOpen) {
  GuideSituation now;
  now.chartsAreOpen = chartsAreOpen;
  const Document* document = session.editor().current();
  now.isEdited = document != nullptr && document->isEdited();
  now.hasFaults = now.isEdited && !session.editor().diagnostics().empty();
  const Replay* replay = session.replay();
  if (replay == nullptr) return now;
  const Trace& trace = replay->trace();
  now.cursor = replay->cursor();
  if (const std::optional<Step> step = replay->currentStep()) now.wavefronts = step->wavefronts;
  if (thread >= 0 && thread < std::int64_t{trace.threads}) {
    now.thread = thread;
    const std::uint32_t size = trace.launch.machine.warpSize;
    const auto lane = static_cast<std::uint32_t>(thread);
    const LaneState state = laneState(trace, replay->state(), lane / size, lane % size);
    now.isIdle = state == LaneState::MaskedOff;
    const std::optional<Step> step = replay->currentStep();
    now.isOfOtherWarp = step && step->warp != lane / size;
  }
  now.ranEdited = session.shown().edition != 0;
  now.races = firstRace(session) == nullptr ? 0 : 1;
  return now;
}

GuideFacts collectFacts(const Session& session, std::int64_t thread) {
  GuideFacts facts;
  const Replay* replay = session.replay();
  if (replay == nullptr) return facts;
  const Trace& trace = replay->trace();
  facts["n"] = std::to_string(session.shown().n);
  facts["steps"] = std::to_string(trace.steps.size());
  if (thread >= 0 && thread < std::int64_t{trace.threads}) {
    const std::uint32_t size = trace.launch.machine.warpSize;
    facts["thread"] = std::to_string(thread);
    facts["warp"] = std::to_string(thread / size);
    facts["lane"] = std::to_string(thread % size);
  }
  if (const std::optional<Step> step = replay->currentStep()) addStep(trace, *step, facts);
  if (const Hazard* race = firstRace(session)) facts["hazard"] = asSentence(race->message);
  return facts;
}

bool isOfCard(const Session& session, const GuideCard& card) {
  const Selection& shown = session.shown();
  return session.replay() != nullptr && shown.strategy == findStrategy(card.strategy) && shown.n == card.n &&
         shown.machine == findMachine(card.machine) && shown.blocks == 1 && shown.document == 0 &&
         shown.edition == 0;
}

std::uint32_t findStart(CardStart start, const Trace& trace) {
  if (start == CardStart::Start || trace.phases.empty()) return 0;
  if (start == CardStart::Loaded) return trace.phases.front().endStep;
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    const Step step = trace.steps[index];
    if (start == CardStart::Divergence && diverges(step)) return nextOfWarp(trace, index) + 1;
    if (start == CardStart::Conflict && step.kind == StepKind::SharedLoad && conflicts(step)) return index;
  }
  return 0;
}

std::optional<std::string> filled(
    std::string_view text, const std::function<std::optional<std::string>(std::string_view)>& findValue) {
  std::string all;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}', open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    const std::optional<std::string> value = findValue(text.substr(open + 1, close - open - 1));
    if (!value) return std::nullopt;
    all.append(text.substr(0, open)).append(*value);
    text.remove_prefix(close + 1);
  }
  return all.append(text);
}

}  // namespace lanescope
