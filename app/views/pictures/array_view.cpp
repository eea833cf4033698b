#include "app/views/pictures/array_view.h"

#include "app/scene/ladder/array_scene.h"
#include "app/views/base/widgets.h"

namespace lanescope {

void ArrayView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return drawWaitingPicture(context, "ARRAY", waitingText(context));
  SceneContext layout = context.scene(size);
  zoom_.apply(layout, *context.replay(), *context.session().plan(), context.session().generation());
  const Scene scene = arrayScene(context.moment(), layout, context.measure);
  zoom_.show(context, scene, "array scene");
}

}  // namespace lanescope
