#include "app/panels/array_view.h"

#include "app/pictures/array_scene.h"
#include "app/gpu/gpu_session.h"
#include "app/gpu/sm_fit.h"
#include "app/panels/base/widgets.h"

namespace lanescope {

GridNote gridNote(const ViewContext& context) {
  const auto fit = computeSmFit(context.session().shownRun()->launch(), context.state.gpu);
  return fit ? GridNote{fitBrief(*fit), fitDetail(*fit)} : GridNote{};
}

void ArrayView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return drawWaitingPicture(context, "ARRAY", waitingText(context));
  const Trace& trace = context.replay()->trace();
  const GridNote note = gridNote(context);
  const SceneContext whole = context.scene(size);
  const float strip = gridHeight(trace, whole, note, context.measure);
  const ImVec2 corner = ImGui::GetCursorPos();
  SceneContext layout = context.scene(ImVec2(size.x, size.y - strip));
  layout.spare = &scene_;
  zoom_.apply(layout, *context.replay(), *context.session().plan(), context.session().generation());
  scene_ = arrayScene(context.moment(), layout, context.measure);
  zoom_.show(context, scene_, "array scene");
  if (strip <= 0) return;
  ImGui::SetCursorPos(ImVec2(corner.x, corner.y + size.y - strip));
  const Scene map = gridScene(trace, context.scene(ImVec2(size.x, strip)), note, context.measure);
  const SceneInput input = showScene(context, map, "grid scene");
  if (input.clicked && input.hit != nullptr && input.hit->kind == HitArea::Kind::Block)
    context.session().traceBlock(input.hit->index);
}

}  // namespace lanescope
