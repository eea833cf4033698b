#include "app/views/pictures/bank_view.h"

#include "app/scene/banks/bank_scene.h"
#include "app/views/base/widgets.h"

namespace lanescope {

void BankView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return drawWaitingPicture(context, "MEMORY ACCESS");
  SceneContext layout = context.scene(size);
  layout.listsAll = listsAll_;
  const Scene scene = bankScene(context.moment(), layout, context.measure);
  const SceneInput input = showScene(context, scene, "bank scene");
  if (input.clicked && input.hit != nullptr && input.hit->kind == HitArea::Kind::More) listsAll_ = !listsAll_;
}

}  // namespace lanescope
