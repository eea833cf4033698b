#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/base/markdown.h"
#include "app/pictures/code_rows.h"
#include "sim/memory/counters.h"
#include "sim/trace/trace.h"

namespace lanescope {

struct BankPlan;
struct LadderPlan;
struct LinePlan;
struct TilePlan;
struct TimelineRound;
struct TimelineStretch;

/// The data that the pictures of a trace share at every cursor: made once for a trace, so that drawing only
/// sets states. It does not change, and has no references. Each picture knows its own part of it.
struct PicturePlan {
  std::shared_ptr<const LadderPlan> ladder;
  std::shared_ptr<const TilePlan> tiles;
  std::shared_ptr<const BankPlan> banks;
  std::shared_ptr<const LinePlan> lines;
  std::vector<TimelineStretch> timeline;
  std::vector<TimelineRound> rounds;    ///< empty if the block has one warp
  std::string code;                     ///< the kernel's text, as plainText(), without its last newline
  std::vector<SourceToken> tokens;      ///< of `code`
  std::vector<Counters> beforePhases;   ///< by phase: of all steps before it
  std::vector<std::string> phaseNames;  ///< by phase, short
  std::vector<std::vector<MarkdownBlock>> phaseTexts;  ///< by phase: a description
};

struct PicturePlan;

/// Plans every picture of a trace.
std::shared_ptr<const PicturePlan> planPictures(const Trace& trace);

/// The name of each phase in pictures: a step by the variable of the kernel that holds its size and its
/// value, `k = 4`, as in the source. Other phases, and steps before that variable has a value, have their
/// labels.
std::vector<std::string> phaseNames(const Trace& trace);

}  // namespace lanescope
