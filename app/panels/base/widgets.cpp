#include "app/panels/base/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/cut_text.h"
#include "app/paint/imgui_compat.h"
#include "app/panels/base/markdown_text.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {
constexpr float kRowsPerNotch = 3;
}

void RowList::begin(const char* name, float width, std::size_t rows, float pitch) {
  pitch_ = std::max(1.0F, std::floor(pitch));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild(name, ImVec2(width, pitch_ * static_cast<float>(rows)), false,
                    ImGuiWindowFlags_NoScrollWithMouse);
  const float at = ImGui::GetScrollY();
  float target = std::round(at / pitch_) * pitch_;
  const float wheel = ImGui::IsWindowHovered() ? ImGui::GetIO().MouseWheel : 0;
  owed_ -= wheel * kRowsPerNotch;
  const float whole = std::trunc(owed_);
  owed_ -= whole;
  target += whole * pitch_;
  // The bar follows the pointer while it is held.
  if (std::abs(target - at) >= 1 && (whole != 0 || !ImGui::IsMouseDown(0)))
    ImGui::SetScrollY(std::clamp(target, 0.0F, ImGui::GetScrollMaxY()));
}

void RowList::end() {
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void RowList::reveal(std::size_t row) const {
  const float top = static_cast<float>(row) * pitch_;
  const float height = ImGui::GetWindowHeight();
  const float from = ImGui::GetScrollY();
  if (top >= from && top + pitch_ <= from + height) return;
  const float middle = std::max(0.0F, top - (height - pitch_) / 2);
  ImGui::SetScrollY(std::round(middle / pitch_) * pitch_);
}

namespace {

constexpr float kHeadingGap = 9;
constexpr float kSceneMargin = 14;     ///< the scenes' own
constexpr float kTopMargin = 11;       ///< of a panel's heading
constexpr float kMostTipShare = 0.6F;  ///< of the window's width
constexpr float kNearFoot = 45;        ///< units: tips begin below a last row that is as near as this
constexpr float kFade = 16;            ///< units, for a line that scrolls out of sight
constexpr ImGuiWindowFlags kStill = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

/// Margin around the entries of a list: without one the first and the last are cut. In whole pixels: a
/// fraction would add a scroll bar.
float listMargin(const ViewContext& context) { return std::floor(8 * context.unit); }

void setColor(ImGuiCol target, const Theme& theme, ColorRole role, float alpha = 1.0F) {
  ImGui::GetStyle().Colors[target] = imguiColorVec(theme, role, alpha);
}

/// True if the current drawing is a panel below an open dialog or the help.
bool coversPanels(const ViewContext& context) {
  const bool isCovered = context.state.dialogOpen() || context.state.helpOpen;
  return isCovered && std::string_view(ImGui::GetCurrentWindow()->RootWindow->Name) == kPanelsWindow;
}

/// The term of a picture's texts at that point, or nullptr.
const GlossaryEntry* findTerm(const ViewContext& context, const Scene& scene, ImVec2 at) {
  for (const DrawItem& item : scene.items) {
    if (item.kind != DrawItem::Kind::Text) continue;
    const float size = item.size > 0 ? item.size : fontSize(item.font) * context.unit;
    if (std::abs(at.y - item.y) > size / 2) continue;
    const auto measureWidth = [&](std::string_view part) {
      return context.measure.width(item.font, size, part);
    };
    const float width = measureWidth(item.text);
    const float share = item.align == Align::Left ? 0 : item.align == Align::Center ? 0.5F : 1;
    const float x = at.x - item.x + share * width;
    if (x < 0 || x >= width) continue;
    if (const GlossaryEntry* entry = termAt(item.text, x, measureWidth); entry != nullptr) return entry;
  }
  return nullptr;
}

/// The tip of a button or a row of text, which stays in sight. If the item is higher, its tip is at the
/// pointer.
TipText belowItem(std::string_view text) {
  constexpr float kMostHeight = 1.5F;  // of a button's
  const float top = ImGui::GetItemRectMin().y;
  const float foot = ImGui::GetItemRectMax().y;
  if (foot - top > kMostHeight * ImGui::GetFrameHeight()) return {.text = text};
  return {.text = text, .below = foot, .above = top};
}

/// The tip's place for a hit: for a lane or a word below its row, so that the others in it can be compared,
/// and below the last row if that is near.
TipText makeTip(const ViewContext& context, const Scene& scene, const HitArea& hit, float top,
                TipPlace place) {
  if (place == TipPlace::AbovePicture) return {.text = hit.tooltip, .above = top};
  const bool isWord = hit.kind == HitArea::Kind::Cell;
  if (!isWord && hit.kind != HitArea::Kind::Thread) return {.text = hit.tooltip};
  if (isWord && place == TipPlace::WordsBelowPicture)
    return {.text = hit.tooltip, .below = top + scene.height, .above = top + hit.y};
  const float foot = hit.y + hit.h;
  const float last = scene.feet[static_cast<std::size_t>(hit.kind)];
  const bool isNear = last - foot < kNearFoot * context.unit;
  return {.text = hit.tooltip, .below = top + (isNear ? last : foot), .above = top + hit.y};
}

void applyHit(const ViewContext& context, const HitArea& hit, bool clicked, const TipText& tipText) {
  Focus& pointed = context.pointed;
  if (hit.kind == HitArea::Kind::Thread) pointed.thread = hit.index;
  if (hit.kind == HitArea::Kind::Cell) {
    pointed.cell = hit.index;
    if (hit.thread >= 0) pointed.thread = hit.thread;
  }
  if (hit.cell >= 0) pointed.cell = hit.cell;
  if (hit.kind == HitArea::Kind::Line) pointed.line = hit.index;
  if (!hit.tooltip.empty()) tip(context, tipText, kTipWidth);
  if (!clicked) return;
  if (hit.step >= 0) {
    context.player().seek(Cursor{static_cast<std::uint32_t>(hit.step), hit.wavefront});
  } else if (hit.thread >= 0) {
    const bool same = context.marks().thread == hit.thread;
    context.marks().thread = same ? -1 : hit.thread;
  } else if (hit.kind == HitArea::Kind::Warp) {
    const auto warp = static_cast<std::int32_t>(hit.index);
    context.marks().warp = context.marks().warp == warp ? -1 : warp;
  }
}

}  // namespace

SceneInput showScene(const ViewContext& context, const Scene& scene, const char* id, TipPlace tips) {
  SceneInput input;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(scene.width, 1.0F), std::max(scene.height, 1.0F));
  input.clicked = ImGui::InvisibleButton(id, size);
  input.hovered = ImGui::IsItemHovered() && !context.state.helpOpen;
  input.held = ImGui::IsItemActive();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  input.local = ImVec2(mouse.x - origin.x, mouse.y - origin.y);
  paintScene(*ImGui::GetWindowDrawList(), scene, origin, context.theme(), context.fonts);
  if (input.hovered) input.hit = scene.hitAt(input.local.x, input.local.y);
  if (input.hit != nullptr)
    applyHit(context, *input.hit, input.clicked, makeTip(context, scene, *input.hit, origin.y, tips));
  if (input.hovered && (input.hit == nullptr || input.hit->tooltip.empty())) {
    if (const GlossaryEntry* entry = findTerm(context, scene, input.local); entry != nullptr)
      termTip(context, *entry);
  }
  return input;
}

void label(const ViewContext& context, std::string_view text, ColorRole color, FontRole font) {
  ImGui::PushFont(context.fonts.of(font));
  ImGui::PushStyleColor(ImGuiCol_Text, context.color(color));
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void heading(const ViewContext& context, std::string_view title, std::string_view detail) {
  label(context, title, ColorRole::Text, FontRole::Bold);
  ImGui::PushFont(context.fonts.of(FontRole::Bold));
  hintTerms(context, title);
  ImGui::PopFont();
  if (detail.empty()) return;
  ImGui::SameLine(0, kHeadingGap * context.unit);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float size = std::max(kLeastText, ImGui::GetFontSize() * kNoteScale);
  ImFont* font = context.fonts.sharpest(FontRole::Body, size);
  const char* end = detail.data() + detail.size();
  ImGui::GetWindowDrawList()->AddText(font, size,
                                      ImVec2(at.x, at.y + (ImGui::GetTextLineHeight() - size) / 2),
                                      context.color(ColorRole::TextDim), detail.data(), end);
  ImGui::Dummy(ImVec2(font->CalcTextSizeA(size, 1e9F, 0, detail.data(), end).x, ImGui::GetTextLineHeight()));
}

void wrappedText(const ViewContext& context, std::string_view text, ColorRole color, FontRole font) {
  ImGui::PushTextWrapPos(0.0F);
  label(context, text, color, font);
  ImGui::PopTextWrapPos();
}

float labelWidth(const ViewContext& context, std::string_view text, FontRole font) {
  ImGui::PushFont(context.fonts.of(font));
  const float width = ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
  ImGui::PopFont();
  return width;
}

float pillWidth(const ViewContext& context, std::string_view text, FontRole font) {
  return labelWidth(context, text, font) + 20 * context.unit;
}

bool pill(const ViewContext& context, const char* text, bool selected, float width, float height) {
  if (selected) {
    ImGui::PushStyleColor(ImGuiCol_Button, context.color(ColorRole::Accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, context.color(ColorRole::Accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, context.color(ColorRole::Accent, 0.8F));
    ImGui::PushStyleColor(ImGuiCol_Text, context.color(ColorRole::TextOnAccent));
  }
  const bool pressed = ImGui::Button(text, ImVec2(width, height));
  if (selected) ImGui::PopStyleColor(4);
  return pressed;
}

void commandButton(const ViewContext& context, std::string_view id, const ButtonLook& look) {
  const Command& command = context.state.commands->of(id);
  const char* text = look.text != nullptr ? look.text : command.label.c_str();
  const std::string why = command.blocked ? command.blocked() : std::string();
  ImGui::BeginDisabled(!why.empty());
  const bool isPressed =
      pill(context, text, look.isLit, look.width > 0 ? look.width : pillWidth(context, text),
           look.height > 0 ? look.height : ImGui::GetFrameHeight());
  ImGui::EndDisabled();
  if (why.empty())
    commandHint(context, id, look.tip != nullptr ? look.tip : command.tip);
  else
    hintAlways(context, why);
  if (isPressed) runCommand(context.state, command);
}

void commandHint(const ViewContext& context, std::string_view id, std::string_view text) {
  if (!ImGui::IsItemHovered()) return;
  std::string sentence(text.empty() ? std::string_view(context.state.commands->of(id).tip) : text);
  if (const std::string key = keyText(context.state, id); !key.empty())
    sentence += (sentence.empty() ? "(" : " (") + key + ")";
  if (!sentence.empty()) tip(context, belowItem(sentence), kTipWidth);
}

bool choice(const char* text, bool isChosen) {
  const bool isTaken = ImGui::Selectable(text, isChosen);
  if (isChosen) ImGui::SetItemDefaultFocus();
  return isTaken;
}

void nextGroup(const ViewContext& context, std::string_view title) {
  ImGui::SameLine(0, (context.state.hasLargeText ? 9 : 18) * context.unit);
  if (context.state.hasLargeText || title.empty()) return;
  ImGui::AlignTextToFramePadding();
  label(context, title, ColorRole::TextDim);
  ImGui::SameLine();
}

std::string cutToFit(std::string_view text, float width) {
  std::string cut = cutText(text, width, [](std::string_view part) {
    return ImGui::CalcTextSize(part.data(), part.data() + part.size()).x;
  });
  return cut.empty() && !text.empty() ? "\u2026" : cut;  // a button needs a label
}

void openCombo(const char* id) { activateItem(ImGui::GetID(id)); }

bool beginCombo(const ViewContext& context, const char* id, const std::string& shown, ImGuiComboFlags more) {
  const float margin = listMargin(context);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, margin));
  constexpr float kTolerance = 1;  // allows for a width that was rounded
  const float arrow = (more & ImGuiComboFlags_NoArrowButton) != 0 ? 0 : ImGui::GetFrameHeight();
  const float room = ImGui::CalcItemWidth() - arrow - ImGui::GetStyle().FramePadding.x;
  const bool isOpen =
      ImGui::BeginCombo(id, cutToFit(shown, room + kTolerance).c_str(), ImGuiComboFlags_HeightLargest | more);
  ImGui::PopStyleVar();
  return isOpen;
}

bool beginList(const ViewContext& context, const char* id, const std::string& shown, std::size_t rows,
               ImGuiComboFlags more) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float margin = listMargin(context);
  const float row = std::floor(ImGui::GetTextLineHeightWithSpacing());
  // On the side of its field that has more room: the list hides neither the field nor itself.
  const float above = ImGui::GetCursorScreenPos().y - style.DisplaySafeAreaPadding.y;
  const float below =
      ImGui::GetIO().DisplaySize.y - 2 * style.DisplaySafeAreaPadding.y - above - ImGui::GetFrameHeight();
  const float most = std::max(1.0F, std::floor((std::max(above, below) - 2 * margin) / row));
  const auto count = static_cast<float>(rows);
  const float height = std::min(count, most) * row;
  ImGui::SetNextWindowContentSize(ImVec2(0, count * row));
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(FLT_MAX, height + 2 * margin));
  if (!beginCombo(context, id, shown, more)) return false;
  // Rows of whole pixels: otherwise Dear ImGui drops the fractions, downwards or, above the window, upwards.
  const float spacing = row - ImGui::GetTextLineHeight();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(style.ItemSpacing.x, spacing));
  // At any scroll position, whole rows are drawn, and none in the margins.
  const float scrolled = ImGui::GetScrollY();
  const float whole = std::round(scrolled / row) * row;
  if (ImGui::GetIO().NavVisible && scrolled != whole) ImGui::SetScrollY(whole);
  const ImVec2 at = ImGui::GetWindowPos();
  ImGui::PushClipRect(ImVec2(at.x, at.y + margin),
                      ImVec2(at.x + ImGui::GetWindowWidth(), at.y + margin + height), true);
  ImGui::SetCursorPosY(margin + std::floor(spacing / 2) + scrolled - whole);
  return true;
}

void endList() {
  ImGui::PopClipRect();
  ImGui::PopStyleVar();
  ImGui::EndCombo();
}

void tip(const ViewContext& context, const TipText& parts, float units) {
  if (coversPanels(context)) return;
  const ImVec2 padding(std::floor(9 * context.unit), std::floor(6 * context.unit));
  const float most = ImGui::GetIO().DisplaySize.x * kMostTipShare;
  const float wrap = units > 0 ? std::min(units * context.unit, most) : most;
  struct Line {
    std::string_view text;
    FontRole font;
    ColorRole color;
  };
  const std::array<Line, 3> lines{{{parts.title, FontRole::Bold, ColorRole::Text},
                                   {parts.text, FontRole::Body, ColorRole::Text},
                                   {parts.note, FontRole::Body, ColorRole::TextDim}}};
  const float gap = std::floor(4 * context.unit);
  ImVec2 extent(0, -gap);
  for (const Line& line : lines) {
    if (line.text.empty()) continue;
    ImGui::PushFont(context.fonts.of(line.font));
    const ImVec2 part =
        ImGui::CalcTextSize(line.text.data(), line.text.data() + line.text.size(), false, wrap);
    ImGui::PopFont();
    extent = ImVec2(std::max(extent.x, part.x), extent.y + std::ceil(part.y) + gap);
  }
  const ImVec2 whole(std::ceil(extent.x) + 2 * padding.x, extent.y + 2 * padding.y);
  ImGui::SetNextWindowSize(whole);  // ImGui would give it the size of its previous content
  const ImGuiIO& io = ImGui::GetIO();
  const float x = std::clamp(io.MousePos.x, 0.0F, std::max(0.0F, io.DisplaySize.x - whole.x));
  if (parts.below && *parts.below + gap + whole.y <= io.DisplaySize.y) {
    ImGui::SetNextWindowPos(ImVec2(x, *parts.below + gap));
  } else if (parts.above && *parts.above >= whole.y + gap) {
    ImGui::SetNextWindowPos(ImVec2(x, *parts.above - whole.y - gap));
  } else if (parts.rightEdge && *parts.rightEdge + whole.x <= io.DisplaySize.x) {
    ImGui::SetNextWindowPos(ImVec2(*parts.rightEdge, std::min(io.MousePos.y, io.DisplaySize.y - whole.y)));
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, gap));
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(padding.x + wrap);
  for (const Line& line : lines) {
    if (!line.text.empty()) label(context, line.text, line.color, line.font);
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar(3);
}

void beginPanel(const ViewContext& context, const char* name, const Area& area, ImVec2 padding) {
  ImGui::SetCursorPos(ImVec2(area.x, area.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, context.color(ColorRole::Panel));
  ImGui::BeginChild(name, ImVec2(area.w, area.h), true, kStill);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
}

void beginStage(const char* name, const Area& area) {
  ImGui::SetCursorPos(ImVec2(area.x, area.y));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
  ImGui::BeginChild(name, ImVec2(area.w, area.h), false, kStill);
}

void endPanel() {
  ImGui::PopStyleColor();
  ImGui::EndChild();
}

void endScrolling(const ViewContext& context, bool cutsBelow) {
  const float depth = kFade * context.unit;
  const ImVec2 from = ImGui::GetWindowPos();
  const ImVec2 to(from.x + ImGui::GetWindowWidth(), from.y + ImGui::GetWindowHeight());
  const ImU32 panel = context.color(ColorRole::Panel);
  const ImU32 none = context.color(ColorRole::Panel, 0);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (const float above = ImGui::GetScrollY(); above > 0)
    list.AddRectFilledMultiColor(from, ImVec2(to.x, from.y + std::min(above, depth)), panel, panel, none,
                                 none);
  if (const float below = ImGui::GetScrollMaxY() - ImGui::GetScrollY(); cutsBelow && below > 0)
    list.AddRectFilledMultiColor(ImVec2(from.x, to.y - std::min(below, depth)), to, none, none, panel, panel);
  ImGui::EndChild();
}

void hint(const ViewContext& context, const char* text) {
  if (ImGui::IsItemHovered()) tip(context, belowItem(text));
}

void hintAlways(const ViewContext& context, std::string_view text) {
  if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tip(context, {.text = text, .above = ImGui::GetItemRectMin().y}, kTipWidth);
}

void beginOverlay(const ViewContext& context, const char* name, ColorRole frame, ImVec2 padding,
                  ImGuiWindowFlags more) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, context.color(ColorRole::Panel));
  ImGui::PushStyleColor(ImGuiCol_Border, context.color(frame));
  ImGui::Begin(
      name, nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove | more);
}

void endOverlay() {
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

void beginDialog(const ViewContext& context, const char* name, std::string_view title,
                 std::string_view detail, ImVec2 size) {
  const float unit = context.unit;
  context.state.typing = false;
  ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y * 0.2F), ImGuiCond_Always, ImVec2(0.5F, 0));
  ImGui::SetNextWindowSize(ImVec2(std::min(size.x * 0.7F, 720 * unit), 0));
  beginOverlay(context, name, ColorRole::Accent, ImVec2(16 * unit, 14 * unit));
  heading(context, title, detail);
}

std::string waitingText(const ViewContext& context) {
  const Session& session = context.session();
  if (session.simulating()) return "Simulating…";
  if (const std::size_t faults = session.editor().diagnostics().size(); faults > 0)
    return "No run to show: the source panel lists " +
           (faults == 1 ? std::string("the error") : "the " + counted(faults, "error")) +
           " in the text. Correct " + (faults == 1 ? "it" : "them") + ", then press Run (Ctrl+Enter).";
  if (!session.error().empty()) return "No run to show; see the reason below.";
  return session.editor().current() == nullptr ? "Nothing to show yet." : "No run to show yet.";
}

std::string comesWithRun(const ViewContext& context, std::string_view what) {
  const Session& session = context.session();
  if (session.simulating() || session.editor().current() == nullptr) return "";
  return std::string(what) + ", once the kernel runs.";
}

void drawWaiting(const ViewContext& context, std::string_view title, std::string_view sentence) {
  if (!title.empty()) heading(context, title);
  if (!sentence.empty()) wrappedText(context, sentence, ColorRole::TextDim);
}

void drawWaitingPicture(const ViewContext& context, std::string_view title, std::string_view sentence) {
  const ImVec2 margin(kSceneMargin * context.unit, kTopMargin * context.unit);
  ImGui::SetCursorPos(margin);
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - margin.x);
  if (!title.empty()) heading(context, title);
  if (!sentence.empty()) label(context, sentence, ColorRole::TextDim);
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
}

void pointingTriangle(ImDrawList& list, ImVec2 tip, float side, float halfHeight, ImU32 color) {
  const ImVec2 upper(side, tip.y - halfHeight);
  const ImVec2 lower(side, tip.y + halfHeight);
  const bool isRight = tip.x > side;
  list.AddTriangleFilled(tip, isRight ? lower : upper, isRight ? upper : lower, color);
}

void applyStyle(const Theme& theme, float unit) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowPadding = ImVec2(0, 0);
  style.FramePadding = ImVec2(8 * unit, 4 * unit);
  style.ItemSpacing = ImVec2(6 * unit, 6 * unit);
  style.ItemInnerSpacing = ImVec2(6 * unit, 4 * unit);
  style.FrameRounding = 4 * unit;
  style.ChildRounding = 6 * unit;
  style.PopupRounding = 4 * unit;
  style.GrabRounding = 4 * unit;
  style.ScrollbarSize = 10 * unit;
  style.ScrollbarRounding = 5 * unit;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 1;
  style.FrameBorderSize = theme.id == "high-contrast" ? 1.0F : 0.0F;
  setColor(ImGuiCol_Text, theme, ColorRole::Text);
  setColor(ImGuiCol_TextDisabled, theme, ColorRole::TextDim);
  setColor(ImGuiCol_WindowBg, theme, ColorRole::Background);
  setColor(ImGuiCol_ChildBg, theme, ColorRole::Panel);
  setColor(ImGuiCol_PopupBg, theme, ColorRole::Panel);
  setColor(ImGuiCol_Border, theme, ColorRole::PanelBorder);
  for (const ImGuiCol col : {ImGuiCol_FrameBg, ImGuiCol_Button}) setColor(col, theme, ColorRole::Cell);
  for (const ImGuiCol col : {ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered, ImGuiCol_FrameBgActive}) {
    setColor(col, theme, ColorRole::CellBorder);
  }
  setColor(ImGuiCol_ButtonActive, theme, ColorRole::Accent, 0.7F);
  // Rows that are chosen or pointed at: tints, as their text has the others' color.
  setColor(ImGuiCol_Header, theme, ColorRole::Accent, 0.35F);
  setColor(ImGuiCol_HeaderHovered, theme, ColorRole::Accent, 0.46F);
  setColor(ImGuiCol_HeaderActive, theme, ColorRole::Accent, 0.46F);
  setColor(ImGuiCol_ScrollbarBg, theme, ColorRole::Panel, 0.0F);
  setColor(ImGuiCol_ScrollbarGrab, theme, ColorRole::CellBorder);
  setColor(ImGuiCol_ScrollbarGrabHovered, theme, ColorRole::TextDim);
  setColor(ImGuiCol_ScrollbarGrabActive, theme, ColorRole::Accent);
  setColor(ImGuiCol_TableHeaderBg, theme, ColorRole::Cell);
  setColor(ImGuiCol_Separator, theme, ColorRole::PanelBorder);
  setColor(ImGuiCol_PlotHistogram, theme, ColorRole::Accent);
  setColor(ImGuiCol_ModalWindowDimBg, theme, ColorRole::Background, 0.6F);
}

}  // namespace lanescope
