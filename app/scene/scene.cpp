#include "app/scene/scene.h"

namespace lanescope {

const HitArea* Scene::hitAt(float px, float py) const {
  for (auto hit = hits.rbegin(); hit != hits.rend(); ++hit) {
    if (hit->contains(px, py)) return &*hit;
  }
  return nullptr;
}

void Scene::append(const Scene& part, float left, float top) {
  items.reserve(items.size() + part.items.size());
  for (DrawItem item : part.items) {
    item.x += left;
    item.y += top;
    items.push_back(std::move(item));
  }
  hits.reserve(hits.size() + part.hits.size());
  for (HitArea hit : part.hits) {
    hit.x += left;
    hit.y += top;
    hits.push_back(std::move(hit));
  }
}

}  // namespace lanescope
