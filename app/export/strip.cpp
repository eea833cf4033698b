#include "app/export/strip.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/export/pictures.h"
#include "app/pictures/bank_layout.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/plan_pictures.h"
#include "app/base/write_file.h"

namespace lanescope {
namespace {

constexpr float kStripGap = 8;
constexpr float kHead = 44;       ///< units: the page's title
constexpr float kLabel = 36;      ///< units: a phase's
constexpr float kLeastRow = 250;  ///< units: a phase's pictures
constexpr float kMostRow = 420;
constexpr float kStripRadius = 6;
constexpr float kBetweenColumns = 24;  ///< units

/// `phase 2 of 5` and its counters, in words.
std::string readCounts(const Phase& phase) {
  const Counters& c = phase.counters;
  std::string text =
      counted(phase.activeThreads.size(), "active thread") + " · " + counted(c.instructions, "instruction");
  if (c.sharedWavefronts() > 0) {
    text += " · " + counted(c.sharedWavefronts(), "shared wavefront");
    text += c.bankConflicts() == 0 ? ", no conflict"
                                   : fmt::format(", {} of them {}", c.bankConflicts(),
                                                 c.bankConflicts() == 1 ? "a conflict" : "conflicts");
  }
  if (c.globalSectors() > 0) text += " · " + counted(c.globalSectors(), "global sector");
  if (c.divergentBranches > 0) text += " · " + counted(c.divergentBranches, "divergent branch");
  return text;
}

/// The number of phases per column, if a column has room for so many: as even as possible.
std::size_t rowsWithin(std::size_t phases, float room) {
  const auto most = static_cast<std::size_t>(std::clamp(room, 1.0F, static_cast<float>(kMostStripPhases)));
  const std::size_t columns = std::max<std::size_t>(1, (phases + most - 1) / most);
  return std::max<std::size_t>(1, (phases + columns - 1) / columns);
}

SceneContext makeContext(float width, float height, float unit) {
  return {.width = width, .height = height, .unit = unit, .still = true};
}

/// A line of text: its subject in bold, then the rest.
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
  return out.consume();
}

}  // namespace

std::uint32_t tellingStep(const Trace& trace, const Phase& phase) {
  std::uint32_t best = phase.endStep;
  int bestRank = 0;
  std::uint32_t bestConflicts = 0;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
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
                         const TextMeasure& measure, const std::stop_token& stop, float mostHeight,
                         const PhaseWatcher& watch) {
  if (trace->phases.size() > kMostStripPhases) {
    return Error{fmt::format("The walk has {} phases, and one page holds at most {}.", trace->phases.size(),
                             kMostStripPhases),
                 "Write it as frames, stepping by phase."};
  }
  const float unit = width / kStripWidth;
  const float gap = kStripGap * unit;
  const float part = (width - 3 * gap) / 2;
  const std::size_t phases = trace->phases.size();
  const float row = std::clamp(70 + 42 * static_cast<float>(phases), kLeastRow, kMostRow) * unit;
  const float pitch = kLabel * unit + row + gap;  // of a phase
  const float head = (kHead + kStripGap) * unit;
  const std::size_t rows = rowsWithin(phases, (mostHeight - head) / pitch);
  const std::size_t columns = phases == 0 ? 1 : (phases + rows - 1) / rows;
  Scene page;
  page.width = static_cast<float>(columns) * width + static_cast<float>(columns - 1) * kBetweenColumns * unit;
  page.height = head + static_cast<float>(rows) * pitch;
  const std::string more =
      fmt::format("{}, {}", counted(trace->phases.size(), "phase"), counted(trace->steps.size(), "step"));
  page.append(lineScene(title.empty() ? launchText(*trace) : title, more,
                        makeContext(page.width, kHead * unit, unit), measure, 1.3F),
              0, 0);
  const std::shared_ptr<const PicturePlan> plan = planPictures(*trace);
  Replay replay(trace);
  for (std::size_t index = 0; index < trace->phases.size(); ++index) {
    if (watch) watch(index);
    if (stop.stop_requested()) return writingStopped("page");
    const Phase& phase = trace->phases[index];
    const std::size_t column = index / rows;
    const float x = static_cast<float>(column) * (width + kBetweenColumns * unit);
    float y = kHead * unit + static_cast<float>(index % rows) * pitch;
    page.append(lineScene(fmt::format("{} of {} · {}", index + 1, trace->phases.size(), phase.label),
                          readCounts(phase), makeContext(width, kLabel * unit, unit), measure, 1.1F),
                x, y);
    y += kLabel * unit;
    replay.seek(phase.endStep);
    addPanel(page, arrayScene(makeMoment(replay, plan), makeContext(part, row, unit), measure), x + gap, y,
             kStripRadius * unit);
    replay.seek(tellingStep(*trace, phase));
    addPanel(page, bankScene(makeMoment(replay, plan), makeContext(part, row, unit), measure),
             x + 2 * gap + part, y, kStripRadius * unit);
  }
  return page;
}

}  // namespace lanescope
