#include "app/views/lesson_view.h"

#include <algorithm>
#include <string>

#include "app/views/markdown_layout.h"
#include "app/views/phase_text.h"
#include "app/views/widgets.h"

namespace lanescope {

void LessonView::draw(const ViewContext& context, ImVec2 size) {
  drawStrategies(context);
  const float gap = 8 * context.unit;
  ImGui::Dummy(ImVec2(0, 0));
  ImGui::Separator();
  const float used = ImGui::GetCursorPosY();
  ImGui::BeginChild("lesson text", ImVec2(size.x, ImGui::GetWindowHeight() - used - gap));
  if (context.replay() != nullptr) {
    const Moment moment = momentOf(*context.replay());
    for (const MarkdownBlock& block : phaseText(moment)) drawMarkdownBlock(context, block);
    ImGui::Dummy(ImVec2(0, 2 * context.unit));
    ImGui::Separator();
  }
  drawLesson(context);
  ImGui::EndChild();
}

void LessonView::drawStrategies(const ViewContext& context) {
  heading(context, "REDUCTIONS");
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
    if (lit && shown_ != chosen) ImGui::SetScrollHereY(0.5F);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
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
    if (ImGui::IsItemHovered() && !strategy.summary.empty()) {
      ImGui::BeginTooltip();
      ImGui::PushTextWrapPos(320 * context.unit);
      label(context, strategy.summary);
      ImGui::PopTextWrapPos();
      ImGui::EndTooltip();
    }
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
  for (const MarkdownBlock& block : blocks_) drawMarkdownBlock(context, block);
}

}  // namespace lanescope
