#include <iterator>

#include "app/panels/base/view.h"
#include "app/panels/compare_view.h"
#include "app/panels/table_view.h"
#include "app/panels/gpu_view.h"
#include "app/panels/guide_view.h"
#include "app/panels/lesson_view.h"
#include "app/panels/array_view.h"
#include "app/panels/bank_view.h"
#include "app/panels/counters_view.h"
#include "app/panels/warp_view.h"
#include "app/panels/quiz_view.h"
#include "app/panels/source_view.h"
#include "app/window/top_bar_view.h"
#include "app/window/transport_view.h"

namespace lanescope {

void Marks::releaseMarks() {
  thread = -1;
  warp = variable = -1;
}

void Marks::keepTo(const Trace& trace) {
  if (variable >= std::ssize(trace.variables)) variable = -1;
  if (warp >= static_cast<std::int64_t>(trace.warps)) warp = -1;
  if (thread >= std::int64_t{trace.threads}) thread = -1;
}

void Marks::light(const Replay* replay) {
  Focus focus = hover;
  if (focus.empty()) focus.thread = thread;
  linked = replay == nullptr ? Linked{} : linkedTo(*replay, focus);
}

SceneContext ViewContext::scene(ImVec2 size) const {
  SceneContext scene{.width = size.x, .height = size.y, .unit = unit};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  scene.pointer = Point{mouse.x - at.x, mouse.y - at.y};
  scene.hoverThread = marks().shownThread();
  scene.hoverCell = marks().hover.cell;
  scene.litThreads = marks().linked.threads;
  scene.litCells = marks().linked.cells;
  scene.variable = marks().variable;
  scene.focusWarp = marks().warp;
  scene.chosenThreads = state.prediction.threads;
  scene.hidesFuture = state.hidesFuture();
  scene.progress = state.session.motion().progress();
  scene.movedFrom = state.session.motion().from();
  return scene;
}

bool ViewState::takesText() const {
  const bool isField = ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().WantTextInput;
  return typing || isField || dialogOpen();
}

bool ViewState::showsSource() const {
  const bool hasPlace = mode == Mode::Explore || mode == Mode::Predict;
  return hasPlace && (!maximised || *maximised == Place::Source);
}

std::vector<std::unique_ptr<View>> makeViews() {
  std::vector<std::unique_ptr<View>> views;
  views.push_back(std::make_unique<TopBarView>());
  views.push_back(std::make_unique<LessonView>());
  views.push_back(std::make_unique<GuideView>());
  views.push_back(std::make_unique<QuizView>());
  views.push_back(std::make_unique<ArrayView>());
  views.push_back(std::make_unique<WarpView>());
  views.push_back(std::make_unique<BankView>());
  views.push_back(std::make_unique<SourceView>());
  views.push_back(std::make_unique<CountersView>());
  views.push_back(std::make_unique<GpuView>());
  views.push_back(std::make_unique<CompareView>());
  views.push_back(std::make_unique<TableView>());
  views.push_back(std::make_unique<TransportView>());
  return views;
}

}  // namespace lanescope
