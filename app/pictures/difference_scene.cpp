#include "app/pictures/difference_scene.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/pictures/base/scene_builder.h"

namespace lanescope {
namespace {

/// Right edges of a group's columns, as shares of its width; the arrow is after the first.
constexpr float kLeft = 0.2F;
constexpr float kArrow = 0.265F;
constexpr float kRight = 0.46F;
constexpr float kDifference = 0.74F;
constexpr float kRatio = 0.98F;

class DifferencePainter {
 public:
  DifferencePainter(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
                    const TextMeasure& measure)
      : groups_(groups), out_(context, measure) {}

  Scene paint() {
    if (groups_.empty() || groups_.front().rows.empty()) return out_.consume();
    const std::size_t rows = groups_.front().rows.size();
    pitch_ = (out_.height() - out_.u(12)) / static_cast<float>(rows + 2);
    text_.scale = std::clamp(pitch_ / out_.u(20), 0.8F, 1.0F);
    dim_ = text_;
    dim_.color = ColorRole::TextDim;
    for (const CounterDifference& row : groups_.front().rows)
      names_ = std::max(names_, out_.textWidth(row.name, text_));
    names_ += out_.u(14);
    top_ = out_.u(6) + 2 * pitch_;
    out_.textWithin(out_.margin(), top_ - pitch_ / 2, names_ - out_.u(8), "→ to the better", dim_);
    for (std::size_t r = 0; r < rows; ++r) {
      const float y = top_ + pitch_ * (static_cast<float>(r) + 0.5F);
      const CounterDifference& row = groups_.front().rows[r];
      out_.line(out_.margin(), y - pitch_ / 2, out_.width() - out_.margin(), y - pitch_ / 2, ColorRole::Grid,
                out_.u(1), 0.7F);
      out_.text(out_.margin(), y, row.name, text_);
      out_.hit({0, y - pitch_ / 2, out_.width(), pitch_}, HitArea::Kind::Strategy,
               static_cast<std::uint32_t>(r), row.name + "\n" + row.meaning);
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Rect rect = groupRect(g);
      out_.line(rect.x, rect.y, rect.x, rect.bottom(), ColorRole::Grid, out_.u(1));
      paintHead(groups_[g], rect);
      for (std::size_t r = 0; r < groups_[g].rows.size() && r < rows; ++r)
        paintRow(groups_[g].rows[r], rect, top_ + pitch_ * (static_cast<float>(r) + 0.5F));
    }
    return out_.consume();
  }

 private:
  Rect groupRect(std::size_t index) const {
    const float left = out_.margin() + names_;
    const float width = (out_.width() - out_.margin() - left) / static_cast<float>(groups_.size());
    return {left + width * static_cast<float>(index), out_.u(6), width - out_.u(8),
            out_.height() - out_.u(12)};
  }

  void paintHead(const DifferenceGroup& group, const Rect& rect) {
    const TextStyle title{FontRole::Bold, ColorRole::TextDim, Align::Left, text_.scale, 1};
    const float y = rect.y + pitch_ * 0.5F;
    const float x = rect.x + out_.u(12);
    const float used = out_.textWithin(x, y, rect.w * 0.5F, group.title, title);
    out_.textWithin(x + used + out_.u(8), y, rect.right() - x - used - out_.u(8), group.note, dim_);
    const float captions = rect.y + pitch_ * 1.5F;
    cell(rect, kLeft, captions, "left", dim_);
    cell(rect, kRight, captions, "right", dim_);
    cell(rect, kDifference, captions, "difference", dim_);
    cell(rect, kRatio, captions, "ratio", dim_);
  }

  void paintRow(const CounterDifference& row, const Rect& rect, float y) {
    const bool left = row.better == Better::Left;
    const bool right = row.better == Better::Right;
    TextStyle winner = text_;
    winner.font = FontRole::Bold;
    winner.color = ColorRole::Good;
    cell(rect, kLeft, y, row.left, left ? winner : text_);
    cell(rect, kRight, y, row.right, right ? winner : text_);
    const bool isEqual = row.better == Better::Neither;
    cell(rect, kDifference, y, row.difference, isEqual ? dim_ : text_);
    cell(rect, kRatio, y, row.ratio, isEqual ? dim_ : text_);
    if (isEqual) return;
    winner.align = Align::Center;
    out_.text(rect.x + rect.w * kArrow, y, left ? "←" : "→", winner);
  }

  void cell(const Rect& rect, float share, float y, const std::string& text, TextStyle style) {
    style.align = Align::Right;
    out_.text(rect.x + rect.w * share, y, text, style);
  }

  const std::vector<DifferenceGroup>& groups_;
  SceneBuilder out_;
  float names_ = 0, top_ = 0, pitch_ = 0;
  TextStyle text_, dim_;
};

}  // namespace

Scene differenceScene(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
                      const TextMeasure& measure) {
  return DifferencePainter(groups, context, measure).paint();
}

}  // namespace lanescope
