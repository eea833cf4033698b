#include "app/window/top_bar_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <imgui_stdlib.h>

#include "app/gpu/gpu_session.h"
#include "app/paint/imgui_compat.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_words.h"
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
  for (const char* id : {"full screen", "laser", "export", "glossary", "colors", "first lesson", "add scene",
                         "chapter scenes"}) {
    const Command& command = state.commands->of(id);
    const std::string key = command.keys.empty() ? "" : " (" + keyText(state, id) + ")";
    if (choice((command.label + key).c_str(), false)) runCommand(state, command);
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

namespace {

std::string strategyLabel(const Strategy& strategy) {
  return courseNumber(strategy) + " · " + strategy.title;
}

constexpr const char* kOwnLaunch = "A file has its own launch. Change it with Launch, under the source.";
constexpr float kFieldWidth = 120;     // units
constexpr float kLeastGap = 2;         // units
constexpr float kMostGap = 18;         // units
constexpr float kMostStrategy = 250;   // units
constexpr float kLeastStrategy = 130;  // units
constexpr float kLeft = 6;             // parts at the left: title, strategy, next, N, mode, machine

/// Width of the widest label, with room for the combo's arrow.
template <class Range, class Labeller>
float comboWidth(const ViewContext& context, const Range& range, Labeller makeLabel, float height) {
  float width = 0;
  for (const auto& entry : range) width = std::max(width, pillWidth(context, makeLabel(entry)));
  return width + height;
}

/// The file that its kernel is from, if it is shown instead of a strategy.
std::string fileName(const ViewContext& context) {
  const Document* document = context.session().editor().current();
  return document == nullptr ? "" : document->name();
}

/// Their lessons follow each other.
std::size_t countChapters() {
  std::size_t count = 0;
  const std::string* last = nullptr;
  for (const Strategy& strategy : strategies()) {
    if (last == nullptr || *last != strategy.chapter) ++count;
    last = &strategy.chapter;
  }
  return count;
}

void strategyCombo(const ViewContext& context, float width) {
  const Strategy* chosen = context.session().selection().strategy;
  const std::string shown = chosen == nullptr ? fileName(context) : strategyLabel(*chosen);
  ImGui::SetNextItemWidth(width);
  if (!beginList(context, "##strategy", shown, strategies().size() + countChapters())) return;
  const std::string* chapter = nullptr;
  for (const Strategy& strategy : strategies()) {
    if (chapter == nullptr || *chapter != strategy.chapter)
      label(context, strategy.chapter, ColorRole::TextDim, FontRole::Bold);
    chapter = &strategy.chapter;
    if (choice(strategyLabel(strategy).c_str(), &strategy == chosen)) {
      context.session().chooseStrategy(strategy);
    }
  }
  endList();
}

/// Why it is not possible, one sentence; "" if it was accepted.
std::string chooseElements(const ViewContext& context, const std::string& text) {
  Session& session = context.session();
  const Result<std::uint64_t> n = readElements(text);
  if (!n) return n.error().sentence();
  session.chooseElements(*n);
  std::string refusal = withTitles(session.error());
  session.dismissError();
  return refusal;
}

/// Accepts any number; a refused one stays, with the reason below it.
void elementField(const ViewContext& context, ElementField& field) {
  label(context, "another number", ColorRole::TextDim);
  ImGui::SetNextItemWidth(kFieldWidth * context.unit);
  if (field.takesCaret) focusNextItem();
  field.takesCaret = false;
  if (ImGui::InputTextWithHint("##n", "33", &field.text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
    field.refusal = chooseElements(context, field.text);
    field.takesCaret = !field.refusal.empty();  // typing continues with its correction
    if (field.refusal.empty()) {
      field.text.clear();
      ImGui::CloseCurrentPopup();
    }
  }
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + kFieldWidth * context.unit);
  if (!field.refusal.empty()) label(context, field.refusal, ColorRole::Bad);
  ImGui::PopTextWrapPos();
}

/// A file has its own launch, and an edited strategy can have one: then no N applies.
std::uint64_t currentElements(const ViewContext& context) {
  const Document* document = context.session().editor().current();
  return document != nullptr && document->form ? 0 : context.session().selection().n;
}

float elementsWidth(const ViewContext& context, float height) {
  return labelWidth(context, "N") + ImGui::GetStyle().ItemSpacing.x + pillWidth(context, "65536") + height;
}

void elementChoice(const ViewContext& context, float height, ElementField& field) {
  const Document* document = context.session().editor().current();
  const bool isFile = document != nullptr && document->strategy == nullptr;
  const std::uint64_t chosen = currentElements(context);
  label(context, "N", ColorRole::TextDim);
  ImGui::SameLine();
  ImGui::BeginDisabled(isFile);
  ImGui::SetNextItemWidth(pillWidth(context, "65536") + height);
  if (beginCombo(context, "##elements", chosen == 0 ? "custom" : std::to_string(chosen))) {
    for (const std::uint64_t n : kElementCounts) {
      if (choice(std::to_string(n).c_str(), n == chosen)) context.session().chooseElements(n);
    }
    ImGui::Separator();
    elementField(context, field);
    ImGui::EndCombo();
  } else {
    field.refusal.clear();
  }
  ImGui::EndDisabled();
  hintAlways(context, isFile ? kOwnLaunch
                             : "Number of elements (" + keyText(context.state, "fewer elements") + "  " +
                                   keyText(context.state, "more elements") + ")");
}

std::string modeLabel(const OfferedMode& mode) { return std::string(mode.title); }

/// The window's mode.
void modeCombo(const ViewContext& context, float width) {
  ImGui::SetNextItemWidth(width);
  Mode& chosen = context.state.mode;
  const auto* at = std::ranges::find(kOfferedModes, chosen, &OfferedMode::mode);
  if (!beginList(context, "##mode", at->title, kOfferedModes.size())) return;
  for (const OfferedMode& mode : kOfferedModes) {
    if (choice(mode.title, mode.mode == chosen)) chosen = mode.mode;
    if (*mode.command == 0)
      hint(context, mode.tip);
    else
      commandHint(context, mode.command, mode.tip);
  }
  endList();
}

/// The buttons at the right, in the order of their removal if room is scarce: the last stay.
constexpr std::array<const char*, 4> kButtons{"export", "full screen", "present", "help"};

float buttonWidth(const ViewContext& context, const char* id, float height) {
  return std::max(height, pillWidth(context, context.state.commands->of(id).label));
}

/// Widths of the parts of the bar, from left to right, pixels.
struct Widths {
  bool hasTitle = true;
  std::size_t firstButton = 0;  ///< index into kButtons: those before it have no room
  float title = 0;
  float strategy = 0;
  float next = 0;
  float elements = 0;
  float mode = 0;
  float machine = 0;
  float right = 0;
  float gap = 0;  ///< between two parts

  float sum() const { return title + strategy + next + elements + mode + machine + right; }
};

/// `strategy`: the width of the widest strategy's name, with its surroundings.
Widths computeWidths(const ViewContext& context, float strategy, float width, float height) {
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  Widths widths;
  widths.title = labelWidth(context, "Lanescope", FontRole::Bold);
  widths.strategy = std::min(strategy, kMostStrategy * context.unit);
  widths.next = buttonWidth(context, "next lesson", height);
  widths.elements = elementsWidth(context, height);
  widths.mode = comboWidth(context, kOfferedModes, modeLabel, height);
  widths.machine = setupWidth(context);
  widths.right = viewMenuWidth(context);
  for (const char* id : kButtons) widths.right += spacing + buttonWidth(context, id, height);
  // Measured before anything is drawn, so that no frame shows the previous frame's layout.
  const float gaps = kLeft * kLeastGap * context.unit;
  const float least = kLeastStrategy * context.unit;
  const auto excess = [&] { return widths.sum() + gaps - width; };
  if (excess() > 0) widths.hasTitle = false, widths.title = 0;
  if (excess() > 0) widths.strategy = std::max(least, widths.strategy - excess());
  // The parts without room are in the menu, or have a key.
  for (; excess() > 0 && widths.firstButton + 1 < kButtons.size(); ++widths.firstButton)
    widths.right -= spacing + buttonWidth(context, kButtons[widths.firstButton], height);
  if (excess() > 0) widths.next = 0;
  widths.gap = std::clamp((width - widths.sum()) / kLeft, kLeastGap * context.unit, kMostGap * context.unit);
  return widths;
}

void drawRight(const ViewContext& context, const Widths& widths, float height) {
  const ViewState& state = context.state;
  viewMenu(context);
  for (std::size_t i = widths.firstButton; i < kButtons.size(); ++i) {
    const std::string_view id = kButtons[i];
    const bool isLit = (id == "export" && state.dialog == Dialog::Export) || (id == "help" && state.helpOpen);
    ImGui::SameLine();
    commandButton(context, id,
                  {.isLit = isLit, .width = buttonWidth(context, kButtons[i], height), .height = height});
  }
}

/// The entry `by` places after that one, or none.
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
  if (next == all.end()) return by > 0 ? "This is the last lesson." : "This is the first lesson.";
  session.chooseStrategy(*next);
  return std::nullopt;
}

Refusal moveElements(Session& session, std::ptrdiff_t by) {
  const Selection& chosen = session.selection();
  if (chosen.strategy == nullptr) return kOwnLaunch;
  // If a number is between two of the offered ones: the next of them.
  const auto* here = std::ranges::lower_bound(kElementCounts, chosen.n);
  const bool isOne = here != kElementCounts.end() && *here == chosen.n;
  const auto* next = by > 0 && !isOne ? here : neighbour(kElementCounts, here, by);
  if (next == kElementCounts.end()) {
    return by > 0 ? "These are the most elements that are offered: any other number is typed below them."
                  : "These are the fewest elements that are offered.";
  }
  session.chooseElements(*next);
  return std::nullopt;
}

void selectNextMachine(Session& session) {
  const std::span<const MachineModel> all = machinePresets();
  const auto here =
      std::ranges::find(all, session.selection().machine, [](const MachineModel& one) { return &one; });
  const auto next = neighbour(all, here, here == all.end() ? 0 : 1);
  session.chooseMachine(next == all.end() ? all.front() : *next);
}

Refusal selectNextBlocks(Session& session) {
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
  const auto blocks = static_cast<std::int64_t>(session.gridBlocks());
  if (blocks < 2) return "There is one block: " + keyText(state, "more blocks") + " takes more.";
  session.traceBlock(
      static_cast<std::uint32_t>((std::int64_t{session.selection().block} + by + blocks) % blocks));
  return std::nullopt;
}

}  // namespace

PanelInfo TopBarView::panel(const WindowShape& shape) const {
  return {.id = "top bar", .place = Place::TopBar, .least = 48, .isShown = !shape.presents};
}

std::vector<Command> TopBarView::commands(ViewState& state) {
  Session& session = state.session;
  constexpr HelpGroup kGroup = HelpGroup::Choice;
  const HelpLine strategy{"previous, next lesson", kGroup};
  const HelpLine elements{"half or twice the elements", kGroup};
  const HelpLine others{"next machine, number of blocks, block that is shown", kGroup};
  return {
      {.id = "previous lesson",
       .keys = {","},
       .help = strategy,
       .label = "Previous lesson",
       .tip = "The previous lesson",
       .run = [&session] { return moveStrategy(session, -1); }},
      {.id = "next lesson",
       .keys = {"."},
       .help = strategy,
       .label = "Next lesson",
       .tip = "The next lesson",
       .run = [&session] { return moveStrategy(session, 1); }},
      {.id = "fewer elements",
       .keys = {"<"},
       .help = elements,
       .run = [&session] { return moveElements(session, -1); }},
      {.id = "more elements",
       .keys = {">"},
       .help = elements,
       .run = [&session] { return moveElements(session, 1); }},
      {.keys = {"K"}, .help = others, .run = [&session] { selectNextMachine(session); }},
      {.id = "more blocks",
       .keys = {"O"},
       .help = others,
       .run = [&session] { return selectNextBlocks(session); }},
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
  if (std::exchange(measuredAt_, ImGui::GetFontSize()) != ImGui::GetFontSize())
    strategyWidth_ = comboWidth(context, strategies(), strategyLabel, height);
  const Widths widths = computeWidths(context, strategyWidth_, size.x, height);
  float x = left;
  const auto next = [&](float width) {
    ImGui::SameLine(std::round(x));
    x += width + widths.gap;
  };
  if (widths.hasTitle) {
    label(context, "Lanescope", ColorRole::Text, FontRole::Bold);
    x += widths.title + widths.gap;
  }
  next(widths.strategy);
  strategyCombo(context, widths.strategy);
  if (widths.next > 0) {
    next(widths.next);
    commandButton(context, "next lesson", {.width = widths.next, .height = height});
  }
  next(widths.elements);
  elementChoice(context, height, elements_);
  next(widths.mode);
  modeCombo(context, widths.mode);
  next(widths.machine);
  setupMenu(context);
  const float right = left + size.x - widths.right;
  const bool hasRoom = x + labelWidth(context, "simulating…") + widths.gap < right;
  if (context.session().simulating() && hasRoom) {
    next(0);
    label(context, "simulating…", ColorRole::TextDim);
  }
  ImGui::SameLine(std::round(right));
  drawRight(context, widths, height);
}

}  // namespace lanescope
