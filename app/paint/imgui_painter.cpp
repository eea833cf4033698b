#include "app/paint/imgui_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/paint/imgui_compat.h"

namespace lanescope {
namespace {

/// Indices of the triangles of a rectangle with soft edges: corners 0 to 3 are inside, 4 to 7 outside.
constexpr std::array<unsigned, 30> kSoftCorners = {0, 1, 2, 0, 2, 3, 1, 0, 4, 4, 5, 1, 2, 1, 5,
                                                   5, 6, 2, 3, 2, 6, 6, 7, 3, 0, 3, 7, 7, 4, 0};

class ScenePainter {
 public:
  ScenePainter(ImDrawList& list, ImVec2 origin, const Theme& theme, const FontTable& fonts, float scale)
      : list_(list), origin_(origin), theme_(theme), fonts_(fonts), scale_(scale) {}

  void paint(std::span<const DrawItem> items) {
    while (!items.empty()) {
      const auto end = std::ranges::find_if_not(items.first(std::min(items.size(), kMostAtOnce)), isPlain);
      const auto plain = static_cast<std::size_t>(end - items.begin());
      if (plain > 0)
        fillPlain(items.first(plain));
      else
        paint(items.front());
      items = items.subspan(std::max<std::size_t>(plain, 1));
    }
  }

 private:
  static constexpr std::size_t kMostAtOnce = 1024;  // their corners are numbered by 16 bits

  static bool isPlain(const DrawItem& item) {
    return item.kind == DrawItem::Kind::FillRect && item.radius <= 0;
  }

  /// For thousands of adjacent cells: their room is reserved once.
  void fillPlain(std::span<const DrawItem> items) {
    const auto count = static_cast<int>(items.size());
    list_.PrimReserve(6 * count, 4 * count);
    for (const DrawItem& item : items)
      list_.PrimRect(at(item.x, item.y), at(item.x + item.w, item.y + item.h),
                     imguiColor(theme_, item.color, item.alpha));
  }

  void paint(const DrawItem& item) {
    const ImVec2 start = at(item.x, item.y);
    const ImVec2 end = at(item.x + item.w, item.y + item.h);
    const ImU32 color = imguiColor(theme_, item.color, item.alpha);
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

  ImVec2 at(float x, float y) const { return {origin_.x + x * scale_, origin_.y + y * scale_}; }

  void fillRect(ImVec2 start, ImVec2 end, ImU32 color, float radius) {
    constexpr float kSeenRadius = 1.5F;  // pixels
    const bool isSoft = radius > 0 && radius < kSeenRadius;
    if (isSoft && (list_.Flags & ImDrawListFlags_AntiAliasedFill) != 0) return fillSoft(start, end, color);
    list_.AddRectFilled(start, end, color, isSoft ? 0 : radius);
  }

  /// With soft edges, half a pixel to each side. Rounded corners too small to be seen would take fifty
  /// triangles, which software OpenGL keeps for each frame in flight: ten are enough.
  void fillSoft(ImVec2 start, ImVec2 end, ImU32 color) {
    const float half = list_._FringeScale / 2;
    const ImU32 clear = color & ~IM_COL32_A_MASK;
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    list_.PrimReserve(kSoftCorners.size(), 8);
    for (const unsigned corner : kSoftCorners)
      list_.PrimWriteIdx(static_cast<ImDrawIdx>(list_._VtxCurrentIdx + corner));
    const auto write = [&](float by, ImU32 ink) {
      list_.PrimWriteVtx({start.x - by, start.y - by}, white, ink);
      list_.PrimWriteVtx({end.x + by, start.y - by}, white, ink);
      list_.PrimWriteVtx({end.x + by, end.y + by}, white, ink);
      list_.PrimWriteVtx({start.x - by, end.y + by}, white, ink);
    };
    write(-half, color);
    write(half, clear);
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
  constexpr float kLarger = 1.05F;   // letters may be that much larger than requested
  constexpr float kSmaller = 0.85F;  // likewise
  const float density = ImGui::GetIO().FontGlobalScale;
  const float asked = size;
  const auto sizeIn = [&](const ImFont* font) { return computeSize(*font) * density; };
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
  const Rgba color = theme.color(role);
  const float opacity = std::clamp(static_cast<float>(color.a) * alpha + 0.5F, 0.0F, 255.0F);  // to be cut
  return IM_COL32(color.r, color.g, color.b, static_cast<ImU32>(opacity));
}

void paintScene(ImDrawList& drawList, const Scene& scene, ImVec2 origin, const Theme& theme,
                const FontTable& fonts, float scale) {
  drawList.PushClipRect(origin, {origin.x + scene.width * scale, origin.y + scene.height * scale}, true);
  ScenePainter(drawList, origin, theme, fonts, scale).paint(scene.items);
  drawList.PopClipRect();
}

float ImguiMeasure::width(FontRole font, float size, std::string_view text) const {
  ImFont* face = fonts_.sharpest(font, size);
  return face->CalcTextSizeA(size, 1e9F, 0.0F, text.data(), text.data() + text.size()).x;
}

}  // namespace lanescope
