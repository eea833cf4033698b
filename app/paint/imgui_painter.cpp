#include "app/paint/imgui_painter.h"

#include <algorithm>
#include <cmath>

#include "app/paint/imgui_compat.h"

namespace lanescope {
namespace {

ImU32 colorOf(const DrawItem& item, const Theme& theme) { return imguiColor(theme, item.color, item.alpha); }

class ScenePainter {
 public:
  ScenePainter(ImDrawList& list, ImVec2 origin, const Theme& theme, const FontTable& fonts, float scale)
      : list_(list), origin_(origin), theme_(theme), fonts_(fonts), scale_(scale) {}

  void paint(const DrawItem& item) {
    const ImVec2 start = at(item.x, item.y);
    const ImVec2 end = at(item.x + item.w, item.y + item.h);
    const ImU32 color = colorOf(item, theme_);
    const float width = std::max(item.width * scale_, 1.0F);
    switch (item.kind) {
      case DrawItem::Kind::FillRect: fillRect(start, end, color, item.radius * scale_); break;
      case DrawItem::Kind::StrokeRect:
        list_.AddRect(start, end, color, item.radius * scale_, 0, width);
        break;
      case DrawItem::Kind::Line:
        list_.AddLine(start, at(item.x + item.w * item.portion, item.y + item.h * item.portion), color,
                      width);
        break;
      case DrawItem::Kind::Curve: paintCurve(item, color, width); break;
      case DrawItem::Kind::Triangle: paintTriangle(item, start, end, color); break;
      case DrawItem::Kind::Text: paintText(item, start, color); break;
    }
  }

 private:
  ImVec2 at(float x, float y) const { return {origin_.x + x * scale_, origin_.y + y * scale_}; }

  /// Corners too small to be seen as round take fifty triangles, which software OpenGL keeps for each frame
  /// in flight: ten are enough for soft edges.
  void fillRect(ImVec2 start, ImVec2 end, ImU32 color, float radius) {
    constexpr float kSeenRadius = 1.5F;  // pixels
    if (radius <= 0 || radius >= kSeenRadius) return list_.AddRectFilled(start, end, color, radius);
    list_.PathRect(start, end);
    list_.PathFillConvex(color);
  }

  void paintCurve(const DrawItem& item, ImU32 color, float width) {
    const std::array<Point, 4> points = controlPoints(item);
    list_.AddBezierCubic(at(points[0].x, points[0].y), at(points[1].x, points[1].y),
                         at(points[2].x, points[2].y), at(points[3].x, points[3].y), color, width);
  }

  void paintTriangle(const DrawItem& item, ImVec2 start, ImVec2 end, ImU32 color) {
    if (item.verticalCurve) {
      list_.AddTriangleFilled(start, {end.x, start.y}, {(start.x + end.x) / 2, end.y}, color);
    } else {
      list_.AddTriangleFilled(start, {end.x, (start.y + end.y) / 2}, {start.x, end.y}, color);
    }
  }

  void paintText(const DrawItem& item, ImVec2 anchor, ImU32 color) {
    float size = (item.size > 0 ? item.size : fontSize(item.font)) * scale_;
    ImFont* font = fonts_.sharpest(item.font, size);
    const char* begin = item.text.data();
    const char* end = begin + item.text.size();
    const float width = font->CalcTextSizeA(size, 1e9F, 0.0F, begin, end).x;
    const float shift = item.align == Align::Left ? 0.0F : item.align == Align::Center ? width / 2 : width;
    list_.AddText(font, size, {anchor.x - shift, anchor.y - size / 2}, color, begin, end);
  }

  ImDrawList& list_;
  ImVec2 origin_;
  const Theme& theme_;
  const FontTable& fonts_;
  float scale_;
};

}  // namespace

ImFont* FontTable::of(FontRole role) const {
  ImFont* font = fonts[static_cast<std::size_t>(role)];
  return font != nullptr ? font : ImGui::GetFont();
}

ImFont* FontTable::sharpest(FontRole role, float& size) const {
  constexpr float kLarger = 1.05F;   // may be drawn than was asked for
  constexpr float kSmaller = 0.85F;  // likewise
  const float density = ImGui::GetIO().FontGlobalScale;
  const float asked = size;
  const auto sizeIn = [&](const ImFont* font) { return sizeOf(*font) * density; };
  const auto fits = [&](const ImFont* font) { return sizeIn(font) <= kLarger * asked; };
  const auto distance = [&](const ImFont* font) { return std::abs(sizeIn(font) - asked); };
  ImFont* best = of(role);
  for (const Extra& extra : extras) {
    if (extra.role != role) continue;
    const bool nearer = distance(extra.font) < distance(best);
    if (fits(extra.font) == fits(best) ? nearer : fits(extra.font)) best = extra.font;
  }
  if (fits(best) && sizeIn(best) >= kSmaller * asked) size = sizeIn(best);
  return best;
}

ImVec4 imguiColorVec(const Theme& theme, ColorRole role, float alpha) {
  const Rgba color = theme.color(role);
  constexpr float kScale = 1.0F / 255.0F;
  return {static_cast<float>(color.r) * kScale, static_cast<float>(color.g) * kScale,
          static_cast<float>(color.b) * kScale, static_cast<float>(color.a) * kScale * alpha};
}

ImU32 imguiColor(const Theme& theme, ColorRole role, float alpha) {
  return ImGui::ColorConvertFloat4ToU32(imguiColorVec(theme, role, alpha));
}

void paintScene(ImDrawList& drawList, const Scene& scene, ImVec2 origin, const Theme& theme,
                const FontTable& fonts, float scale) {
  drawList.PushClipRect(origin, {origin.x + scene.width * scale, origin.y + scene.height * scale}, true);
  ScenePainter painter(drawList, origin, theme, fonts, scale);
  for (const DrawItem& item : scene.items) painter.paint(item);
  drawList.PopClipRect();
}

float ImguiMeasure::width(FontRole font, float size, std::string_view text) const {
  ImFont* face = fonts_.sharpest(font, size);
  return face->CalcTextSizeA(size, 1e9F, 0.0F, text.data(), text.data() + text.size()).x;
}

}  // namespace lanescope
