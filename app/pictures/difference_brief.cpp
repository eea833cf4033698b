// The differences with little height: a column for each counter, a row for each span.
#include <algorithm>

#include "app/pictures/base/scene_builder.h"
#include "app/pictures/difference_scene.h"

namespace lanescope {
namespace {

constexpr float kArrowRoom = 14;  ///< units from the middle of a column to a number
constexpr float kColumnGap = 8;

std::string differenceSign(const CounterDifference& row) {
  if (row.better == Better::Neither) return row.difference;  // `=`, or no comparison
  return row.better == Better::Left ? "←" : "→";
}

class BriefPainter {
 public:
  BriefPainter(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
               const TextMeasure& measure)
      : groups_(groups), out_(context, measure) {}

  Scene paint();

 private:
  void layOut();
  void paintCell(const CounterDifference& row, float middle, float y);

  const std::vector<DifferenceGroup>& groups_;
  SceneBuilder out_;
  TextStyle text_, dim_, number_;
  float names_ = 0, pitch_ = 0, column_ = 0;
};

// The numbers are as large as the widest allows, and all alike.
void BriefPainter::layOut() {
  pitch_ = (out_.height() - out_.u(12)) / static_cast<float>(groups_.size() + 1);
  text_.scale = std::clamp(pitch_ / out_.u(20), 0.8F, 1.0F);
  dim_ = number_ = text_;
  dim_.color = ColorRole::TextDim;
  names_ = out_.textWidth("→ to the better", dim_);
  TextStyle bold = text_;
  bold.font = FontRole::Bold;
  float widest = 1;
  for (const DifferenceGroup& group : groups_) {
    names_ = std::max(names_, out_.textWidth(group.title, bold));
    for (const CounterDifference& row : group.rows)
      widest = std::max({widest, out_.textWidth(row.left, bold), out_.textWidth(row.right, bold)});
  }
  names_ += out_.u(14);
  const auto columns = static_cast<float>(groups_.front().rows.size());
  column_ = (out_.width() - 2 * out_.margin() - names_) / columns;
  number_.scale *= std::min(1.0F, (column_ / 2 - out_.u(kArrowRoom)) / widest);
}

void BriefPainter::paintCell(const CounterDifference& row, float middle, float y) {
  const auto side = [&](const std::string& text, bool isBetter, Align align, float x) {
    TextStyle style = number_;
    style.align = align;
    if (isBetter) style.font = FontRole::Bold;
    if (isBetter) style.color = ColorRole::Good;
    out_.text(x, y, text, style);
  };
  const float room = out_.u(kArrowRoom);
  side(row.left, row.better == Better::Left, Align::Right, middle - room);
  side(row.right, row.better == Better::Right, Align::Left, middle + room);
  const bool isEqual = row.better == Better::Neither;
  TextStyle sign = isEqual ? dim_ : text_;
  sign.align = Align::Center;
  if (!isEqual) sign.font = FontRole::Bold;
  if (!isEqual) sign.color = ColorRole::Good;
  if (const std::string text = differenceSign(row); !text.empty()) out_.text(middle, y, text, sign);
}

Scene BriefPainter::paint() {
  if (groups_.empty() || groups_.front().rows.empty()) return out_.consume();
  layOut();
  const float top = out_.u(6);
  out_.text(out_.margin(), top + pitch_ / 2, "→ to the better", dim_);
  const auto& columns = groups_.front().rows;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Rect head{out_.margin() + names_ + column_ * static_cast<float>(c), top, column_, pitch_};
    TextStyle style = dim_;
    style.align = Align::Center;
    out_.textInside({head.x, head.y, head.w - out_.u(kColumnGap), head.h}, columns[c].name, style, 0.6F);
    out_.hit({head.x, top, column_, out_.height() - 2 * top}, HitArea::Kind::Strategy,
             static_cast<std::uint32_t>(c), columns[c].name + "\n" + columns[c].meaning);
  }
  for (std::size_t r = 0; r < groups_.size(); ++r) {
    const float y = top + pitch_ * (static_cast<float>(r) + 1.5F);
    out_.line(out_.margin(), y - pitch_ / 2, out_.width() - out_.margin(), y - pitch_ / 2, ColorRole::Grid,
              out_.u(1), 0.7F);
    TextStyle title = text_;
    title.font = FontRole::Bold;
    out_.text(out_.margin(), y, groups_[r].title, title);
    const auto& cells = groups_[r].rows;
    for (std::size_t c = 0; c < std::min(cells.size(), columns.size()); ++c) {
      const float left = out_.margin() + names_ + column_ * static_cast<float>(c);
      paintCell(cells[c], left + (column_ - out_.u(kColumnGap)) / 2, y);
    }
  }
  return out_.consume();
}

}  // namespace

Scene briefDifferenceScene(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
                           const TextMeasure& measure) {
  return BriefPainter(groups, context, measure).paint();
}

}  // namespace lanescope
