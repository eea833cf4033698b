#include "app/panels/scenes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "app/launch/strategy_launch.h"
#include "app/panels/base/widgets.h"
#include "app/workbench/text_buffer.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

struct ModeName {
  Mode mode;
  const char* name;
};
constexpr std::array<ModeName, 4> kModeNames{{{Mode::Explore, "explore"},
                                              {Mode::Compare, "compare"},
                                              {Mode::Table, "table"},
                                              {Mode::Predict, "predict"}}};

}  // namespace

SavedSession captureScene(const ViewState& state) {
  SavedSession scene = state.session.saved();
  scene.thread = state.marks.thread;
  scene.warp = state.marks.warp;
  scene.variable = state.marks.variable;
  scene.comparesWarps = state.comparesWarps;
  scene.stepWidth = state.settings.stepWidth;
  scene.mode = std::ranges::find(kModeNames, state.mode, &ModeName::mode)->name;
  if (state.mode == Mode::Compare && state.session.comparison().strategy() != nullptr)
    scene.compared = state.session.comparison().strategy()->id;
  const GpuPanelState& gpu = state.gpuPanel;
  scene.window = {.layout = state.settings.layout,
                  .maximised = state.maximised.value_or(""),
                  .gpuIsOpen = state.settings.gpuIsOpen,
                  .gpuPage = kGpuPageNames[static_cast<std::size_t>(gpu.page)],
                  .picks = {gpu.picks.begin(), gpu.picks.end()}};
  return scene;
}

namespace {

void restoreWindow(ViewState& state, const SavedWindow& window) {
  state.settings.layout = window.layout;
  state.settings.gpuIsOpen = window.gpuIsOpen;
  state.gpuPanel.wantedPicks.emplace(window.picks.begin(), window.picks.end());
  const auto* page = std::ranges::find(kGpuPageNames, window.gpuPage);
  if (page != kGpuPageNames.end()) state.gpuPanel.page = static_cast<GpuPage>(page - kGpuPageNames.begin());
  state.maximised.reset();
  if (!window.maximised.empty()) state.maximised = window.maximised;
}

}  // namespace

std::optional<Error> restoreScene(ViewState& state, const SavedSession& scene) {
  if (std::optional<Error> error = state.session.restore(scene)) return error;
  state.marks.thread = scene.thread;
  state.marks.warp = scene.warp;
  state.marks.variable = scene.variable;
  state.comparesWarps = scene.comparesWarps;
  state.settings.stepWidth = scene.stepWidth;
  if (state.session.error().empty()) state.markedGeneration = state.session.player().generation() + 1;
  const auto mode =
      std::ranges::find_if(kModeNames, [&](const ModeName& one) { return scene.mode == one.name; });
  state.mode = mode == kModeNames.end() ? Mode::Explore : mode->mode;
  if (scene.window) restoreWindow(state, *scene.window);
  return std::nullopt;
}

std::string sceneTitle(const SavedSession& scene) {
  const Strategy* const strategy = findStrategy(scene.strategy);
  if (strategy == nullptr) return std::filesystem::path(scene.path).filename().string();
  const Strategy* const other = scene.mode == "compare" ? findStrategy(scene.compared) : nullptr;
  return fmt::format("{}{}{}, N = {}", strategy->title, other == nullptr ? "" : " and ",
                     other == nullptr ? std::string() : other->title, withCommas(scene.n));
}

std::vector<SavedSession> chapterScenes(const Strategy& strategy) {
  constexpr std::uint64_t kLeast = 64;
  std::vector<SavedSession> scenes;
  for (const Strategy& lesson : strategies()) {
    if (lesson.chapter != strategy.chapter) continue;
    SavedSession scene;
    scene.strategy = lesson.id;
    scene.n = std::max(kLeast, lesson.opensAt);
    const MachineModel& machine = defaultMachine(scene.n);
    scene.machine = machine.name;
    scene.blocks = fewestBlocks(lesson, scene.n, machine).value_or(1);
    scene.ran = scene.draft = {std::string(plainText(lesson.source)), std::nullopt};
    scene.grain = "line";
    scene.opensAtItsPlace = true;
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

namespace {

/// True for a list that ships: there is no loss if it is put away.
bool isOfCourse(const SceneList& list) {
  return std::ranges::all_of(list.scenes, &SavedSession::opensAtItsPlace);
}

void show(ViewState& state, std::size_t index) {
  SceneList& list = state.scenes;
  list.current = index;
  if (const std::optional<Error> error = restoreScene(state, list.scenes[index]))
    state.session.reportError(*error);
}

/// One forward or back; at an end nothing moves.
Refusal move(ViewState& state, int by) {
  const SceneList& list = state.scenes;
  if (list.scenes.empty()) return "There are no scenes yet: Ctrl+D adds what you see.";
  const int last = static_cast<int>(list.scenes.size()) - 1;
  const int next = list.current ? static_cast<int>(*list.current) + by : by > 0 ? 0 : last;
  if (next < 0) return "This is the first scene.";
  if (next > last) return "This is the last scene.";
  show(state, static_cast<std::size_t>(next));
  return std::nullopt;
}

Refusal add(ViewState& state) {
  if (state.session.editor().current() == nullptr) return "Nothing is open yet.";
  SceneList& list = state.scenes;
  const std::size_t at = list.current ? *list.current + 1 : list.scenes.size();
  list.scenes.insert(list.scenes.begin() + static_cast<std::ptrdiff_t>(at), captureScene(state));
  list.current = at;
  return std::nullopt;
}

Refusal addChapter(ViewState& state) {
  const Strategy* const strategy = state.session.selection().strategy;
  if (strategy == nullptr) return "A file belongs to no chapter: open a lesson first.";
  SceneList& list = state.scenes;
  if (isOfCourse(list)) list = {};
  const std::size_t first = list.scenes.size();
  std::ranges::move(chapterScenes(*strategy), std::back_inserter(list.scenes));
  show(state, first);
  return std::nullopt;
}

void remove(ViewState& state) {
  SceneList& list = state.scenes;
  if (isOfCourse(list)) {
    list = {};
  } else if (list.current) {
    list.scenes.erase(list.scenes.begin() + static_cast<std::ptrdiff_t>(*list.current));
    list.current.reset();
  }
}

}  // namespace

PanelInfo ScenesView::panel(const WindowShape& shape) const {
  constexpr float kHeight = 44;
  return {.id = "scenes",
          .place = Place::BottomBar,
          .order = 1,
          .least = kHeight,
          .isShown = shape.hasScenes && !shape.presents};
}

std::vector<Command> ScenesView::commands(ViewState& state) {
  constexpr HelpGroup kGroup = HelpGroup::Window;
  const HelpLine moves{"next, previous scene", kGroup};
  return {
      {.id = "add scene",
       .keys = {"Ctrl+D"},
       .help = {"adds what you see to the scenes", kGroup},
       .label = "Add what I see",
       .tip = "Adds a scene after the current one: kernel, N, machine, step, layout, comparison and charts. "
              "A session file keeps the list",
       .run = [&state] { return add(state); }},
      {.id = "next scene", .keys = {"PageDown"}, .help = moves, .run = [&state] { return move(state, 1); }},
      {.id = "previous scene",
       .keys = {"PageUp"},
       .help = moves,
       .run = [&state] { return move(state, -1); }},
      {.id = "chapter scenes",
       .label = "Scenes of this chapter",
       .run = [&state] { return addChapter(state); }},
      {.id = "remove scene",
       .tip = "The current scene leaves the list; a chapter's list is put away",
       .blocked =
           [&state] {
             const bool isOne = state.scenes.current || isOfCourse(state.scenes);
             return std::string(isOne ? "" : "Choose a scene first.");
           },
       .run = [&state] { remove(state); }},
  };
}

void ScenesView::draw(const ViewContext& context, ImVec2 size) {
  ViewState& state = context.state;
  SceneList& list = state.scenes;
  const char* const removes = isOfCourse(list) ? "Close" : "Remove";
  const float buttons = pillWidth(context, "Add what I see") + pillWidth(context, removes) +
                        2 * ImGui::GetStyle().ItemSpacing.x;
  const float room = size.x - buttons;
  float needed = 0;
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < list.scenes.size(); ++i) {
    titles.push_back(fmt::format("{} {}", i + 1, sceneTitle(list.scenes[i])));
    needed += pillWidth(context, titles.back()) + ImGui::GetStyle().ItemSpacing.x;
  }
  // Without room for all titles only the current one has its own.
  const bool isWide = needed <= room;
  for (std::size_t i = 0; i < list.scenes.size(); ++i) {
    const std::string text = isWide || list.current == i ? titles[i] : std::to_string(i + 1);
    const float width = pillWidth(context, text);
    if (ImGui::GetCursorPosX() + width > room) break;
    ImGui::PushID(static_cast<int>(i));
    if (pill(context, text.c_str(), list.current == i, width, 0)) show(state, i);
    hint(context, titles[i].c_str());
    ImGui::PopID();
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(room + ImGui::GetStyle().ItemSpacing.x);
  commandButton(context, "add scene");
  ImGui::SameLine();
  commandButton(context, "remove scene", {.text = removes});
}

}  // namespace lanescope
