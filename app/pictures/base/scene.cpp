#include "app/pictures/base/scene.h"

#include <algorithm>
#include <cmath>

#include "app/pictures/base/text_measure.h"

namespace lanescope {

bool SceneContext::threadLit(std::int64_t thread) const {
  return thread >= 0 && (thread == hoverThread ||
                         std::ranges::binary_search(litThreads, static_cast<std::uint32_t>(thread)));
}

bool SceneContext::cellLit(std::int64_t cell) const {
  return cell >= 0 &&
         (cell == hoverCell || std::ranges::binary_search(litCells, static_cast<std::uint32_t>(cell)));
}

namespace {
Point between(Point a, Point b, float t) { return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }
}  // namespace

// The first part of a Bezier curve, by de Casteljau's construction.
std::array<Point, 4> controlPoints(const DrawItem& curve) {
  const Point start{curve.x, curve.y};
  const Point end{curve.x + curve.w, curve.y + curve.h};
  const float bendX = curve.w / 2;
  const float bendY = curve.h / 2;
  const Point first = curve.verticalCurve ? Point{start.x, start.y + bendY} : Point{start.x + bendX, start.y};
  const Point second = curve.verticalCurve ? Point{end.x, end.y - bendY} : Point{end.x - bendX, end.y};
  if (curve.portion >= 1) return {start, first, second, end};
  const float t = std::max(curve.portion, 0.0F);
  const Point a = between(start, first, t);
  const Point b = between(first, second, t);
  const Point c = between(second, end, t);
  const Point ab = between(a, b, t);
  return {start, a, ab, between(ab, between(b, c, t), t)};
}

Point pointOn(const std::array<Point, 4>& curve, float t) {
  const Point a = between(curve[0], curve[1], t);
  const Point b = between(curve[1], curve[2], t);
  const Point c = between(curve[2], curve[3], t);
  return between(between(a, b, t), between(b, c, t), t);
}

bool SceneContext::threadChosen(std::uint32_t thread) const {
  return std::ranges::binary_search(chosenThreads, thread);
}

const HitArea* Scene::hitAt(float px, float py) const {
  for (auto hit = hits.rbegin(); hit != hits.rend(); ++hit) {
    if (hit->contains(px, py)) return &*hit;
  }
  return nullptr;
}

void Scene::append(const Scene& part, float left, float top) {
  for (DrawItem item : part.items) {
    item.x += left;
    item.y += top;
    items.push_back(std::move(item));
  }
  for (HitArea hit : part.hits) {
    hit.x += left;
    hit.y += top;
    hits.push_back(std::move(hit));
  }
  for (std::size_t kind = 0; kind < feet.size(); ++kind) {
    if (part.feet[kind] > 0) feet[kind] = std::max(feet[kind], part.feet[kind] + top);
  }
}

void dropCutLetters(std::vector<DrawItem>& items, float top, float bottom) {
  std::vector<float> cut;  // the middles of cut letters
  std::erase_if(items, [&](const DrawItem& item) {
    if (item.kind != DrawItem::Kind::Text) return false;
    const float half = (item.size > 0 ? item.size : fontSize(item.font)) * 0.6F;
    const bool isSeen = item.y + half > top && item.y - half < bottom;
    const bool isCut = isSeen && (item.y - half < top || item.y + half > bottom);
    if (isCut) cut.push_back(item.y);
    return isCut;
  });
  constexpr float kNear = 0.5F;  // pixels
  std::vector<DrawItem> marks;   // that belong to cut letters
  std::erase_if(items, [&](const DrawItem& item) {
    const bool isSquare =
        (item.kind == DrawItem::Kind::FillRect || item.kind == DrawItem::Kind::StrokeRect) &&
        std::abs(item.w - item.h) <= kNear;
    const bool isOfCut = isSquare && std::ranges::any_of(cut, [&](float y) {
                           return std::abs(item.y + item.h / 2 - y) < kNear;
                         });
    if (isOfCut) marks.push_back(item);
    return isOfCut;
  });
  std::erase_if(items, [&](const DrawItem& item) {
    return item.kind == DrawItem::Kind::Line && std::ranges::any_of(marks, [&](const DrawItem& mark) {
             return item.x >= mark.x - kNear && item.x <= mark.x + mark.w + kNear &&
                    item.y >= mark.y - kNear && item.y <= mark.y + mark.h + kNear;
           });
  });
}

}  // namespace lanescope
