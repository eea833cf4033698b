#include "app/views/lesson/lesson_view.h"

#include <algorithm>
#include <string>

#include "app/scene/plan/picture_plan.h"
#include "app/session/walk/lesson_place.h"
#include "app/views/base/markdown_layout.h"
#include "app/views/base/widgets.h"

namespace lanescope {

void LessonView::draw(const ViewContext& context, ImVec2 size) {
  if (context.state.presenting) return drawPhase(context);
  const float gap = 8 * context.unit;
  if (!context.state.isFolded) {
    drawStrategies(context);
    ImGui::Dummy(ImVec2(0, 0));
    ImGui::Separator();
  }
  constexpr float kLeastLines = 4;
  if (context.replay() != nullptr) {
    drawPhase(context);
    const float rest = ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - gap;
    if (context.state.isFolded && rest < kLeastLines * ImGui::GetTextLineHeightWithSpacing()) return;
    ImGui::Dummy(ImVec2(0, 2 * context.unit));
    ImGui::Separator();
  }
  const float used = ImGui::GetCursorPosY();
  ImGui::BeginChild("lesson text", ImVec2(size.x, ImGui::GetWindowHeight() - used - gap));
  drawLesson(context);
  ImGui::EndChild();
}

void LessonView::drawPhase(const ViewContext& context) {
  if (context.replay() == nullptr) return;
  const auto& texts = context.session().plan()->phaseTexts;
  const std::uint32_t phase = context.replay()->currentPhase();
  if (phase >= texts.size()) return;
  for (const MarkdownBlock& block : texts[phase]) drawMarkdownBlock(context, block);
}

void LessonView::drawStrategies(const ViewContext& context) {
  heading(context, "KERNELS", std::to_string(strategies().size()));
  const Strategy* chosen = context.session().selection().strategy;
  const float height = ImGui::GetTextLineHeight() + 6 * context.unit;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 1 * context.unit));
  constexpr std::size_t kRows = 8;
  const auto rows = static_cast<float>(std::min(strategies().size(), kRows));
  ImGui::BeginChild("strategies", ImVec2(0, rows * (height + 1 * context.unit)));
  int place = 0;
  for (const Strategy& strategy : strategies()) {
    const std::string text = std::to_string(++place) + "  " + strategy.title;
    const bool lit = &strategy == chosen;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    // A row that was clicked is in sight: it stays under the pointer.
    const float middle = at.y + height / 2 - ImGui::GetWindowPos().y;
    const bool inSight = middle > 0 && middle < ImGui::GetWindowHeight();
    if (lit && shown_ != chosen && !inSight) ImGui::SetScrollFromPosY(middle, 0.5F);
    if (ImGui::InvisibleButton(strategy.title.c_str(), ImVec2(width, height))) {
      context.session().chooseStrategy(strategy);
    }
    ImDrawList& drawList = *ImGui::GetWindowDrawList();
    if (lit || ImGui::IsItemHovered()) {
      drawList.AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                             context.color(lit ? ColorRole::Accent : ColorRole::Cell), 4 * context.unit);
    }
    const float indent = 8 * context.unit;
    drawList.AddText(ImVec2(at.x + indent, at.y + 3 * context.unit),
                     context.color(lit ? ColorRole::TextOnAccent : ColorRole::Text),
                     cutToFit(text, width - 1.5F * indent).c_str());
    if (ImGui::IsItemHovered() && !strategy.summary.empty()) tip(context, strategy.summary, 320);
  }
  ImGui::EndChild();
  shown_ = chosen;
  ImGui::PopStyleVar();
}

void LessonView::drawLesson(const ViewContext& context) {
  const Strategy* strategy = context.session().selection().strategy;
  if (strategy == nullptr) return;
  if (strategy != parsed_) {
    blocks_ = parseMarkdown(strategy->lesson);
    parsed_ = strategy;
    ImGui::SetScrollY(0);
  }
  const MachineModel* machine = context.session().selection().machine;
  const std::string note =
      machine == nullptr ? std::string() : lessonNumbersNote(blocks_, *machine, context.session().shown().n);
  if (!note.empty()) drawNumbersNote(context, note);
  const Replay* replay = context.replay();
  std::optional<std::size_t> item;
  if (replay != nullptr && context.session().shown().strategy == strategy)
    item = lessonItemOf(blocks_, replay->trace().phases, replay->currentPhase(), context.session().shown().n);
  if (item && !note.empty() && dependsOnMachine(blocks_[*item])) item.reset();
  // It comes into sight when the phase changes, not when the lesson opens at its beginning.
  const bool isMoved = item != current_ && generation_ == context.session().generation();
  current_ = item;
  generation_ = context.session().generation();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (item == i && isMoved)
      ImGui::SetScrollFromPosY(ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y, 0.2F);
    drawBlock(context, i, item == i);
  }
}

// Whose numbers the lesson has, and the way there.
void LessonView::drawNumbersNote(const ViewContext& context, const std::string& note) {
  wrappedText(context, note, ColorRole::TextDim);
  const std::uint64_t n = lessonN(blocks_, context.session().shown().n);
  if (pill(context, "Go there", false, pillWidth(context, "Go there"), 0))
    context.session().chooseSetup(n, machinePresets().front());
  hint(context, ("N = " + std::to_string(n) + " on " + std::string(machinePresets().front().name)).c_str());
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
}

void LessonView::drawBlock(const ViewContext& context, std::size_t index, bool isCurrent) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  if (isCurrent) drawList.ChannelsSplit(2);
  if (isCurrent) drawList.ChannelsSetCurrent(1);
  drawMarkdownBlock(context, blocks_[index]);
  if (!isCurrent) return;
  drawList.ChannelsSetCurrent(0);
  const ImVec2 to(from.x + ImGui::GetContentRegionAvail().x,
                  ImGui::GetCursorScreenPos().y - 3 * context.unit);
  drawList.AddRectFilled(ImVec2(from.x, from.y - 3 * context.unit), to,
                         context.color(ColorRole::Accent, 0.22F), 4 * context.unit);
  drawList.AddRectFilled(ImVec2(from.x, from.y - 3 * context.unit), ImVec2(from.x + 3 * context.unit, to.y),
                         context.color(ColorRole::Accent), 2 * context.unit);
  drawList.ChannelsMerge();
}

}  // namespace lanescope
