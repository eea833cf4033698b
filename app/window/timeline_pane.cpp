#include "app/window/timeline_pane.h"

#include <array>
#include <span>
#include <string>

#include "app/panels/base/markdown_text.h"
#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"

namespace lanescope {
namespace {

struct LegendEntry {
  const char* text;
  ColorRole color;
};
/// The legend of the timeline's bars and marks: the last ones are dropped if there is no room.
constexpr std::array<LegendEntry, 4> kLegend{{{"conflict", ColorRole::Conflict},
                                              {"diverges", ColorRole::Divergence},
                                              {"runs", ColorRole::LaneActive},
                                              {"barrier", ColorRole::TextDim}}};

/// What the rows of warps side by side would hide.
constexpr const char* kWarpOrder = "order of warps: the simulator's choice";

constexpr float kLegendApart = 14;  // units, from the legend to the words beside it
constexpr float kLegendSwatch = 9;
constexpr float kLegendGap = 4;
constexpr float kLegendBetween = 10;

/// The meaning of the timeline's colors, ending at `right`.
void drawLegend(const ViewContext& context, float right, float room) {
  ImGui::PushFont(context.fonts.of(FontRole::Small));
  const float swatch = kLegendSwatch * context.unit;
  const float gap = kLegendGap * context.unit;
  const float between = kLegendBetween * context.unit;
  float width = 0;
  std::size_t count = 0;
  for (const LegendEntry& entry : kLegend) {
    const float more = swatch + gap + ImGui::CalcTextSize(entry.text).x + between;
    if (width + more > room) break;
    width += more;
    ++count;
  }
  if (count >= 2) {
    const float order = ImGui::CalcTextSize(kWarpOrder).x + kLegendApart * context.unit;
    const bool saysOrder = context.replay()->trace().warps > 1 && width + order <= room;
    if (saysOrder) width += order;
    ImGui::SameLine(right - width);
    ImDrawList& drawList = *ImGui::GetWindowDrawList();
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float middle = at.y + ImGui::GetFrameHeight() / 2;
    if (saysOrder) {
      drawList.AddText(ImVec2(at.x, middle - ImGui::GetTextLineHeight() / 2),
                       context.color(ColorRole::TextDim), kWarpOrder);
      at.x += order;
    }
    for (const LegendEntry& entry : std::span(kLegend).first(count)) {
      drawList.AddRectFilled(ImVec2(at.x, middle - swatch / 2), ImVec2(at.x + swatch, middle + swatch / 2),
                             context.color(entry.color), 2 * context.unit);
      at.x += swatch + gap;
      drawList.AddText(ImVec2(at.x, middle - ImGui::GetTextLineHeight() / 2),
                       context.color(ColorRole::TextDim), entry.text);
      at.x += ImGui::CalcTextSize(entry.text).x + between;
    }
    ImGui::Dummy(ImVec2(width, ImGui::GetFrameHeight()));
    if (ImGui::IsItemHovered())
      tip(context,
          withTerms("What the colors of the timeline mean. Warps begin a phase together; their order is the "
                    "simulator's choice.",
                    "timeline"),
          kTipWidth);
  }
  ImGui::PopFont();
}

/// The part of the walk that a zoomed timeline shows, along its lower edge.
void drawZoomBar(const ViewContext& context, ImVec2 corner, const SceneContext& layout) {
  if (layout.timelineZoom <= 1) return;
  const float high = 2 * context.unit;
  const float top = corner.y + layout.height - high;
  const float left = corner.x + layout.timelineFrom * layout.width;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(ImVec2(corner.x, top), ImVec2(corner.x + layout.width, top + high),
                     context.color(ColorRole::Cell));
  list.AddRectFilled(ImVec2(left, top), ImVec2(left + layout.width / layout.timelineZoom, top + high),
                     context.color(ColorRole::Accent));
}

/// Turns to the next width that the text has numbers for; says why if it has none.
Refusal nextStepWidth(ViewState& state) {
  if (state.hidesFuture()) return "While you predict, what a step costs is hidden.";
  const Replay* const replay = state.session.player().replay();
  if (replay == nullptr) return "There is no run yet.";
  const std::string_view text = replay->trace().launch.source->text();
  const auto now = static_cast<std::size_t>(findStepWidth(state.settings.stepWidth));
  const auto next = static_cast<StepWidth>((now + 1) % kStepWidths);
  const bool isPossible = next == StepWidth::Equal || !findAmounts(state, text, next).empty();
  state.settings.stepWidth = stepWidthName(isPossible ? next : StepWidth::Equal);
  if (isPossible) return std::nullopt;
  return whyEqual(next);
}

}  // namespace

std::vector<Command> TimelinePane::commands(ViewState& state) {
  return {
      {.id = "step width",
       .keys = {"Shift+M"},
       .help = {"timeline and margin: equal steps, machine instructions, measured time", HelpGroup::Steps},
       .tip = "What a step's width in the timeline is: the same for all, or its line's machine "
              "instructions or measured time, divided among the line's steps; the source's margin shows the "
              "same",
       .applies = [&state] { return state.mode != Mode::Table; },
       .run = [&state] { return nextStepWidth(state); }}};
}

float TimelinePane::legendWidth(const ViewContext& context) {
  ImGui::PushFont(context.fonts.of(FontRole::Small));
  float width = kLegendApart * context.unit;
  for (const LegendEntry& entry : kLegend)
    width += (kLegendSwatch + kLegendGap + kLegendBetween) * context.unit + ImGui::CalcTextSize(entry.text).x;
  ImGui::PopFont();
  return width;
}

void TimelinePane::drawRow(const ViewContext& context, float right, float least) {
  syncReach(context);
  const float end = drawStepWidth(context, right, least) - kLegendApart * context.unit;
  drawLegend(context, end, end - least);
}

/// The steps' places if their widths are not equal: made once for a trace and a choice.
void TimelinePane::syncReach(const ViewContext& context) {
  const Trace& trace = context.replay()->trace();
  if (!unit_.syncTo(context.state, trace.launch.source->text(), &context.player(),
                    context.player().generation()))
    return;
  reach_ = unit_.width() == StepWidth::Equal ? std::vector<double>() : computeReach(trace, unit_.amounts());
}

/// The choice of the steps' widths, ending at `right`; returns its left end. Nothing if it would begin left
/// of `least`.
float TimelinePane::drawStepWidth(const ViewContext& context, float right, float least) const {
  const StepWidth width = reach_.empty() ? StepWidth::Equal : findStepWidth(context.state.settings.stepWidth);
  const float wide = pillWidth(context, stepWidthName(StepWidth::Instructions));
  const float left = right - kLegendApart * context.unit - wide;
  if (left < least) return right;
  ImGui::SameLine(left);
  const std::string text = std::string(stepWidthName(width)) + "##step width";
  const StepWidth asked = findStepWidth(context.state.settings.stepWidth);
  const std::string why = asked == width ? "" : whyEqual(asked);
  commandButton(context, "step width",
                {.text = text.c_str(),
                 .isLit = width != StepWidth::Equal,
                 .width = wide,
                 .height = ImGui::GetFrameHeight(),
                 .tip = why.empty() ? nullptr : why.c_str()});
  return left;
}

void TimelinePane::draw(const ViewContext& context, ImVec2 size) {
  syncReach(context);
  const Replay& replay = *context.replay();
  // The scene has a margin as wide as the panel's.
  const float margin = ImGui::GetCursorStartPos().x;
  ImGui::SetCursorPosX(0);
  SceneContext layout = context.scene(ImVec2(size.x + 2 * margin, size.y));
  layout.timelineReach = reach_;
  zoom_.apply(layout, replay, context.player().generation());
  Scene scene = timeline_.scene(makeMoment(replay, context.session().plan()), layout, context.measure);
  // A click here selects the exact step under it, not the phase's end.
  for (HitArea& hit : scene.hits) {
    hit.step = -1;
    if (hit.kind == HitArea::Kind::Warp || hit.kind == HitArea::Kind::Note) hit.kind = HitArea::Kind::Phase;
  }
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const SceneInput input = showScene(context, scene, "timeline", TipPlace::AbovePicture);
  drawZoomBar(context, corner, layout);
  if (zoom_.receive(input, layout) || !input.held) {
    scrubbing_ = false;
    return;
  }
  // The position of the press decides between the whole block and the row of a warp.
  if (!scrubbing_) scrubY_ = input.local.y;
  const std::uint32_t step = timeline_.stepAt(replay.trace(), input.local.x, scrubY_);
  if (!scrubbing_ || step != replay.cursor().steps) context.player().seek(step);
  scrubbing_ = true;
}

}  // namespace lanescope
