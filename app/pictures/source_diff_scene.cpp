#include "app/pictures/source_diff_scene.h"

#include <algorithm>

#include "app/pictures/base/scene_builder.h"

namespace lanescope {
namespace {

constexpr float kDiffRow = 17;   // units
constexpr float kDiffTop = 34;   // units: the heading
constexpr float kDiffFoot = 8;   // units
constexpr float kDiffSign = 14;  // units
constexpr TextStyle kDiffCode{FontRole::Mono, ColorRole::Text, Align::Left, 0.92F, 1};
constexpr TextStyle kDiffNumber{FontRole::Mono, ColorRole::TextDim, Align::Right, 0.85F, 1};

std::uint32_t rowsIn(float height, float unit) {
  return static_cast<std::uint32_t>(std::max((height / unit - kDiffTop - kDiffFoot) / kDiffRow, 1.0F));
}

class DiffPainter {
 public:
  DiffPainter(std::span<const DiffRow> rows, const SourceDiffSide& side, const SceneContext& context,
              const TextMeasure& measure)
      : rows_(rows), side_(side), out_(context, measure) {}

  Scene paint(float unit);

 private:
  void paintRow(const DiffRow& row, float y);
  void paintChanged(const DiffLine& line, float left, float y);

  std::span<const DiffRow> rows_;
  const SourceDiffSide& side_;
  SceneBuilder out_;
};

// A tint behind the words that differ, and a line under them, so that colour alone does not show it.
void DiffPainter::paintChanged(const DiffLine& line, float left, float y) {
  const float end = out_.width() - out_.margin();
  for (const ChangedPart& part : line.changed) {
    const float from = left + out_.textWidth(line.text.substr(0, part.begin), kDiffCode);
    const float width = out_.textWidth(line.text.substr(part.begin, part.end - part.begin), kDiffCode);
    const float right = std::min(from + width, end);
    if (right <= from) continue;
    const float half = out_.u(kDiffRow / 2 - 1);
    out_.fill({from - out_.u(1), y - half, right - from + out_.u(2), 2 * half}, ColorRole::Accent, out_.u(2),
              0.3F);
    out_.line(from, y + half, right, y + half, ColorRole::Text, out_.u(1.2F));
  }
}

void DiffPainter::paintRow(const DiffRow& row, float y) {
  const DiffLine& line = side_.isRight ? row.right : row.left;
  const float half = out_.u(kDiffRow / 2);
  const Rect band{out_.margin() / 2, y - half, out_.width() - out_.margin(), 2 * half};
  if (line.number == 0) {
    out_.hatch(band, ColorRole::PanelBorder, out_.u(7), out_.u(1), 0.8F);
    return;
  }
  const bool isOwn = row.kind == DiffRow::Kind::LeftOnly || row.kind == DiffRow::Kind::RightOnly;
  if (isOwn) out_.fill(band, ColorRole::Accent, out_.u(2), 0.16F);
  if (line.number == side_.line) out_.stroke(band, ColorRole::Accent, out_.u(1.4F), out_.u(2));
  const float numbers = out_.margin() + out_.textWidth("000", kDiffNumber);
  out_.text(numbers, y, std::to_string(line.number), kDiffNumber);
  const char* sign = isOwn ? (side_.isRight ? "+" : "-") : row.kind == DiffRow::Kind::Changed ? "~" : "";
  out_.text(numbers + out_.u(kDiffSign / 2 + 1), y, sign,
            {FontRole::Mono, ColorRole::Text, Align::Center, 1, 1});
  const float left = numbers + out_.u(kDiffSign + 3);
  paintChanged(line, left, y);
  const float room = out_.width() - out_.margin() - left;
  out_.textWithin(left, y, room, line.text, kDiffCode);
  const bool isCut = out_.textWidth(line.text, kDiffCode) > room;
  out_.hit(band, HitArea::Kind::Line, line.number, isCut ? line.text : std::string());
}

Scene DiffPainter::paint(float unit) {
  const auto counted = [this](DiffRow::Kind kind) { return std::ranges::count(rows_, kind, &DiffRow::kind); };
  const auto own = counted(side_.isRight ? DiffRow::Kind::RightOnly : DiffRow::Kind::LeftOnly);
  const auto changed = counted(DiffRow::Kind::Changed);
  const std::string note = own + changed == 0
                               ? "no line differs"
                               : std::to_string(own) + " only here (" + (side_.isRight ? "+" : "-") + "), " +
                                     std::to_string(changed) + " changed (~)";
  out_.heading("SOURCE", note);
  const std::uint32_t shown = std::min(rowsIn(out_.height(), unit), static_cast<std::uint32_t>(rows_.size()));
  const std::uint32_t first = std::min(side_.firstRow, static_cast<std::uint32_t>(rows_.size()) - shown);
  for (std::uint32_t index = 0; index < shown; ++index)
    paintRow(rows_[first + index], out_.u(kDiffTop) + out_.u(kDiffRow) * (static_cast<float>(index) + 0.5F));
  Scene scene = out_.consume();
  scene.rows = {first, shown, static_cast<std::uint32_t>(rows_.size()), kDiffTop * unit,
                (kDiffTop + kDiffRow * static_cast<float>(shown)) * unit};
  return scene;
}

}  // namespace

Scene sourceDiffScene(std::span<const DiffRow> rows, const SourceDiffSide& side, const SceneContext& context,
                      const TextMeasure& measure) {
  return DiffPainter(rows, side, context, measure).paint(context.unit);
}

std::uint32_t firstDiffRow(std::size_t rows, std::size_t middle, std::size_t other, float height,
                           float unit) {
  const std::size_t shown = std::min<std::size_t>(rowsIn(height, unit), rows);
  std::size_t first = middle > shown / 2 ? middle - shown / 2 : 0;
  if (other < first && middle < other + shown) first = other;
  if (other >= first + shown && other < middle + shown) first = other + 1 - shown;
  return static_cast<std::uint32_t>(std::min(first, rows - shown));
}

std::size_t findDiffRow(std::span<const DiffRow> rows, bool isRight, std::uint32_t line) {
  const auto found = std::ranges::find_if(
      rows, [&](const DiffRow& row) { return line > 0 && (isRight ? row.right : row.left).number == line; });
  return found == rows.end() ? 0 : static_cast<std::size_t>(found - rows.begin());
}

}  // namespace lanescope
