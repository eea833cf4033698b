#include "app/scene/array_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/array_ladder.h"
#include "app/scene/scene_builder.h"

namespace lanescope {
namespace {

using Kind = LadderRow::Kind;
using Time = LadderRow::Time;

constexpr std::uint32_t kMaxInputs = 64;  // input words that get a row of their own
constexpr std::size_t kMaxArrows = 160;   // past it only the current warp's are drawn
constexpr std::size_t kTooltipTerms = 64;
constexpr float kGrowing = 0.75F;  // share of a move in which arrows grow

// How much a row shows, by the width of a cell in units.
constexpr float kTextCell = 22;
constexpr float kWrappedPitch = 11;  // units that a row at rest takes where words are wrapped
constexpr TextStyle kAxisLabel{FontRole::Small, ColorRole::TextDim, Align::Left, 0.88F, 1};
constexpr float kPendingAlpha = 0.45F;
constexpr float kSeparateCell = 3.5F;

class LadderPainter {
 public:
  LadderPainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure)
      : moment_(moment), context_(context), out_(context, measure), ladder_(buildLadder(moment, kMaxInputs)) {
    if (context.hidesFuture) coverFuture(ladder_);
  }

  Scene paint();

 private:
  void layOut();
  Rect cellRect(std::size_t row, std::uint32_t column) const;
  bool inView(std::uint32_t column) const { return column >= first_ && column < first_ + shown_; }
  bool visible(std::size_t row) const { return row >= firstRow_ && row < firstRow_ + rowCount_; }
  float rowTop(std::size_t row) const { return tops_[row - firstRow_]; }
  float pitchOf(std::size_t row) const { return tops_[row - firstRow_ + 1] - tops_[row - firstRow_]; }
  float cellHeightOf(std::size_t row) const {
    return std::min(pitchOf(row) * (columnWidth_ >= out_.u(kTextCell) ? 0.58F : 0.5F),
                    out_.u(lines_ > 1 ? 60 : 36));
  }
  void placeRows(float bottom);
  std::string rowLabel(const LadderRow& row) const;
  std::string note() const;

  void paintRow(std::size_t index);
  void paintLabel(std::size_t index);
  void paintCells(std::size_t index);
  void paintRuns(std::size_t index);
  bool isLit(const LadderRow& row, const LadderCell& cell) const;
  void paintMarks(const LadderRow& row, const LadderCell& cell, const Rect& rect);
  void paintText(const LadderRow& row, const LadderCell& cell, const Rect& rect);
  void paintArrows();
  void paintArrow(const LadderArrow& arrow, bool lit, bool crowded);
  void paintTraveller(const LadderArrow& arrow, Point at);
  // Of a move: the arrows grow first, then the values appear.
  float grown(std::int64_t step) const {
    return context_.moving(step) ? std::min(context_.progress / kGrowing, 1.0F) : 1.0F;
  }
  float appeared(std::int64_t step) const {
    return context_.moving(step) ? std::clamp((context_.progress - kGrowing) / (1 - kGrowing), 0.0F, 1.0F)
                                 : 1.0F;
  }
  std::string_view axisLabel() const { return ladder_.registers ? "thread" : "index"; }
  /// Between the numbers of two columns, at least.
  float axisPitch() const { return out_.textWidth(fmt::format("{}", ladder_.columns), kAxisLabel) * 1.7F; }
  void paintAxis();
  void addHits(std::size_t index);

  const Moment& moment_;
  const SceneContext& context_;
  SceneBuilder out_;
  Ladder ladder_;
  float top_ = 0;
  std::vector<float> tops_;  // of the rows in view, and the foot of the last
  float left_ = 0, columnWidth_ = 0, gap_ = 0;
  std::uint32_t first_ = 0, shown_ = 1;  // columns in view
  std::uint32_t perLine_ = 1, lines_ = 1;
  std::size_t firstRow_ = 0, rowCount_ = 0;
};

struct CellLook {
  ColorRole color = ColorRole::Cell;
  float alpha = 1;
  ColorRole text = ColorRole::TextDim;
  bool operator==(const CellLook&) const = default;
};

CellLook lookOf(const LadderRow& row, const LadderCell& cell, bool isRun = false) {
  // Too narrow for a frame: what the phase will write is filled faintly.
  if (isRun && cell.pending) return {ColorRole::Result, kPendingAlpha, ColorRole::TextDim};
  if (row.time == Time::Future || !cell.written) {
    return {cell.operand ? ColorRole::Operand : ColorRole::CellUnwritten, cell.operand ? 0.35F : 0.7F,
            ColorRole::TextDim};
  }
  if (cell.operand) return {ColorRole::Operand, 1, ColorRole::TextOnAccent};
  if (cell.idle) return {ColorRole::Cell, 0.6F, ColorRole::TextDim};
  if (cell.result && row.time == Time::Current) return {ColorRole::Result, 1, ColorRole::TextOnAccent};
  if (cell.result || row.kind == Kind::Input) return {ColorRole::CellOld, 1, ColorRole::Text};
  return {ColorRole::Cell, 1, ColorRole::TextDim};
}

std::string LadderPainter::rowLabel(const LadderRow& row) const {
  const std::string_view label = row.label;
  return std::string(label.starts_with("step size") ? label.substr(5) : label);
}

std::string LadderPainter::note() const {
  std::string note;
  if (ladder_.registers) {
    note = fmt::format("a register of {}, {}", counted(moment_.trace.threads, "thread"), "one row a phase");
  } else {
    note = fmt::format("{}, one row a phase", counted(moment_.trace.sharedCells, "word"));
  }
  if (shown_ < ladder_.columns) {
    note += fmt::format(", {} to {} of {}", first_, first_ + shown_ - 1, ladder_.columns);
  } else if (ladder_.columns > 64 && !context_.still) {
    note += ", wheel to zoom";
  }
  if (lines_ > 1) note += fmt::format(", wrapped every {}", perLine_);
  if (rowCount_ < ladder_.rows.size()) {
    note += fmt::format(", rows {} to {} of {}", firstRow_ + 1, firstRow_ + rowCount_, ladder_.rows.size());
  }
  return note;
}

void LadderPainter::layOut() {
  float gutter = 0;
  for (const LadderRow& row : ladder_.rows) {
    gutter = std::max(gutter,
                      out_.textWidth(rowLabel(row), {FontRole::Bold, ColorRole::Text, Align::Left, 0.9F, 1}));
  }
  gutter = std::min(gutter, out_.u(125)) + out_.u(12);
  gutter = std::max(gutter, out_.textWidth(axisLabel(), kAxisLabel) + axisPitch() / 2 + out_.u(2));
  left_ = out_.margin() + gutter;
  const float room = std::max(out_.width() - out_.margin() - left_, 1.0F);
  shown_ = context_.columnCount == 0 ? ladder_.columns : std::min(context_.columnCount, ladder_.columns);
  first_ = std::min(context_.firstColumn, ladder_.columns - shown_);
  const auto columns = static_cast<float>(shown_);
  const auto wanted = static_cast<std::uint32_t>(std::ceil(columns * 2.0F / room));
  for (lines_ = 1; lines_ < wanted; lines_ *= 2) {
  }
  perLine_ = (shown_ + lines_ - 1) / lines_;
  columnWidth_ = std::min(room / static_cast<float>(perLine_), out_.u(150));
  gap_ = columnWidth_ < out_.u(kSeparateCell) ? 0 : std::min(columnWidth_ * 0.16F, out_.u(4));

  top_ = out_.u(34);
  const float bottom = out_.height() - out_.u(26);
  const float minPitch = out_.u(lines_ > 1 ? kWrappedPitch : 17);
  rowCount_ = std::clamp<std::size_t>(static_cast<std::size_t>(std::max((bottom - top_) / minPitch, 1.0F)), 1,
                                      ladder_.rows.size());
  const std::size_t half = rowCount_ / 2;
  const std::size_t current = ladder_.currentRow;
  firstRow_ = std::min(current > half ? current - half : 0, ladder_.rows.size() - rowCount_);
  placeRows(bottom);
}

// Rows of equal height; where words are wrapped over several lines, those under way and the one they
// read from get the room that the others do not need.
void LadderPainter::placeRows(float bottom) {
  const float room = bottom - top_;
  const float even = std::min(room / static_cast<float>(rowCount_), out_.u(62));
  std::vector<bool> large(rowCount_, false);
  std::size_t count = 0;
  for (std::size_t index = 0; index < rowCount_ && lines_ > 1; ++index) {
    const bool current = ladder_.rows[firstRow_ + index].time == Time::Current;
    const bool before = firstRow_ + index + 1 < ladder_.rows.size() &&
                        ladder_.rows[firstRow_ + index].time == Time::Past &&
                        ladder_.rows[firstRow_ + index + 1].time == Time::Current;
    large[index] = current || before;
    count += large[index] ? 1U : 0U;
  }
  const auto others = static_cast<float>(rowCount_ - count);
  float small = count == 0 ? even : std::min(even, out_.u(kWrappedPitch));
  const float rest = room - small * others;
  const float tall = count == 0 ? even : std::clamp(rest / static_cast<float>(count), small, out_.u(80));
  // Few rows leave room for all.
  if (count > 0 && others > 0)
    small = std::clamp((room - tall * static_cast<float>(count)) / others, small, out_.u(36));
  tops_.assign(1, top_);
  for (std::size_t index = 0; index < rowCount_; ++index)
    tops_.push_back(tops_.back() + (large[index] ? tall : small));
}

Rect LadderPainter::cellRect(std::size_t row, std::uint32_t column) const {
  const float whole = cellHeightOf(row);
  const float height = whole / static_cast<float>(lines_);
  const std::uint32_t place = column - first_;
  const float x = left_ + static_cast<float>(place % perLine_) * columnWidth_;
  const std::uint32_t lineOfRow = place / perLine_;
  const float y = rowTop(row) + (pitchOf(row) - whole) / 2 + static_cast<float>(lineOfRow) * height;
  return {x, y, columnWidth_ - gap_, lines_ > 1 ? height * 0.8F : height};
}

void LadderPainter::paintLabel(std::size_t index) {
  const LadderRow& row = ladder_.rows[index];
  const bool current = row.time == Time::Current;
  const bool array =
      row.kind == Kind::Input || row.kind == Kind::Output || (ladder_.registers && row.kind == Kind::Shared);
  TextStyle style{array ? FontRole::Mono : FontRole::Body, ColorRole::Text, Align::Left, 0.92F, 1};
  if (current && !array) style.font = FontRole::Bold;
  if (row.time == Time::Future) style.color = ColorRole::TextDim;
  style.scale = std::min(style.scale, pitchOf(index) / out_.u(fontSize(style.font)));
  const float y = rowTop(index) + pitchOf(index) / 2;
  out_.textWithin(out_.margin(), y, left_ - out_.margin() - out_.u(6), rowLabel(row), style);
  const Rect area{out_.margin(), rowTop(index), left_ - out_.margin(), pitchOf(index)};
  const Phase& phase = moment_.trace.phases[row.phase];
  const bool covered = context_.hidesFuture && moment_.cursor.steps < phase.endStep;
  out_.hit(area, HitArea::Kind::Phase, row.phase,
           covered
               ? phase.label
               : fmt::format("{}\n{} at work", phase.label, counted(phase.activeThreads.size(), "thread")),
           -1, phase.endStep);
}

// A thread and a word that are pointed at light up in every row, what belongs to them in the rows of
// the phase under way and the one before.
bool LadderPainter::isLit(const LadderRow& row, const LadderCell& cell) const {
  const bool word = row.kind == Kind::Shared;
  const bool near = row.time == Time::Current || (row.time == Time::Past && row.phase + 1 == moment_.phase());
  if (cell.thread >= 0 && cell.thread == context_.hoverThread) return true;
  if (word && context_.hoverCell == std::int64_t{cell.index}) return true;
  return near && (word ? context_.cellLit(cell.index)
                       : row.kind == Kind::Registers && context_.threadLit(cell.index));
}

void LadderPainter::paintMarks(const LadderRow& row, const LadderCell& cell, const Rect& rect) {
  const float radius = std::min(out_.u(3), rect.w / 4);
  if (cell.pending) out_.stroke(rect, ColorRole::Result, out_.u(1.3F), radius, 0.8F);
  if (isLit(row, cell)) out_.stroke(rect.inset(-out_.u(1.5F)), ColorRole::Accent, out_.u(2), radius);
}

void LadderPainter::paintText(const LadderRow& row, const LadderCell& cell, const Rect& rect) {
  if (row.time == Time::Future || !cell.written) return;
  const CellLook look = lookOf(row, cell);
  const TextStyle terms{FontRole::Mono, look.text, Align::Center, 0.9F, cell.idle ? 0.7F : 1.0F};
  const TextStyle number{FontRole::Small, look.text, Align::Center, 0.92F, terms.alpha};
  const std::string value = formatValue(row.type, cell.bits);
  const bool twoLines = rect.h >= out_.u(25);
  const Rect upper{rect.x, rect.y + out_.u(1), rect.w, twoLines ? rect.h * 0.52F : rect.h - out_.u(2)};
  bool drawn = false;
  if (cell.from != kNoProvenance) {
    const Provenance& provenance = moment_.trace.provenance;
    std::size_t most = std::min<std::size_t>(provenance.terms(cell.from), 12);
    for (; most >= 2 && !drawn; most = most > 4 ? 4 : most - 1) {
      drawn = out_.textInside(upper, provenance.text(cell.from, most), terms, 0.82F);
    }
    if (!drawn && provenance.terms(cell.from) == 1)
      drawn = out_.textInside(upper, provenance.text(cell.from), terms, 0.82F);
  }
  if (!drawn) {
    out_.textInside(rect, value, number);
  } else if (twoLines) {
    out_.textInside({rect.x, rect.y + rect.h * 0.52F, rect.w, rect.h * 0.44F}, value, number);
  }
}

void LadderPainter::paintCells(std::size_t index) {
  const LadderRow& row = ladder_.rows[index];
  const bool texts = columnWidth_ >= out_.u(kTextCell);
  for (std::uint32_t column = first_; column < first_ + shown_; ++column) {
    const LadderCell& cell = row.cells[column];
    if (!cell.there) continue;
    const Rect rect = cellRect(index, column);
    const CellLook look = lookOf(row, cell);
    const float radius = std::min(out_.u(3), rect.w / 4);
    const float shown = row.time == Time::Current ? appeared(cell.step) : 1.0F;
    if (shown < 1) out_.fill(rect, ColorRole::CellUnwritten, radius, 0.7F);
    out_.fill(rect, look.color, radius, look.alpha * shown);
    paintMarks(row, cell, rect);
    if (texts && shown > 0.3F) paintText(row, cell, rect);
  }
}

// Cells too narrow to stand apart: neighbours that look the same are one rectangle.
void LadderPainter::paintRuns(std::size_t index) {
  const LadderRow& row = ladder_.rows[index];
  const std::uint32_t all = first_ + shown_;
  for (std::uint32_t first = first_; first < all;) {
    const LadderCell& cell = row.cells[first];
    std::uint32_t end = first + 1;
    const CellLook look = lookOf(row, cell, true);
    while (end < all && (end - first_) % perLine_ != 0 && row.cells[end].there == cell.there &&
           lookOf(row, row.cells[end], true) == look) {
      ++end;
    }
    if (cell.there) {
      Rect rect = cellRect(index, first);
      rect.w = static_cast<float>(end - first) * columnWidth_;
      out_.fill(rect, look.color, 0, look.alpha);
    }
    first = end;
  }
  for (std::uint32_t column = first_; column < all; ++column) {
    const LadderCell& cell = row.cells[column];
    if (cell.there && isLit(row, cell)) paintMarks(row, cell, cellRect(index, column));
  }
}

void LadderPainter::addHits(std::size_t index) {
  const LadderRow& row = ladder_.rows[index];
  const bool near = index + 2 > ladder_.currentRow && index <= std::size_t{ladder_.currentRow} + 1;
  if (shown_ > 128 && !near) return;
  for (std::uint32_t column = first_; column < first_ + shown_; ++column) {
    const LadderCell& cell = row.cells[column];
    if (!cell.there) continue;
    std::string tip = row.kind == Kind::Registers ? fmt::format("{} of thread {}", row.name, cell.index)
                                                  : fmt::format("{}[{}]", row.name, cell.index);
    if (row.time == Time::Future || !cell.written) {
      tip += row.time == Time::Future ? ", later" : ", not written yet";
    } else {
      tip += fmt::format(" = {}", formatValue(row.type, cell.bits));
      if (cell.from != kNoProvenance) tip += "\n" + moment_.trace.provenance.text(cell.from, kTooltipTerms);
      if (cell.result && cell.thread >= 0) tip += fmt::format("\nwritten by thread {}", cell.thread);
      if (cell.idle) tip += "\nno later step uses it";
    }
    const bool word = row.kind == Kind::Shared;
    const std::int64_t thread = row.kind == Kind::Registers ? std::int64_t{cell.index} : cell.thread;
    if (!word && thread < 0) {
      out_.hit(cellRect(index, column), HitArea::Kind::Phase, row.phase, std::move(tip));
    } else {
      out_.hit(cellRect(index, column), word ? HitArea::Kind::Cell : HitArea::Kind::Thread,
               word ? cell.index : static_cast<std::uint32_t>(thread), std::move(tip), thread);
    }
  }
}

void LadderPainter::paintRow(std::size_t index) {
  if (ladder_.rows[index].time == Time::Current) {
    const Rect band{out_.margin() / 2, rowTop(index), out_.width() - out_.margin(), pitchOf(index)};
    const bool firstOfPhase = index == 0 || ladder_.rows[index - 1].time != Time::Current;
    const bool lastOfPhase =
        index + 1 == ladder_.rows.size() || ladder_.rows[index + 1].time != Time::Current;
    out_.fill(band, ColorRole::Accent, 0, 0.12F);
    const float width = out_.u(1.5F);
    if (firstOfPhase) out_.line(band.x, band.y, band.right(), band.y, ColorRole::Accent, width);
    if (lastOfPhase) out_.line(band.x, band.bottom(), band.right(), band.bottom(), ColorRole::Accent, width);
  }
  paintLabel(index);
  if (columnWidth_ < out_.u(kSeparateCell))
    paintRuns(index);
  else
    paintCells(index);
  addHits(index);
}

void LadderPainter::paintArrow(const LadderArrow& arrow, bool lit, bool crowded) {
  Rect from = cellRect(arrow.fromRow, inView(arrow.fromColumn) ? arrow.fromColumn : first_);
  // From a word out of view: in from that side.
  if (!inView(arrow.fromColumn))
    from.x = arrow.fromColumn < first_ ? left_ - from.w / 2 : out_.width() - out_.margin() - from.w / 2;
  const Rect to = cellRect(arrow.toRow, arrow.toColumn);
  const bool hovered = context_.hoverThread == std::int64_t{arrow.thread};
  const bool belongs = ladder_.rows[arrow.toRow].time == Time::Current && context_.threadLit(arrow.thread);
  const ColorRole color = hovered ? ColorRole::Accent : ColorRole::Arrow;
  float alpha = lit ? 0.95F : crowded ? 0.18F : 0.42F;
  if (arrow.idle) alpha *= 0.3F;
  if (hovered || belongs) alpha = 1;
  const float portion = lit ? grown(arrow.step) : 1.0F;
  const float head = lit && !arrow.idle && portion >= 1 ? std::min(out_.u(6), columnWidth_ * 0.45F) : 0;
  const bool showHead = head >= out_.u(3);
  const float endY = to.y - (showHead ? head * 0.8F : 0);
  const float width = out_.u(lit && !crowded ? 1.8F : 1.0F);
  const float startY = from.bottom();
  if (std::abs(to.midX() - from.midX()) > 5 * (endY - startY)) {
    // Far neighbours: curves this flat would lie on one another.
    out_.line(from.midX(), startY, to.midX(), endY, color, width, alpha, portion);
    if (portion < 1)
      paintTraveller(arrow,
                     {from.midX() + (to.midX() - from.midX()) * portion, startY + (endY - startY) * portion});
  } else {
    out_.curve(from.midX(), startY, to.midX(), endY, color, width, alpha, portion);
    const float bend = (endY - startY) / 2;
    const std::array<Point, 4> curve{Point{from.midX(), startY}, Point{from.midX(), startY + bend},
                                     Point{to.midX(), endY - bend}, Point{to.midX(), endY}};
    if (portion < 1) paintTraveller(arrow, pointOn(curve, portion));
  }
  if (showHead) out_.triangle({to.midX() - head / 2, to.y - head, head, head}, color, true, alpha);
}

// The value on its way: what it is where there is room to read it, else a dot.
void LadderPainter::paintTraveller(const LadderArrow& arrow, Point at) {
  if (arrow.idle || shown_ > 128) return;
  const LadderRow& row = ladder_.rows[arrow.fromRow];
  const LadderCell& cell = row.cells[arrow.fromColumn];
  const TextStyle style{FontRole::Mono, ColorRole::TextOnAccent, Align::Center, 0.9F, 1};
  const Provenance& provenance = moment_.trace.provenance;
  const std::string text =
      cell.from != kNoProvenance ? provenance.text(cell.from, 3) : formatValue(row.type, cell.bits);
  const float width = out_.textWidth(text, style) + out_.u(8);
  if (columnWidth_ < out_.u(kTextCell) || width > columnWidth_ * 1.2F) {
    out_.fill({at.x - out_.u(3), at.y - out_.u(3), out_.u(6), out_.u(6)}, ColorRole::Operand, out_.u(3));
    return;
  }
  const Rect chip{at.x - width / 2, at.y - out_.u(8), width, out_.u(16)};
  out_.fill(chip, ColorRole::Operand, out_.u(4));
  out_.textInside(chip, text, style);
}

void LadderPainter::paintArrows() {
  std::size_t current = 0;
  for (const LadderArrow& arrow : ladder_.arrows) {
    current += ladder_.rows[arrow.toRow].time == Time::Current && inView(arrow.toColumn) ? 1U : 0U;
  }
  const unsigned warpSize = moment_.trace.launch.machine.warpSize;
  const Step* step = moment_.step();
  for (const LadderArrow& arrow : ladder_.arrows) {
    const Time time = ladder_.rows[arrow.toRow].time;
    if (time == Time::Future || !visible(arrow.fromRow) || !visible(arrow.toRow)) continue;
    if (!inView(arrow.toColumn)) continue;
    if (time == Time::Past && (shown_ > 64 || arrow.idle)) continue;
    const bool ofWarp = step != nullptr && arrow.thread / warpSize == step->warp;
    if (current > kMaxArrows && time == Time::Current && !ofWarp) continue;
    paintArrow(arrow, time == Time::Current && arrow.done, shown_ > 32);
  }
}

void LadderPainter::paintAxis() {
  TextStyle style = kAxisLabel;
  style.align = Align::Center;
  const float needed = axisPitch();
  std::uint32_t stride = 1;
  while (static_cast<float>(stride) * columnWidth_ < needed && stride < perLine_) stride *= 2;
  const float y = tops_.back() + out_.u(10);
  for (std::uint32_t column = 0; column < perLine_; column += stride) {
    const float x = left_ + (static_cast<float>(column) + 0.5F) * columnWidth_ - gap_ / 2;
    out_.text(x, y, fmt::format("{}", first_ + column), style);
  }
  out_.textWithin(out_.margin(), y, left_ - out_.margin() - needed / 2, axisLabel(), kAxisLabel);
}

Scene LadderPainter::paint() {
  if (ladder_.rows.empty()) {
    const float y = out_.heading("SHARED MEMORY", "");
    out_.paragraph(out_.margin(), y, out_.width() - 2 * out_.margin(), 2,
                   "This kernel keeps nothing in shared memory.",
                   {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
    return out_.take();
  }
  layOut();
  out_.heading(ladder_.registers ? "REGISTERS AND SHARED MEMORY" : "SHARED MEMORY", note());
  for (std::size_t index = firstRow_; index < firstRow_ + rowCount_; ++index) paintRow(index);
  paintArrows();
  paintAxis();
  return out_.take();
}

}  // namespace

Scene arrayScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return LadderPainter(moment, context, measure).paint();
}

}  // namespace lanescope
