#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "app/pictures/base/scene.h"
#include "sim/base/counted.h"

namespace lanescope {

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;

  float right() const { return x + w; }
  float bottom() const { return y + h; }
  float midX() const { return x + w / 2; }
  float midY() const { return y + h / 2; }
  bool contains(float px, float py) const { return px >= x && px < right() && py >= y && py < bottom(); }
  Rect inset(float by) const { return {x + by, y + by, w - 2 * by, h - 2 * by}; }
};

struct TextStyle {
  FontRole font = FontRole::Body;
  ColorRole color = ColorRole::Text;
  Align align = Align::Left;
  float scale = 1;  ///< factor of the role's own size
  float alpha = 1;
};

/// Collects draw items. Sizes go in as logical pixels unless named units (times SceneContext::unit). What has
/// no place in any window, as at NaN or infinity, is left out.
class SceneBuilder {
 public:
  SceneBuilder(const SceneContext& context, const TextMeasure& measure);

  float width() const { return scene_.width; }
  float height() const { return scene_.height; }
  /// That many units in logical pixels.
  float u(float units) const { return units * unit_; }
  /// Letters' size in logical pixels, never less than kLeastText.
  float computeSize(const TextStyle& style) const {
    return std::max(kLeastText, fontSize(style.font) * unit_ * style.scale);
  }
  /// How much smaller a style's letters may become.
  float leastScale(const TextStyle& style) const { return kLeastText / computeSize(style); }
  float textWidth(std::string_view text, const TextStyle& style) const;

  void fill(const Rect& rect, ColorRole color, float radius = 0, float alpha = 1);
  void stroke(const Rect& rect, ColorRole color, float width, float radius = 0, float alpha = 1);
  /// Draws `portion` of it, from its start; likewise for a curve.
  void line(float x0, float y0, float x1, float y1, ColorRole color, float width, float alpha = 1,
            float portion = 1);
  /// A straight line of dashes; `pitch`: from the start of one to the start of the next.
  void dashes(Point from, Point to, float dash, float pitch, ColorRole color, float width);
  /// From (x0, y0) to (x1, y1), leaving and arriving vertically.
  void curve(float x0, float y0, float x1, float y1, ColorRole color, float width, float alpha = 1,
             float portion = 1);
  /// A triangle filling the rect: its tip points down if `down`, else to the right.
  void triangle(const Rect& rect, ColorRole color, bool down, float alpha = 1);
  /// Diagonal lines within the rect, `gap` apart.
  void hatch(const Rect& rect, ColorRole color, float gap, float width, float alpha = 1);

  void text(float x, float y, std::string text, const TextStyle& style);
  /// As text(), cut with an ellipsis to fit `maxWidth`; draws nothing if not even one letter fits. Returns
  /// the width drawn.
  float textWithin(float x, float y, float maxWidth, std::string_view text, const TextStyle& style);
  /// As textWithin(), with a detail after it that is cut last: it distinguishes entries of the same text.
  float textWithDetail(float x, float y, float maxWidth, std::string_view text, std::string_view detail,
                       const TextStyle& style);
  /// The width of textWithDetail() if there is room enough.
  float detailedWidth(std::string_view text, std::string_view detail, const TextStyle& style) const;
  /// Centred in the rect, made smaller down to `minScale` of its size and to kLeastText. Returns false, and
  /// draws nothing, if it does not fit.
  bool textInside(const Rect& rect, std::string_view text, TextStyle style, float minScale = 0.8F);
  /// True if textInside() would draw it.
  bool fitsInside(const Rect& rect, std::string_view text, const TextStyle& style,
                  float minScale = 0.8F) const;
  /// The same, in a rectangle of that width that is high enough.
  bool fitsInside(float width, std::string_view text, const TextStyle& style, float minScale = 0.8F) const;
  /// Lines of words no wider than `maxWidth`, at most `maxLines`. Returns the y below the last.
  float paragraph(float x, float y, float maxWidth, int maxLines, std::string_view text,
                  const TextStyle& style);

  /// The panel's heading: TITLE in bold, a note after it. Returns the y at which the picture may start. Keeps
  /// `reserveRight` free at the right for a legend.
  float heading(std::string_view title, std::string_view note, float reserveRight = 0);
  /// The margin kept at every side.
  float margin() const { return u(14); }

  /// The area added, to be completed by the caller; valid until the next call. An area that is left out
  /// because the pointer is not on it (SceneContext::pointer) can be written to as well.
  HitArea& hit(const Rect& rect, HitArea::Kind kind, std::uint32_t index, std::string tooltip = {},
               std::int64_t thread = -1, std::int64_t step = -1);

  /// As above, with the tooltip that `tip` returns, called only if the tooltip may be read.
  template <std::invocable Tip>
  HitArea& hit(const Rect& rect, HitArea::Kind kind, std::uint32_t index, Tip tip, std::int64_t thread = -1,
               std::int64_t step = -1) {
    HitArea& area = hit(rect, kind, index, std::string(), thread, step);
    if (&area != &leftOut_ && !isStill_) area.tooltip = tip();
    return area;
  }

  Scene consume() { return std::move(scene_); }

 private:
  /// The scale at which the text is no wider than `width`; smaller than any letters if there is none.
  float scaleInside(float width, std::string_view text, const TextStyle& style) const;
  float scaleInside(const Rect& rect, std::string_view text, const TextStyle& style) const;
  DrawItem& add(DrawItem::Kind kind, float x, float y, float w, float h, ColorRole color, float alpha);
  /// A detail's own width and the gap before it; 0 without a detail.
  float roomOfDetail(std::string_view detail, const TextStyle& style) const;

  Scene scene_;
  const TextMeasure& measure_;
  float unit_;
  std::optional<Point> pointer_;
  bool isStill_;
  HitArea leftOut_;
  DrawItem leftOutItem_;
};

}  // namespace lanescope
