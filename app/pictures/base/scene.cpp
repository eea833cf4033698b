#include "app/pictures/base/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "app/workbench/walk.h"

namespace lanescope {

bool SceneContext::threadLit(std::int64_t thread) const {
  return thread >= 0 && (thread == hoverThread ||
                         std::ranges::binary_search(litThreads, static_cast<std::uint32_t>(thread)));
}

bool SceneContext::cellLit(std::int64_t cell) const {
  return cell >= 0 &&
         (cell == hoverCell || std::ranges::binary_search(litCells, static_cast<std::uint32_t>(cell)));
}

bool SceneContext::hasHazards() const { return hazards != nullptr && !hazards->empty(); }

bool SceneContext::hasHazardAt(std::int64_t cell, std::uint32_t from, std::uint32_t to) const {
  return hasHazards() && std::ranges::any_of(*hazards, [&](const HazardMark& mark) {
           return mark.cell == cell && cell >= 0 && mark.step > from && mark.step <= to;
         });
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

namespace {

// Advances in thousandths of the font size, ' ' to '~', from Inter Regular and Inter Bold 4.
constexpr std::array<std::uint16_t, 95> kRegular = {
    281, 278, 403, 631, 638, 813, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 625, 464, 605,
    636, 642, 608, 624, 571, 616, 624, 276, 280, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598,
    587, 743, 740, 264, 543, 652, 563, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642,
    665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544,
    237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 813, 540, 557, 541, 362, 327, 362, 659};
constexpr std::array<std::uint16_t, 95> kBoldWidths = {
    232, 325, 392, 650, 655, 859, 674, 209, 409, 409, 565, 680, 303, 469,  298, 390, 688, 489,  630,
    659, 678, 645, 660, 595, 661, 660, 298, 303, 680, 680, 680, 563, 1031, 748, 661, 752, 727,  613,
    585, 761, 746, 281, 570, 690, 567, 915, 735, 782, 648, 783, 656, 655,  668, 729, 748, 1036, 714,
    724, 667, 409, 390, 409, 488, 477, 497, 580, 635, 587, 635, 598, 386,  633, 624, 272, 272,  582,
    272, 912, 622, 614, 632, 632, 409, 562, 388, 622, 586, 850, 574, 586,  572, 409, 374, 409,  680};
constexpr unsigned kMono = 600;
constexpr unsigned kOther = 821;  // the widest we write outside ASCII: the ellipsis

}  // namespace

float ApproximateMeasure::width(FontRole font, float size, std::string_view text) const {
  unsigned total = 0;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte & 0xC0U) == 0x80U) continue;  // the rest of a UTF-8 sequence
    if (font == FontRole::Mono) {
      total += kMono;
    } else if (byte < 32 || byte > 126) {
      total += kOther;
    } else {
      total += (font == FontRole::Bold ? kBoldWidths : kRegular)[byte - 32U];
    }
  }
  return static_cast<float>(total) * size / 1000.0F;
}

float fontSize(FontRole font) {
  switch (font) {
    case FontRole::Body:
    case FontRole::Bold: return 14.0F;
    case FontRole::Mono: return 13.0F;
    case FontRole::Small: return 11.5F;
  }
  return 14.0F;
}

}  // namespace lanescope
