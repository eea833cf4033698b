#include "app/tests/test_window.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "app/course/phase_text.h"
#include "app/panels/picture_views.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/warp_scene.h"
#include "app/tests/drawn_text.h"
#include "app/window/transport_view.h"
#include "app/workbench/tests/settle.h"
#include "sim/memory/counters.h"

namespace lanescope {

GpuSessionOptions noWorker(const std::filesystem::path& recording) {
  GpuSessionOptions options;
  options.worker.command = "/nonexistent/lanescope-gpu";
  options.recording = recording;
  options.replaySeconds = 0;
  return options;
}

std::string problemText() {
  std::string text;
  for (const std::string& problem : textProblems()) text += problem + "\n";
  return text;
}

bool draws(const Headless& headless, std::string_view text) {
  return textIn({0, 0, headless.size().x, headless.size().y}).find(text) != std::string::npos;
}

Area areaOfWindow(std::string_view part) {
  const ImGuiWindow* window = windowNamed(part);
  if (window == nullptr || !window->Active) return {};
  return {window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
}

Area findPanel(std::string_view view) { return areaOfWindow("/" + std::string(view) + "_"); }

const ImGuiWindow* tipShown() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->WasActive && !window->Hidden)
      return window;
  }
  return nullptr;
}

Area tipArea() {
  const ImGuiWindow* tip = tipShown();
  return tip == nullptr ? Area{} : Area{tip->Pos.x, tip->Pos.y, tip->Size.x, tip->Size.y};
}

namespace {

using Texts = std::vector<std::string>;

constexpr float kLeastOpen = 60;  ///< units: a lower panel is its line

/// What that picture was drawn in. Its window has whole pixels.
SceneContext findLayout(const TestWindow& shown, const Headless& headless, std::string_view view) {
  const ViewState& state = shown.window.state();
  const Area panel = shown.window.layout().of(view);
  SceneContext layout;
  layout.width = panel.w;
  layout.height = panel.h;
  layout.unit = headless.unit();
  layout.hoverThread = state.marks.shownThread();
  layout.litThreads = state.marks.linked.threads;
  layout.litCells = state.marks.linked.cells;
  layout.variable = state.marks.variable;
  layout.focusWarp = state.marks.warp;
  layout.chosenThreads = state.prediction.threads;
  layout.hidesFuture = state.hidesFuture();
  layout.progress = state.session.player().motion().progress();
  layout.movedFrom = state.session.player().motion().from();
  return layout;
}

/// The picture of that view as it must be at this moment.
Scene makeScene(TestWindow& shown, const Headless& headless, std::string_view view) {
  const ImguiMeasure measure(headless.fonts());
  Focus pointed;
  const ViewContext context{shown.window.state(), headless.fonts(), measure, pointed, headless.unit()};
  SceneContext layout = findLayout(shown, headless, view);
  if (view == "array") {
    const Trace& trace = context.replay()->trace();
    const GridNote note = gridNote(context);
    const float strip = gridHeight(trace, layout, note, measure);
    SceneContext below = layout;
    below.height = strip;
    layout.height -= strip;
    Scene scene = arrayScene(context.moment(), layout, measure);
    if (strip > 0) scene.append(gridScene(trace, below, note, measure), 0, layout.height);
    return scene;
  }
  if (view == "warps") return warpScene(context.moment(), layout, measure);
  layout.byLine = shown.session.player().grain() == Grain::Line;
  const bool isLine = layout.height < kLeastOpen * headless.unit();
  return (isLine ? bankLineScene : bankScene)(context.moment(), layout, measure);
}

/// Each counter with its values, as they are in a row.
Texts counterTexts(const Session& session, bool hidesFuture) {
  const Replay& replay = *session.player().replay();
  const Trace& trace = replay.trace();
  const Counters* const launch = launchCounters(*session.shownRun());
  Texts texts;
  for (const CounterInfo* row : countersOn(kPanel)) {
    std::string text(row->briefly());
    if (!hidesFuture && !trace.phases.empty()) {
      const Counters& phase = trace.phases[replay.currentPhase()].counters;
      for (const Counters* column :
           {&replay.state().counters, &phase, launch != nullptr ? launch : &trace.total})
        text += row->text(*column, "none yet");
    }
    texts.push_back(text);
  }
  return texts;
}

std::string blocksText(const std::vector<MarkdownBlock>& blocks) {
  std::string text;
  for (const MarkdownBlock& block : blocks) {
    text += block.marker;
    for (const MarkdownRun& run : block.runs) text += run.text;
  }
  return text;
}

/// The current line, or that of the kernel's head.
std::string currentLineAt(const Replay& replay) {
  const std::optional<Step> step = replay.currentStep();
  const std::uint32_t line = step ? step->line : replay.trace().kernelLine;
  std::istringstream text{std::string(replay.trace().launch.source->text())};
  std::string found;
  for (std::uint32_t i = 0; i < line; ++i) std::getline(text, found);
  return found;
}

}  // namespace

ImVec2 hitIn(TestWindow& shown, const Headless& headless, std::string_view view, HitArea::Kind kind,
             std::uint32_t from) {
  const Scene scene = makeScene(shown, headless, view);
  const Area panel = findPanel(view);
  const auto hit = std::ranges::find_if(
      scene.hits, [&](const HitArea& area) { return area.kind == kind && area.index >= from; });
  if (hit == scene.hits.end()) return {-1, -1};
  return {panel.x + hit->x + hit->w / 2, panel.y + hit->y + hit->h / 2};
}

std::map<std::string, Texts> textsToShow(TestWindow& shown, const Headless& headless) {
  ViewState& state = shown.window.state();
  const Replay& replay = *shown.session.player().replay();
  const auto drawnLetters = [&](std::string_view view) {
    return withoutSpaces(makeScene(shown, headless, view));
  };
  std::map<std::string, Texts> texts{
      {"array", {drawnLetters("array")}},
      {"warps", {drawnLetters("warps")}},
      {"source", {shown.session.editor().current()->name()}},
      {state.presenting ? "stage title" : "transport", {placeText(replay, PlaceParts::Step)}},
  };
  // While it opens, a part of the picture is in sight.
  if (!shown.session.player().motion().moving()) texts["banks"] = {drawnLetters("banks")};
  // Where there are hazards, their lines are shown and the report takes room.
  constexpr std::size_t kSurelyInFirstRow = 16;
  if (shown.session.player().hazards().empty())
    texts["source"].push_back(withoutSpaces(currentLineAt(replay)).substr(0, kSurelyInFirstRow));
  if (state.mode == Mode::Predict) {
    const Question* question = state.prediction.quiz.question();
    texts["quiz"] = {question == nullptr ? "" : blocksText(parseMarkdown(question->text))};
  } else if (shown.window.layout().of("lesson").h > 0) {
    texts["lesson"] = {blocksText(phaseText(replay.trace(), replay.currentPhase()))};
  }
  const auto height = [&](std::string_view panel) { return shown.window.layout().of(panel).h; };
  const auto has = [&](std::string_view panel) { return height(panel) > 0; };
  if (has("top bar")) {
    // A narrow bar cuts a long title.
    const std::string title = withoutSpaces(shown.session.selection().strategy->title);
    texts["top bar"] = {title.substr(0, kSurelyInFirstRow / 2),
                        shown.session.selection().machine->name.data()};
  }
  if (height("counters") > kLeastOpen * headless.unit())
    texts["counters"] = counterTexts(shown.session, state.hidesFuture());
  if (has("gpu")) {
    texts["gpu"] = {shown.gpu.source() == GpuSource::None ? "GPU No measurements" : "GPU"};
    if (shown.window.shape().gpuIsOpen && !state.isFolded && !state.sourceIsTall)
      // A small chart leaves the sentence below it one row.
      texts["gpu"] = {"GPU", "bandwidth", "over N", shown.gpu.sentence().substr(0, kSurelyInFirstRow)};
  }
  for (auto& [view, all] : texts) {
    for (std::string& text : all) text = withoutSpaces(text);
  }
  return texts;
}

void expectDrawn(const Headless& headless, TestWindow& shown, std::string_view what) {
  for (const auto& [view, texts] : textsToShow(shown, headless)) {
    const std::string drawn = withoutSpaces(textIn(findPanel(view)));
    for (const std::string& text : texts)
      EXPECT_NE(drawn.find(text), std::string::npos)
          << what << ": " << view << " misses " << text << "\nand shows " << drawn;
  }
  EXPECT_EQ(problemText(), "") << what;
}

TestWindow::TestWindow(std::string_view strategy, std::uint64_t n, std::string_view machine) : TestWindow() {
  if (!show(strategy, n, machine)) throw std::runtime_error(std::string(strategy) + " has no trace");
}

bool TestWindow::settle() { return testing::settle(session); }

bool TestWindow::show(std::string_view strategy, std::uint64_t n, std::string_view machine) {
  const MachineModel* model = machine.empty() ? &defaultMachine(n) : findMachine(machine);
  session.select({findStrategy(strategy), n, model});
  return waitForTrace(session);
}

std::vector<std::string> allIds() {
  std::vector<std::string> all;
  for (const Strategy& strategy : strategies()) all.emplace_back(strategy.id);
  return all;
}

std::vector<std::string> someIds() {
  return {"baseline", "shuffle", "last-block-done", "transpose-padded", "julia-set"};
}

const ImGuiWindow* windowNamed(std::string_view part) {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (std::string_view(window->Name).find(part) != std::string_view::npos) return window;
  }
  return nullptr;
}

}  // namespace lanescope
