#include "app/views/top_bar_view.h"

#include <algorithm>
#include <string>

#include "app/views/widgets.h"

namespace lanescope {
namespace {

std::string strategyLabel(const Strategy& strategy) {
  return std::to_string(&strategy - strategies().data() + 1) + " · " + strategy.title;
}

std::string machineLabel(const MachineModel& machine) {
  return std::string(machine.name) + " · " + std::to_string(machine.warpSize) + " lanes, " +
         std::to_string(machine.banks) + " banks";
}

constexpr float kLeastGap = 2;  // units
constexpr float kGaps = 6;      // title, strategy, N, machine, blocks, mode, and what is at the right

/// Width of the widest label, with room for the combo's arrow.
template <class Range, class Labeller>
float comboWidth(const ViewContext& context, const Range& range, Labeller labelOf, float height) {
  float width = 0;
  for (const auto& entry : range) width = std::max(width, pillWidth(context, labelOf(entry)));
  return width + height;
}

/// The file whose kernel is shown in a strategy's place.
std::string fileName(const ViewContext& context) {
  const Document* document = context.session().editor().current();
  return document == nullptr ? "" : document->name();
}

void strategyCombo(const ViewContext& context, float height) {
  const Strategy* chosen = context.session().selection().strategy;
  ImGui::SetNextItemWidth(comboWidth(context, strategies(), strategyLabel, height));
  if (!ImGui::BeginCombo("##strategy",
                         chosen == nullptr ? fileName(context).c_str() : strategyLabel(*chosen).c_str(),
                         ImGuiComboFlags_HeightLargest)) {
    return;
  }
  for (const Strategy& strategy : strategies()) {
    if (ImGui::Selectable(strategyLabel(strategy).c_str(), &strategy == chosen)) {
      context.session().chooseStrategy(strategy);
    }
  }
  ImGui::EndCombo();
}

void elementButtons(const ViewContext& context, float height, bool isTight) {
  if (isTight) {
    ImGui::Dummy(ImVec2(0, height));
  } else {
    label(context, "N", ColorRole::TextDim);
  }
  // A file has its own launch, and so may an edited strategy: then no N is the one.
  const Document* document = context.session().editor().current();
  const std::uint64_t chosen = document != nullptr && document->form ? 0 : context.session().selection().n;
  ImGui::BeginDisabled(document != nullptr && document->strategy == nullptr);
  for (const std::uint64_t n : kElementCounts) {
    ImGui::SameLine();
    const std::string text = std::to_string(n);
    if (pill(context, text.c_str(), n == chosen, pillWidth(context, text), height)) {
      context.session().chooseElements(n);
    }
  }
  ImGui::EndDisabled();
}

void machineCombo(const ViewContext& context, float height, bool isTight) {
  if (!isTight) {
    label(context, "machine", ColorRole::TextDim);
    ImGui::SameLine();
  }
  const MachineModel* chosen = context.session().selection().machine;
  ImGui::SetNextItemWidth(comboWidth(context, machinePresets(), machineLabel, height));
  if (!ImGui::BeginCombo("##machine", chosen == nullptr ? "" : machineLabel(*chosen).c_str(),
                         ImGuiComboFlags_HeightLargest)) {
    return;
  }
  for (const MachineModel& machine : machinePresets()) {
    if (ImGui::Selectable(machineLabel(machine).c_str(), &machine == chosen)) {
      context.session().chooseMachine(machine);
    }
    hint(context, std::string(machine.description).c_str());
  }
  ImGui::EndCombo();
}

/// How many blocks share the elements, and which of them is shown.
void blockChoice(const ViewContext& context, float height) {
  Session& session = context.session();
  const Selection& chosen = session.selection();
  label(context, "blocks", ColorRole::TextDim);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(pillWidth(context, "16") + height);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8 * context.unit, 8 * context.unit));
  if (ImGui::BeginCombo("##blocks", std::to_string(chosen.blocks).c_str())) {
    for (const std::uint64_t blocks : session.blockCounts()) {
      if (ImGui::Selectable(std::to_string(blocks).c_str(), blocks == chosen.blocks))
        session.chooseBlocks(blocks);
    }
    ImGui::EndCombo();
  }
  ImGui::PopStyleVar();
  hint(context, "Blocks that share the elements");
  if (chosen.blocks < 2) return;
  const auto last = static_cast<std::uint32_t>(chosen.blocks - 1);
  ImGui::SameLine();
  if (pill(context, "<##block", false, height, height))
    session.chooseBlocks(chosen.blocks, chosen.block == 0 ? last : chosen.block - 1);
  hint(context, "The block before");
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  label(context, "block " + std::to_string(chosen.block));
  ImGui::SameLine();
  if (pill(context, ">##block", false, height, height))
    session.chooseBlocks(chosen.blocks, chosen.block == last ? 0 : chosen.block + 1);
  hint(context, "The block after");
}

/// What the window is for.
void modeCombo(const ViewContext& context, float height, float gap) {
  ImGui::SameLine(0, gap);
  const auto titleOf = [](const OfferedMode& mode) { return std::string(mode.title); };
  ImGui::SetNextItemWidth(comboWidth(context, kOfferedModes, titleOf, height));
  Mode& chosen = context.state.mode;
  const auto* at = std::ranges::find(kOfferedModes, chosen, &OfferedMode::mode);
  if (!ImGui::BeginCombo("##mode", at->title, ImGuiComboFlags_HeightLargest)) return;
  for (const OfferedMode& mode : kOfferedModes) {
    if (ImGui::Selectable(mode.title, mode.mode == chosen)) chosen = mode.mode;
    hint(context, mode.tip);
  }
  ImGui::EndCombo();
}

float themeWidth(const ViewContext& context) {
  float width = 0;
  for (const Theme& theme : themes()) width = std::max(width, pillWidth(context, theme.title));
  return width;
}

float themeAndHelpWidth(const ViewContext& context, float height) {
  return pillWidth(context, "Export") + themeWidth(context) + height + 2 * ImGui::GetStyle().ItemSpacing.x;
}

void themeAndHelp(const ViewContext& context, float height) {
  const std::string title(context.theme().title);
  if (pill(context, "Export", context.state.exportDialog, pillWidth(context, "Export"), height))
    context.state.exportDialog = !context.state.exportDialog;
  hint(context, "Take away pictures, the walk, counters or the trace (E)");
  ImGui::SameLine();
  if (pill(context, title.c_str(), false, themeWidth(context), height)) {
    context.state.theme = &nextTheme(context.theme());
  }
  hint(context, "Theme: dark, light, high contrast (T)");
  ImGui::SameLine();
  if (pill(context, "?", context.state.helpOpen, height, height)) {
    context.state.helpOpen = !context.state.helpOpen;
  }
  hint(context, "Keys (?)");
}

}  // namespace

const Theme& nextTheme(const Theme& theme) {
  const std::span<const Theme> all = themes();
  const auto index = static_cast<std::size_t>(&theme - all.data());
  return all[(index + 1) % all.size()];
}

/// The choice of a block, or a narrow window, takes room from the gaps and the labels.
bool TopBarView::isTight(const ViewContext& context, float width) const {
  return context.session().selection().blocks > 1 || (spacious_ + kGaps * kLeastGap) * context.unit > width;
}

/// The room that is left, shared by the gaps. By the frame before: what is between the gaps needs as much.
float TopBarView::gapOf(const ViewContext& context, float width, bool isTight) const {
  const float most = isTight ? 9.0F : 18.0F;
  return std::clamp((width / context.unit - content_) / kGaps, kLeastGap, most) * context.unit;
}

void TopBarView::draw(const ViewContext& context, ImVec2 size) {
  const float height = ImGui::GetFrameHeight();
  const float left = ImGui::GetCursorPosX();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::max(0.0F, (size.y - height) / 2));
  ImGui::AlignTextToFramePadding();
  label(context, "Lanescope", ColorRole::Text, FontRole::Bold);
  const bool tight = isTight(context, size.x);
  const float gap = gapOf(context, size.x, tight);
  ImGui::SameLine(0, gap);
  strategyCombo(context, height);
  ImGui::SameLine(0, gap);
  elementButtons(context, height, tight);
  ImGui::SameLine(0, gap);
  machineCombo(context, height, tight);
  ImGui::SameLine(0, gap);
  blockChoice(context, height);
  modeCombo(context, height, gap);
  const float right = left + size.x - themeAndHelpWidth(context, height);
  ImGui::SameLine(0, gap);
  content_ = (ImGui::GetCursorPosX() - right + size.x - kGaps * gap) / context.unit;
  if (!tight) spacious_ = content_;
  const bool hasRoom = ImGui::GetCursorPosX() + ImGui::CalcTextSize("simulating…").x + gap < right;
  if (context.session().simulating() && hasRoom) label(context, "simulating…", ColorRole::TextDim);
  ImGui::SameLine(right);
  themeAndHelp(context, height);
}

}  // namespace lanescope
