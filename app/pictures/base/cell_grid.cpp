#include "app/pictures/base/cell_grid.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/base/whole.h"

namespace lanescope {
namespace {

// Units.
constexpr float kSeparate = 3.5F;  ///< cells less wide run together
constexpr float kMostGap = 4;      ///< between cells
constexpr float kMostGroupGap = 8;
constexpr float kRadius = 3;
constexpr float kHatch = 6;          ///< between its lines
constexpr float kLeastOutline = 3;   ///< width of a run that is hatched or outlined
constexpr float kTone = 0.4F;        ///< alpha of a run too narrow for it
constexpr float kNumberRoom = 1.7F;  ///< numbers of an axis, as a factor of the widest

}  // namespace

void paintCell(SceneBuilder& out, const Rect& rect, const CellLook& look) {
  const float radius = std::min({out.u(kRadius), rect.w / 4, rect.h / 4});
  const float thin = std::max(out.u(1), 0.75F);
  switch (look.style) {
    case CellLook::Style::None: break;
    case CellLook::Style::Filled: out.fill(rect, look.color, radius, look.alpha); break;
    case CellLook::Style::Hatched:
      out.fill(rect, ColorRole::Cell, radius);
      if (rect.w < out.u(kHatch))
        out.line(rect.x, rect.bottom(), rect.right(), rect.y, look.color, thin, look.alpha);
      else  // short lines look denser
        out.hatch(rect, look.color, out.u(rect.h < out.u(kHatch) ? 1.5F * kHatch : kHatch), thin, look.alpha);
      break;
    case CellLook::Style::Outlined:
      out.fill(rect, ColorRole::Panel, radius);
      out.stroke(rect.inset(thin / 2), look.color, thin, radius, look.alpha);
      break;
  }
}

void paintPlate(SceneBuilder& out, const Rect& rect, std::string_view text, const TextStyle& style) {
  const float wide = std::max(out.textWidth(text, style), out.textWidth("44", style)) + out.u(4);
  const float w = rect.w < wide + out.u(12) ? rect.w : wide;
  const float h = std::min(rect.h, out.computeSize(style) * 1.05F);
  out.fill({rect.midX() - w / 2, rect.midY() - h / 2, w, h}, ColorRole::Cell);
}

std::uint32_t findStride(float needed, float pitch, std::uint32_t most) {
  constexpr std::uint32_t kLargest = 1U << 31U;
  std::uint32_t stride = 1;
  while (static_cast<float>(stride) * pitch < needed && stride < std::min(most, kLargest)) stride *= 2;
  return stride;
}

CellGrid::CellGrid(const SceneBuilder& out, Columns columns, float left, float right, float width,
                   float shift, float mostPitch)
    : count_(std::max(columns.count, 1U)),
      perGroup_(columns.perGroup == 0 ? count_ : columns.perGroup),
      left_(left),
      right_(right),
      shift_(shift) {
  const auto count = static_cast<float>(count_);
  const std::uint32_t gaps = (count_ - 1) / perGroup_;
  const auto groups = static_cast<float>(gaps);
  pitch_ = std::min(width / count, mostPitch);
  if (groups > 0) {
    groupGap_ = std::min({out.u(kMostGroupGap), pitch_, width * 0.1F / groups});
    pitch_ = std::min((width - groups * groupGap_) / count, mostPitch);
  }
  gap_ = pitch_ < out.u(kSeparate) ? 0 : std::min(pitch_ * 0.16F, out.u(kMostGap));
  end_ = count_;
  while (first_ + 1 < count_ && x(first_ + 1) - gap_ <= left_ + 0.5F) ++first_;
  while (end_ > first_ + 1 && x(end_ - 1) >= right_ - 0.5F) --end_;
}

std::optional<std::uint32_t> CellGrid::columnAt(float at) const {
  if (at < left_ || at >= right_) return std::nullopt;
  std::uint32_t low = first_;
  std::uint32_t high = end_;
  while (low + 1 < high) {
    const std::uint32_t middle = (low + high) / 2;
    (x(middle) <= at ? low : high) = middle;
  }
  const bool isOnIt = at >= x(low) && at < x(low) + pitch_;
  return isOnIt ? std::optional(low) : std::nullopt;
}

void CellGrid::addToRun(SceneBuilder& out, Run& run, const CellLook& look, Extent cell, float top,
                        float height) const {
  const float from = std::max(cell.x, left_);
  const float to = std::min(cell.x + cell.width, right_);
  if (gap_ > 0) {
    if (look.style != CellLook::Style::None && to > from)
      paintCell(out, {from, top, to - from, height}, look);
    return;
  }
  if (run.isAny && run.look == look && from - run.right < 0.5F) {
    run.right = to;
    return;
  }
  // Of cells in one pixel, the one that does more.
  if (run.isAny && to - run.left < 1) {
    const auto rank = [](const CellLook& each) {
      return each.style == CellLook::Style::Filled ? 2 + toWhole<int>(each.alpha * 10) : 0;
    };
    if (rank(look) > rank(run.look)) run.look = look;
    run.right = to;
    return;
  }
  paintRun(out, run, top, height);
  run = {look, from, to, true};
}

void CellGrid::paintRun(SceneBuilder& out, const Run& run, float top, float height) const {
  if (!run.isAny || run.look.style == CellLook::Style::None) return;
  const Rect rect{run.left, top, run.right - run.left, height};
  // A run too narrow for a hatch or an outline has their tone: as many lines as there are pixels show less.
  const bool isTone = run.look.style != CellLook::Style::Filled && rect.w < out.u(kLeastOutline);
  if (run.look.style == CellLook::Style::Filled || isTone)
    out.fill(rect, run.look.color, 0, run.look.alpha * (isTone ? kTone : 1));
  else
    paintCell(out, rect, run.look);
}

void CellGrid::paintAxis(SceneBuilder& out, float y, const TextStyle& style) const {
  TextStyle centred = style;
  centred.align = Align::Center;
  const std::uint32_t stride =
      findStride(out.textWidth(std::to_string(count_), style) * kNumberRoom, pitch_, count_);
  for (std::uint32_t column = (first_ + stride - 1) / stride * stride; column < end_; column += stride) {
    const float middle = x(column) + (pitch_ - gap_) / 2;
    if (middle >= left_ && middle <= right_) out.text(middle, y, std::to_string(column), centred);
  }
}

}  // namespace lanescope
