#include "app/course/guide_cards.h"

#include <algorithm>
#include <array>

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
           "Each press ran one operation of the marked line, for two threads at once: each now knows its "
           "`tid`, has read a number from global memory and has written it to the array `s` in shared "
           "memory, which the threads share: in the picture a0 and a1, the first two numbers. The "
           "**timeline** at the foot of the window shows the whole run: {steps} such steps.",
       .act = CardAct::Step,
       .strategy = "baseline",
       .n = 8,
       .machine = "tiny",
       .start = CardStart::Start,
       .grain = Grain::Instruction,
       .subject = CardSubject::Source},
      {.id = "lane",
       .title = "Threads run in warps",
       .text =
           "A **warp** is a group of threads that run the same instruction at the same time. A thread's "
           "place in its warp is its **lane**.\n\nTo keep the picture small, a warp has two lanes here. On "
           "a real GPU it has **32**.\n\nThe window has run ahead: all eight numbers are in `s`, and every "
           "warp has reached the **barrier**, the marked line. No warp goes on before all have reached it.",
       .task = "Point at a lane in the panel **WARPS**.",
       .answer =
           "Lane {lane} of warp {warp} is thread {thread}. What belongs to it lights up in every panel: "
           "the line where it is, and the word that it used last.",
       .act = CardAct::Lane,
       .strategy = "baseline",
       .n = 8,
       .machine = "tiny",
       .start = CardStart::Loaded,
       .grain = Grain::Instruction,
       .subject = CardSubject::Warps},
      {.id = "idle",
       .title = "Idle lanes are wasted",
       .text =
           "Now with 64 numbers and two real warps of 32 lanes. The window has run ahead to the `if`, which "
           "lets only some threads of warp 0 in. The warp **diverges**: the other lanes are masked off, and "
           "wait until the `if` is done.",
       .task = "Point at a lane of warp 0 that is masked off (it is hatched).",
       .answer =
           "Thread {thread} (lane {lane}) has nothing to do here, and its lane is wasted: only {active} of "
           "{lanes} work, yet the warp runs each instruction once, as it would for all of them.",
       .act = CardAct::IdleLane,
       .strategy = "baseline",
       .n = 64,
       .machine = "nvidia",
       .start = CardStart::Divergence,
       .grain = Grain::Instruction,
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
       .grain = Grain::Instruction,
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
           "*{fast}*: **{ratio} times** as fast, on the same chip.{costliest line}\n\nThe lessons go on to "
           "remove idle lanes, bank conflicts and barriers one by one, and measure what each change brings.",
       .without = "There are no measurements: neither a GPU nor a recording. The lessons show the costs in "
                  "counters, step by step.",
       .act = CardAct::Charts,
       .strategy = "baseline",
       .n = 64,
       .machine = "nvidia",
       .start = CardStart::Start,
       .grain = Grain::Instruction,
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

}  // namespace lanescope
