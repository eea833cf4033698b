#include "app/window/view_menu.h"

#include <algorithm>
#include <string>

#include "app/gpu/gpu_session.h"
#include "app/gpu/sm_fit.h"
#include "app/panels/base/widgets.h"
#include "app/window/panels.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr const char* kView = "View";

/// `nvidia · 4 blocks`.
std::string setupLabel(std::string_view machine, std::uint64_t blocks) {
  return std::string(machine) + " · " + counted(blocks, "block");
}

std::string machineEntry(const MachineModel& machine) {
  return std::string(machine.name) + ": " + std::to_string(machine.warpSize) + " lanes, " +
         std::to_string(machine.banks) + " banks of " + std::to_string(machine.bankBytes) + " bytes";
}

void machines(const ViewContext& context) {
  heading(context, "MACHINE");
  const MachineModel* chosen = context.session().selection().machine;
  for (const MachineModel& machine : machinePresets()) {
    if (choice(machineEntry(machine).c_str(), &machine == chosen)) context.session().chooseMachine(machine);
    hint(context, std::string(machine.description).c_str());
  }
}

void blocks(const ViewContext& context) {
  Session& session = context.session();
  const Selection& chosen = session.selection();
  const std::vector<std::uint64_t> counts = session.blockCounts();
  ImGui::Separator();
  heading(context, "BLOCKS", counts.empty() ? "of the launch" : "that share the elements");
  const float height = ImGui::GetFrameHeight();
  for (const std::uint64_t count : counts) {
    const std::string text = std::to_string(count);
    if (count != counts.front()) ImGui::SameLine();
    if (pill(context, text.c_str(), count == chosen.blocks, pillWidth(context, text), height))
      session.chooseBlocks(count);
  }
  if (session.gridBlocks() > 1) {
    commandButton(context, "previous block", {.width = height, .height = height});
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    label(context, "block " + std::to_string(chosen.block) + " is shown");
    ImGui::SameLine();
    commandButton(context, "next block", {.width = height, .height = height});
  }
  const auto fit = session.shownRun() == nullptr
                       ? std::nullopt
                       : computeSmFit(session.shownRun()->launch(), context.state.gpu);
  if (!fit) return;
  label(context, fitBrief(*fit), ColorRole::TextDim);
  hint(context, fitDetail(*fit).c_str());
}

void layouts(const ViewContext& context) {
  ViewState& state = context.state;
  heading(context, "LAYOUT", "next: " + keyText(state, "next layout"));
  for (const Arrangement& arrangement : arrangements()) {
    const bool isChosen =
        &arrangement == &findArrangement(state.settings.layout) && state.settings.panels.empty();
    if (choice(arrangement.title, isChosen)) arrange(state, arrangement);
    hint(context, arrangement.tip);
  }
}

void looks(const ViewContext& context) {
  ViewState& state = context.state;
  ImGui::Separator();
  heading(context, "THEME", "next: " + keyText(state, "theme"));
  for (const Theme& theme : themes()) {
    if (choice(std::string(theme.title).c_str(), &theme == state.theme)) state.theme = &theme;
  }
  ImGui::Separator();
  heading(context, "TEXT");
  commandButton(context, "smaller text");
  ImGui::SameLine();
  commandButton(context, "own text size");
  ImGui::SameLine();
  commandButton(context, "larger text");
}

void rest(const ViewContext& context) {
  ViewState& state = context.state;
  ImGui::Separator();
  for (const char* id : {"full screen", "laser", "export", "glossary", "first lesson"}) {
    const Command& command = state.commands->of(id);
    if (choice((command.label + " (" + keyText(state, id) + ")").c_str(), false)) runCommand(state, command);
  }
}

}  // namespace

float setupWidth(const ViewContext& context) {
  float width = 0;
  for (const MachineModel& machine : machinePresets())
    width = std::max(width, pillWidth(context, setupLabel(machine.name, 16)));
  return width + ImGui::GetFrameHeight();
}

void setupMenu(const ViewContext& context) {
  const Selection& chosen = context.session().selection();
  const std::string_view machine = chosen.machine == nullptr ? std::string_view() : chosen.machine->name;
  ImGui::SetNextItemWidth(setupWidth(context));
  const bool isOpen = beginCombo(context, "##setup", setupLabel(machine, context.session().gridBlocks()));
  if (isOpen) {
    machines(context);
    blocks(context);
    ImGui::EndCombo();
  } else {
    hint(context, "The machine that is simulated, and the blocks of the launch");
  }
}

float viewMenuWidth(const ViewContext& context) {
  return pillWidth(context, kView) + ImGui::GetFrameHeight();
}

void viewMenu(const ViewContext& context) {
  ImGui::SetNextItemWidth(viewMenuWidth(context));
  if (!beginCombo(context, "##view", kView)) return;
  layouts(context);
  looks(context);
  rest(context);
  ImGui::EndCombo();
}

}  // namespace lanescope
