#include "app/panels/variables_pane.h"

#include <algorithm>
#include <bit>
#include <string>

#include "app/pictures/base/moment.h"
#include "app/panels/base/widgets.h"
#include "sim/trace/traced_variables.h"

namespace lanescope {
namespace {

constexpr float kChipPadding = 5;
constexpr float kChipGap = 6;
constexpr std::size_t kTerms = 4;

/// One item in the pane: words, or a variable's button. Positions are from the pane's corner.
struct Chip {
  std::string text;
  FontRole font = FontRole::Body;
  ColorRole color = ColorRole::Text;
  std::int32_t variable = -1;  ///< a button
  ImVec2 at{0, 0};
  float width = 0;
};

std::vector<Chip> makeChips(const ViewContext& context) {
  const Replay& replay = *context.replay();
  const Trace& trace = replay.trace();
  const std::uint32_t thread = threadOfVariables(context);
  const bool pinned = context.marks().thread == std::int64_t{thread};
  std::vector<Chip> chips;
  chips.push_back({"thread " + std::to_string(thread) + (pinned ? ", kept" : ""), FontRole::Bold});
  const std::size_t base = std::size_t{thread} * trace.variables.size();
  for (const std::uint32_t index : variablesWithValues(replay, thread)) {
    const VariableValue& value = replay.state().variables[base + index];
    const TracedVariable& variable = trace.variables[index];
    Chip chip{variable.label + "=" + formatValue(variable.type, value.bits), FontRole::Mono};
    chip.variable = static_cast<std::int32_t>(index);
    chips.push_back(std::move(chip));
    if (trace.provenance.terms(value.from) > 0)
      chips.push_back({trace.provenance.text(value.from, kTerms), FontRole::Body, ColorRole::TextDim});
  }
  const std::int32_t watched = context.marks().variable;
  if (watched >= 0 && std::ranges::find(chips, watched, &Chip::variable) == chips.end()) {
    // The chip that is shown in the lanes stays, so that it can be switched off.
    Chip chip{trace.variables[static_cast<std::size_t>(watched)].label + ": no value", FontRole::Mono};
    chip.variable = watched;
    chips.push_back(std::move(chip));
  }
  if (chips.size() == 1) chips.push_back({"no variable has a value yet", FontRole::Body, ColorRole::TextDim});
  return chips;
}

float rowHeight() { return ImGui::GetTextLineHeight() * 1.45F; }

/// Gives the chips their places, row by row; returns the height.
float place(const ViewContext& context, std::vector<Chip>& chips, float width) {
  float x = 0;
  float y = 0;
  for (Chip& chip : chips) {
    ImGui::PushFont(context.fonts.of(chip.font));
    chip.width = ImGui::CalcTextSize(chip.text.c_str()).x;
    // A sum's parts can be longer than a row.
    const float most = width - 2 * kChipPadding * context.unit;
    while (chip.width > most && chip.text.size() > 4) {
      chip.text.resize(chip.text.size() - (chip.text.ends_with("…") ? 4 : 1));
      // Not inside a character of several bytes.
      while (!chip.text.empty() && (static_cast<unsigned char>(chip.text.back()) & 0x80U) != 0)
        chip.text.pop_back();
      chip.text += "…";
      chip.width = ImGui::CalcTextSize(chip.text.c_str()).x;
    }
    ImGui::PopFont();
    if (chip.variable >= 0) chip.width += 2 * kChipPadding * context.unit;
    if (x > 0 && x + chip.width > width) {
      x = 0;
      y += rowHeight();
    }
    chip.at = ImVec2(x, y);
    x += chip.width + kChipGap * context.unit;
  }
  return y + rowHeight();
}

void drawChip(const ViewContext& context, const Chip& chip) {
  const bool chosen = context.marks().variable == chip.variable;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float height = rowHeight() * 0.86F;
  ImGui::PushID(chip.variable);
  const bool clicked = ImGui::InvisibleButton("chip", ImVec2(std::max(chip.width, 1.0F), height));
  const bool hovered = ImGui::IsItemHovered();
  hint(context, chosen ? "Click: back to thread numbers in the lanes" : "Click: its value in every lane");
  ImGui::PopID();
  if (clicked) context.marks().variable = chosen ? -1 : chip.variable;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, ImVec2(corner.x + chip.width, corner.y + height),
                     context.color(chosen    ? ColorRole::Accent
                                   : hovered ? ColorRole::CellBorder
                                             : ColorRole::Cell),
                     3 * context.unit);
  ImGui::PushFont(context.fonts.of(chip.font));
  list.AddText(
      ImVec2(corner.x + kChipPadding * context.unit, corner.y + (height - ImGui::GetTextLineHeight()) / 2),
      context.color(chosen ? ColorRole::TextOnAccent : ColorRole::Text), chip.text.c_str());
  ImGui::PopFont();
}

}  // namespace

std::uint32_t threadOfVariables(const ViewContext& context) {
  const Replay& replay = *context.replay();
  const Trace& trace = replay.trace();
  std::int64_t thread = context.marks().shownThread();
  const std::optional<Step> step = replay.currentStep();
  if (thread < 0 && step && step->active != 0) {
    const TraceFault* const fault = makeMoment(replay, context.session().plan()).fault();
    const LaneMask lanes = fault != nullptr && fault->lanes != 0 ? fault->lanes : step->active;
    thread = std::int64_t{step->warp} * trace.launch.machine.warpSize + std::countr_zero(lanes);
  }
  return thread < 0 || thread >= std::int64_t{trace.threads} ? 0 : static_cast<std::uint32_t>(thread);
}

std::vector<std::uint32_t> variablesWithValues(const Replay& replay, std::uint32_t thread) {
  const Trace& trace = replay.trace();
  std::vector<std::uint32_t> indices;
  const std::size_t base = std::size_t{thread} * trace.variables.size();
  const std::uint32_t warp = thread / trace.launch.machine.warpSize;
  for (const std::uint32_t index : variablesInSight(trace, thread, replay.state().lastStep[warp])) {
    const TracedVariable& variable = trace.variables[index];
    const bool isResult = variable.name.ends_with("()");  // the result of a function call
    if (replay.state().variables[base + index].set && variable.type != ValueType::Pointer && !isResult)
      indices.push_back(index);
  }
  return indices;
}

float variablesHeight(const ViewContext& context, float width) {
  std::vector<Chip> chips = makeChips(context);
  return place(context, chips, width);
}

void drawVariables(const ViewContext& context, ImVec2 size) {
  ImGui::BeginChild("variables", size);
  std::vector<Chip> chips = makeChips(context);
  float height = place(context, chips, size.x);
  if (height > size.y) height = place(context, chips, size.x - ImGui::GetStyle().ScrollbarSize);
  const ImVec2 origin = ImGui::GetCursorPos();
  for (const Chip& chip : chips) {
    ImGui::SetCursorPos(ImVec2(origin.x + chip.at.x, origin.y + chip.at.y));
    if (chip.variable >= 0)
      drawChip(context, chip);
    else
      label(context, chip.text, chip.color, chip.font);
  }
  ImGui::SetCursorPos(origin);
  ImGui::Dummy(ImVec2(1, height));
  ImGui::EndChild();
}

}  // namespace lanescope
