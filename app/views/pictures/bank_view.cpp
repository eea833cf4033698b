#include "app/views/pictures/bank_view.h"

#include "app/scene/banks/bank_scene.h"
#include "app/views/base/widgets.h"

namespace lanescope {

void BankView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return drawWaitingPicture(context, "MEMORY ACCESS");
  const Scene scene = bankScene(context.moment(), context.scene(size), context.measure);
  showScene(context, scene, "bank scene");
}

}  // namespace lanescope
