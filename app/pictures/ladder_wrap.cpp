// Rows with so many words that they take several lines: the number of lines, and the tag of each.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/pictures/ladder_painter.h"

namespace lanescope {
namespace {

constexpr float kLeastColumn = 2;  // pixels
constexpr float kMostTag = 100;    // units
constexpr float kTagGap = 5;
constexpr TextStyle kTag{FontRole::Small, ColorRole::TextDim, Align::Right, 0.8F, 1};

}  // namespace

/// Lines, words per line and the left end of the words, beside labels as wide as the gutter and tags.
void LadderPainter::wrap(float gutter) {
  const auto fill = [&] {
    left_ = out_.margin() + gutter + tags_;
    const float room = std::max(out_.width() - out_.margin() - left_, 1.0F);
    const auto wanted =
        static_cast<std::uint32_t>(std::ceil(static_cast<float>(shown_) * kLeastColumn / room));
    for (lines_ = 1; lines_ < wanted; lines_ *= 2) {
    }
    perLine_ = (shown_ + lines_ - 1) / lines_;
  };
  tags_ = 0;
  fill();
  if (lines_ == 1) return;
  // Tags take room, so that more lines may be needed, which have tags of their own.
  tags_ = lineTagWidth() + out_.u(kTagGap);
  fill();
  tags_ = lineTagWidth() + out_.u(kTagGap);
  left_ = out_.margin() + gutter + tags_;
}

/// The tag of a row's line: `errors[0]` if rows have several arrays, else `512`; empty for the line of the
/// row's label, and in a row that needs only one line.
std::string LadderPainter::lineTag(const LadderRow& row, std::uint32_t line) const {
  const auto last = std::ranges::find_if(row.cells.rbegin(), row.cells.rend(), &LadderCell::there);
  const auto end = static_cast<std::uint32_t>(row.cells.rend() - last);
  const std::uint32_t column = first_ + line * perLine_;
  if (end <= first_ + perLine_ || column >= end || !row.cells[column].there) return "";
  if (row.kind != LadderRow::Kind::Words) return fmt::format("{}", row.cells[column].index);
  const auto group = std::ranges::find_if(ladder_.groups, [column](const LadderGroup& each) {
    return column >= each.firstColumn && column < each.firstColumn + each.columns;
  });
  if (group == ladder_.groups.end()) return fmt::format("{}", column);
  const std::string index = fmt::format("[{}]", column - group->firstColumn);
  return out_.textWidth(group->name + index, kTag) <= out_.u(kMostTag) ? group->name + index : index;
}

float LadderPainter::lineTagWidth() const {
  float width = 0;
  bool hasWords = false;
  for (const LadderRow& row : ladder_.rows) {
    // Every row of words contains all words, at the same places.
    const bool isKnown = row.kind == LadderRow::Kind::Words && !ladder_.registers && hasWords;
    hasWords = hasWords || row.kind == LadderRow::Kind::Words;
    if (isKnown) continue;
    for (std::uint32_t line = 0; line < lines_; ++line)
      width = std::max(width, out_.textWidth(lineTag(row, line), kTag));
  }
  return width;
}

/// As many of the tags as fit beside the lines. If arrays have to be distinguished, at least two, farther
/// apart than low lines are.
void LadderPainter::paintLineTags(std::size_t index) {
  if (lines_ == 1) return;
  const float height = out_.computeSize(kTag);
  const float whole = computeCellHeight(index);
  const float line = whole / static_cast<float>(lines_);
  const std::uint32_t stride =
      std::min(static_cast<std::uint32_t>(std::ceil(height / line)), std::max(lines_ / 2, 1U));
  const float pitch = std::max(line * static_cast<float>(stride), height);  // of the tags
  if (pitch > line * static_cast<float>(stride) * 1.01F && ladder_.groups.empty()) return;
  const std::uint32_t count = lines_ / stride;
  if (pitch * static_cast<float>(count) > computePitch(index)) return;
  const float room = pitch / static_cast<float>(stride) * static_cast<float>(lines_);
  const float wanted =
      rowTop(index) + (computePitch(index) - room) / 2 + room / static_cast<float>(2 * lines_);
  const float first = std::max(wanted, rowTop(index) + height / 2);
  for (std::uint32_t each = 0; each < count; ++each) {
    const std::string tag = lineTag(ladder_.rows[index], each * stride);
    const float y = first + static_cast<float>(each) * pitch;
    if (!tag.empty()) out_.text(left_ - out_.u(kTagGap), y, tag, kTag);
  }
}

}  // namespace lanescope
