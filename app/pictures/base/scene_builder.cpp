#include "app/pictures/base/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "app/base/cut_text.h"
#include "app/base/whole.h"

namespace lanescope {

namespace {
constexpr float kFarthest = 1e6F;   ///< pixels, of an item that is drawn
constexpr float kFitSlack = 0.02F;  ///< share of a size: letters that fit but for a part of a pixel

/// False for NaN, too.
bool isNear(std::initializer_list<float> places) {
  return std::ranges::all_of(places, [](float place) { return std::abs(place) < kFarthest; });
}

}  // namespace

SceneBuilder::SceneBuilder(const SceneContext& context, const TextMeasure& measure)
    : measure_(measure), unit_(context.unit), pointer_(context.pointer), isStill_(context.still) {
  if (context.spare != nullptr) {
    scene_.items = std::move(context.spare->items);
    scene_.items.clear();
  }
  scene_.width = context.width;
  scene_.height = context.height;
}

float SceneBuilder::textWidth(std::string_view text, const TextStyle& style) const {
  return measure_.width(style.font, computeSize(style), text);
}

DrawItem& SceneBuilder::add(DrawItem::Kind kind, float x, float y, float w, float h, ColorRole color,
                            float alpha) {
  DrawItem& item = isNear({x, y, w, h}) ? scene_.items.emplace_back() : leftOutItem_;
  item.kind = kind;
  item.x = x;
  item.y = y;
  item.w = w;
  item.h = h;
  item.color = color;
  item.alpha = alpha;
  return item;
}

void SceneBuilder::fill(const Rect& rect, ColorRole color, float radius, float alpha) {
  add(DrawItem::Kind::FillRect, rect.x, rect.y, rect.w, rect.h, color, alpha).radius = radius;
}

void SceneBuilder::stroke(const Rect& rect, ColorRole color, float width, float radius, float alpha) {
  DrawItem& item = add(DrawItem::Kind::StrokeRect, rect.x, rect.y, rect.w, rect.h, color, alpha);
  item.width = width;
  item.radius = radius;
}

void SceneBuilder::line(float x0, float y0, float x1, float y1, ColorRole color, float width, float alpha,
                        float portion) {
  DrawItem& item = add(DrawItem::Kind::Line, x0, y0, x1 - x0, y1 - y0, color, alpha);
  item.width = width;
  item.portion = portion;
}

void SceneBuilder::dashes(Point from, Point to, float dash, float pitch, ColorRole color, float width) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const auto at = [&](float share) {
    return Point{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
  };
  const std::uint32_t count = countSteps(length, pitch);
  for (std::uint32_t index = 0; index < count; ++index) {
    const float start = pitch * static_cast<float>(index);
    const Point begin = at(start / length);
    const Point end = at(std::min(start + dash, length) / length);
    line(begin.x, begin.y, end.x, end.y, color, width);
  }
}

void SceneBuilder::curve(float x0, float y0, float x1, float y1, ColorRole color, float width, float alpha,
                         float portion) {
  DrawItem& item = add(DrawItem::Kind::Curve, x0, y0, x1 - x0, y1 - y0, color, alpha);
  item.width = width;
  item.portion = portion;
}

void SceneBuilder::triangle(const Rect& rect, ColorRole color, bool down, float alpha) {
  add(DrawItem::Kind::Triangle, rect.x, rect.y, rect.w, rect.h, color, alpha).verticalCurve = down;
}

void SceneBuilder::hatch(const Rect& rect, ColorRole color, float gap, float width, float alpha) {
  const std::uint32_t lines = countSteps(rect.w + rect.h - gap / 2, gap);
  for (std::uint32_t index = 0; index < lines; ++index) {
    const float offset = gap * (static_cast<float>(index) + 0.5F);
    // The diagonal x + y = offset, from its lower left to its upper right end within the rect.
    const float startX = std::max(0.0F, offset - rect.h);
    const float endX = std::min(rect.w, offset);
    line(rect.x + startX, rect.y + offset - startX, rect.x + endX, rect.y + offset - endX, color, width,
         alpha);
  }
}

void SceneBuilder::text(float x, float y, std::string text, const TextStyle& style) {
  if (text.empty()) return;
  DrawItem& item = add(DrawItem::Kind::Text, x, y, 0, 0, style.color, style.alpha);
  item.size = computeSize(style);
  item.font = style.font;
  item.align = style.align;
  item.text = std::move(text);
}

float SceneBuilder::textWithin(float x, float y, float maxWidth, std::string_view content,
                               const TextStyle& style) {
  std::string shown =
      cutText(content, maxWidth, [&](std::string_view part) { return textWidth(part, style); });
  const float drawn = textWidth(shown, style);
  text(x, y, std::move(shown), style);
  return drawn;
}

float SceneBuilder::roomOfDetail(std::string_view detail, const TextStyle& style) const {
  return detail.empty() ? 0 : textWidth(detail, style) + u(5);
}

float SceneBuilder::detailedWidth(std::string_view content, std::string_view detail,
                                  const TextStyle& style) const {
  return textWidth(content, style) + roomOfDetail(detail, style);
}

float SceneBuilder::textWithDetail(float x, float y, float maxWidth, std::string_view content,
                                   std::string_view detail, const TextStyle& style) {
  const float room = roomOfDetail(detail, style);
  const float drawn = textWithin(x, y, std::max(0.0F, maxWidth - room), content, style);
  if (detail.empty()) return drawn;
  TextStyle dim = style;
  dim.color = ColorRole::TextDim;
  const float gap = drawn > 0 ? u(5) : 0;
  return drawn + gap + textWithin(x + drawn + gap, y, maxWidth - drawn - gap, detail, dim);
}

float SceneBuilder::scaleInside(float width, std::string_view content, const TextStyle& style) const {
  const float full = textWidth(content, style);
  const float room = width - u(0.6F);
  if (full <= room) return 1;
  const float exact = room / full;
  const float least = leastScale(style);
  if (exact < least - kFitSlack) return exact;
  // Faces come in fixed sizes, and letters' advances are whole pixels: a smaller face may be needed.
  constexpr float kStep = 0.96F;
  TextStyle smaller = style;
  constexpr int kMostSteps = 64;
  float scale = std::max(exact, least);
  for (int steps = 0; scale >= least && steps < kMostSteps; ++steps, scale *= kStep) {
    smaller.scale = style.scale * scale;
    if (textWidth(content, smaller) <= room * (1 + 2 * kFitSlack)) return std::min(scale, exact);
  }
  return 0;
}

bool SceneBuilder::fitsInside(float width, std::string_view content, const TextStyle& style,
                              float minScale) const {
  return scaleInside(width, content, style) >= std::max(minScale, leastScale(style) - kFitSlack);
}

float SceneBuilder::scaleInside(const Rect& rect, std::string_view content, const TextStyle& style) const {
  return std::min(scaleInside(rect.w, content, style), rect.h / (computeSize(style) * 1.05F));
}

bool SceneBuilder::fitsInside(const Rect& rect, std::string_view content, const TextStyle& style,
                              float minScale) const {
  return scaleInside(rect, content, style) >= std::max(minScale, leastScale(style) - kFitSlack);
}

bool SceneBuilder::textInside(const Rect& rect, std::string_view content, TextStyle style, float minScale) {
  if (content.empty() || !fitsInside(rect, content, style, minScale)) return false;
  style.scale *= std::min(1.0F, scaleInside(rect, content, style));
  style.align = Align::Center;
  text(rect.midX(), rect.midY(), std::string(content), style);
  return true;
}

float SceneBuilder::paragraph(float x, float y, float maxWidth, int maxLines, std::string_view content,
                              const TextStyle& style) {
  const float pitch = computeSize(style) * 1.35F;
  std::string_view rest = content;
  for (int number = 0; number < maxLines && !rest.empty(); ++number) {
    std::size_t end = rest.size();
    if (number + 1 < maxLines) {
      while (end > 0 && textWidth(rest.substr(0, end), style) > maxWidth) {
        const std::size_t blank = rest.rfind(' ', end - 1);
        if (blank == std::string_view::npos || blank == 0) break;
        end = blank;
      }
    }
    textWithin(x, y + pitch / 2, maxWidth, rest.substr(0, end), style);
    rest.remove_prefix(end);
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    y += pitch;
  }
  return y;
}

float SceneBuilder::heading(std::string_view title, std::string_view note, float reserveRight) {
  const TextStyle titleStyle{FontRole::Bold, ColorRole::Text, Align::Left, 1, 1};
  const TextStyle noteStyle{FontRole::Body, ColorRole::TextDim, Align::Left, kNoteScale, 1};
  const float y = u(18);
  const float room = width() - 2 * margin() - reserveRight;
  const float used = textWithin(margin(), y, room, title, titleStyle) + u(10);
  textWithin(margin() + used, y, room - used, note, noteStyle);
  return u(32);
}

HitArea& SceneBuilder::hit(const Rect& rect, HitArea::Kind kind, std::uint32_t index, std::string tooltip,
                           std::int64_t thread, std::int64_t step) {
  const bool isInSight = isNear({rect.x, rect.y, rect.w, rect.h});
  const bool isPresent = isInSight && (!pointer_ || rect.contains(pointer_->x, pointer_->y));
  float& foot = scene_.feet[static_cast<std::size_t>(kind)];
  if (isInSight) foot = std::max(foot, rect.bottom());
  HitArea& area = isPresent ? scene_.hits.emplace_back() : leftOut_;
  area.x = rect.x;
  area.y = rect.y;
  area.w = rect.w;
  area.h = rect.h;
  area.kind = kind;
  area.index = index;
  area.thread = kind == HitArea::Kind::Thread ? static_cast<std::int64_t>(index) : thread;
  area.cell = kind == HitArea::Kind::Cell ? static_cast<std::int64_t>(index) : -1;
  area.line = kind == HitArea::Kind::Line ? static_cast<std::int64_t>(index) : -1;
  area.step = step;
  area.tooltip = std::move(tooltip);
  return area;
}

}  // namespace lanescope
