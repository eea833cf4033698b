#include "app/window/transport_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/base/markdown_text.h"
#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

struct Condition {
  StopKind kind;
  const char* name;
  const char* next;  ///< its keys
  const char* previous;
};

constexpr std::array<Condition, kStopKinds> kConditions{{
    {StopKind::Conflict, "bank conflict", "C", "Shift+C"},
    {StopKind::Divergence, "divergence", "D", "Shift+D"},
    {StopKind::Hazard, "hazard", "H", "Shift+H"},
    {StopKind::Barrier, "barrier", "B", "Shift+B"},
}};

Refusal runToKind(Player& player, const Condition& condition, bool forward) {
  if (player.replay() == nullptr) return "";
  if (player.runTo(condition.kind, forward)) return std::nullopt;
  const std::string none = std::string("No ") + condition.name;
  const bool isFound = condition.kind == StopKind::Hazard;
  if (player.events().of(condition.kind).empty())
    return none + (isFound ? " was found in this run." : " in this run.");
  return none + (forward ? " from here to the end." : " between the start and here.");
}

/// Goes to the next breakpoint, or the previous one. If there is none, to the end or the start.
Refusal runToBreakpoint(Player& player, bool forward) {
  if (player.replay() == nullptr) return "";
  if (player.runToStop(forward)) return std::nullopt;
  return forward ? "This is the end of the run." : "This is the start of the run.";
}

Refusal toggleLine(Player& player) {
  if (player.replay() == nullptr || !player.replay()->currentStep()) return "";
  player.stops().toggleLine(player.replay()->currentStep()->line);
  return std::nullopt;
}

/// A button with two triangles and a bar: run to the next breakpoint.
void runButton(const ViewContext& context, const char* id, bool forward, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = height * 1.25F;
  commandButton(context, id, {.width = width, .height = height});
  const ImVec2 centre(at.x + width / 2, at.y + height / 2);
  const float r = height * 0.19F;
  const float way = forward ? 1.0F : -1.0F;
  const ImU32 color = context.color(ColorRole::Text);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const float shift : {-1.5F, 0.0F}) {
    const float x = centre.x + way * r * shift;
    pointingTriangle(list, ImVec2(x + way * 1.3F * r, centre.y), x, r, color);
  }
  list.AddCircleFilled(ImVec2(centre.x + way * 2.2F * r, centre.y), r * 0.6F, context.color(ColorRole::Bad));
  ImGui::SameLine();
}

void conditionRow(const ViewContext& context, const Condition& condition, float column) {
  Player& player = context.player();
  const std::size_t count = player.events().of(condition.kind).size();
  ImGui::PushID(condition.name);
  bool armed = player.stops().has(condition.kind);
  if (ImGui::Checkbox(condition.name, &armed)) player.stops().toggle(condition.kind);
  hint(context, "Stop there when playing and running");
  ImGui::SameLine(column);
  label(context, count == 0 ? "none" : std::to_string(count), ColorRole::TextDim);
  const float height = ImGui::GetFrameHeight();
  ImGui::BeginDisabled(count == 0);
  ImGui::SameLine(column + 52 * context.unit);
  if (pill(context, "first", false, pillWidth(context, "first"), height)) player.runToFirst(condition.kind);
  ImGui::SameLine();
  commandButton(context, std::string("previous ") + condition.name);
  ImGui::SameLine();
  commandButton(context, std::string("next ") + condition.name);
  ImGui::EndDisabled();
  ImGui::PopID();
}

void menu(const ViewContext& context) {
  Player& player = context.player();
  heading(context, "STOP AT");
  const float column = 150 * context.unit;
  for (const Condition& condition : kConditions) conditionRow(context, condition, column);
  std::string lines;
  for (const std::uint32_t line : player.stops().lines())
    lines += (lines.empty() ? "Lines " : ", ") + std::to_string(line);
  label(context, lines.empty() ? "Lines: click a line's number in the kernel." : lines, ColorRole::TextDim);
  if (player.stops().empty()) return;
  if (pill(context, "Clear all", false, pillWidth(context, "Clear all"), 0)) player.stops().clear();
}

/// Commands that run to breakpoints and to events that can be one, and that set the breakpoint on the current
/// line.
std::vector<Command> stopCommands(ViewState& state) {
  Player& player = state.session.player();
  const std::function<bool()> showsSteps = [&state] { return state.mode != Mode::Table; };
  const HelpLine run{"run to the next breakpoint; Shift: to the previous one", HelpGroup::Stops};
  const HelpLine kinds{"next conflict, divergence, hazard, barrier; Shift: previous", HelpGroup::Stops};
  std::vector<Command> rows;
  for (const bool forward : {true, false}) {
    rows.push_back({.id = forward ? "next breakpoint" : "previous breakpoint",
                    .keys = {forward ? "R" : "Shift+R"},
                    .help = run,
                    .label = forward ? "##runon" : "##runback",
                    .tip = forward ? "To the next breakpoint" : "Back to the previous breakpoint",
                    .applies = showsSteps,
                    .run = [&player, forward] { return runToBreakpoint(player, forward); }});
    for (const Condition& condition : kConditions) {
      rows.push_back(
          {.id = std::string(forward ? "next " : "previous ") + condition.name,
           .keys = {forward ? condition.next : condition.previous},
           .help = kinds,
           .label = forward ? "next" : "previous",
           .tip = forward ? "The next one" : "The previous one",
           .applies = showsSteps,
           .run = [&player, &condition, forward] { return runToKind(player, condition, forward); }});
    }
  }
  rows.push_back({.keys = {"L"},
                  .help = {"breakpoint on the current line", HelpGroup::Stops},
                  .applies = showsSteps,
                  .run = [&player] { return toggleLine(player); }});
  return rows;
}

/// Buttons that run back and forward to the nearest breakpoint, and the menu of breakpoint conditions.
void drawStops(const ViewContext& context, float height) {
  nextGroup(context, "run");
  runButton(context, "previous breakpoint", false, height);
  runButton(context, "next breakpoint", true, height);
  const bool armed = !context.player().stops().empty();
  if (pill(context, "breakpoints", armed, pillWidth(context, "breakpoints"), height))
    ImGui::OpenPopup("stop menu");
  hint(context, "Conflicts, divergence, hazards, barriers and lines to stop at");
  // Above its button, so that the timeline stays in sight.
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  const bool isRight = low.x + high.x > ImGui::GetIO().DisplaySize.x;
  ImGui::SetNextWindowPos(ImVec2(isRight ? high.x : low.x, low.y - 4 * context.unit), ImGuiCond_Always,
                          ImVec2(isRight ? 1.0F : 0.0F, 1.0F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14 * context.unit, std::floor(12 * context.unit)));
  if (ImGui::BeginPopup("stop menu")) {
    menu(context);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

enum class Icon { Start, PhaseBack, Back, Play, Pause, Forward, PhaseForward, End };

void drawIcon(ImDrawList& drawList, Icon icon, ImVec2 centre, float r, ImU32 color) {
  const auto triangle = [&](float x, float direction) {
    pointingTriangle(drawList, ImVec2(x + direction * r, centre.y), x - direction * r * 0.7F, r, color);
  };
  const auto bar = [&](float x) {
    const float width = std::max(std::round(r * 0.34F), 1.0F);
    const float left = std::round(x - width / 2);
    drawList.AddRectFilled(ImVec2(left, centre.y - r), ImVec2(left + width, centre.y + r), color);
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

void iconButton(const ViewContext& context, const char* id, Icon icon, float height, ButtonLook look = {}) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = height * 1.25F;
  look.width = width;
  look.height = height;
  commandButton(context, id, look);
  drawIcon(*ImGui::GetWindowDrawList(), icon,
           ImVec2(std::round(at.x + width / 2), std::round(at.y + height / 2)), std::round(height * 0.22F),
           context.color(look.isLit ? ColorRole::TextOnAccent : ColorRole::Text));
  ImGui::SameLine();
}

void drawButtons(const ViewContext& context, float height) {
  iconButton(context, "start", Icon::Start, height);
  iconButton(context, "previous phase", Icon::PhaseBack, height);
  iconButton(context, "previous step", Icon::Back, height);
  const bool isPlaying = context.player().playing();
  iconButton(context, "play", isPlaying ? Icon::Pause : Icon::Play, height,
             {.isLit = true, .tip = isPlaying ? "Pause" : "Play"});
  iconButton(context, "next step", Icon::Forward, height);
  iconButton(context, "next phase", Icon::PhaseForward, height);
  iconButton(context, "end", Icon::End, height);
}

struct GrainChoice {
  Grain grain;
  const char* name;
  const char* key;
  const char* tip;
};
constexpr std::array<GrainChoice, 4> kGrains{{
    {Grain::Phase, "phase", "1",
     "From one exchange between threads to the next; each first stops at its access with most wavefronts, or "
     "if none conflicts at its step with the fewest active lanes"},
    {Grain::Line, "line", "2", "Every warp of the block executes its current line of the source"},
    {Grain::Instruction, "instruction", "3", "One warp, one operation of the source"},
    {Grain::Wavefront, "wavefront", "4", "One wavefront of a memory access"},
}};

void drawGrain(const ViewContext& context, float height) {
  nextGroup(context, "step by");
  bool isFirst = true;
  for (const GrainChoice& choice : kGrains) {
    if (!std::exchange(isFirst, false)) ImGui::SameLine();
    commandButton(context, choice.name,
                  {.isLit = context.player().grain() == choice.grain, .height = height});
  }
}

void drawSpeed(const ViewContext& context, float height) {
  nextGroup(context, "speed");
  commandButton(context, "slower", {.width = height, .height = height});
  ImGui::SameLine();
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%g×", context.player().speed());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = pillWidth(context, "0.25×") - 10 * context.unit;
  const float width = ImGui::CalcTextSize(text.data()).x;
  ImGui::GetWindowDrawList()->AddText(
      ImVec2(at.x + (room - width) / 2, at.y + (height - ImGui::GetTextLineHeight()) / 2),
      context.color(ColorRole::Text), text.data());
  ImGui::Dummy(ImVec2(room, height));
  ImGui::SameLine();
  commandButton(context, "faster", {.width = height, .height = height});
}

void drawMotion(const ViewContext& context, float height) {
  const Motion& motion = context.player().motion();
  nextGroup(context);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "animation %g s##motion", motion.seconds());
  const bool off = motion.seconds() <= 0;
  commandButton(context, "animation",
                {.text = off ? "animation off##motion" : text.data(),
                 .width = pillWidth(context, "animation 0.25 s"),
                 .height = height});
}

struct MomentWords {
  const char* name;
  const char* tip;
};

MomentWords describeMoment(PhaseMoment moment) {
  switch (moment) {
    case PhaseMoment::None: break;
    case PhaseMoment::MostWavefronts:
      return {"most wavefronts", "No access of this phase takes more wavefronts. Next: the phase's end."};
    case PhaseMoment::FewestLanes:
      return {"fewest lanes", "No step of this phase has fewer active lanes. Next: the phase's end."};
    case PhaseMoment::End: return {"its end", "Every warp has done all steps of this phase."};
  }
  return {"", ""};
}

/// Ends at `right`; returns its left end.
float drawPlace(const ViewContext& context, float right, float room) {
  const auto measureWidth = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  // The phase, which the timeline marks too, is replaced by the timeline's legend.
  const PhaseMoment moment = context.player().phaseMoment();
  std::string where = placeText(*context.replay(), PlaceParts::All, moment);
  if (measureWidth(where) + TimelinePane::legendWidth(context) > room)
    where = placeText(*context.replay(), PlaceParts::StepAndWavefront, moment);
  if (measureWidth(where) > room) where = placeText(*context.replay(), PlaceParts::Step);
  const float width = measureWidth(where);
  if (width > room) return right;
  ImGui::SameLine(right - width);
  ImGui::AlignTextToFramePadding();
  label(context, where);
  if (moment != PhaseMoment::None) hint(context, describeMoment(moment).tip);
  return right - width;
}

}  // namespace

std::string placeText(const Replay& replay, PlaceParts parts, PhaseMoment moment) {
  const Trace& trace = replay.trace();
  const Cursor cursor = replay.cursor();
  std::string text;
  if (!trace.phases.empty() && parts == PlaceParts::All) {
    text =
        "phase " + std::to_string(replay.currentPhase() + 1) + " of " + std::to_string(trace.phases.size());
  }
  if (moment != PhaseMoment::None && parts != PlaceParts::Step)
    text += (text.empty() ? "" : ": ") + std::string(describeMoment(moment).name);
  if (!text.empty()) text += " · ";
  text += "step " + withCommas(cursor.steps) + " of " + withCommas(trace.steps.size());
  const std::optional<Step> step = replay.currentStep();
  if (step && step->wavefronts > 0 && parts != PlaceParts::Step) {
    text += " · wavefront " + std::to_string(cursor.wavefront) + " of " + std::to_string(step->wavefronts);
  }
  return text;
}

PanelInfo TransportView::panel(const WindowShape& shape) const {
  constexpr float kHeight = 118;
  constexpr float kTimelineAlone = 68;
  return {.id = "transport",
          .place = Place::BottomBar,
          .least = shape.presents ? kTimelineAlone : kHeight,
          .isShown = shape.mode != Mode::Table};
}

std::vector<Command> TransportView::commands(ViewState& state) {
  Player& player = state.session.player();
  // The table has rows and no steps: keys that would move an invisible run do nothing there.
  const std::function<bool()> showsSteps = [&state] { return state.mode != Mode::Table; };
  const auto steps = [&player](Grain grain, bool forward) {
    return [&player, grain, forward] { player.step(grain, forward); };
  };
  constexpr HelpGroup kGroup = HelpGroup::Steps;
  const HelpLine step{"previous, next step; Shift: phase", kGroup};
  const HelpLine phase{"previous, next phase: its most wavefronts or fewest lanes, then its end", kGroup};
  const HelpLine ends{"to the start, to the end", kGroup};
  const HelpLine wavefront{"next, previous wavefront of an access", kGroup};
  const HelpLine speed{"slower, faster", kGroup};
  std::vector<Command> rows{
      {.id = "play",
       .keys = {"Space"},
       .help = {"play or pause", kGroup},
       .label = "##play",
       .applies = showsSteps,
       .run = [&player] { player.togglePlay(); }},
      {.id = "previous step",
       .keys = {"Left"},
       .help = step,
       .label = "##back",
       .tip = "Previous step",
       .applies = showsSteps,
       .run = [&player] { player.back(); }},
      {.id = "next step",
       .keys = {"Right"},
       .help = step,
       .label = "##forward",
       .tip = "Next step",
       .applies = showsSteps,
       .run = [&player] { player.forward(); }},
      {.keys = {"Shift+Left"}, .help = step, .applies = showsSteps, .run = steps(Grain::Phase, false)},
      {.keys = {"Shift+Right"}, .help = step, .applies = showsSteps, .run = steps(Grain::Phase, true)},
      {.id = "previous phase",
       .keys = {"Up"},
       .help = phase,
       .label = "##phaseback",
       .tip = "Previous phase",
       .applies = showsSteps,
       .run = steps(Grain::Phase, false)},
      {.id = "next phase",
       .keys = {"Down"},
       .help = phase,
       .label = "##phaseon",
       .tip = "Next phase: its most wavefronts or fewest active lanes, then its end",
       .applies = showsSteps,
       .run = steps(Grain::Phase, true)},
      {.id = "start",
       .keys = {"Home"},
       .help = ends,
       .label = "##start",
       .tip = "To the start",
       .applies = showsSteps,
       .run = [&player] { player.toStart(); }},
      {.id = "end",
       .keys = {"End"},
       .help = ends,
       .label = "##end",
       .tip = "To the end",
       .applies = showsSteps,
       .run = [&player] { player.toEnd(); }},
      {.keys = {"N"}, .help = wavefront, .applies = showsSteps, .run = steps(Grain::Wavefront, true)},
      {.keys = {"P"}, .help = wavefront, .applies = showsSteps, .run = steps(Grain::Wavefront, false)},
      {.id = "slower",
       .keys = {"-"},
       .help = speed,
       .label = "-##slower",
       .tip = "Slower",
       .run = [&player] { player.changeSpeed(-1); }},
      {.id = "faster",
       .keys = {"+"},
       .also = {"="},
       .help = speed,
       .label = "+##faster",
       .tip = "Faster",
       .run = [&player] { player.changeSpeed(1); }},
      {.id = "animation",
       .keys = {"M"},
       .help = {"how long an animation takes; off", kGroup},
       .tip = "How long the animation to the next state takes",
       .run = [&player] { player.motion().changeSeconds(); }},
  };
  std::ranges::move(TimelinePane::commands(state), std::back_inserter(rows));
  for (const GrainChoice& choice : kGrains)
    rows.push_back({.id = choice.name,
                    .keys = {choice.key},
                    .help = {"step by: phase, line, instruction, wavefront", kGroup},
                    .label = choice.name,
                    .tip = choice.tip,
                    .run = [&player, grain = choice.grain] { player.setGrain(grain); }});
  for (Command& row : stopCommands(state)) rows.push_back(std::move(row));
  return rows;
}

void TransportView::draw(const ViewContext& context, ImVec2 size) {
  const float height = ImGui::GetFrameHeight();
  const ImVec2 start = ImGui::GetCursorPos();
  // The buttons have keys; the walk's place is in the stage's title.
  if (context.state.presenting) {
    if (context.replay() != nullptr) timeline_.draw(context, size);
    return;
  }
  drawButtons(context, height);
  drawGrain(context, height);
  drawSpeed(context, height);
  if (!context.state.hidesFuture()) drawStops(context, height);
  drawMotion(context, height);
  nextGroup(context);
  const float room = start.x + size.x - ImGui::GetCursorPosX();
  const float top = height + 8 * context.unit;
  if (context.replay() == nullptr) {
    ImGui::SetCursorPos(ImVec2(start.x, start.y + top));
    return drawWaiting(context, {}, comesWithRun(context, "Every step of every warp, in order"));
  }
  const float end = start.x + size.x;
  timeline_.drawRow(context, drawPlace(context, end, room), end - room);
  ImGui::SetCursorPos(ImVec2(start.x, start.y + top));
  timeline_.draw(context, ImVec2(size.x, size.y - top));
}

}  // namespace lanescope
