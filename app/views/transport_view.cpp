#include "app/views/transport_view.h"

#include <array>
#include <cstdio>
#include <string>
#include <utility>

#include "app/views/stops_menu.h"
#include "app/views/widgets.h"

namespace lanescope {
namespace {

enum class Icon { Start, PhaseBack, Back, Play, Pause, Forward, PhaseForward, End };

void drawIcon(ImDrawList& drawList, Icon icon, ImVec2 centre, float r, ImU32 color) {
  const auto triangle = [&](float x, float direction) {
    drawList.AddTriangleFilled(ImVec2(x + direction * r, centre.y),
                               ImVec2(x - direction * r * 0.7F, centre.y - r),
                               ImVec2(x - direction * r * 0.7F, centre.y + r), color);
  };
  const auto bar = [&](float x) {
    drawList.AddRectFilled(ImVec2(x - r * 0.17F, centre.y - r), ImVec2(x + r * 0.17F, centre.y + r), color);
  };
  switch (icon) {
    case Icon::Start:
      triangle(centre.x + r * 0.2F, -1);
      bar(centre.x - r);
      break;
    case Icon::PhaseBack:
      triangle(centre.x - r * 0.75F, -0.8F);
      triangle(centre.x + r * 0.65F, -0.8F);
      break;
    case Icon::PhaseForward:
      triangle(centre.x - r * 0.65F, 0.8F);
      triangle(centre.x + r * 0.75F, 0.8F);
      break;
    case Icon::Back: triangle(centre.x, -1); break;
    case Icon::Play:
    case Icon::Forward: triangle(centre.x, 1); break;
    case Icon::Pause:
      bar(centre.x - r * 0.45F);
      bar(centre.x + r * 0.45F);
      break;
    case Icon::End:
      triangle(centre.x - r * 0.2F, 1);
      bar(centre.x + r);
      break;
  }
}

bool iconButton(const ViewContext& context, const char* id, Icon icon, bool lit, float height,
                const char* tip) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = height * 1.25F;
  const bool pressed = pill(context, id, lit, width, height);
  drawIcon(*ImGui::GetWindowDrawList(), icon, ImVec2(at.x + width / 2, at.y + height / 2), height * 0.22F,
           context.color(lit ? ColorRole::TextOnAccent : ColorRole::Text));
  hint(context, tip);
  ImGui::SameLine();
  return pressed;
}

void drawButtons(const ViewContext& context, float height) {
  Session& session = context.session();
  if (iconButton(context, "##start", Icon::Start, false, height, "To the start (Home)")) session.toStart();
  if (iconButton(context, "##phaseback", Icon::PhaseBack, false, height, "A phase back (Up)"))
    session.step(Grain::Phase, false);
  if (iconButton(context, "##back", Icon::Back, false, height, "Back (Left)")) session.back();
  const bool playing = session.playing();
  if (iconButton(context, "##play", playing ? Icon::Pause : Icon::Play, true, height,
                 playing ? "Pause (Space)" : "Play (Space)")) {
    session.togglePlay();
  }
  if (iconButton(context, "##forward", Icon::Forward, false, height, "Forward (Right)")) session.forward();
  if (iconButton(context, "##phaseon", Icon::PhaseForward, false, height, "A phase on (Down)"))
    session.step(Grain::Phase, true);
  if (iconButton(context, "##end", Icon::End, false, height, "To the end (End)")) session.toEnd();
}

void drawGrain(const ViewContext& context, float height) {
  struct Choice {
    Grain grain;
    const char* text;
    const char* tip;
  };
  constexpr std::array<Choice, 3> kChoices{{
      {Grain::Phase, "phase", "From one exchange between threads to the next (1)"},
      {Grain::Instruction, "instruction", "One warp, one operation of the source (2)"},
      {Grain::Wavefront, "wavefront", "One pass of a memory access (3)"},
  }};
  Session& session = context.session();
  nextGroup(context, "grain");
  bool isFirst = true;
  for (const Choice& choice : kChoices) {
    if (!std::exchange(isFirst, false)) ImGui::SameLine();
    if (pill(context, choice.text, session.grain() == choice.grain, pillWidth(context, choice.text),
             height)) {
      session.setGrain(choice.grain);
    }
    hint(context, choice.tip);
  }
}

void drawSpeed(const ViewContext& context, float height) {
  Session& session = context.session();
  nextGroup(context, "speed");
  if (pill(context, "-##slower", false, height, height)) session.changeSpeed(-1);
  hint(context, "Slower (-)");
  ImGui::SameLine();
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%g×", session.speed());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = pillWidth(context, "0.25×") - 10 * context.unit;
  const float width = ImGui::CalcTextSize(text.data()).x;
  ImGui::GetWindowDrawList()->AddText(
      ImVec2(at.x + (room - width) / 2, at.y + (height - ImGui::GetTextLineHeight()) / 2),
      context.color(ColorRole::Text), text.data());
  ImGui::Dummy(ImVec2(room, height));
  ImGui::SameLine();
  if (pill(context, "+##faster", false, height, height)) session.changeSpeed(1);
  hint(context, "Faster (+)");
}

void drawMotion(const ViewContext& context, float height) {
  Motion& motion = context.session().motion();
  nextGroup(context);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "moves %g s##motion", motion.seconds());
  const bool off = motion.seconds() <= 0;
  if (pill(context, off ? "moves off##motion" : text.data(), false, pillWidth(context, "moves 0.25 s"),
           height))
    motion.changeSeconds();
  hint(context, "How long a move to the next state is shown (M)");
}

/// `phase 4 of 8 · step 61 of 187 · wavefront 1 of 2`, of which a narrow window leaves the step. A step is a
/// warp's instruction, or its end.
std::string placeText(const Replay& replay, bool isShort) {
  const Trace& trace = replay.trace();
  const Cursor cursor = replay.cursor();
  std::string text;
  if (!trace.phases.empty() && !isShort) {
    text = "phase " + std::to_string(replay.currentPhase() + 1) + " of " +
           std::to_string(trace.phases.size()) + " · ";
  }
  text += "step " + std::to_string(cursor.steps) + " of " + std::to_string(trace.steps.size());
  const std::optional<Step> step = replay.currentStep();
  if (step && step->wavefronts > 0 && !isShort) {
    text += " · wavefront " + std::to_string(cursor.wavefront) + " of " + std::to_string(step->wavefronts);
  }
  return text;
}

/// Ends at `right`. A notice in the same room stands in the place of it.
void drawPlace(const ViewContext& context, float right, float room) {
  if (context.state.noticeRoom.w > 0 && !context.state.notice.empty()) return;
  std::string where = placeText(*context.replay(), false);
  if (ImGui::CalcTextSize(where.c_str()).x > room) where = placeText(*context.replay(), true);
  const float width = ImGui::CalcTextSize(where.c_str()).x;
  if (width > room) return;
  ImGui::SameLine(right - width);
  ImGui::AlignTextToFramePadding();
  label(context, where);
}

}  // namespace

void TransportView::draw(const ViewContext& context, ImVec2 size) {
  const float height = ImGui::GetFrameHeight();
  const ImVec2 start = ImGui::GetCursorPos();
  if (context.state.presenting) return drawPresented(context, size);
  drawButtons(context, height);
  drawGrain(context, height);
  drawSpeed(context, height);
  if (!context.state.hidesFuture()) drawStops(context, height);
  drawMotion(context, height);
  nextGroup(context);
  const ImVec2 free = ImGui::GetCursorScreenPos();
  const float room = start.x + size.x - ImGui::GetCursorPosX();
  if (!context.state.isFolded) context.state.noticeRoom = {free.x, free.y, room, height};
  if (context.replay() == nullptr) return;
  drawPlace(context, start.x + size.x, room);
  const float top = height + 8 * context.unit;
  ImGui::SetCursorPos(ImVec2(start.x, start.y + top));
  drawTimeline(context, ImVec2(size.x, size.y - top));
}

// Of the buttons' row only where the walk stands is left, in small type.
void TransportView::drawPresented(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return;
  const ImVec2 start = ImGui::GetCursorPos();
  const std::string where = placeText(*context.replay(), false);
  ImGui::PushFont(context.fonts.of(FontRole::Small));
  const ImVec2 text = ImGui::CalcTextSize(where.c_str());
  ImGui::PopFont();
  ImGui::SetCursorPosX(start.x + size.x - text.x);
  label(context, where, ColorRole::Text, FontRole::Small);
  const float top = text.y + 2 * context.unit;
  ImGui::SetCursorPos(ImVec2(start.x, start.y + top));
  drawTimeline(context, ImVec2(size.x, size.y - top));
}

void TransportView::drawTimeline(const ViewContext& context, ImVec2 size) {
  const Replay& replay = *context.replay();
  // The scene keeps a margin of its own, as wide as the panel's.
  const float margin = ImGui::GetCursorStartPos().x;
  ImGui::SetCursorPosX(0);
  const SceneContext layout = context.scene(ImVec2(size.x + 2 * margin, size.y));
  TimelineNotes notes;
  for (const HazardMark& mark : context.session().hazards()) {
    if (!context.state.hidesFuture()) notes.hazards.push_back({mark.step, mark.message});
  }
  Scene scene = timeline_.scene(momentOf(replay, context.session().plan()), layout, context.measure, notes);
  // A click here means the very step under it, not the phase's end.
  for (HitArea& hit : scene.hits) {
    hit.step = -1;
    if (hit.kind == HitArea::Kind::Warp) hit.kind = HitArea::Kind::Phase;
  }
  const SceneInput input = showScene(context, scene, "timeline");
  if (!input.held) {
    scrubbing_ = false;
    return;
  }
  // Where the button went down decides between the whole block and the row of a warp.
  if (!scrubbing_) scrubY_ = input.local.y;
  const std::uint32_t step = timelineCellAt(replay.trace(), layout, input.local.x, scrubY_, notes);
  if (!scrubbing_ || step != replay.cursor().steps) context.session().seek(step);
  scrubbing_ = true;
}

}  // namespace lanescope
