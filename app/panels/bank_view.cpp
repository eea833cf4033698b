#include "app/panels/bank_view.h"

#include <string>

#include "app/pictures/bank_scene.h"
#include "app/panels/base/widgets.h"

namespace lanescope {

void BankView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) {
    const std::string soon = comesWithRun(context, "The banks and sectors of each memory access");
    return drawWaitingPicture(context, "MEMORY ACCESS", soon);
  }
  SceneContext layout = context.scene(size);
  layout.listsAll = listsAll_;
  layout.spare = &scene_;
  scene_ = bankScene(context.moment(), layout, context.measure);
  const SceneInput input = showScene(context, scene_, "bank scene", TipPlace::WordsBelowPicture);
  if (input.clicked && input.hit != nullptr && input.hit->kind == HitArea::Kind::More) listsAll_ = !listsAll_;
}

}  // namespace lanescope
