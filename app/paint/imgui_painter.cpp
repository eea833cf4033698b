#include "app/paint/imgui_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "app/base/whole.h"
#include "app/paint/imgui_compat.h"
#include "app/pictures/base/scene.h"

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
        paintLine(start, at(item.x + item.w * item.portion, item.y + item.h * item.portion), color, width);
        break;
      case DrawItem::Kind::Curve: paintCurve(item, color, width); break;
      case DrawItem::Kind::Triangle: paintTriangle(item, start, end, color); break;
      case DrawItem::Kind::Text: paintText(item, start, color); break;
    }
  }

  ImVec2 at(float x, float y) const { return {origin_.x + x * scale_, origin_.y + y * scale_}; }

  /// Thin lines, of which a picture has thousands, are what ImDrawList::AddLine() makes of a whole number of
  /// pixels: a quad with a soft edge in the font's texture.
  void paintLine(ImVec2 from, ImVec2 to, ImU32 color, float width) {
    constexpr float kThin = 1.5F;
    const float dx = to.x - from.x;
    const float dy = to.y - from.y;
    const float length = std::sqrt(dx * dx + dy * dy);
    if (width >= kThin || length <= 0 || (list_.Flags & ImDrawListFlags_AntiAliasedLinesUseTex) == 0)
      return list_.AddLine(from, to, color, width);
    const ImVec4 uv = list_._Data->TexUvLines[1];
    const float half = 1.5F / length;
    const ImVec2 across(dy * half, -dx * half);
    list_.PrimReserve(6, 4);
    list_.PrimQuadUV({from.x + 0.5F + across.x, from.y + 0.5F + across.y},
                     {to.x + 0.5F + across.x, to.y + 0.5F + across.y},
                     {to.x + 0.5F - across.x, to.y + 0.5F - across.y},
                     {from.x + 0.5F - across.x, from.y + 0.5F - across.y}, {uv.x, uv.y}, {uv.x, uv.y},
                     {uv.z, uv.w}, {uv.z, uv.w}, color);
  }

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
  return IM_COL32(color.r, color.g, color.b, toWhole<ImU32>(opacity));
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

namespace {

namespace fs = std::filesystem;

/// Latin, dashes, quotes and bullets, superscripts, arrows, minus and the comparisons; ends with 0.
constexpr std::array<ImWchar, 17> kGlyphs{0x20,   0xFF,   0x2010, 0x2027, 0x2070, 0x209C,
                                          0x2190, 0x2193, 0x2212, 0x2212, 0x2248, 0x2248,
                                          0x2260, 0x2260, 0x2264, 0x2265, 0};

constexpr float kSmallerStep = kNoteScale;
constexpr int kMostSmaller = 32;  ///< sizes of a role
constexpr float kLargeScale = 1.15F;
constexpr float kLargestScale = 1.3F;  ///< questions
/// The width of a bold face's space: its own, rounded to whole pixels, would make the words of a small one
/// run together.
constexpr float kBoldSpace = 0.32F;

ImFont* addFont(ImFontAtlas& atlas, const fs::path& path, float size) {
  ImFontConfig config;
  config.SizePixels = size;
  config.OversampleH = 1;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  if (!path.empty()) {
    if (ImFont* font = atlas.AddFontFromFileTTF(path.c_str(), size, &config, kGlyphs.data())) return font;
  }
  return atlas.AddFontDefault(&config);
}

/// The faces of an atlas by file and size, each once.
class FaceSizes {
 public:
  FaceSizes(ImFontAtlas& atlas, float density) : atlas_(atlas), density_(density) {}

  /// Rasterized at that size in logical pixels.
  ImFont* of(const fs::path& file, float size) {
    const float pixels = std::round(size * density_);
    ImFont*& face = faces_[{file, pixels}];
    if (face == nullptr) face = addFont(atlas_, file, pixels);
    return face;
  }
  /// Sets the space in each face of that file to that share of its size; call it once the atlas is built.
  void widenSpaces(const fs::path& file, float share) {
    for (const auto& [which, face] : faces_) {
      if (which.first == file) widenSpace(*face, std::round(share * which.second));
    }
  }

 private:
  ImFontAtlas& atlas_;
  float density_;
  std::map<std::pair<fs::path, float>, ImFont*> faces_;
};

}  // namespace

FontTable loadFonts(ImFontAtlas& atlas, float unit, float density, const std::vector<fs::path>& folders) {
  FaceSizes sizes(atlas, density);
  FontTable table;
  constexpr std::array kRoles{FontRole::Body, FontRole::Bold, FontRole::Mono, FontRole::Small};
  for (const FontRole role : kRoles) {
    const fs::path file = fontFile(folders, role == FontRole::Small ? FontRole::Body : role);
    const float own = std::max(kLeastText, fontSize(role) * unit);
    table.fonts[static_cast<std::size_t>(role)] = sizes.of(file, own);
    const auto add = [&](float size) { table.extras.push_back({role, sizes.of(file, size)}); };
    // Parts with little room have smaller letters, enlarged charts and questions larger ones.
    float size = own * kSmallerStep;
    for (int steps = 0; size > kLeastText && steps < kMostSmaller; ++steps, size *= kSmallerStep) add(size);
    add(kLeastText);
    add(own * kLargeScale);
    if (role == FontRole::Bold || role == FontRole::Mono) add(own * kLargestScale);
  }
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  atlas.Build();
  sizes.widenSpaces(fontFile(folders, FontRole::Bold), kBoldSpace);
  dropFontFiles(atlas);
  return table;
}

}  // namespace lanescope
