#include "app/pictures/grid_scene.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/base/whole.h"
#include "app/pictures/base/scene_builder.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostGridRows = 4;
constexpr float kLeastGridCell = 9;   // units
constexpr float kMostGridCell = 28;   // units
constexpr float kSingleGridRow = 17;  // units: a row that is alone has room for numbers
constexpr float kGridRow = 10;        // units
constexpr float kGridEdge = 5;        // units, above and below
constexpr float kLeastGridMap = 120;  // units: below that, the note is left out
constexpr TextStyle kGridName{FontRole::Bold, ColorRole::Text, Align::Left, 0.9F, 1};
constexpr TextStyle kGridNumber{FontRole::Small, ColorRole::TextDim, Align::Center, 0.92F, 1};
constexpr TextStyle kGridNote{FontRole::Body, ColorRole::TextDim, Align::Left, kNoteScale, 1};

std::uint64_t computeGridIndex(const Dim3& grid, const Dim3& block) {
  return block.x + std::uint64_t{grid.x} * (block.y + std::uint64_t{grid.y} * block.z);
}

/// `3`, or `(1, 2)` in a grid of two dimensions.
std::string gridBlockName(const Dim3& grid, std::uint64_t block) {
  if (grid.y == 1 && grid.z == 1) return withCommas(block);
  const std::uint64_t x = block % grid.x;
  const std::uint64_t y = block / grid.x % grid.y;
  if (grid.z == 1) return fmt::format("({}, {})", x, y);
  return fmt::format("({}, {}, {})", x, y, block / grid.x / grid.y);
}

class GridPainter {
 public:
  GridPainter(const Trace& trace, const SceneContext& context, const GridNote& note,
              const TextMeasure& measure)
      : grid_(trace.launch.grid),
        blocks_(grid_.count()),
        traced_(computeGridIndex(grid_, trace.tracedBlock)),
        detail_(note.detail),
        out_(context, measure) {
    layOut(note.brief);
  }

  float height() const { return blocks_ < 2 ? 0 : static_cast<float>(rows_) * row_ + out_.u(2 * kGridEdge); }
  Scene paint();

 private:
  void layOut(const std::string& brief);
  /// Between cells.
  float gap() const { return std::min(out_.u(2), cell_ * 0.2F); }
  void paintCell(std::uint64_t index);
  std::string makeTip(std::uint64_t first, std::uint64_t last) const;

  Dim3 grid_;
  std::uint64_t blocks_;
  std::uint64_t traced_;
  const std::string& detail_;
  SceneBuilder out_;
  std::string note_;
  std::uint64_t each_ = 1;  // blocks of a cell
  std::uint64_t columns_ = 1, rows_ = 1;
  bool isNumbered_ = false;
  float left_ = 0, right_ = 0, cell_ = 0, row_ = 0;
};

void GridPainter::layOut(const std::string& brief) {
  left_ = out_.margin() + out_.textWidth("GRID", kGridName) + out_.u(12);
  const std::string which = fmt::format("block {} of {}", gridBlockName(grid_, traced_), withCommas(blocks_));
  const float end = out_.width() - out_.margin();
  const std::string both = brief.empty() ? which : fmt::format("{} · {}", which, brief);
  for (const std::string& text : {both, which, std::string()}) {
    note_ = text;
    right_ = end - (text.empty() ? 0 : out_.textWidth(text, kGridNote) + out_.u(12));
    if (right_ - left_ >= out_.u(kLeastGridMap)) break;
  }
  const float room = std::max(right_ - left_, out_.u(kLeastGridCell));
  const auto most = toWhole<std::uint64_t>(room / out_.u(kLeastGridCell));
  const std::uint64_t lines = std::uint64_t{grid_.y} * grid_.z;
  each_ = (blocks_ + most * kMostGridRows - 1) / (most * kMostGridRows);
  const std::uint64_t cells = (blocks_ + each_ - 1) / each_;
  if (lines > 1 && lines <= kMostGridRows && grid_.x <= most) {
    columns_ = grid_.x;
    rows_ = lines;
  } else {
    rows_ = (cells + most - 1) / most;
    columns_ = (cells + rows_ - 1) / rows_;
  }
  cell_ = std::min(room / static_cast<float>(columns_), out_.u(rows_ == 1 ? kMostGridCell : 1.6F * kGridRow));
  row_ = out_.u(rows_ == 1 ? kSingleGridRow : kGridRow);
  // All cells or none: 11 and 17 alone, with their narrow ones, would seem to stand out.
  isNumbered_ = each_ == 1;
  for (std::uint64_t index = 0; index < blocks_ && isNumbered_; ++index)
    isNumbered_ = out_.fitsInside(cell_ - gap(), std::to_string(index), kGridNumber);
}

std::string GridPainter::makeTip(std::uint64_t first, std::uint64_t last) const {
  const bool isTraced = first <= traced_ && traced_ <= last;
  if (first == last)
    return fmt::format("block {}: {}", gridBlockName(grid_, first),
                       isTraced ? "the one that is traced" : "click to trace it");
  return fmt::format("blocks {} to {}{}\nClick to trace the first of them", gridBlockName(grid_, first),
                     gridBlockName(grid_, last),
                     isTraced ? ", among them " + gridBlockName(grid_, traced_) + ", which is traced" : "");
}

void GridPainter::paintCell(std::uint64_t index) {
  const std::uint64_t first = index * each_;
  const std::uint64_t last = std::min(first + each_, blocks_) - 1;
  const float gap = this->gap();
  const std::uint64_t row = index / columns_;
  const Rect rect{left_ + static_cast<float>(index % columns_) * cell_,
                  out_.u(kGridEdge) + static_cast<float>(row) * row_, cell_ - gap, row_ - gap};
  const bool isTraced = first <= traced_ && traced_ <= last;
  out_.fill(rect, isTraced ? ColorRole::Accent : ColorRole::Cell, out_.u(2));
  out_.stroke(rect, isTraced ? ColorRole::Text : ColorRole::CellBorder, out_.u(isTraced ? 1.6F : 1),
              out_.u(2));
  if (isNumbered_ || (isTraced && each_ == 1)) {
    TextStyle style = kGridNumber;
    if (isTraced) style.color = ColorRole::TextOnAccent;
    out_.textInside(rect, std::to_string(index), style);
  }
  out_.hit(rect, HitArea::Kind::Block, static_cast<std::uint32_t>(first),
           [&] { return makeTip(first, last); });
}

Scene GridPainter::paint() {
  if (blocks_ < 2) return out_.consume();
  const float middle = height() / 2;
  out_.line(out_.margin(), 0, out_.width() - out_.margin(), 0, ColorRole::PanelBorder, out_.u(1));
  out_.text(out_.margin(), middle, "GRID", kGridName);
  for (std::uint64_t index = 0; index * each_ < blocks_; ++index) paintCell(index);
  const Rect beside{right_ + out_.u(12), 0, out_.width() - out_.margin() - right_ - out_.u(12), height()};
  out_.text(beside.x, middle, note_, kGridNote);
  std::string tip = each_ > 1 ? fmt::format("A cell is of {} blocks.\n", withCommas(each_)) : std::string();
  tip += detail_;
  if (!note_.empty() && !tip.empty()) out_.hit(beside, HitArea::Kind::Note, 0, tip);
  return out_.consume();
}

}  // namespace

float gridHeight(const Trace& trace, const SceneContext& context, const GridNote& note,
                 const TextMeasure& measure) {
  return GridPainter(trace, context, note, measure).height();
}

Scene gridScene(const Trace& trace, const SceneContext& context, const GridNote& note,
                const TextMeasure& measure) {
  return GridPainter(trace, context, note, measure).paint();
}

}  // namespace lanescope
