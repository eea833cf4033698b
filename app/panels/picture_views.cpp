#include "app/panels/picture_views.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/gpu/gpu_session.h"
#include "app/panels/base/markdown_text.h"
#include "app/panels/base/widgets.h"
#include "app/panels/quiz_view.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/line_costs.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/warp_scene.h"
#include "sim/base/counted.h"
#include "sim/memory/counters.h"

namespace lanescope {

GridNote gridNote(const ViewContext& context) {
  const auto fit = computeSmFit(context.session().shownRun()->launch(), context.state.gpu);
  return fit ? GridNote{fitBrief(*fit), fitDetail(*fit)} : GridNote{};
}

void ArrayView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return drawWaitingPicture(context, "ARRAY", waitingText(context));
  const Trace& trace = context.replay()->trace();
  const GridNote note = gridNote(context);
  const SceneContext whole = context.scene(size);
  const float strip = gridHeight(trace, whole, note, context.measure);
  const ImVec2 corner = ImGui::GetCursorPos();
  SceneContext layout = context.scene(ImVec2(size.x, size.y - strip));
  layout.spare = &scene_;
  zoom_.apply(layout, *context.replay(), *context.session().plan(), context.player().generation());
  scene_ = arrayScene(context.moment(), layout, context.measure);
  zoom_.show(context, scene_, "array scene");
  if (strip <= 0) return;
  ImGui::SetCursorPos(ImVec2(corner.x, corner.y + size.y - strip));
  const Scene map = gridScene(trace, context.scene(ImVec2(size.x, strip)), note, context.measure);
  const SceneInput input = showScene(context, map, "grid scene");
  if (input.clicked && input.hit != nullptr && input.hit->kind == HitArea::Kind::Block)
    context.session().traceBlock(input.hit->index);
}

namespace {

/// Enlarges the warp at that distance in the list, cyclically.
void moveWarp(ViewState& state, int by) {
  const Replay* replay = state.session.player().replay();
  if (replay == nullptr || replay->trace().warps == 0) return;
  const std::optional<Step> step = replay->currentStep();
  const int warps = static_cast<int>(replay->trace().warps);
  const int now = state.marks.warp >= 0 ? state.marks.warp : step ? int{step->warp} : 0;
  state.marks.warp = (now + by + warps) % warps;
}

}  // namespace

std::vector<Command> WarpView::commands(ViewState& state) {
  const HelpLine help{"previous, next warp, shown large if there are many", HelpGroup::Choice};
  return {{.keys = {"["}, .help = help, .run = [&state] { moveWarp(state, -1); }},
          {.keys = {"]"}, .help = help, .run = [&state] { moveWarp(state, 1); }}};
}

void WarpView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) {
    const std::string soon =
        comesWithRun(context, "The lanes of each warp: active, masked off, at a barrier");
    return drawWaitingPicture(context, "WARPS", soon);
  }
  SceneContext layout = context.scene(size);
  layout.spare = &scene_;
  scene_ = warpScene(context.moment(), layout, context.measure);
  const Question* question = context.state.prediction.quiz.question();
  const bool asks = context.state.mode == Mode::Predict && question != nullptr &&
                    question->form == AnswerForm::Lanes &&
                    context.state.prediction.quiz.state() == QuizState::Asked;
  if (asks) {
    // A click here is an answer: it pins no thread.
    for (HitArea& hit : scene_.hits) hit.thread = hit.kind == HitArea::Kind::Thread ? -1 : hit.thread;
  }
  const SceneInput input = showScene(context, scene_, "warp scene");
  if (asks)
    acceptAnswer(context, input);
  else
    choosing_ = false;
}

// The first lane under the button decides if the drag chooses or clears.
void WarpView::acceptAnswer(const ViewContext& context, const SceneInput& input) {
  const bool isLane = input.hit != nullptr && input.hit->kind == HitArea::Kind::Thread;
  if (!input.held) choosing_ = false;
  if (!input.held || !isLane) return;
  const std::uint32_t thread = input.hit->index;
  if (!choosing_) chooses_ = !std::ranges::binary_search(context.state.prediction.threads, thread);
  // A fast pointer skips lanes: those between belong to the drag.
  const std::uint32_t from = choosing_ ? last_ : thread;
  for (std::uint32_t each = std::min(from, thread); each <= std::max(from, thread); ++each)
    chooseThread(context.state, each, chooses_);
  choosing_ = true;
  last_ = thread;
}

namespace {

/// The part of a step's animation in which the panel folds: the access itself is seen in the rest.
constexpr float kFoldingPart = 0.4F;
constexpr float kLeastPicture = 150;  ///< units

/// True if the banks have something to show: around the current step or, if one steps by phases, in the
/// phase.
bool needsBanks(const ViewContext& context) {
  if (context.replay() == nullptr) return true;
  const Guide& guide = context.state.guide;
  const bool isSubject = context.state.guides() && guide.card().subject == CardSubject::Banks;
  const bool isPhase = context.player().grain() == Grain::Phase;
  return isSubject || (isPhase ? phaseHasAccess(context.moment()) : isAmongAccesses(context.moment()));
}

}  // namespace

PanelInfo BankView::panel(const WindowShape& shape) const {
  return {.id = "banks",
          .order = 2,
          .least = kLeastPicture,
          .share = 0.42F,
          .folded = 38,
          .open = shape.maximised == "banks" ? 1.0F : open_,
          .frame = PanelFrame::Filled};
}

/// It moves with the step's animation.
void BankView::fold(const ViewContext& context) {
  const float wanted = needsBanks(context) ? 1 : 0;
  if (std::exchange(wanted_, wanted) != wanted) from_ = open_;
  const Motion& motion = context.player().motion();
  const float done = motion.isBack() ? 1 - motion.progress() : motion.progress();
  open_ = motion.moving() ? std::lerp(from_, wanted, std::min(done / kFoldingPart, 1.0F)) : wanted;
}

void BankView::draw(const ViewContext& context, ImVec2 size) {
  fold(context);
  if (context.replay() == nullptr) {
    const std::string soon = comesWithRun(context, "The banks and sectors of each memory access");
    return drawWaitingPicture(context, "MEMORY ACCESS", soon);
  }
  // While it opens, the picture has its whole height from the start and comes into sight.
  const float least = kLeastPicture * context.unit;
  const bool isLine = size.y < least && wanted_ == 0;
  if (open_ >= 1) height_ = size.y;
  SceneContext layout = context.scene(isLine ? size : ImVec2(size.x, std::max({size.y, height_, least})));
  layout.listsAll = listsAll_;
  layout.spare = &scene_;
  scene_ = isLine ? bankLineScene(context.moment(), layout, context.measure)
                  : bankScene(context.moment(), layout, context.measure);
  const SceneInput input = showScene(context, scene_, "bank scene", TipPlace::WordsBelowPicture);
  if (input.clicked && input.hit != nullptr && input.hit->kind == HitArea::Kind::More) listsAll_ = !listsAll_;
}

namespace {

constexpr float kLeastCounterRows = 3;  ///< lines; with less room it is one line
constexpr float kNamesShare = 0.4F;     ///< of the width, before the columns' names

void cell(const ViewContext& context, const std::string& text, float right, ImVec2 row, ColorRole color,
          FontRole role = FontRole::Body) {
  ImGui::PushFont(context.fonts.of(role));
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(ImVec2(row.x + right - width, row.y), context.color(color),
                                      text.c_str());
  ImGui::PopFont();
}

/// The counters of the cursor's phase: of all of it, or of its finished part.
Counters phaseCounters(const Replay& replay, const PicturePlan& plan, bool done) {
  const Trace& trace = replay.trace();
  if (trace.phases.empty()) return {};
  const Phase& phase = trace.phases[replay.currentPhase()];
  if (!done || replay.cursor().steps >= phase.endStep) return phase.counters;
  Counters counters = replay.state().counters;
  counters -= plan.beforePhases[replay.currentPhase()];
  return counters;
}

/// A counter's meaning, and of several blocks that of one and of all; for shared wavefronts also how many of
/// a block's are conflicts. Fewer accesses can give the same number.
std::string makeTip(const CounterInfo& row, const Trace& trace, const Counters* launch, bool isHidden) {
  std::string text(row.meaning);
  if (isHidden) return text;
  const Counters& run = trace.total;
  const std::uint64_t blocks = trace.launch.grid.count();
  if (launch != nullptr && blocks > 1)
    text += "\nOne block: " + row.text(run, "none") + "; the whole launch, " + counted(blocks, "block") +
            ": " + row.text(*launch, "none");
  if (row.group != CounterGroup::Shared || run.sharedWavefronts() == 0) return text;
  return text + "\nOne block: " + withCommas(run.sharedWavefronts()) + " wavefronts. Without conflicts " +
         withCommas(run.sharedIdealWavefronts) + " would do for the same accesses; " +
         withCommas(run.bankConflicts()) + " are conflicts.";
}

/// The columns' meaning: a beginner wonders at numbers before the first step.
const char* columnsTip(bool hidesFuture) {
  if (hidesFuture) return "Both columns count the steps up to the one that is shown.";
  return "so far: the steps of one block up to the one that is shown.\nwhole phase: all of its steps there; "
         "whole launch: all steps of all blocks, also those that you have not stepped through. The kernel "
         "was simulated to its end when it was opened.";
}

}  // namespace

/// The counters so far in one line, the costs first: as many as fit.
void CountersView::drawLine(const ViewContext& context, const Counters& soFar, float width) {
  const float left = ImGui::GetCursorPosX();
  const float gap = 12 * context.unit;
  heading(context, "COUNTERS");
  std::vector<const CounterInfo*> rows = countersOn(kPanel);
  // Clang 14 cannot read the subrange of std::ranges of GCC 12.
  std::stable_partition(rows.begin(), rows.end(), [](const CounterInfo* row) { return row->isCost; });
  for (const CounterInfo* row : rows) {
    const std::string value = row->text(soFar, "none yet");
    const std::string name = std::string(row->briefly()) + " ";
    ImGui::SameLine(0, gap);
    const float room = labelWidth(context, name) + labelWidth(context, value, FontRole::Bold);
    if (ImGui::GetCursorPosX() + room > left + width) break;
    const bool isNothing = row->value(soFar) == 0;
    label(context, name, ColorRole::TextDim);
    ImGui::SameLine(0, 0);
    label(context, value,
          isNothing     ? ColorRole::TextDim
          : row->isCost ? costColor(row->group)
                        : ColorRole::Text,
          FontRole::Bold);
    hint(context, std::string(row->meaning).c_str());
  }
}

std::array<const char*, 3> counterColumns(bool hidesFuture, bool isLaunch) {
  const char* const all = isLaunch ? "whole launch" : "one block";
  if (hidesFuture) return {"run so far", "phase so far", all};
  return {"so far", "whole phase", all};
}

PanelInfo CountersView::panel(const WindowShape& shape) const {
  return {.id = "counters",
          .place = Place::Source,
          .order = 2,
          .least = 150,
          .share = 0.18F,
          .folded = 38,
          .open = shape.folds ? 0.0F : 1.0F,
          .yields = 2,
          .isShown = !shape.presents || shape.maximised == "counters"};
}

void CountersView::draw(const ViewContext& context, ImVec2 size) {
  const bool isLine = size.y < kLeastCounterRows * ImGui::GetTextLineHeight();
  if (context.replay() == nullptr) {
    const std::string soon = comesWithRun(context, "Wavefronts, bank conflicts, sectors and barriers");
    if (isLine) {
      heading(context, "COUNTERS");
      ImGui::SameLine(0, 12 * context.unit);
      return label(context, "once the kernel runs", ColorRole::TextDim);
    }
    return drawWaiting(context, "COUNTERS", soon);
  }
  const Trace& trace = context.replay()->trace();
  const std::array<float, 3> rights{size.x * 0.56F, size.x * 0.77F, size.x - 2 * context.unit};
  const bool covers = context.state.hidesFuture();
  const RunOutcomePtr& outcome = context.session().shownRun();
  const bool isOfRun = outcome != nullptr && outcome->hasTrace() && outcome->run->trace.get() == &trace;
  const Counters* const launch = isOfRun ? launchCounters(*outcome) : nullptr;
  const std::array<const char*, 3> names = counterColumns(covers, launch != nullptr);
  const Counters phase = phaseCounters(*context.replay(), *context.session().plan(), covers);
  const std::array<const Counters*, 3> columns{&context.replay()->state().counters, &phase,
                                               launch != nullptr ? launch : &trace.total};
  if (isLine) return drawLine(context, *columns[0], size.x);
  const ImVec2 start = ImGui::GetCursorPos();
  const ImVec2 top = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < columns.size(); ++i)
    cell(context, names[i], rights[i], top, ColorRole::TextDim);
  heading(context, "COUNTERS");
  const float header = ImGui::GetTextLineHeight() * 1.25F;
  const float named = size.x * kNamesShare;
  ImGui::SetCursorPos(ImVec2(start.x + named, start.y));
  ImGui::Dummy(ImVec2(size.x - named, header));
  if (ImGui::IsItemHovered()) tip(context, columnsTip(covers), kTipWidth);
  const std::vector<const CounterInfo*> rows = countersOn(kPanel);
  const float pitch = (size.y - header) / static_cast<float>(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const CounterInfo& row = *rows[r];
    const float y = header + pitch * static_cast<float>(r) + (pitch - ImGui::GetTextLineHeight()) / 2;
    const ImVec2 at(top.x, top.y + y);
    const std::string_view name = row.briefly();
    ImGui::GetWindowDrawList()->AddText(at, context.color(ColorRole::Text), name.data(),
                                        name.data() + name.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (covers && i == 2) {
        cell(context, "?", rights[i], at, ColorRole::TextDim);
        continue;
      }
      const bool costs = row.isCost && row.value(*columns[i]) > 0;
      // Zeros are dim; costs have their color.
      const bool isNothing = row.value(*columns[i]) == 0;
      const ColorRole color = costs ? costColor(row.group) : isNothing ? ColorRole::TextDim : ColorRole::Text;
      cell(context, row.text(*columns[i], "none yet"), rights[i], at, color,
           isNothing || i > 0 ? FontRole::Body : FontRole::Bold);
    }
    ImGui::SetCursorPos(ImVec2(start.x, start.y + header + pitch * static_cast<float>(r)));
    ImGui::Dummy(ImVec2(size.x, std::max(1.0F, pitch - 1)));
    if (ImGui::IsItemHovered())
      tip(context, withTerms(makeTip(row, trace, launch, covers), row.plain), kTipWidth);
  }
}

}  // namespace lanescope
