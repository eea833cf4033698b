#include "app/export/strip.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/export/pictures.h"
#include "app/scene/array_scene.h"
#include "app/scene/bank_layout.h"
#include "app/scene/bank_scene.h"
#include "app/scene/scene_builder.h"

namespace lanescope {
namespace {

constexpr float kGap = 8;
constexpr float kHead = 44;       ///< units: the page's title
constexpr float kLabel = 36;      ///< units: a phase's
constexpr float kLeastRow = 250;  ///< units: a phase's pictures
constexpr float kMostRow = 420;
constexpr float kRadius = 6;

/// `phase 2 of 5` and what it counts, in words.
std::string countsOf(const Phase& phase) {
  const Counters& c = phase.counters;
  std::string text =
      counted(phase.activeThreads.size(), "active thread") + " · " + counted(c.instructions, "instruction");
  if (c.sharedWavefronts() > 0) {
    text += fmt::format(" · {}, {} of them {}", counted(c.sharedWavefronts(), "shared wavefront"),
                        c.bankConflicts(), c.bankConflicts() == 1 ? "a conflict" : "conflicts");
  }
  const std::uint64_t sectors =
      c.globalLoadSectors + c.globalStoreSectors + c.globalAtomicSectors + c.globalReductionSectors;
  if (sectors > 0) text += " · " + counted(sectors, "global sector");
  if (c.divergentBranches > 0) text += " · " + counted(c.divergentBranches, "divergent branch");
  return text;
}

SceneContext contextOf(float width, float height, float unit) {
  SceneContext context;
  context.width = width;
  context.height = height;
  context.unit = unit;
  context.still = true;
  return context;
}

/// A line of text: in bold what it is, then more of it.
Scene lineScene(const std::string& bold, const std::string& more, const SceneContext& context,
                const TextMeasure& measure, float scale) {
  SceneBuilder out(context, measure);
  const float room = out.width() - 2 * out.margin();
  const float drawn = out.textWithin(out.margin(), out.height() / 2, room, bold,
                                     {FontRole::Bold, ColorRole::Text, Align::Left, scale, 1});
  const float left = room - drawn - out.u(14);
  if (left > 0)
    out.textWithin(out.margin() + drawn + out.u(14), out.height() / 2, left, more,
                   {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
  return out.take();
}

}  // namespace

std::uint32_t tellingStep(const Trace& trace, const Phase& phase) {
  std::uint32_t best = phase.endStep;
  int bestRank = 0;
  std::uint32_t bestConflicts = 0;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step& step = trace.steps[index];
    const std::uint32_t conflicts = step.wavefronts - std::min(step.wavefronts, step.idealWavefronts);
    const int rank = isShared(step.kind)                                     ? (conflicts > 0 ? 3 : 2)
                     : isGlobal(step.kind) || step.kind == StepKind::Shuffle ? 1
                                                                             : 0;
    if (rank < bestRank || rank == 0 || (rank == bestRank && conflicts <= bestConflicts)) continue;
    best = index + 1;
    bestRank = rank;
    bestConflicts = conflicts;
  }
  return best;
}

Result<Scene> stripScene(const std::shared_ptr<const Trace>& trace, const std::string& title, float width,
                         const TextMeasure& measure, const std::stop_token& stop) {
  if (trace->phases.size() > kMostStripPhases) {
    return Error{fmt::format("The walk has {} phases, and one page holds at most {}.", trace->phases.size(),
                             kMostStripPhases),
                 "Write it as frames at phase grain.",
                 {}};
  }
  const float unit = width / kStripWidth;
  const float gap = kGap * unit;
  const float part = (width - 3 * gap) / 2;
  const auto phases = static_cast<float>(trace->phases.size());
  const float row = std::clamp(70 + 42 * phases, kLeastRow, kMostRow) * unit;
  Scene page;
  page.width = width;
  page.height = (kHead + kGap) * unit + phases * (kLabel * unit + row + gap);
  const std::string more = fmt::format("{}, {}", counted(trace->phases.size(), "phase"),
                                       counted(trace->steps.size(), "instruction"));
  page.append(lineScene(title.empty() ? launchText(*trace) : title, more,
                        contextOf(width, kHead * unit, unit), measure, 1.3F),
              0, 0);
  float y = kHead * unit;
  Replay replay(trace);
  for (std::size_t index = 0; index < trace->phases.size(); ++index) {
    if (stop.stop_requested()) return Error{"The page was stopped; nothing was written.", "", {}};
    const Phase& phase = trace->phases[index];
    page.append(lineScene(fmt::format("{} of {} · {}", index + 1, trace->phases.size(), phase.label),
                          countsOf(phase), contextOf(width, kLabel * unit, unit), measure, 1.1F),
                0, y);
    y += kLabel * unit;
    replay.seek(phase.endStep);
    addPanel(page, arrayScene(momentOf(replay), contextOf(part, row, unit), measure), gap, y, kRadius * unit);
    replay.seek(tellingStep(*trace, phase));
    addPanel(page, bankScene(momentOf(replay), contextOf(part, row, unit), measure), 2 * gap + part, y,
             kRadius * unit);
    y += row + gap;
  }
  return page;
}

}  // namespace lanescope
