#include "app/views/warp_view.h"

#include "app/scene/warp_scene.h"
#include "app/views/widgets.h"

namespace lanescope {

void WarpView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return drawWaiting(context);
  const Scene scene = warpScene(momentOf(*context.replay()), context.scene(size), context.measure);
  showScene(context, scene, "warp scene");
}

}  // namespace lanescope
