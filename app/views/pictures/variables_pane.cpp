#include "app/views/pictures/variables_pane.h"

#include <algorithm>
#include <bit>
#include <string>

#include "app/scene/base/moment.h"
#include "app/views/base/widgets.h"
#include "sim/trace/traced_variables.h"

namespace lanescope {
namespace {

constexpr float kChipPadding = 5;
constexpr float kGap = 6;
constexpr std::size_t kTerms = 4;

/// One thing in the pane: words, or a variable's button. Positions are from the pane's corner.
struct Piece {
  std::string text;
  FontRole font = FontRole::Body;
  ColorRole color = ColorRole::Text;
  std::int32_t variable = -1;  ///< a button
  ImVec2 at{0, 0};
  float width = 0;
};

std::vector<Piece> piecesOf(const ViewContext& context) {
  const Replay& replay = *context.replay();
  const Trace& trace = replay.trace();
  const std::uint32_t thread = threadOfVariables(context);
  const bool pinned = context.marks().thread == std::int64_t{thread};
  std::vector<Piece> pieces;
  pieces.push_back({"thread " + std::to_string(thread) + (pinned ? ", kept" : ""), FontRole::Bold});
  const std::size_t base = std::size_t{thread} * trace.variables.size();
  for (const std::uint32_t index : variablesWithValues(replay, thread)) {
    const VariableValue& value = replay.state().variables[base + index];
    const TracedVariable& variable = trace.variables[index];
    Piece chip{variable.label + "=" + formatValue(variable.type, value.bits), FontRole::Mono};
    chip.variable = static_cast<std::int32_t>(index);
    pieces.push_back(std::move(chip));
    if (trace.provenance.terms(value.from) > 0)
      pieces.push_back({trace.provenance.text(value.from, kTerms), FontRole::Body, ColorRole::TextDim});
  }
  const std::int32_t watched = context.marks().variable;
  if (watched >= 0 && std::ranges::find(pieces, watched, &Piece::variable) == pieces.end()) {
    // The one that is shown in the lanes stays to be let go of.
    Piece chip{trace.variables[static_cast<std::size_t>(watched)].label + ": no value", FontRole::Mono};
    chip.variable = watched;
    pieces.push_back(std::move(chip));
  }
  if (pieces.size() == 1)
    pieces.push_back({"no variable has a value yet", FontRole::Body, ColorRole::TextDim});
  return pieces;
}

float rowHeight() { return ImGui::GetTextLineHeight() * 1.45F; }

/// Gives the pieces their places, row by row; returns the height.
float place(const ViewContext& context, std::vector<Piece>& pieces, float width) {
  float x = 0;
  float y = 0;
  for (Piece& piece : pieces) {
    ImGui::PushFont(context.fonts.of(piece.font));
    piece.width = ImGui::CalcTextSize(piece.text.c_str()).x;
    // What a sum was made of may be longer than a row.
    const float most = width - 2 * kChipPadding * context.unit;
    while (piece.width > most && piece.text.size() > 4) {
      piece.text.resize(piece.text.size() - (piece.text.ends_with("…") ? 4 : 1));
      // Not within a sign of several bytes.
      while (!piece.text.empty() && (static_cast<unsigned char>(piece.text.back()) & 0x80U) != 0)
        piece.text.pop_back();
      piece.text += "…";
      piece.width = ImGui::CalcTextSize(piece.text.c_str()).x;
    }
    ImGui::PopFont();
    if (piece.variable >= 0) piece.width += 2 * kChipPadding * context.unit;
    if (x > 0 && x + piece.width > width) {
      x = 0;
      y += rowHeight();
    }
    piece.at = ImVec2(x, y);
    x += piece.width + kGap * context.unit;
  }
  return y + rowHeight();
}

void drawChip(const ViewContext& context, const Piece& piece) {
  const bool chosen = context.marks().variable == piece.variable;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float height = rowHeight() * 0.86F;
  ImGui::PushID(piece.variable);
  const bool clicked = ImGui::InvisibleButton("chip", ImVec2(std::max(piece.width, 1.0F), height));
  const bool hovered = ImGui::IsItemHovered();
  hint(context, chosen ? "Click: back to thread numbers in the lanes" : "Click: its value in every lane");
  ImGui::PopID();
  if (clicked) context.marks().variable = chosen ? -1 : piece.variable;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, ImVec2(corner.x + piece.width, corner.y + height),
                     context.color(chosen    ? ColorRole::Accent
                                   : hovered ? ColorRole::CellBorder
                                             : ColorRole::Cell),
                     3 * context.unit);
  ImGui::PushFont(context.fonts.of(piece.font));
  list.AddText(
      ImVec2(corner.x + kChipPadding * context.unit, corner.y + (height - ImGui::GetTextLineHeight()) / 2),
      context.color(chosen ? ColorRole::TextOnAccent : ColorRole::Text), piece.text.c_str());
  ImGui::PopFont();
}

}  // namespace

std::uint32_t threadOfVariables(const ViewContext& context) {
  const Replay& replay = *context.replay();
  const Trace& trace = replay.trace();
  std::int64_t thread = context.marks().shownThread();
  const std::optional<Step> step = replay.currentStep();
  if (thread < 0 && step && step->active != 0) {
    const TraceFault* const fault = momentOf(replay, context.session().plan()).fault();
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
    const bool isResult = variable.name.ends_with("()");  // what a function call gave
    if (replay.state().variables[base + index].set && variable.type != ValueType::Pointer && !isResult)
      indices.push_back(index);
  }
  return indices;
}

float variablesHeight(const ViewContext& context, float width) {
  std::vector<Piece> pieces = piecesOf(context);
  return place(context, pieces, width);
}

void drawVariables(const ViewContext& context, ImVec2 size) {
  ImGui::BeginChild("variables", size);
  std::vector<Piece> pieces = piecesOf(context);
  float height = place(context, pieces, size.x);
  if (height > size.y) height = place(context, pieces, size.x - ImGui::GetStyle().ScrollbarSize);
  const ImVec2 origin = ImGui::GetCursorPos();
  for (const Piece& piece : pieces) {
    ImGui::SetCursorPos(ImVec2(origin.x + piece.at.x, origin.y + piece.at.y));
    if (piece.variable >= 0)
      drawChip(context, piece);
    else
      label(context, piece.text, piece.color, piece.font);
  }
  ImGui::SetCursorPos(origin);
  ImGui::Dummy(ImVec2(1, height));
  ImGui::EndChild();
}

}  // namespace lanescope
