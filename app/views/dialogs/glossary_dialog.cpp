#include "app/views/dialogs/glossary_dialog.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <imgui_stdlib.h>

#include "app/paint/imgui_compat.h"
#include "app/views/base/markdown_layout.h"
#include "app/views/base/widgets.h"

namespace lanescope {
namespace {

constexpr float kMostWidth = 900;  // units
constexpr float kMostHeight = 600;
constexpr float kShare = 0.86F;  // of the window, at most
constexpr float kTermsWidth = 230;
constexpr float kPadding = 18;
constexpr float kTitleSize = 1.4F;  // over the body's

}  // namespace

std::vector<Command> GlossaryDialog::commands(ViewState& state) {
  const auto isOpen = [&state] { return state.dialog == Dialog::Glossary; };
  const auto moves = [this](int by) { return [this, by] { move(by); }; };
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
          {.keys = {"Down"}, .whileTyping = true, .applies = isOpen, .run = moves(1)},
          {.keys = {"Up"}, .whileTyping = true, .applies = isOpen, .run = moves(-1)},
          {.keys = {"Enter"}, .whileTyping = true, .applies = isOpen, .run = [this, &state] {
             return openLesson(state);
           }}};
}

void GlossaryDialog::begin(ViewState& state) {
  wantsFocus_ = true;
  words_.clear();
  search();
  const GlossaryEntry* wanted = findEntry(std::exchange(state.glossaryTerm, {}));
  if (wanted == nullptr) wanted = chosen_;
  choose(wanted == nullptr ? found_.front() : wanted);
}

void GlossaryDialog::search() {
  if (words_ == searched_) return;
  searched_ = words_;
  found_ = searchGlossary(words_);
  if (!words_.empty()) choose(found_.empty() ? nullptr : found_.front());
  reveals_ = true;
}

void GlossaryDialog::choose(const GlossaryEntry* entry) {
  reveals_ = true;
  if (entry == chosen_) return;
  chosen_ = entry;
  blocks_.clear();
  if (entry == nullptr) return;
  blocks_ = entry->blocks;
  markTerms(blocks_);
  for (MarkdownBlock& block : blocks_)
    std::erase_if(block.terms, [&](const MarkdownTerm& term) { return term.entry == entry; });
}

void GlossaryDialog::move(int by) {
  if (found_.empty()) return;
  const auto here = std::ranges::find(found_, chosen_) - found_.begin();
  const auto next = std::clamp<std::ptrdiff_t>(here + by, 0, std::ssize(found_) - 1);
  choose(found_[static_cast<std::size_t>(next)]);
}

Refusal GlossaryDialog::openLesson(ViewState& state) const {
  if (chosen_ == nullptr) return "";
  const auto lessons = lessonsWith(*chosen_);
  if (lessons.empty()) return "No lesson uses this term.";
  state.session.chooseStrategy(*lessons.front());
  state.dialog = Dialog::None;
  return std::nullopt;
}

void GlossaryDialog::drawTerms(const ViewContext& context, ImVec2 size) {
  if (std::exchange(wantsFocus_, false)) focusNextItem();
  ImGui::SetNextItemWidth(size.x);
  ImGui::InputTextWithHint("##search terms", "search", &words_);
  search();
  const float pitch = ImGui::GetTextLineHeight() + 6 * context.unit;
  const float room = size.y - ImGui::GetFrameHeightWithSpacing();
  list_.begin("terms", size.x, static_cast<std::size_t>(std::max(1.0F, room / std::floor(pitch))), pitch);
  for (std::size_t row = 0; row < found_.size(); ++row) {
    const GlossaryEntry* entry = found_[row];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 extent(ImGui::GetContentRegionAvail().x, list_.pitch());
    ImGui::PushID(static_cast<int>(row));
    if (ImGui::InvisibleButton("term", extent)) choose(entry);
    ImGui::PopID();
    const bool isLit = entry == chosen_;
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

void GlossaryDialog::drawLinks(const ViewContext& context) {
  if (chosen_->seeAlso.empty()) return;
  label(context, "See also", ColorRole::TextDim);
  const GlossaryEntry* next = nullptr;
  const float right = ImGui::GetContentRegionAvail().x;
  float x = 0;
  for (const GlossaryEntry* other : chosen_->seeAlso) {
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
  search();
  choose(next);
}

void GlossaryDialog::drawLessons(const ViewContext& context) const {
  const auto lessons = lessonsWith(*chosen_);
  if (lessons.empty()) return label(context, "In no lesson", ColorRole::TextDim);
  label(context, lessons.size() == 1 ? "In one lesson" : "In " + std::to_string(lessons.size()) + " lessons",
        ColorRole::TextDim);
  for (const Strategy* lesson : lessons) {
    const auto number = std::to_string(lesson - strategies().data() + 1);
    if (!ImGui::Selectable((number + "  " + lesson->title).c_str())) continue;
    context.session().chooseStrategy(*lesson);
    context.state.dialog = Dialog::None;
  }
}

void GlossaryDialog::drawEntry(const ViewContext& context) {
  if (chosen_ == nullptr) return label(context, "No term has that in it.", ColorRole::TextDim);
  float size = fontSize(FontRole::Bold) * context.unit * kTitleSize;
  ImFont* font = context.fonts.sharpest(FontRole::Bold, size);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText(font, size, at, context.color(ColorRole::Text), chosen_->term.c_str());
  ImGui::Dummy(ImVec2(0, size));
  std::string forms;
  for (const std::string& form : chosen_->forms) {
    if (form != chosen_->term) forms += (forms.empty() ? "also: " : ", ") + form;
  }
  if (!forms.empty()) wrappedText(context, forms, ColorRole::TextDim);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  for (const MarkdownBlock& block : blocks_) drawMarkdownBlock(context, block);
  for (const std::string& source : chosen_->sources()) wrappedText(context, source, ColorRole::TextDim);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  drawLinks(context);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  if (chosen_ != nullptr) drawLessons(context);
}

void GlossaryDialog::draw(const ViewContext& context, ImVec2 size) {
  ViewState& state = context.state;
  if (state.dialog != Dialog::Glossary) {
    wasOpen_ = false;
    return;
  }
  if (!std::exchange(wasOpen_, true)) begin(state);
  if (!state.glossaryTerm.empty()) choose(findEntry(std::exchange(state.glossaryTerm, {})));
  const float unit = context.unit;
  state.typing = false;
  const ImVec2 extent(std::min(size.x * kShare, kMostWidth * unit),
                      std::min(size.y * kShare, kMostHeight * unit));
  ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
  ImGui::SetNextWindowSize(extent);
  beginOverlay(context, "glossary dialog", ColorRole::Accent, ImVec2(kPadding * unit, 14 * unit));
  heading(context, "GLOSSARY",
          std::to_string(found_.size()) + " terms · Up and Down choose, Enter opens a lesson, Esc closes");
  const float height = ImGui::GetContentRegionAvail().y;
  ImGui::BeginGroup();
  drawTerms(context, ImVec2(kTermsWidth * unit, height));
  ImGui::EndGroup();
  ImGui::SameLine(0, 2 * kPadding * unit);
  ImGui::BeginChild("glossary entry", ImVec2(0, height));
  drawEntry(context);
  endScrolling(context);
  endOverlay();
}

}  // namespace lanescope
