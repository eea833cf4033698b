#include "app/panels/base/term_tip.h"

#include <algorithm>
#include <cmath>

#include "app/panels/base/widgets.h"

namespace lanescope {
namespace {

constexpr float kTermTipWidth = 380;  // units
constexpr float kDot = 1;             // units, and the gap between two
constexpr float kDotPitch = 3;

}  // namespace

void termTip(const ViewContext& context, const GlossaryEntry& entry) {
  std::string more;
  for (const std::string& source : entry.sources()) more += source + "\n";
  more += "Glossary: " + keyText(context.state, "glossary");
  tip(context, {.title = entry.term, .text = entry.definition, .note = more}, kTermTipWidth);
}

void showTerm(const ViewContext& context, const GlossaryEntry& entry, const Area& letters) {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const float dot = std::max(1.0F, std::round(kDot * context.unit));
  const float y = std::round(letters.y + letters.h) - dot;
  const bool isPointedAt = ImGui::IsWindowHovered() &&
                           ImGui::IsMouseHoveringRect(ImVec2(letters.x, letters.y),
                                                      ImVec2(letters.x + letters.w, letters.y + letters.h));
  const ImU32 color = context.color(isPointedAt ? ColorRole::Accent : ColorRole::TextDim);
  for (float x = std::round(letters.x); x + dot <= letters.x + letters.w; x += kDotPitch * dot)
    drawList.AddRectFilled(ImVec2(x, y), ImVec2(x + dot, y + dot), color);
  if (!isPointedAt) return;
  termTip(context, entry);
  if (ImGui::IsMouseClicked(0)) openGlossary(context.state, entry);
}

const GlossaryEntry* termAt(std::string_view text, float x,
                            const std::function<float(std::string_view)>& measureWidth) {
  for (const TermUse& use : termsIn(text)) {
    if (x >= measureWidth(text.substr(0, use.begin)) && x < measureWidth(text.substr(0, use.end)))
      return use.entry;
  }
  return nullptr;
}

void hintTerms(const ViewContext& context, std::string_view text) {
  if (!ImGui::IsItemHovered()) return;
  const auto measureWidth = [](std::string_view part) {
    return ImGui::CalcTextSize(part.data(), part.data() + part.size()).x;
  };
  const float x = ImGui::GetIO().MousePos.x - ImGui::GetItemRectMin().x;
  if (const GlossaryEntry* entry = termAt(text, x, measureWidth); entry != nullptr) termTip(context, *entry);
}

std::string withTerms(std::string_view tip, std::string_view subject, std::size_t most) {
  std::string text(tip);
  std::vector<const GlossaryEntry*> shown;
  for (const TermUse& use : termsIn(subject)) {
    if (shown.size() == most) break;
    if (std::ranges::find(shown, use.entry) != shown.end()) continue;
    shown.push_back(use.entry);
    text += (text.empty() ? "" : "\n\n") + use.entry->term + ": " + use.entry->definition;
  }
  return text;
}

void openGlossary(ViewState& state, const GlossaryEntry& entry) {
  state.glossaryEntry = &entry;
  state.dialog = Dialog::Glossary;
}

}  // namespace lanescope
