#include "app/views/window/top_bar_view.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <imgui_stdlib.h>

#include "app/views/base/widgets.h"
#include "app/views/gpu/titles.h"

namespace lanescope {
namespace {

std::string strategyLabel(const Strategy& strategy) {
  return std::to_string(&strategy - strategies().data() + 1) + " · " + strategy.title;
}

std::string machineLabel(const MachineModel& machine) {
  return std::string(machine.name) + " · " + std::to_string(machine.warpSize) + " lanes, " +
         std::to_string(machine.banks) + " banks";
}

/// The same for the open menu, which has room to say how wide the banks are.
std::string machineEntry(const MachineModel& machine) {
  return machineLabel(machine) + " of " + std::to_string(machine.bankBytes) + " bytes";
}

constexpr float kLeastGap = 2;              // units
constexpr float kMostGap = 18;              // units
constexpr float kMostTightGap = 9;          // units
constexpr float kAllElements = 1660;        // units: with several blocks a narrower bar offers fewer N
constexpr float kMostFoldedStrategy = 250;  // units
constexpr float kGaps = 6;  // title, strategy, N, machine, blocks, mode, and what is at the right

/// What is left out where the room is scarce.
struct Density {
  bool isTight = false;  ///< the labels "N" and "machine"
  bool isShort = false;  ///< the N that are asked for least, too
  bool isFolded =
      false;  ///< the title, all buttons for N but a list of them, what a machine's name stands for
};

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

void strategyCombo(const ViewContext& context, float width) {
  const Strategy* chosen = context.session().selection().strategy;
  ImGui::SetNextItemWidth(width);
  if (!beginCombo(context, "##strategy", chosen == nullptr ? fileName(context) : strategyLabel(*chosen)))
    return;
  for (const Strategy& strategy : strategies()) {
    if (choice(strategyLabel(strategy).c_str(), &strategy == chosen)) {
      context.session().chooseStrategy(strategy);
    }
  }
  ImGui::EndCombo();
}

/// Leaves out those whose room other things need.
bool isOffered(std::uint64_t n, bool isShort) { return !isShort || (n != 16 && n != 128 && n != 512); }

/// False where it cannot be had, which is told.
bool chooseElements(const ViewContext& context, const std::string& text) {
  Session& session = context.session();
  const Result<std::uint64_t> n = readElements(text);
  if (!n) {
    context.state.tell(n.error().sentence());
    return false;
  }
  session.chooseElements(*n);
  if (session.error().empty()) return true;
  context.state.tell(withTitles(session.error()));
  session.dismissError();
  return false;
}

float elementFieldWidth(const ViewContext& context) { return pillWidth(context, "65536") - 4 * context.unit; }

/// Takes any number; shows the one at hand where no button does.
void elementField(const ViewContext& context, std::uint64_t chosen, bool isShort, ElementField& field) {
  const bool hasButton =
      std::ranges::find(kElementCounts, chosen) != kElementCounts.end() && isOffered(chosen, isShort);
  if (!field.isActive && !field.isRefused)
    field.text = chosen == 0 || hasButton ? "" : std::to_string(chosen);
  const bool isLit = !field.isActive && !field.text.empty();
  ImGui::SameLine();
  ImGui::SetNextItemWidth(elementFieldWidth(context));
  if (isLit) {
    ImGui::PushStyleColor(ImGuiCol_FrameBg, context.color(ColorRole::Accent));
    ImGui::PushStyleColor(ImGuiCol_Text, context.color(ColorRole::TextOnAccent));
  }
  const bool isEntered = ImGui::InputTextWithHint(
      "##n", "other", &field.text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (isLit) ImGui::PopStyleColor(2);
  const bool wasActive = std::exchange(field.isActive, ImGui::IsItemActive());
  // While one types it would cover the choices below.
  if (!field.isActive) hint(context, "Any other number of elements: type it, as 33, and press Enter");
  if (isEntered) {
    field.isRefused = !chooseElements(context, field.text);
    if (field.isRefused)
      ImGui::SetKeyboardFocusHere(-1);  // what is typed next is its correction, no shortcuts
  } else if (wasActive && !field.isActive) {
    field.isRefused = false;
  }
}

float elementListWidth(const ViewContext& context) {
  return pillWidth(context, "1024") + ImGui::GetFrameHeight();
}

float elementsWidth(const ViewContext& context, Density density) {
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  if (density.isFolded)
    return labelWidth(context, "N") + elementListWidth(context) + elementFieldWidth(context) + 2 * spacing;
  float width = density.isTight ? 0.0F : labelWidth(context, "N") + spacing;
  for (const std::uint64_t n : kElementCounts) {
    if (isOffered(n, density.isShort)) width += pillWidth(context, std::to_string(n)) + spacing;
  }
  return width + elementFieldWidth(context);
}

/// The buttons as a list, for a bar that has no room for them; empty where N is another one.
void elementList(const ViewContext& context, std::uint64_t chosen) {
  label(context, "N", ColorRole::TextDim);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(elementListWidth(context));
  const bool isOne = std::ranges::find(kElementCounts, chosen) != kElementCounts.end();
  if (!beginCombo(context, "##elements", isOne ? std::to_string(chosen) : "")) return;
  for (const std::uint64_t n : kElementCounts) {
    if (choice(std::to_string(n).c_str(), n == chosen)) context.session().chooseElements(n);
  }
  ImGui::EndCombo();
}

void elementButtons(const ViewContext& context, float height, Density density, std::uint64_t chosen) {
  if (!density.isTight) label(context, "N", ColorRole::TextDim);
  bool isFirst = density.isTight;
  for (const std::uint64_t n : kElementCounts) {
    if (!isOffered(n, density.isShort)) continue;
    if (!std::exchange(isFirst, false)) ImGui::SameLine();
    const std::string text = std::to_string(n);
    if (pill(context, text.c_str(), n == chosen, pillWidth(context, text), height)) {
      context.session().chooseElements(n);
    }
  }
}

void elementChoice(const ViewContext& context, float height, Density density, ElementField& field) {
  // A file has its own launch, and so may an edited strategy: then no N is the one.
  const Document* document = context.session().editor().current();
  const std::uint64_t chosen = document != nullptr && document->form ? 0 : context.session().selection().n;
  ImGui::BeginDisabled(document != nullptr && document->strategy == nullptr);
  if (density.isFolded)
    elementList(context, chosen);
  else
    elementButtons(context, height, density, chosen);
  elementField(context, document != nullptr && document->strategy == nullptr ? 0 : chosen, density.isShort,
               field);
  ImGui::EndDisabled();
}

std::string machineName(const MachineModel& machine) { return std::string(machine.name); }

float machinesWidth(const ViewContext& context, Density density, float height) {
  if (density.isFolded) return comboWidth(context, machinePresets(), machineName, height);
  const float label =
      density.isTight ? 0.0F : labelWidth(context, "machine") + ImGui::GetStyle().ItemSpacing.x;
  return label + comboWidth(context, machinePresets(), machineLabel, height);
}

void machineCombo(const ViewContext& context, Density density, float height) {
  if (!density.isTight) {
    label(context, "machine", ColorRole::TextDim);
    ImGui::SameLine();
  }
  const MachineModel* chosen = context.session().selection().machine;
  const auto labelOf = density.isFolded ? &machineName : &machineLabel;
  ImGui::SetNextItemWidth(comboWidth(context, machinePresets(), labelOf, height));
  if (!beginCombo(context, "##machine", chosen == nullptr ? "" : labelOf(*chosen))) return;
  for (const MachineModel& machine : machinePresets()) {
    if (choice(machineEntry(machine).c_str(), &machine == chosen)) {
      context.session().chooseMachine(machine);
    }
    hint(context, std::string(machine.description).c_str());
  }
  ImGui::EndCombo();
}

std::string blockLabel(const Selection& chosen) { return "block " + std::to_string(chosen.block); }

float blocksWidth(const ViewContext& context, float height) {
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const Selection& chosen = context.session().selection();
  const float width = labelWidth(context, "blocks") + spacing + pillWidth(context, "16") + height;
  if (chosen.blocks < 2) return width;
  return width + 3 * spacing + 2 * height + labelWidth(context, blockLabel(chosen));
}

/// How many blocks share the elements, and which of them is shown.
void blockChoice(const ViewContext& context, float height) {
  Session& session = context.session();
  const Selection& chosen = session.selection();
  label(context, "blocks", ColorRole::TextDim);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(pillWidth(context, "16") + height);
  if (beginCombo(context, "##blocks", std::to_string(chosen.blocks))) {
    for (const std::uint64_t blocks : session.blockCounts()) {
      if (choice(std::to_string(blocks).c_str(), blocks == chosen.blocks)) session.chooseBlocks(blocks);
    }
    ImGui::EndCombo();
  }
  hint(context, "Blocks that share the elements");
  if (chosen.blocks < 2) return;
  ImGui::SameLine();
  commandButton(context, "previous block", {.width = height, .height = height});
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  label(context, blockLabel(chosen));
  ImGui::SameLine();
  commandButton(context, "next block", {.width = height, .height = height});
}

std::string modeLabel(const OfferedMode& mode) { return std::string(mode.title); }

/// What the window is for.
void modeCombo(const ViewContext& context, float width) {
  ImGui::SetNextItemWidth(width);
  Mode& chosen = context.state.mode;
  const auto* at = std::ranges::find(kOfferedModes, chosen, &OfferedMode::mode);
  if (!beginCombo(context, "##mode", at->title)) return;
  for (const OfferedMode& mode : kOfferedModes) {
    if (choice(mode.title, mode.mode == chosen)) chosen = mode.mode;
    if (*mode.command == 0)
      hint(context, mode.tip);
    else
      commandHint(context, mode.command, mode.tip);
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
  commandButton(context, "export", {.isLit = context.state.dialog == Dialog::Export, .height = height});
  ImGui::SameLine();
  commandButton(context, "theme", {.text = title.c_str(), .width = themeWidth(context), .height = height});
  ImGui::SameLine();
  commandButton(context, "help", {.isLit = context.state.helpOpen, .width = height, .height = height});
}

/// Widths of the parts of the bar, from left to right, pixels.
struct Widths {
  float title = 0;
  float strategy = 0;
  float elements = 0;
  float machine = 0;
  float blocks = 0;
  float mode = 0;
  float right = 0;  ///< export, theme and help

  float sum() const { return title + strategy + elements + machine + blocks + mode + right; }
};

Widths widthsOf(const ViewContext& context, Density density, float height) {
  const float strategy = comboWidth(context, strategies(), strategyLabel, height);
  return {.title = density.isFolded ? 0.0F : labelWidth(context, "Lanescope", FontRole::Bold),
          .strategy = density.isFolded ? std::min(strategy, kMostFoldedStrategy * context.unit) : strategy,
          .elements = elementsWidth(context, density),
          .machine = machinesWidth(context, density, height),
          .blocks = blocksWidth(context, height),
          .mode = comboWidth(context, kOfferedModes, modeLabel, height),
          .right = themeAndHelpWidth(context, height)};
}

struct Layout {
  Density density;
  Widths widths;
  float gap = 0;  ///< between two parts, pixels
};

/// Shares what the parts leave of that width between the gaps. Measured before anything is drawn: no frame
/// shows the room of the one before.
Layout layOut(const ViewContext& context, float width, float height) {
  Layout layout;
  const auto fits = [&](Density density) {
    layout.density = density;
    layout.widths = widthsOf(context, density, height);
    return layout.widths.sum() + kGaps * kLeastGap * context.unit <= width;
  };
  // The choice of a block, or a narrow window, takes room from the gaps and the labels.
  const bool hasBlocks = context.session().selection().blocks > 1;
  const bool isShort = width < kAllElements * context.unit;
  if (context.state.isFolded || ((hasBlocks || !fits({})) && !fits({.isTight = true, .isShort = isShort})))
    fits({.isTight = true, .isFolded = true});
  const float most = layout.density.isTight ? kMostTightGap : kMostGap;
  layout.gap =
      std::clamp((width - layout.widths.sum()) / kGaps, kLeastGap * context.unit, most * context.unit);
  return layout;
}

constexpr const char* kOwnLaunch = "A file has a launch of its own: Launch, under the source, changes it.";

/// The entry `by` places on from that one, or none.
template <class All, class Here>
auto neighbour(const All& all, Here here, std::ptrdiff_t by) {
  const std::ptrdiff_t next = (here - std::begin(all)) + by;
  return next >= 0 && next < std::ssize(all) ? std::begin(all) + next : std::end(all);
}

Refusal moveStrategy(Session& session, std::ptrdiff_t by) {
  const std::span<const Strategy> all = strategies();
  const auto here =
      std::ranges::find(all, session.selection().strategy, [](const Strategy& one) { return &one; });
  const auto next = here == all.end() ? all.begin() : neighbour(all, here, by);
  if (next == all.end()) return by > 0 ? "This is the last strategy." : "This is the first strategy.";
  session.chooseStrategy(*next);
  return std::nullopt;
}

Refusal moveElements(Session& session, std::ptrdiff_t by) {
  const Selection& chosen = session.selection();
  if (chosen.strategy == nullptr) return kOwnLaunch;
  // Of a number between two of those that are offered: the next of them.
  const auto* here = std::ranges::lower_bound(kElementCounts, chosen.n);
  const bool isOne = here != kElementCounts.end() && *here == chosen.n;
  const auto* next = by > 0 && !isOne ? here : neighbour(kElementCounts, here, by);
  if (next == kElementCounts.end()) {
    return by > 0 ? "These are the most elements that are offered: any other number is typed beside them."
                  : "These are the fewest elements that are offered.";
  }
  session.chooseElements(*next);
  return std::nullopt;
}

void takeNextMachine(Session& session) {
  const std::span<const MachineModel> all = machinePresets();
  const auto here =
      std::ranges::find(all, session.selection().machine, [](const MachineModel& one) { return &one; });
  const auto next = neighbour(all, here, here == all.end() ? 0 : 1);
  session.chooseMachine(next == all.end() ? all.front() : *next);
}

Refusal takeNextBlocks(Session& session) {
  const Selection& chosen = session.selection();
  if (chosen.strategy == nullptr) return kOwnLaunch;
  const std::vector<std::uint64_t> counts = session.blockCounts();
  if (counts.size() < 2) return "No other number of blocks can share these elements.";
  const auto next = neighbour(counts, std::ranges::find(counts, chosen.blocks), 1);
  session.chooseBlocks(next == counts.end() ? counts.front() : *next);
  return std::nullopt;
}

Refusal showBlock(const ViewState& state, int by) {
  Session& session = state.session;
  const auto blocks = static_cast<std::int64_t>(session.selection().blocks);
  if (blocks < 2) return "There is one block: " + keyText(state, "more blocks") + " takes more.";
  const std::int64_t next = (std::int64_t{session.selection().block} + by + blocks) % blocks;
  session.chooseBlocks(session.selection().blocks, static_cast<std::uint32_t>(next));
  return std::nullopt;
}

}  // namespace

std::vector<Command> TopBarView::commands(ViewState& state) {
  Session& session = state.session;
  constexpr HelpGroup kGroup = HelpGroup::Choice;
  const HelpLine strategy{"previous, next strategy", kGroup};
  const HelpLine elements{"half or twice the elements", kGroup};
  const HelpLine others{"next machine, number of blocks, block that is shown", kGroup};
  return {
      {.keys = {","}, .help = strategy, .run = [&session] { return moveStrategy(session, -1); }},
      {.keys = {"."}, .help = strategy, .run = [&session] { return moveStrategy(session, 1); }},
      {.keys = {"<"}, .help = elements, .run = [&session] { return moveElements(session, -1); }},
      {.keys = {">"}, .help = elements, .run = [&session] { return moveElements(session, 1); }},
      {.keys = {"K"}, .help = others, .run = [&session] { takeNextMachine(session); }},
      {.id = "more blocks",
       .keys = {"O"},
       .help = others,
       .run = [&session] { return takeNextBlocks(session); }},
      {.id = "next block",
       .keys = {"V"},
       .help = others,
       .label = ">##block",
       .tip = "The next block",
       .run = [&state] { return showBlock(state, 1); }},
      {.id = "previous block",
       .keys = {"Shift+V"},
       .help = others,
       .label = "<##block",
       .tip = "The previous block",
       .run = [&state] { return showBlock(state, -1); }},
  };
}

void TopBarView::draw(const ViewContext& context, ImVec2 size) {
  const float height = ImGui::GetFrameHeight();
  const float left = ImGui::GetCursorPosX();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::max(0.0F, (size.y - height) / 2));
  ImGui::AlignTextToFramePadding();
  const Layout layout = layOut(context, size.x, height);
  float x = left;
  const auto next = [&](float width) {
    ImGui::SameLine(std::round(x));
    x += width + layout.gap;
  };
  if (!layout.density.isFolded) {
    label(context, "Lanescope", ColorRole::Text, FontRole::Bold);
    x += layout.widths.title + layout.gap;
    next(layout.widths.strategy);
  } else {
    x += layout.widths.strategy + layout.gap;
  }
  strategyCombo(context, layout.widths.strategy);
  next(layout.widths.elements);
  elementChoice(context, height, layout.density, elements_);
  next(layout.widths.machine);
  machineCombo(context, layout.density, height);
  next(layout.widths.blocks);
  blockChoice(context, height);
  next(layout.widths.mode);
  modeCombo(context, layout.widths.mode);
  const float right = left + size.x - layout.widths.right;
  const bool hasRoom = x + labelWidth(context, "simulating…") + layout.gap < right;
  if (context.session().simulating() && hasRoom) {
    next(0);
    label(context, "simulating…", ColorRole::TextDim);
  }
  ImGui::SameLine(std::round(right));
  themeAndHelp(context, height);
}

}  // namespace lanescope
