#include "app/views/window/tour.h"

#include <algorithm>
#include <array>
#include <string>

#include "app/views/base/widgets.h"

namespace lanescope {
namespace {

struct TourStep {
  Place place;
  const char* title;
  const char* text;
  const char* command = "";  ///< whose key replaces {}
};

constexpr std::array<TourStep, 5> kTour{{
    {Place::Array, "The array shrinks to one sum",
     "Each row is shared memory after one phase. Arrows run from the two words that are added to the one "
     "that holds their sum. Point at any cell: it lights up everywhere, with where its value came from."},
    {Place::Warps, "Threads work in warps",
     "A warp runs one instruction for all its lanes. Bright lanes take part. Hatched ones are masked off by "
     "a branch: they wait, and their time is lost. Click a lane for its variables."},
    {Place::Banks, "Memory answers in banks",
     "A bank serves one word a pass. Lanes that ask one bank for different words wait for each other: a bank "
     "conflict, with its degree as a number."},
    {Place::Source, "The text is what runs",
     "The line under way is marked, with what it costs beside it. Click into the text, change it, press "
     "{}: the pictures follow, and a race is reported.",
     "run"},
    {Place::Transport, "Walk through it",
     "Right and Left step, Space plays, Down goes a phase on. Drag on the timeline. Then choose the next "
     "strategy: each says what the one before it wasted. ? shows every key."},
}};

/// Beside the panel: right of it where there is room, else left, else above it.
ImVec2 bubblePlace(const Area& area, ImVec2 bubble, ImVec2 window, float gap) {
  const float top = std::clamp(area.y + area.h / 2 - bubble.y / 2, gap, window.y - bubble.y - gap);
  if (area.x + area.w + gap + bubble.x <= window.x) return {area.x + area.w + gap, top};
  if (area.x - gap - bubble.x >= 0) return {area.x - gap - bubble.x, top};
  return {std::clamp(area.x + area.w / 2 - bubble.x / 2, gap, window.x - bubble.x - gap),
          std::max(gap, area.y - gap - bubble.y)};
}

}  // namespace

void endTour(ViewState& state) {
  state.tourStep = -1;
  state.settings.tourSeen = true;
}

std::vector<Command> tourCommands(ViewState& state) {
  const auto shows = [&state] { return state.tourStep >= 0 && !state.dialogOpen(); };
  const auto lead = [&state](int by) {
    return [&state, by] {
      state.tourStep = std::max(state.tourStep + by, 0);
      if (state.tourStep >= static_cast<int>(kTour.size())) endTour(state);
    };
  };
  return {{.id = "next of the tour",
           .keys = {"Right", "Space"},
           .label = "Next",
           .tip = "To the next panel",
           .applies = shows,
           .run = lead(1)},
          // Where questions are asked, it answers them.
          {.keys = {"Enter"},
           .applies = [&state, shows] { return shows() && state.mode != Mode::Predict; },
           .run = lead(1)},
          {.id = "previous of the tour",
           .keys = {"Left"},
           .label = "Back",
           .tip = "To the previous panel",
           .applies = shows,
           .run = lead(-1)}};
}

void drawTour(const ViewContext& context, const WindowLayout& layout) {
  const float unit = context.unit;
  const int index = std::clamp(context.state.tourStep, 0, static_cast<int>(kTour.size()) - 1);
  const TourStep& step = kTour[static_cast<std::size_t>(index)];
  const Area& area = layout.of(step.place);
  if (area.h <= 0) return;
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float width = 400 * unit;
  std::string text = step.text;
  if (const std::size_t at = text.find("{}"); at != std::string::npos)
    text.replace(at, 2, keyText(context.state, step.command));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  const float height = ImGui::CalcTextSize(text.c_str(), nullptr, false, width - 36 * unit).y +
                       2 * ImGui::GetTextLineHeightWithSpacing() + ImGui::GetFrameHeight() + 36 * unit;
  ImGui::SetNextWindowPos(bubblePlace(area, ImVec2(width, height), window, 14 * unit));
  beginOverlay(context, "tour", ColorRole::Accent, ImVec2(18 * unit, 14 * unit));
  // The frame lies below the bubble, above the panels.
  const ImVec2 from(area.x - 2 * unit, area.y - 2 * unit);
  const ImVec2 to(area.x + area.w + 2 * unit, area.y + area.h + 2 * unit);
  ImGui::GetWindowDrawList()->PushClipRectFullScreen();
  ImGui::GetWindowDrawList()->AddRect(from, to, context.color(ColorRole::Accent), 8 * unit, 0, 3 * unit);
  ImGui::GetWindowDrawList()->PopClipRect();
  const std::string count = std::to_string(index + 1) + " of " + std::to_string(kTour.size());
  heading(context, count);
  label(context, step.title, ColorRole::Text, FontRole::Bold);
  wrappedText(context, text);
  ImGui::Dummy(ImVec2(0, 2 * unit));
  const bool isLast = index + 1 == static_cast<int>(kTour.size());
  commandButton(context, "next of the tour",
                {.text = isLast ? "Start" : "Next", .isLit = true, .width = pillWidth(context, "Start")});
  if (index > 0) {
    ImGui::SameLine();
    commandButton(context, "previous of the tour");
  }
  if (!isLast) {
    ImGui::SameLine();
    commandButton(context, "escape", {.text = "Skip"});
  }
  endOverlay();
}

}  // namespace lanescope
