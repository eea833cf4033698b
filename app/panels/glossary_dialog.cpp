#include "app/panels/glossary_dialog.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <imgui_stdlib.h>

#include "app/base/whole.h"
#include "app/paint/imgui_compat.h"
#include "app/panels/base/markdown_text.h"
#include "app/panels/base/widgets.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kMostWidth = 900;  // units
constexpr float kMostHeight = 600;
constexpr float kShare = 0.86F;  // of the window, at most
constexpr float kTermsWidth = 230;
constexpr float kDialogPadding = 18;
constexpr float kTitleSize = 1.4F;  // over the body's

}  // namespace

std::vector<Command> GlossaryDialog::commands(ViewState& state) {
  const auto isOpen = [&state] { return state.dialog == Dialog::Glossary; };
  const auto moves = [this, &state](int by) { return [this, &state, by] { move(state, by); }; };
  return {{.id = "glossary",
           .keys = {"/"},
           .help = {"glossary: what a term means, and which lessons use it"},
           .label = "Glossary",
           .tip = "What each term means, and which lessons use it",
           .run =
               [&state] {
                 state.helpOpen = false;
                 state.dialog = Dialog::Glossary;
               }},
          {.keys = {"Down"}, .applies = isOpen, .whileTyping = true, .run = moves(1)},
          {.keys = {"Up"}, .applies = isOpen, .whileTyping = true, .run = moves(-1)},
          {.keys = {"Enter"}, .applies = isOpen, .whileTyping = true, .run = [&state] {
             return openLesson(state);
           }}};
}

void GlossaryDialog::begin(ViewState& state) {
  wantsFocus_ = true;
  words_.clear();
  search(state);
  if (state.glossaryEntry == nullptr) state.glossaryEntry = found_.front();
  reveals_ = true;
}

void GlossaryDialog::search(ViewState& state) {
  if (words_ == searched_) return;
  searched_ = words_;
  found_ = searchGlossary(words_);
  if (!words_.empty()) state.glossaryEntry = found_.empty() ? nullptr : found_.front();
  reveals_ = true;
}

/// Scrolls to the chosen term and its meaning.
void GlossaryDialog::syncTo(const GlossaryEntry* chosen) {
  if (std::exchange(shown_, chosen) == chosen) return;
  reveals_ = true;
  blocks_.clear();
  if (chosen == nullptr) return;
  blocks_ = chosen->blocks;
  markTerms(blocks_);
  for (MarkdownBlock& block : blocks_)
    std::erase_if(block.terms, [&](const MarkdownTerm& term) { return term.entry == chosen; });
}

void GlossaryDialog::move(ViewState& state, int by) {
  if (found_.empty()) return;
  const auto here = std::ranges::find(found_, state.glossaryEntry) - found_.begin();
  const auto next = std::clamp<std::ptrdiff_t>(here + by, 0, std::ssize(found_) - 1);
  state.glossaryEntry = found_[static_cast<std::size_t>(next)];
  reveals_ = true;
}

Refusal GlossaryDialog::openLesson(ViewState& state) {
  if (state.glossaryEntry == nullptr) return "";
  const auto lessons = lessonsWith(*state.glossaryEntry);
  if (lessons.empty()) return "No lesson uses this term.";
  state.session.chooseStrategy(*lessons.front());
  state.dialog = Dialog::None;
  return std::nullopt;
}

void GlossaryDialog::drawTerms(const ViewContext& context, ImVec2 size) {
  if (std::exchange(wantsFocus_, false)) focusNextItem();
  ImGui::SetNextItemWidth(size.x);
  ImGui::InputTextWithHint("##search terms", "search", &words_);
  search(context.state);
  syncTo(context.state.glossaryEntry);
  const float pitch = ImGui::GetTextLineHeight() + 6 * context.unit;
  const float room = size.y - ImGui::GetFrameHeightWithSpacing();
  list_.begin("terms", size.x, toWhole<std::size_t>(std::max(1.0F, room / std::floor(pitch))), pitch);
  for (std::size_t row = 0; row < found_.size(); ++row) {
    const GlossaryEntry* entry = found_[row];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 extent(ImGui::GetContentRegionAvail().x, list_.pitch());
    ImGui::PushID(static_cast<int>(row));
    if (ImGui::InvisibleButton("term", extent)) context.state.glossaryEntry = entry;
    ImGui::PopID();
    const bool isLit = entry == shown_;
    ImDrawList& drawList = *ImGui::GetWindowDrawList();
    if (isLit || ImGui::IsItemHovered()) {
      drawList.AddRectFilled(at, ImVec2(at.x + extent.x, at.y + extent.y),
                             context.color(isLit ? ColorRole::Accent : ColorRole::Cell), 4 * context.unit);
    }
    drawList.AddText(ImVec2(at.x + 8 * context.unit, at.y + (extent.y - ImGui::GetTextLineHeight()) / 2),
                     context.color(isLit ? ColorRole::TextOnAccent : ColorRole::Text), entry->term.c_str());
    if (isLit && std::exchange(reveals_, false)) list_.reveal(row);
  }
  list_.end();
}

void GlossaryDialog::drawLinks(const ViewContext& context, const GlossaryEntry& entry) {
  if (entry.seeAlso.empty()) return;
  label(context, "See also", ColorRole::TextDim);
  const GlossaryEntry* next = nullptr;
  const float right = ImGui::GetContentRegionAvail().x;
  float x = 0;
  for (const GlossaryEntry* other : entry.seeAlso) {
    const float width = pillWidth(context, other->term);
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    if (x > 0 && x + width <= right)
      ImGui::SameLine();
    else
      x = 0;
    x += width + gap;
    if (pill(context, other->term.c_str(), false, width, ImGui::GetFrameHeight())) next = other;
  }
  if (next == nullptr) return;
  words_.clear();
  search(context.state);
  context.state.glossaryEntry = next;
}

void GlossaryDialog::drawLessons(const ViewContext& context, const GlossaryEntry& entry) {
  const auto lessons = lessonsWith(entry);
  if (lessons.empty()) return label(context, "In no lesson", ColorRole::TextDim);
  label(context, lessons.size() == 1 ? "In one lesson" : "In " + std::to_string(lessons.size()) + " lessons",
        ColorRole::TextDim);
  for (const Strategy* lesson : lessons) {
    if (!ImGui::Selectable((courseNumber(*lesson) + "  " + lesson->title).c_str())) continue;
    context.session().chooseStrategy(*lesson);
    context.state.dialog = Dialog::None;
  }
}

void GlossaryDialog::drawEntry(const ViewContext& context) {
  syncTo(context.state.glossaryEntry);
  if (shown_ == nullptr) return label(context, "No term has that in it.", ColorRole::TextDim);
  const GlossaryEntry& entry = *shown_;
  float size = fontSize(FontRole::Bold) * context.unit * kTitleSize;
  ImFont* font = context.fonts.sharpest(FontRole::Bold, size);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText(font, size, at, context.color(ColorRole::Text), entry.term.c_str());
  ImGui::Dummy(ImVec2(0, size));
  std::string forms;
  for (const std::string& form : entry.forms) {
    if (form != entry.term) forms += (forms.empty() ? "also: " : ", ") + form;
  }
  if (!forms.empty()) wrappedText(context, forms, ColorRole::TextDim);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  for (const MarkdownBlock& block : blocks_) drawMarkdownBlock(context, block);
  for (const std::string& source : entry.sources()) wrappedText(context, source, ColorRole::TextDim);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  drawLinks(context, entry);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  drawLessons(context, entry);
}

void GlossaryDialog::draw(const ViewContext& context, ImVec2 size) {
  ViewState& state = context.state;
  if (state.dialog != Dialog::Glossary) {
    wasOpen_ = false;
    return;
  }
  if (!std::exchange(wasOpen_, true)) begin(state);
  const float unit = context.unit;
  state.typing = false;
  const ImVec2 extent(std::min(size.x * kShare, kMostWidth * unit),
                      std::min(size.y * kShare, kMostHeight * unit));
  ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
  ImGui::SetNextWindowSize(extent);
  beginOverlay(context, "glossary dialog", ColorRole::Accent, ImVec2(kDialogPadding * unit, 14 * unit));
  heading(context, "GLOSSARY",
          counted(found_.size(), "term") + " · Up and Down choose, Enter opens a lesson, Esc closes");
  const float height = ImGui::GetContentRegionAvail().y;
  ImGui::BeginGroup();
  drawTerms(context, ImVec2(kTermsWidth * unit, height));
  ImGui::EndGroup();
  ImGui::SameLine(0, 2 * kDialogPadding * unit);
  ImGui::BeginChild("glossary entry", ImVec2(0, height));
  drawEntry(context);
  endScrolling(context);
  endOverlay();
}

}  // namespace lanescope
