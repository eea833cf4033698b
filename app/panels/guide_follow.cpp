#include "app/panels/guide_follow.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "app/gpu/gpu_session.h"
#include "app/course/guide_facts.h"
#include "app/panels/gpu_charts.h"
#include "app/panels/gpu_line.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

GuideSituation situationAt(const ViewState& state) {
  const bool chartsAreOpen = state.settings.gpuIsOpen || state.maximised == Place::Gpu;
  return readSituation(state.session, state.marks.shownThread(), chartsAreOpen);
}

std::string timeText(double us) { return us < 1000 ? figure(us) + " µs" : figure(us / 1000) + " ms"; }

/// The kernel that the card steps through and the fastest reduction, timed at the N of the charts.
struct Contrast {
  const Strategy* slow = nullptr;  ///< nullptr unless both were timed and they are different
  const Strategy* fast = nullptr;
  double slowUs = 0;
  double fastUs = 0;
};

Contrast findContrast(const ViewState& state) {
  const BenchData& data = state.gpu.data();
  const BenchSetting setting{.block = state.gpuPanel.block};
  const Strategy* const own = findStrategy(state.guide.card().strategy);
  Contrast found;
  for (const Strategy& strategy : strategies()) {
    if (strategy.family != Family::Reduction) continue;
    const auto reading = anyGridsReading(data, setting, std::string(strategy.id), state.gpuPanel.n);
    if (!reading || reading->wrong || reading->medianUs <= 0) continue;
    if (&strategy == own) {
      found.slow = own;
      found.slowUs = reading->medianUs;
    }
    if (found.fast == nullptr || reading->medianUs < found.fastUs) {
      found.fast = &strategy;
      found.fastUs = reading->medianUs;
    }
  }
  return found.slow == nullptr || found.slow == found.fast || !data.hello() ? Contrast() : found;
}

/// The line that takes most of its time in its profile; empty unless it was profiled.
std::string costliestLineText(ViewState& state, const Strategy& strategy) {
  const TextProfile* const profile = state.profiles.of(strategy.source);
  const LineShare* const costliest = profile == nullptr ? nullptr : profile->diagnosis.costliestLine();
  if (costliest == nullptr) return "";
  const LineShare& line = *costliest;
  const std::string text = line.text.substr(0, line.text.find_last_not_of(" {") + 1);
  const bool divides = text.find_first_of("%/") != std::string::npos;
  return fmt::format(
      " What costs most in *{}* is line {}, `{}`: {:.0f}% of the warps' time and {:.0f} of the {:.0f} "
      "instructions that a warp runs.{} The column **GPU time** beside the kernel has every line's share.",
      strategy.title, line.line, text, 100 * line.share, line.instructionsPerWarp,
      profile->diagnosis.instructionsPerWarp,
      divides
          ? " A GPU has no single instruction for a remainder or a quotient of integers: it takes up to 20."
          : "");
}

void addTimes(ViewState& state, GuideFacts& facts) {
  const auto [slow, fast, slowUs, fastUs] = findContrast(state);
  if (slow == nullptr) return;
  const BenchData& data = state.gpu.data();
  facts["gpu"] = withArticle(data.hello()->gpu);
  facts["count"] = withCommas(state.gpuPanel.n);
  facts["slow"] = slow->title;
  facts["slowTime"] = timeText(slowUs);
  facts["fast"] = fast->title;
  facts["fastTime"] = timeText(fastUs);
  facts["ratio"] = fmt::format("{:.{}f}", slowUs / fastUs, slowUs / fastUs < 10 ? 1 : 0);
  facts["costliest line"] = costliestLineText(state, *slow);
}

/// The bars that the last card is about.
std::set<std::string> shownBars(const ViewState& state) {
  if (!state.guides() || state.guide.card().act != CardAct::Charts) return {};
  const Contrast contrast = findContrast(state);
  if (contrast.slow == nullptr) return {};
  return {std::string(contrast.slow->id), std::string(contrast.fast->id)};
}

void giveAnswer(ViewState& state) {
  const GuideCard& card = state.guide.card();
  state.guide.answer(cardText(state, card.answer).value_or(std::string(card.without)));
  // The next typing is the next card's key.
  if (card.act == CardAct::Race) state.typing = false;
}

/// The edit that the card asks for, and its run.
void raceForReader(Session& session) {
  constexpr std::string_view kBefore = "s[tid + k]";
  constexpr std::string_view kAfter = "s[tid + 1]";
  Document* document = session.editor().current();
  if (document == nullptr) return;
  TextBuffer& buffer = document->buffer;
  const std::size_t at = buffer.text().find(kBefore);
  if (at == std::string::npos) return;
  const auto begin = static_cast<std::uint32_t>(at);
  buffer.select({begin, begin + static_cast<std::uint32_t>(kBefore.size())});
  buffer.insert(kAfter);
  session.run();
}

/// A lane of the warp at the cursor, one that is masked off if `idle`.
std::int64_t laneToShow(const Replay& replay, bool idle) {
  const Trace& trace = replay.trace();
  const std::optional<Step> step = replay.currentStep();
  const std::uint32_t warp = step ? step->warp : 0;
  const std::vector<LaneState> states =
      laneStates(trace, replay.state(), warp, WaitingWarps(trace, replay.state()));
  const auto wanted = [idle](LaneState state) { return !idle || state == LaneState::MaskedOff; };
  const auto lane = std::ranges::find_if(states, wanted);
  if (lane == states.end()) return -1;
  return std::int64_t{warp} * trace.launch.machine.warpSize + (lane - states.begin());
}

}  // namespace

std::optional<std::string> cardText(ViewState& state, std::string_view text) {
  GuideFacts facts = collectFacts(state.session, state.marks.shownThread());
  addTimes(state, facts);
  return filled(text, [&](std::string_view name) -> std::optional<std::string> {
    constexpr std::string_view kKey = "key:";
    if (name.starts_with(kKey)) return keyText(state, name.substr(kKey.size()));
    const auto fact = facts.find(name);
    return fact == facts.end() ? std::nullopt : std::optional(fact->second);
  });
}

void openFirstKernel(Session& session) {
  session.openAt(0);
  session.chooseStrategy(strategies().front());
}

void restartCard(ViewState& state) {
  Session& session = state.session;
  const GuideCard& card = state.guide.card();
  state.guide.open(state.guide.index());
  state.marks.releaseMarks();
  state.maximised.reset();
  state.typing = false;
  if (card.act == CardAct::Charts) {
    state.settings.gpuIsOpen = false;
    state.gpuPanel.page = GpuPage::Bandwidth;  // the step that the card is about
  }
  if (isOfCard(session, card)) {
    // An edited text that did not run is replaced by the text that ran.
    if (session.editor().current()->isEdited()) session.editor().reset();
    return;
  }
  session.openAt(0);
  session.select({findStrategy(card.strategy), card.n, findMachine(card.machine)});
  if (session.editor().current()->isEdited()) session.resetText();
}

void openGuide(ViewState& state, std::size_t index) {
  state.mode = Mode::Explore;
  state.helpOpen = false;
  state.guide.open(index);
  state.settings.lessonCard = state.guide.card().id;
  restartCard(state);
}

void resumeGuide(ViewState& state) { openGuide(state, findGuideCard(state.settings.lessonCard).value_or(0)); }

void nextCard(ViewState& state) {
  if (!state.guide.isLast()) return openGuide(state, state.guide.index() + 1);
  state.guide.close();
  state.settings.lessonCard.clear();
  openFirstKernel(state.session);
  state.notify("The course begins here, with the first kernel of the list.");
}

void leaveGuide(ViewState& state) {
  const bool isUntouched = state.guide.index() == 0 && !state.guide.isAnswered();
  state.guide.close();
  state.session.setGrain(Grain::Instruction);
  if (isUntouched) openFirstKernel(state.session);
  state.notify("The first lesson goes on from here with " + keyText(state, "first lesson") + ".");
}

void showAct(ViewState& state) {
  Session& session = state.session;
  if (!state.guide.isBegun()) return;
  const CardAct act = state.guide.card().act;
  switch (act) {
    case CardAct::Step: session.forward(); break;
    case CardAct::Wavefronts: session.step(Grain::Wavefront, true); break;
    case CardAct::Lane:
    case CardAct::IdleLane:
      state.marks.thread = laneToShow(*session.replay(), act == CardAct::IdleLane);
      break;
    case CardAct::Race: raceForReader(session); break;
    case CardAct::Charts: state.settings.gpuIsOpen = true; break;
  }
}

void syncGuide(ViewState& state) {
  state.gpuPanel.onlyBars = shownBars(state);
  if (!state.guides()) return;
  Session& session = state.session;
  Guide& guide = state.guide;
  if (guide.isBegun()) {
    if (guide.syncTo(situationAt(state))) giveAnswer(state);
    return;
  }
  const GuideCard& card = guide.card();
  if (!isOfCard(session, card)) return;
  session.setGrain(card.grain);
  session.seek(findStart(card.start, session.replay()->trace()));
  guide.begin(situationAt(state));
}

}  // namespace lanescope
