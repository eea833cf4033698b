#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/pictures/base/cell_grid.h"
#include "app/pictures/ladder.h"

namespace lanescope {

/// The inputs, or the rows of a phase.
struct LadderBand {
  std::uint32_t firstRow = 0, endRow = 0;
  std::uint32_t phase = 0;
  LadderRow::Time time = LadderRow::Time::Past;
  bool isFolded = false;  ///< its rows are thin, without the lines between them
  float top = 0, height = 0;

  float bottom() const { return top + height; }
};

/// The places of a ladder's rows. If there is room, every phase is open: its threads between the words above
/// and those that it writes, with room for lines. If there is none, all but the current one and those that
/// SceneContext::unfolded names are folded; if that does not do either, the bands around the current one are
/// in view.
class LadderLayout {
 public:
  static constexpr float kTextCell = 22;  ///< units: cells as wide are written out
  static constexpr float kLabelScale = 0.92F;

  /// `room`: for the rows, right of their labels.
  LadderLayout(const SceneBuilder& out, const Ladder& ladder, const SceneContext& context, const Rect& room);

  std::span<const LadderBand> bands() const { return bands_; }
  std::uint32_t firstBand() const { return first_; }
  std::uint32_t endBand() const { return end_; }
  /// The bands in view.
  std::span<const LadderBand> shown() const { return bands().subspan(first_, end_ - first_); }
  bool isShown(std::size_t row) const { return places_[row].height > 0; }
  /// True if the phases do not all have the room for their lines.
  bool folds() const { return folds_; }

  const CellGrid& words() const { return words_; }
  const CellGrid& grid(const LadderRow& row) const {
    return row.kind == LadderRow::Kind::Threads ? threads_ : words_;
  }
  /// True if the cells of a row are wide enough for their texts.
  bool hasTexts(const LadderRow& row) const { return grid(row).pitch() >= textCell_; }
  float top(std::size_t row) const { return places_[row].top; }
  float height(std::size_t row) const { return places_[row].height; }
  float middle(std::size_t row) const { return top(row) + height(row) / 2; }
  Rect cell(const Ladder& ladder, std::size_t row, std::uint32_t column) const {
    return grid(ladder.rows[row]).cell(column, top(row), height(row));
  }
  /// The foot of the rows.
  float bottom() const { return end_ == first_ ? room_.y : bands_[end_ - 1].bottom(); }
  const Rect& room() const { return room_; }

 private:
  struct Place {
    float top = 0, height = 0;
  };
  /// The least heights of the rows of an open band, and of the gaps between them.
  struct Sizes {
    float threads = 0, words = 0, gap = 0, between = 0;
  };
  void findBands(const Ladder& ladder, const SceneContext& context);
  bool hasThreads(const Ladder& ladder, const LadderBand& band) const;
  float leastHeight(const Ladder& ladder, const LadderBand& band) const;
  float mostHeight(const Ladder& ladder, const LadderBand& band) const;
  void chooseBands(const SceneContext& context, std::vector<float>& heights);
  void placeBands(const Ladder& ladder, std::vector<float> heights);
  void placeRows(const Ladder& ladder, const LadderBand& band);
  Sizes sizesOf(const Ladder& ladder, const LadderBand& band) const;

  Rect room_;
  float unit_ = 1, textCell_ = 0, label_ = 0, letters_ = 0;
  CellGrid words_, threads_;
  std::vector<LadderBand> bands_;
  std::vector<Place> places_;  // by row; height 0: out of view
  std::uint32_t first_ = 0, end_ = 0;
  bool folds_ = false;
};

}  // namespace lanescope
