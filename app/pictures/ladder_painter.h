#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/pictures/array_scene.h"
#include "app/pictures/base/scene_builder.h"

namespace lanescope {

inline constexpr float kPendingAlpha = 0.8F;  ///< opacity of values that are computed but not stored yet

/// The meaning of a cell's colour in the ladder.
enum class CellState : std::uint8_t {
  Empty,    ///< empty, or written after the current phase
  Operand,  ///< read by the current phase
  Written,  ///< by the current phase
  Earlier,  ///< written by the phase of its row, which is over; on the current row by any earlier phase; an
            ///< input
  Kept,     ///< left as it was by the phase of its row, which is over
  Idle,     ///< no later step uses it
};
CellState findState(const LadderRow& row, const LadderCell& cell);

/// Arrows of one thread from adjacent places into one.
struct ArrowBundle {
  LadderArrow arrow;             ///< the first of its arrows
  std::uint32_t lastColumn = 0;  ///< that they come from
};

/// Draws the ladder of a trace at a moment. The layout of rows and words is in array_scene.cpp, the
/// arrows between rows in ladder_arrows.cpp, everything else in ladder_painter.cpp.
class LadderPainter {
 public:
  static constexpr float kTextCell = 22;        ///< units: words as wide are written out
  static constexpr float kSeparateCell = 3.5F;  ///< units: words less wide run together
  static constexpr float kGrowing = 0.75F;      ///< share of a move in which arrows grow

  LadderPainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure)
      : moment_(moment),
        context_(context),
        phase_(moment.phase()),
        isAnyLit_(context.anyLit()),
        out_(context, measure),
        ladder_(ladderAt(moment)) {
    if (context.hidesFuture) coverFuture(ladder_);
  }

  Scene paint();

 private:
  void layOut();
  Rect cellRect(std::size_t row, std::uint32_t column) const;
  bool inView(std::uint32_t column) const { return column >= first_ && column < first_ + shown_; }
  bool visible(std::size_t row) const { return row >= firstRow_ && row < firstRow_ + rowCount_; }
  float rowTop(std::size_t row) const { return tops_[row - firstRow_]; }
  float computePitch(std::size_t row) const { return tops_[row - firstRow_ + 1] - tops_[row - firstRow_]; }
  float computeCellHeight(std::size_t row) const {
    return std::min(computePitch(row) * (columnWidth_ >= out_.u(kTextCell) ? 0.58F : 0.5F),
                    out_.u(lines_ > 1 ? 60 : 36));
  }
  void placeRows(float bottom);
  std::string rowLabel(const LadderRow& row) const;
  std::string title() const;
  std::vector<std::string> notes() const;
  std::string contentText() const;
  std::string arraysText() const;
  void paintHeading();
  bool isGlobal() const { return !ladder_.registers && moment_.trace.sharedCells == 0; }

  void paintRow(std::size_t index);
  void paintLabel(std::size_t index);
  void wrap(float gutter);
  std::string lineTag(const LadderRow& row, std::uint32_t line) const;
  float lineTagWidth() const;
  void paintLineTags(std::size_t index);
  void paintCells(std::size_t index);
  void paintRuns(std::size_t index);
  void paintLone(std::size_t index);
  bool isLit(const LadderRow& row, const LadderCell& cell) const;
  void paintMarks(const LadderRow& row, const LadderCell& cell, const Rect& rect);
  bool paintText(const LadderRow& row, const LadderCell& cell, const Rect& rect);
  std::vector<LadderArrow> arrowsInView() const;
  void chooseArrows();
  void bundle();
  void thin();
  void paintBundle(const ArrowBundle& bundle);
  void paintRowsAndArrows();
  void paintArrow(const LadderArrow& arrow, bool crowded);
  void paintTraveller(const LadderArrow& arrow, Point at);
  // In a move the arrows grow first, then the values appear.
  float grown(std::int64_t step) const {
    return context_.moving(step) ? std::min(context_.progress / kGrowing, 1.0F) : 1.0F;
  }
  float appeared(std::int64_t step) const {
    return context_.moving(step) ? std::clamp((context_.progress - kGrowing) / (1 - kGrowing), 0.0F, 1.0F)
                                 : 1.0F;
  }
  std::string_view axisLabel() const { return ladder_.registers ? "thread" : "index"; }
  /// Between the numbers of two columns, at least.
  float axisPitch() const;
  void paintAxis();
  void paintTime();
  void paintFault();
  std::pair<std::uint32_t, std::uint32_t> columnsOfFault(std::size_t row, const TracedArray& array) const;
  /// True if a row has room for the names of its arrays: wrapped rows have none.
  bool showsGroups() const { return !ladder_.groups.empty() && lines_ == 1; }
  void paintGroups();
  std::string makeTip(const LadderRow& row, const LadderCell& cell) const;
  void addHits(std::size_t index);

  const Moment& moment_;
  const SceneContext& context_;
  std::uint32_t phase_;
  bool isAnyLit_;
  SceneBuilder out_;
  Ladder ladder_;
  float top_ = 0;
  std::vector<float> tops_;  // of the rows in view, and the foot of the last one
  float left_ = 0, columnWidth_ = 0, gap_ = 0;
  std::uint32_t first_ = 0, shown_ = 1;  // columns in view
  std::uint32_t perLine_ = 1, lines_ = 1;
  float tags_ = 0;  // room in the margin for the tag of each line
  std::size_t firstRow_ = 0, rowCount_ = 0;
  std::vector<LadderArrow> arrows_;  // that are drawn
  std::vector<ArrowBundle> bundles_;
  bool isThinned_ = false;  // there are more arrows, too many to be distinguished
};

}  // namespace lanescope
