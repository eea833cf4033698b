#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/ladder/ladder_plan.h"
#include "app/scene/source/line_costs.h"
#include "app/scene/source/source_tokens.h"
#include "app/scene/tiles/tile_plan.h"
#include "app/scene/timeline/timeline_marks.h"
#include "app/session/base/markdown.h"

namespace lanescope {

/// What the picture of the banks needs of a trace.
struct BankPlan {
  std::uint32_t words = 0;               ///< of shared memory, in use
  std::vector<std::int32_t> cellOfWord;  ///< -1: padding
  std::vector<std::uint32_t>
      busiest;  ///< shared accesses that take as many wavefronts as any before in the phase
  std::vector<std::uint32_t> widest;    ///< global ones that move as many sectors as any before in it
  std::vector<std::uint32_t> shuffles;  ///< steps

  /// The last of those steps before the cursor, where it is in that phase; or nothing.
  static std::optional<std::uint32_t> lastOf(const std::vector<std::uint32_t>& steps, const Phase& phase,
                                             Cursor cursor);
};

/// What the pictures of a trace have in common at every cursor: made once for a trace, so that drawing only
/// sets states. It does not change, and refers to nothing.
struct PicturePlan {
  LadderPlan ladder;
  TilePlan tiles;
  BankPlan banks;
  LinePlan lines;
  std::vector<TimelineStretch> timeline;
  std::vector<SourceToken> tokens;                     ///< of the kernel's text
  std::vector<Counters> beforePhases;                  ///< by phase: of all steps before it
  std::vector<std::string> phaseNames;                 ///< by phase, short
  std::vector<std::vector<MarkdownBlock>> phaseTexts;  ///< by phase: what it does
};

std::shared_ptr<const PicturePlan> planPictures(const Trace& trace);

}  // namespace lanescope
