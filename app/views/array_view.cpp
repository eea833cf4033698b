#include "app/views/array_view.h"

#include "app/scene/array_scene.h"
#include "app/views/widgets.h"

namespace lanescope {

void ArrayView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return drawWaiting(context);
  const Scene scene = arrayScene(momentOf(*context.replay()), context.scene(size), context.measure);
  showScene(context, scene, "array scene");
}

}  // namespace lanescope
