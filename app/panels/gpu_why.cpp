// The GPU panel's page "why": the parts of the time, its floors, and profiling the current text.
#include <algorithm>
#include <utility>

#include "app/gpu/gpu_session.h"
#include "app/panels/base/widgets.h"
#include "app/panels/floor_request.h"
#include "app/panels/gpu_view.h"

namespace lanescope {
/// Stores a profile that the worker has made of a text.
void GpuView::syncProfile(ViewState& state) {
  const GpuText& text = state.gpu.text();
  if (std::exchange(outcomeSeen_, text.revision()) == text.revision() || text.busy()) return;
  const TextOutcome& outcome = text.outcome();
  if (outcome.profile == nullptr || state.gpu.liveGpu() == nullptr || outcome.profile == profileKept_) return;
  profileKept_ = outcome.profile;
  state.profiles.add(*outcome.profile, outcome.source->text(), *state.gpu.liveGpu());
}

void GpuView::syncFloors(const ViewContext& context) {
  ViewState& state = context.state;
  const Document* const document = state.session.editor().current();
  if (document == nullptr) return;
  const auto& hello = state.gpu.data().hello();
  const auto key =
      std::make_tuple(document, document->buffer.revision(), state.gpuPanel.n, state.gpuPanel.block,
                      hello ? hello->gpu : std::string(), state.profiles.revision());
  if (floorsOf_ == key) return;
  floorsOf_ = key;
  auto request = makeFloorRequest(state, *document);
  floorProblem_ = request ? "" : request.error().sentence();
  if (!request) return;
  request.value().profile = state.profiles.of(document->buffer.text());
  state.session.floors().show(std::move(request).value());
}

WhyText GpuView::whyText(const ViewContext& context) const {
  ViewState& state = context.state;
  WhyText why;
  const Document* const document = state.session.editor().current();
  if (document == nullptr) {
    why.title = "No text is open";
    return why;
  }
  FloorWatch& watch = state.session.floors();
  why.strategy = document->form ? nullptr : document->strategy;
  why.title = why.strategy != nullptr ? why.strategy->title : document->name();
  why.text = whyText_;
  why.floors = floorProblem_.empty() ? watch.report() : nullptr;
  why.floorNote = !floorProblem_.empty()     ? floorProblem_
                  : !watch.problem().empty() ? watch.problem()
                                             : "Counting what it needs at least…";
  if (why.floors == nullptr || why.strategy == nullptr) return why;
  const auto& hello = state.gpu.data().hello();
  if (!hello || hello->gpu != why.floors->gpu.gpu) return why;
  BenchSetting setting{.block = why.floors->threads};
  const auto own = state.gpu.data().reading(setting.key(why.strategy->id, why.floors->n));
  if (own && !own->wrong) why.ownUs = own->medianUs;
  const GpuText& text = state.gpu.text();
  const auto& timing = text.outcome().timing;
  if (timing && !timing->wrong && timing->n == why.floors->n && timing->block == why.floors->threads &&
      timing->gpu == hello->gpu && text.isAbout(whyText_))
    why.measuredUs = timing->medianUs;
  return why;
}

/// The notice below the page: a profile in progress, or the outcome of the last.
std::string GpuView::whyNotice(const ViewState& state) {
  const GpuText& text = state.gpu.text();
  if (text.busy()) return std::string(text.stageText());
  if (!state.gpuPanel.refusal.empty()) return state.gpuPanel.refusal;
  if (text.outcome().wasProfiled) return text.outcome().profileProblem;
  return state.gpuPanel.notice;
}

/// The parts of the time, for the current text and for the profiled strategies.
void GpuView::drawWhy(const ViewContext& context, ImVec2 size) {
  syncFloors(context);
  const Document* const document = context.session().editor().current();
  whyText_ = document == nullptr ? std::string() : document->buffer.text();
  const WhyChart chart = makeWhyChart(context.state.profiles, whyText(context));
  SceneContext layout = context.scene(ImVec2(size.x - ImGui::GetStyle().ScrollbarSize, size.y));
  layout.unit = chartUnit(context);
  const float least = leastWhyHeight(chart, layout, context.measure);
  if (least <= size.y) layout.width = size.x;
  layout.height = std::max(size.y, least);
  scene_ = whyScene(chart, layout, context.measure);
  dropCutLetters(scene_.items, ImGui::GetScrollY(), ImGui::GetScrollY() + size.y);
  showScene(context, scene_, "why");
}

}  // namespace lanescope
