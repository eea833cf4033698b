#include "app/course/guide.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sim/trace/step_accesses.h"

namespace lanescope {

std::span<const GuideCard> guideCards() {
  static constexpr std::array<GuideCard, 6> kCards{{
      {.id = "step",
       .title = "A kernel runs step by step",
       .text =
           "The code on the right is a **kernel**: a function that runs on a GPU. Every copy of it that runs "
           "is a **thread**. Here eight threads add up eight numbers; `tid` is the number of a thread.",
       .task = "Press **{key:next step}** (the arrow key) three times.",
       .answer =
           "Each press ran the marked line, in all threads: each now knows its `tid`, has read a number from "
           "global memory and has written it to the array `s` in shared memory, which the threads share (in "
           "the picture a0 to a7), and waits at `__syncthreads()` for the others. The **timeline** at the "
           "foot of the window shows the whole run: {rounds} such steps.",
       .act = CardAct::Step,
       .strategy = "baseline",
       .n = 8,
       .machine = "tiny",
       .start = CardStart::Start,
       .grain = Grain::Line,
       .subject = CardSubject::Source},
      {.id = "lane",
       .title = "Threads run in warps",
       .text =
           "A **warp** is a group of threads that run the same instruction at the same time. A thread's "
           "place in its warp is its **lane**.\n\nTo keep the picture small, a warp has two lanes here. On "
           "a real GPU it has **32**.\n\nThe window has run ahead: all eight numbers are in `s`, and every "
           "warp has reached the **barrier**, the marked line. No warp continues before all have reached it.",
       .task = "Point at a lane in the panel **WARPS**.",
       .answer = "Lane {lane} of warp {warp} is thread {thread}. In every panel its places light up: the "
                 "line where it is, and the word that it used last.",
       .act = CardAct::Lane,
       .strategy = "baseline",
       .n = 8,
       .machine = "tiny",
       .start = CardStart::Loaded,
       .grain = Grain::Line,
       .subject = CardSubject::Warps},
      {.id = "idle",
       .title = "Idle lanes are wasted",
       .text =
           "Now with 64 numbers and two real warps of 32 lanes. The window has run ahead into the `if`, "
           "which "
           "lets only some threads of each warp in. The warps **diverge**: their other lanes are masked off, "
           "and wait until the `if` is done.",
       .task = "Point at a lane that is masked off (it is hatched).",
       .answer = "Thread {thread} (lane {lane}) has no work here, and its lane is wasted: only {active} of "
                 "{lanes} work, yet the warp runs each instruction once, as it would for all of them.",
       .act = CardAct::IdleLane,
       .strategy = "baseline",
       .n = 64,
       .machine = "nvidia",
       .start = CardStart::Divergence,
       .grain = Grain::Line,
       .subject = CardSubject::Warps},
      {.id = "conflict",
       .title = "Shared memory has banks",
       .text = "In the kernel *No divergence* adjacent threads work, and fewer warps diverge. Yet a real GPU "
               "takes longer for it: more than that has changed. One thing can be seen here.\n\n"
               "**Shared memory** is made of 32 small memories that work at the same time, its **banks**. "
               "Word 0 (4 bytes) is in bank 0, word 1 in bank 1, and so on; word 32 is in bank 0 again.\n\n"
               "In one round, a **wavefront**, each bank delivers one **word**. Lanes that ask one bank for "
               "different words need more rounds.",
       .task = "Press **{key:next step}** for each wavefront of the next access.",
       .answer = "Words {wordA} and {wordB} are both in bank {bank}, so the access is serialized into "
                 "{wavefronts} wavefronts: a **bank conflict**. The same number of words in different "
                 "banks would take {ideal}.",
       .act = CardAct::Wavefronts,
       .strategy = "no-divergence",
       .n = 64,
       .machine = "nvidia",
       .start = CardStart::Conflict,
       .grain = Grain::Wavefront,
       .subject = CardSubject::Banks},
      {.id = "race",
       .title = "Change the kernel, see a race",
       .text = "Now the kernel *No bank conflict*, on eight numbers again. Each working thread adds word "
               "`tid + k` to its own; `k` is 4, then 2, then 1. No other thread writes that word until all "
               "have passed the **barrier**, `__syncthreads()`, so their order does not matter.",
       .task = "Make a mistake: click into the kernel, write `1` for `k` in `s[tid + k]`, and press "
               "**{key:run}**.",
       .answer =
           "Two things went wrong. `tid + 1` adds the wrong words, so the sum is wrong in any order. "
           "And it is a **race**: {hazard} Which value is read depends on which of the two comes first.",
       .act = CardAct::Race,
       .strategy = "no-bank-conflict",
       .n = 8,
       .machine = "tiny",
       .start = CardStart::Start,
       .grain = Grain::Line,
       .subject = CardSubject::Source},
      {.id = "why",
       .title = "Why it matters",
       .text =
           "What you have seen costs time; how much, only a measurement shows. The kernels of this course "
           "were timed on a real GPU, each adding the same numbers.\n\n"
           "A longer bar is faster: it shows how many billion bytes (GB) of numbers a kernel adds up per "
           "second. No sum can go past the dashed line, the **read ceiling**: a kernel that only reads is "
           "as fast as that.",
       .task = "Press **{key:GPU panel}** to compare *Baseline*, the kernel that you began with, with the "
               "fastest of them.",
       .answer =
           "To add {count} numbers, {gpu} needs {slowTime} with the kernel *{slow}* and {fastTime} with "
           "*{fast}*: **{ratio} times** as fast, on the same chip.{costliest line}\n\nThe lessons then "
           "remove idle lanes, bank conflicts and barriers one by one, and measure what each change brings.",
       .without = "There are no measurements: neither a GPU nor a recording. The lessons show the costs in "
                  "counters, step by step.",
       .act = CardAct::Charts,
       .strategy = "baseline",
       .n = 64,
       .machine = "nvidia",
       .start = CardStart::Start,
       .grain = Grain::Line,
       .subject = CardSubject::Gpu},
  }};
  return kCards;
}

std::optional<std::size_t> findGuideCard(std::string_view id) {
  const std::span<const GuideCard> cards = guideCards();
  const auto found = std::ranges::find(cards, id, &GuideCard::id);
  if (found == cards.end()) return std::nullopt;
  return static_cast<std::size_t>(found - cards.begin());
}

namespace {

std::uint32_t roundsSince(const GuideSituation& began, const GuideSituation& now) {
  return now.rounds > began.rounds ? static_cast<std::uint32_t>(now.rounds - began.rounds) : 0;
}

/// True if the cursor is in the access that the card is about.
bool isInAccess(const GuideSituation& began, const GuideSituation& now) {
  return now.cursor.steps == began.cursor.steps + 1;
}

std::string parseCount(std::uint32_t done, std::uint32_t asked) {
  return std::to_string(done) + " of " + std::to_string(asked) + ".";
}

std::string remarkOnRace(const GuideSituation& now) {
  if (now.hasFaults) return "The kernel does not compile: the line that is wrong is marked.";
  if (now.ranEdited && now.races == 0) return "It ran, and no race was found: change `s[tid + k]` alone.";
  return now.isEdited ? "Edited. The pictures still show the last run." : "";
}

}  // namespace

bool isDone(CardAct act, const GuideSituation& began, const GuideSituation& now) {
  switch (act) {
    case CardAct::Step: return roundsSince(began, now) >= kStepsAsked;
    case CardAct::Lane: return now.thread >= 0;
    case CardAct::IdleLane: return now.thread >= 0 && now.isIdle;
    case CardAct::Wavefronts:
      return isInAccess(began, now) && now.wavefronts > 1 && now.cursor.wavefront == now.wavefronts;
    case CardAct::Race: return now.ranEdited && now.races > 0;
    case CardAct::Charts: return now.chartsAreOpen;
  }
  return false;
}

std::string remarkOn(CardAct act, const GuideSituation& began, const GuideSituation& now) {
  switch (act) {
    case CardAct::Step:
      return roundsSince(began, now) > 0 ? parseCount(roundsSince(began, now), kStepsAsked) : "";
    case CardAct::IdleLane: return now.thread >= 0 ? "This lane is at work. Try a hatched one." : "";
    case CardAct::Wavefronts:
      return isInAccess(began, now) ? "Wavefront " + parseCount(now.cursor.wavefront, now.wavefronts) +
                                          " The counters already have the whole access."
                                    : "";
    case CardAct::Race: return remarkOnRace(now);
    default: return "";
  }
}

void Guide::open(std::size_t index) {
  index_ = std::min(index, guideCards().size() - 1);
  began_.reset();
  answer_.clear();
  remark_.clear();
}

bool Guide::syncTo(const GuideSituation& now) {
  if (!index_ || !began_) return false;
  if (isDone(card().act, *began_, now)) return true;
  remark_ = remarkOn(card().act, *began_, now);
  return false;
}

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

}  // namespace

GuideSituation readSituation(const Session& session, std::int64_t thread, bool chartsAreOpen) {
  GuideSituation now;
  now.chartsAreOpen = chartsAreOpen;
  const Document* document = session.editor().current();
  now.isEdited = document != nullptr && document->isEdited();
  now.hasFaults = now.isEdited && !session.editor().diagnostics().empty();
  const Replay* replay = session.player().replay();
  if (replay == nullptr) return now;
  const Trace& trace = replay->trace();
  now.cursor = replay->cursor();
  now.rounds = trace.roundsBefore(now.cursor.steps);
  if (const std::optional<Step> step = replay->currentStep()) now.wavefronts = step->wavefronts;
  if (thread >= 0 && thread < std::int64_t{trace.threads}) {
    now.thread = thread;
    const std::uint32_t size = trace.launch.machine.warpSize;
    const auto lane = static_cast<std::uint32_t>(thread);
    const LaneState state = laneState(trace, replay->state(), lane / size, lane % size);
    now.isIdle = state == LaneState::MaskedOff;
  }
  now.ranEdited = session.shown().edition != 0;
  now.races = firstRace(session) == nullptr ? 0 : 1;
  return now;
}

GuideFacts collectFacts(const Session& session, std::int64_t thread) {
  GuideFacts facts;
  const Replay* replay = session.player().replay();
  if (replay == nullptr) return facts;
  const Trace& trace = replay->trace();
  facts["n"] = std::to_string(session.shown().n);
  facts["rounds"] = std::to_string(trace.roundsBefore(static_cast<std::uint32_t>(trace.steps.size())));
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
  return session.player().replay() != nullptr && shown.strategy == findStrategy(card.strategy) &&
         shown.n == card.n && shown.machine == findMachine(card.machine) && shown.blocks == 1 &&
         shown.document == 0 && shown.edition == 0;
}

std::uint32_t findStart(CardStart start, const Trace& trace) {
  if (start == CardStart::Start || trace.phases.empty()) return 0;
  if (start == CardStart::Loaded) return trace.phases.front().endStep;
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    const Step step = trace.steps[index];
    if (start == CardStart::Divergence && diverges(step)) return trace.nextRound(trace.nextRound(index));
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
