#include "app/views/help.h"

#include <algorithm>
#include <array>

#include "app/views/widgets.h"

namespace lanescope {
namespace {

struct KeyHelp {
  const char* keys;
  const char* does;
};

constexpr auto kHelp = std::to_array<KeyHelp>({
    {"Space", "play or pause"},
    {"Left, Right", "one grain back or on"},
    {"Up, Down", "one phase back or on (also Shift and an arrow)"},
    {"Home, End", "to the start or the end"},
    {"1  2  3", "grain: phase, instruction, wavefront"},
    {"N  P", "one pass of an access on or back"},
    {"R", "run to the next breakpoint; with Shift to the one before"},
    {"C  D  H  B", "next conflict, divergence, hazard, barrier; with Shift the one before"},
    {"[  ]", "the warp before or after, shown large where there are many"},
    {"L", "breakpoint on the line under way"},
    {"-  +", "slower or faster"},
    {"M", "how long moves are shown; off"},
    {"T", "next theme"},
    {"F  F11", "full screen"},
    {"F5", "present: large type, no buttons; Esc ends it"},
    {"S", "the pointer as a spot of light"},
    {"Ctrl + - 0", "larger or smaller text; the window's own"},
    {"F2", "compare with another strategy, side by side; Esc leaves"},
    {"F3", "the table of all strategies; Up, Down and Enter choose a row"},
    {"F4", "predict: Enter checks and goes on, Y and N answer, A shows the answer"},
    {"Ctrl+Enter", "run the text at hand"},
    {"Ctrl+O", "open a kernel file or a session"},
    {"Ctrl+S", "save the session or the text"},
    {"Click", "in the source edits it; Esc ends that"},
    {"E", "export: pictures, the walk, counters, the trace"},
    {"?", "this help"},
    {"Pointer", "lights up a thread or a word in every picture"},
    {"Click", "keeps a thread, shows a variable in every lane, goes to a row"},
    {"Esc", "lets go of what was clicked"},
});

}  // namespace

void drawHelp(const ViewContext& context, ImVec2 size) {
  const float unit = context.unit;
  ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(20 * unit, 18 * unit));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, context.color(ColorRole::Panel));
  ImGui::PushStyleColor(ImGuiCol_Border, context.color(ColorRole::Accent));
  ImGui::SetNextWindowFocus();
  ImGui::Begin("help", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_AlwaysAutoResize);
  heading(context, "KEYS");
  float column = 0;
  ImGui::PushFont(context.fonts.of(FontRole::Bold));
  for (const KeyHelp& entry : kHelp) column = std::max(column, ImGui::CalcTextSize(entry.keys).x);
  ImGui::PopFont();
  for (const KeyHelp& entry : kHelp) {
    label(context, entry.keys, ColorRole::Text, FontRole::Bold);
    ImGui::SameLine(20 * unit + column + 24 * unit);
    label(context, entry.does);
  }
  ImGui::Dummy(ImVec2(0, 2 * unit));
  if (pill(context, "Show the tour", false, pillWidth(context, "Show the tour"), ImGui::GetFrameHeight())) {
    context.state.tourStep = 0;
    context.state.helpOpen = false;
  }
  if (ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
      !ImGui::IsWindowAppearing()) {
    context.state.helpOpen = false;
  }
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

}  // namespace lanescope
