#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "app/pictures/base/scene_builder.h"

namespace lanescope {

/// How a cell's rectangle is drawn: one look has one meaning in every picture.
struct CellLook {
  enum class Style : std::uint8_t {
    None,      ///< it is not there
    Filled,    ///< it has something, or does something
    Hatched,   ///< it could, and does not
    Outlined,  ///< it takes no part, or not yet
  } style = Style::Filled;
  ColorRole color = ColorRole::Cell;
  float alpha = 1;
  bool operator==(const CellLook&) const = default;
};

/// Draws a cell.
void paintCell(SceneBuilder& out, const Rect& rect, const CellLook& look);

/// Draws a plate under letters in the middle of a hatched cell, so that no line crosses them. It spans the
/// cell if the rest beside it would look like letters.
void paintPlate(SceneBuilder& out, const Rect& rect, std::string_view text, const TextStyle& style);

/// Every how many cells of that pitch have a number if one needs so much room: 1, 2, 4, …, at most `most`.
std::uint32_t findStride(float needed, float pitch, std::uint32_t most);

/// The columns of a row of cells: their places, with gaps between groups of them, and those in view. Rows of
/// one grid are above one another.
class CellGrid {
 public:
  /// The columns of a grid, and how many of them form a group; 0: all.
  struct Columns {
    std::uint32_t count = 1;
    std::uint32_t perGroup = 0;
  };

  CellGrid() = default;
  /// `width`: of all columns, of which those between `left` and `right` are in view; `shift`: the part of
  /// that width left of the view. A cell is at most `mostPitch` wide.
  CellGrid(const SceneBuilder& out, Columns columns, float left, float right, float width, float shift = 0,
           float mostPitch = std::numeric_limits<float>::max());

  std::uint32_t count() const { return count_; }
  /// From a cell to the next, and the room between them.
  float pitch() const { return pitch_; }
  float gap() const { return gap_; }
  /// The width of all columns.
  float width() const { return computeX(count_); }
  float left() const { return left_; }
  float right() const { return right_; }

  /// The left edge of a column; may be out of view. `count()`: the end of the last.
  float x(std::uint32_t column) const { return left_ - shift_ + computeX(column); }
  /// A cell of the row from `top` on.
  Rect cell(std::uint32_t column, float top, float height) const {
    return {x(column), top, pitch_ - gap_, height};
  }
  /// The columns in view: [first, end).
  std::uint32_t first() const { return first_; }
  std::uint32_t end() const { return end_; }
  bool isInView(std::uint32_t column) const { return column >= first_ && column < end_; }
  /// The column at a place of the picture; nullopt if there is none.
  std::optional<std::uint32_t> columnAt(float x) const;

  /// Draws the cells of a row in view, which look alike up to each of these columns, in order: `look` gives a
  /// column's look, and is called for one of them. Cells too narrow to be separate are drawn as runs of one
  /// look; of those in one pixel, the most opaque shows.
  template <class Look>
  void paint(SceneBuilder& out, float top, float height, std::span<const std::uint32_t> ends,
             Look look) const {
    Run run;
    std::uint32_t column = first_;
    for (auto end = std::upper_bound(ends.begin(), ends.end(), first_); end != ends.end() && column < end_;
         ++end) {
      const CellLook one = look(column);
      const std::uint32_t last = std::min(*end, end_);
      while (column < last) {
        addToRun(out, run, one, {x(column), pitch_ - gap_}, top, height);
        // The others of its group at once, if they are not separate.
        const std::uint32_t next =
            gap_ > 0 ? column + 1 : std::min(last, column - column % perGroup_ + perGroup_);
        if (next > column + 1)
          addToRun(out, run, one, {x(column + 1), x(next - 1) + pitch_ - x(column + 1)}, top, height);
        column = next;
      }
    }
    paintRun(out, run, top, height);
  }

  /// Draws the columns' numbers, as many as have room, in their middle around `y`.
  void paintAxis(SceneBuilder& out, float y, const TextStyle& style) const;

 private:
  /// Adjacent cells that look alike.
  struct Run {
    CellLook look;
    float left = 0, right = 0;
    bool isAny = false;
  };
  float computeX(std::uint32_t column) const {
    const std::uint32_t gaps = column == 0 ? 0 : (column == count_ ? column - 1 : column) / perGroup_;
    return static_cast<float>(column) * pitch_ + static_cast<float>(gaps) * groupGap_;
  }
  struct Extent {
    float x = 0, width = 0;
  };
  void addToRun(SceneBuilder& out, Run& run, const CellLook& look, Extent cell, float top,
                float height) const;
  void paintRun(SceneBuilder& out, const Run& run, float top, float height) const;

  std::uint32_t count_ = 1, perGroup_ = 1;
  std::uint32_t first_ = 0, end_ = 0;
  float left_ = 0, right_ = 0, shift_ = 0;
  float pitch_ = 0, gap_ = 0, groupGap_ = 0;
};

}  // namespace lanescope
