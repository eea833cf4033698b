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
    {"C  D  H  B", "next conflict, divergence, hazard, barrier; Shift: back"},
    {"[  ]", "the warp before or after, shown large where there are many"},
    {"L", "breakpoint on the line under way"},
    {"-  +", "slower or faster"},
    {"M", "how long moves are shown; off"},
    {",  .", "the strategy before or after"},
    {"<  >", "half or twice the elements"},
    {"K  O  V", "next machine, number of blocks, block that is shown"},
    {"U", "is it luck? Runs it in other orders"},
    {"G  F7", "the GPU panel large; its next page, Shift: the one before"},
    {"F8", "time on the GPU, or cancel; Shift: replay, or counters"},
    {"F9", "what is timed, whose times, files; Shift: cold or warm"},
    {"F10  F12", "GPU: N, with Shift threads a block; blocks of a grid"},
    {"T", "next theme"},
    {"F  F11", "full screen"},
    {"F5", "present: large type, no buttons; Esc ends it"},
    {"S", "the pointer as a spot of light"},
    {"Ctrl + - 0", "larger or smaller text; the window's own"},
    {"F2  J", "compare; with the next strategy, Shift: the one before"},
    {"F3", "the table: Up, Down, Enter choose a row; Ctrl+C copies"},
    {"F4", "predict: Enter checks and goes on, Y, N answer"},
    {"F6  Q", "predict: shows the answer; saves the results"},
    {"Ctrl+Enter", "run the text at hand; Enter: a changed launch"},
    {"Ctrl+O", "open a kernel file or a session"},
    {"Ctrl+S", "save the session or the text"},
    {"I  X", "write in the source, Esc ends that; back to its own text"},
    {"W", "the launch: kernel, grid, block and data"},
    {"E", "export: pictures, the walk, counters, the trace"},
    {"?", "this help"},
    {"Pointer", "lights up a thread or a word in every picture"},
    {"Click", "keeps a thread, shows a variable in every lane, goes to a row"},
    {"Esc", "lets go of what was clicked, or of a changed launch"},
});

}  // namespace

void drawHelp(const ViewContext& context, ImVec2 size) {
  const float unit = context.unit;
  ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
  ImGui::SetNextWindowFocus();
  beginOverlay(context, "help", ColorRole::Accent, ImVec2(20 * unit, 18 * unit),
               ImGuiWindowFlags_AlwaysAutoResize);
  heading(context, "KEYS");
  float keys = 0;
  ImGui::PushFont(context.fonts.of(FontRole::Bold));
  for (const KeyHelp& entry : kHelp) keys = std::max(keys, ImGui::CalcTextSize(entry.keys).x);
  ImGui::PopFont();
  float does = 0;
  for (const KeyHelp& entry : kHelp) does = std::max(does, ImGui::CalcTextSize(entry.does).x);
  // Two columns, read one after the other.
  constexpr std::size_t kRows = (kHelp.size() + 1) / 2;
  const float left = ImGui::GetCursorPosX();
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t column = 0; column < 2; ++column) {
      const std::size_t index = column * kRows + row;
      if (index >= kHelp.size()) continue;
      const float at = left + static_cast<float>(column) * (keys + does + 52 * unit);
      if (column > 0) ImGui::SameLine(at);
      label(context, kHelp[index].keys, ColorRole::Text, FontRole::Bold);
      ImGui::SameLine(at + keys + 18 * unit);
      label(context, kHelp[index].does);
    }
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
  endOverlay();
}

}  // namespace lanescope
