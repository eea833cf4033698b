#include "app/pictures/array_scene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "app/pictures/base/moment.h"
#include "app/pictures/ladder_painter.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/tile_scene.h"

namespace lanescope {
namespace {

using Time = LadderRow::Time;

LadderRow rowAt(const PlannedRow& planned, bool isInput, std::uint32_t now) {
  LadderRow row;
  row.kind = planned.kind;
  row.time = isInput || planned.phase < now ? Time::Past
             : planned.phase == now         ? Time::Current
                                            : Time::Future;
  row.phase = planned.phase;
  row.label = planned.label;
  row.name = planned.name;
  row.variable = planned.variable;
  row.type = planned.type;
  row.cells = planned.cells;
  row.edges = planned.edges;
  return row;
}

void setWord(LadderCell& cell, const ReplayState& state, std::uint32_t index) {
  const Word& word = state.cells[index];
  cell.bits = word.bits;
  if (isWide(cell.type)) cell.bits |= std::uint64_t{state.cells[index + 1].bits} << 32U;
  cell.from = word.from;
}

void setValue(LadderCell& cell, const PlannedRow& row, const Moment& moment) {
  const ReplayState& state = moment.state;
  switch (row.kind) {
    case LadderRow::Kind::Words:
      cell.written = state.cells[cell.index].written;
      setWord(cell, state, cell.index);
      break;
    case LadderRow::Kind::Registers: {
      const VariableValue& value = state.variables[cell.index * moment.trace.variables.size() + row.variable];
      cell.written = value.set;
      cell.bits = value.bits;
      cell.from = value.from;
      break;
    }
    case LadderRow::Kind::Output:
      cell.written = cell.result || row.isUpdated;
      cell.bits = 0;
      cell.from = kNoProvenance;
      if (cell.written) setWord(cell, state, row.firstCell + cell.index * splitWords(row.type));
      break;
    case LadderRow::Kind::Input: break;
  }
}

/// The states of a row's cells in the middle of the current phase.
void setStates(std::span<LadderCell> cells, const PlannedRow& row, const Moment& moment) {
  auto stores = row.stores.begin();
  for (std::uint32_t column = 0; column < cells.size(); ++column) {
    LadderCell& cell = cells[column];
    const auto end = std::ranges::upper_bound(stores, row.stores.end(), column, {}, &PlannedStore::column);
    const auto due = std::ranges::lower_bound(stores, end, moment.cursor.steps, {}, &PlannedStore::step);
    cell.result = due != stores;
    cell.pending = due == stores && stores != end;
    cell.step = cell.result ? static_cast<std::int32_t>((due - 1)->step) : -1;
    if (cell.result) cell.thread = static_cast<std::int16_t>((due - 1)->thread);
    stores = end;
    if (cell.there) setValue(cell, row, moment);
  }
}

void markRead(LadderCell& cell, bool isDone) {
  cell.operand = cell.operand || isDone;
  cell.toRead = !cell.operand;
}

/// Marks the registers that the current phase reads for its results.
void markRegisterReads(Ladder& ladder) {
  for (const LadderArrow& arrow : ladder.arrows) {
    const bool isOfRegister = ladder.rows[arrow.fromRow].kind == LadderRow::Kind::Registers;
    if (arrow.idle || !isOfRegister || ladder.rows[arrow.toRow].time != Time::Current) continue;
    markRead(ladder.edit(arrow.fromRow)[arrow.fromColumn], arrow.done);
  }
}

}  // namespace

std::vector<std::uint32_t> computeEdges(std::span<const LadderCell> cells) {
  std::vector<std::uint32_t> edges;
  for (std::uint32_t column = 1; column < cells.size(); ++column)
    if (!cells[column].looksLike(cells[column - 1])) edges.push_back(column);
  return edges;
}

std::span<LadderCell> Ladder::edit(std::size_t row) {
  std::vector<LadderCell>& own = edited[row].cells;
  if (own.empty()) {
    own.assign(rows[row].cells.begin(), rows[row].cells.end());
    rows[row].cells = own;
  }
  return own;
}

void Ladder::findEdges() {
  for (std::size_t row = 0; row < edited.size(); ++row) {
    if (edited[row].cells.empty()) continue;
    edited[row].edges = computeEdges(edited[row].cells);
    rows[row].edges = edited[row].edges;
  }
}

Ladder ladderAt(const Moment& moment) {
  const LadderPlan& plan = *moment.plan->ladder;
  Ladder ladder;
  ladder.plan = moment.plan;
  ladder.columns = plan.columns;
  ladder.registers = plan.registers;
  ladder.globalArray = plan.globalArray;
  ladder.words = plan.words;
  ladder.elements = plan.elements;
  ladder.groups = plan.groups;
  if (plan.rows.empty()) return ladder;
  const std::uint32_t now = moment.phase();
  ladder.rows.reserve(plan.rows.size());
  for (const PlannedRow& row : plan.rows)
    ladder.rows.push_back(rowAt(row, ladder.rows.size() < plan.inputs, now));
  ladder.edited.resize(plan.rows.size());
  if (now >= plan.phases.size()) return ladder;
  const PlannedPhase& phase = plan.phases[now];
  for (const PlannedRead& read : phase.reads)
    markRead(ladder.edit(read.row)[read.column], read.step < moment.cursor.steps);
  for (std::uint32_t row = phase.firstRow; row < phase.endRow; ++row)
    setStates(ladder.edit(row), plan.rows[row], moment);
  if (phase.endRow > phase.firstRow)
    ladder.currentRow = phase.endRow - 1;
  else if (now == 0 && plan.inputs > 0)
    ladder.currentRow = plan.inputs - 1;
  ladder.arrows = arrowsAt(ladder, moment.cursor, now, now + 1);
  markRegisterReads(ladder);
  ladder.findEdges();
  return ladder;
}

std::vector<LadderArrow> arrowsAt(const Ladder& ladder, Cursor cursor, std::uint32_t first,
                                  std::uint32_t end) {
  const LadderPlan& plan = *ladder.plan->ladder;
  const auto last = std::min(end, static_cast<std::uint32_t>(plan.phases.size()));
  std::vector<LadderArrow> arrows;
  const auto add = [&](const PlannedArrow& arrow) {
    if (cursor.steps < arrow.thereAfter) return;
    std::int64_t step = arrow.step < cursor.steps ? std::int64_t{arrow.step} : -1;
    const LadderRow& row = ladder.rows[arrow.toRow];
    if (arrow.step == PlannedArrow::kOfPlace)
      step = row.time == Time::Future ? -1 : row.cells[arrow.toColumn].step;
    arrows.push_back({arrow.fromRow, arrow.fromColumn, arrow.toRow, arrow.toColumn, arrow.thread, step,
                      step >= 0, arrow.isIdle});
  };
  for (std::uint32_t phase = first; phase < last; ++phase) {
    const PlannedPhase& planned = plan.phases[phase];
    for (std::uint32_t index = planned.firstArrow; index < planned.endArrow; ++index) add(plan.arrows[index]);
  }
  for (std::uint32_t phase = first; phase < last; ++phase) {
    const PlannedPhase& planned = plan.phases[phase];
    for (std::uint32_t index = planned.firstOwn; index < planned.endOwn; ++index) add(plan.ownArrows[index]);
  }
  return arrows;
}

void coverArrows(std::vector<LadderArrow>& arrows) {
  std::erase_if(arrows, [](const LadderArrow& arrow) { return !arrow.done; });
  for (LadderArrow& arrow : arrows) arrow.idle = false;
}

void coverFuture(Ladder& ladder) {
  for (std::size_t number = 0; number < ladder.rows.size(); ++number) {
    const std::span<LadderCell> cells = ladder.edit(number);
    LadderRow& row = ladder.rows[number];
    for (LadderCell& cell : cells) {
      if (row.time == Time::Future) cell.result = cell.written = false;
      cell.pending = cell.idle = cell.toRead = false;
      // Later steps decide which registers matter: every register that was read is marked.
      if (row.kind == LadderRow::Kind::Registers) cell.operand = false;
      if (cell.result) continue;
      cell.thread = -1;
      // Only stored elements have a place in a row of outputs.
      if (row.kind == LadderRow::Kind::Output) cell.there = false;
    }
    // The element of a result is known only with the result.
    if (row.kind == LadderRow::Kind::Output && std::ranges::none_of(cells, &LadderCell::result))
      row.label = row.name;
  }
  coverArrows(ladder.arrows);
  markRegisterReads(ladder);
  ladder.findEdges();
}

namespace {

using Kind = LadderRow::Kind;
using Time = LadderRow::Time;

constexpr float kWrappedPitch = 11;  // units: height of an inactive row if words are wrapped
constexpr TextStyle kAxisLabel{FontRole::Small, ColorRole::TextDim, Align::Left, 0.88F, 1};

}  // namespace

std::string LadderPainter::rowLabel(const LadderRow& row) const {
  // Beside registers, rows of words are labelled with their arrays' names.
  const bool isOfPhase = row.kind == Kind::Registers || (row.kind == Kind::Words && !ladder_.registers);
  return isOfPhase ? moment_.plan->phaseNames[row.phase] : row.label;
}

void LadderPainter::layOut() {
  float gutter = 0;
  for (const LadderRow& row : ladder_.rows) {
    gutter = std::max(gutter,
                      out_.textWidth(rowLabel(row), {FontRole::Bold, ColorRole::Text, Align::Left, 0.9F, 1}));
  }
  gutter = std::min(gutter, out_.u(125)) + out_.u(12);
  gutter = std::max(gutter, out_.textWidth(axisLabel(), kAxisLabel) + axisPitch() / 2 + out_.u(2));
  shown_ = context_.columnCount == 0 ? ladder_.columns : std::min(context_.columnCount, ladder_.columns);
  first_ = std::min(context_.firstColumn, ladder_.columns - shown_);
  wrap(gutter);
  const float room = std::max(out_.width() - out_.margin() - left_, 1.0F);
  columnWidth_ = std::min(room / static_cast<float>(perLine_), out_.u(150));
  gap_ = columnWidth_ < out_.u(kSeparateCell) ? 0 : std::min(columnWidth_ * 0.16F, out_.u(4));

  top_ = out_.u(34) + (hasFaultTag(moment_, context_) ? out_.u(kFaultTag + 4) : 0);
  const float bottom = out_.height() - out_.u(showsGroups() ? 44 : 26);
  const float minPitch = out_.u(lines_ > 1 ? kWrappedPitch : 17);
  rowCount_ = std::clamp<std::size_t>(static_cast<std::size_t>(std::max((bottom - top_) / minPitch, 1.0F)), 1,
                                      ladder_.rows.size());
  const std::size_t half = rowCount_ / 2;
  const std::size_t current = ladder_.currentRow;
  const std::size_t wantedRow = context_.firstRow >= 0 ? static_cast<std::size_t>(context_.firstRow)
                                : current > half       ? current - half
                                                       : 0;
  firstRow_ = std::min(wantedRow, ladder_.rows.size() - rowCount_);
  placeRows(bottom);
}

// Rows of equal height. If words are wrapped over several lines, the current rows and the one they read from
// get the room that the others do not need.
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
  const float whole = computeCellHeight(row);
  const float height = whole / static_cast<float>(lines_);
  const std::uint32_t place = column - first_;
  const float x = left_ + static_cast<float>(place % perLine_) * columnWidth_;
  const std::uint32_t lineOfRow = place / perLine_;
  const float y = rowTop(row) + (computePitch(row) - whole) / 2 + static_cast<float>(lineOfRow) * height;
  return {x, y, columnWidth_ - gap_, lines_ > 1 ? height * 0.8F : height};
}

void LadderPainter::paintLabel(std::size_t index) {
  const LadderRow& row = ladder_.rows[index];
  const bool current = row.time == Time::Current;
  const bool array =
      row.kind == Kind::Input || row.kind == Kind::Output || (ladder_.registers && row.kind == Kind::Words);
  TextStyle style{array ? FontRole::Mono : FontRole::Body, ColorRole::Text, Align::Left, 0.92F, 1};
  if (current && !array) style.font = FontRole::Bold;
  if (row.time == Time::Future) style.color = ColorRole::TextDim;
  style.scale = std::min(style.scale, computePitch(index) / out_.u(fontSize(style.font)));
  const float y = rowTop(index) + computePitch(index) / 2;
  // Rows lower than letters: every second, third … label, counted from the current row.
  const std::size_t far =
      index > ladder_.currentRow ? index - ladder_.currentRow : ladder_.currentRow - index;
  const auto every =
      static_cast<std::size_t>(std::ceil(std::max(1.0F, out_.computeSize(style) / computePitch(index))));
  if (far % every == 0)
    out_.textWithin(out_.margin(), y, left_ - tags_ - out_.margin() - out_.u(6), rowLabel(row), style);
  paintLineTags(index);
  const Rect area{out_.margin(), rowTop(index), left_ - out_.margin(), computePitch(index)};
  const Phase& phase = moment_.trace.phases[row.phase];
  const bool covered = context_.hidesFuture && moment_.cursor.steps < phase.endStep;
  out_.hit(
      area, HitArea::Kind::Phase, row.phase,
      [&] {
        return covered ? phase.label
                       : fmt::format("{}\n{} at work", phase.label,
                                     counted(phase.activeThreads.size(), "thread"));
      },
      -1, phase.endStep);
}

void LadderPainter::paintRow(std::size_t index) {
  if (ladder_.rows[index].time == Time::Current) {
    const Rect band{out_.margin() / 2, rowTop(index), out_.width() - out_.margin(), computePitch(index)};
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

float LadderPainter::axisPitch() const {
  return out_.textWidth(fmt::format("{}", ladder_.columns), kAxisLabel) * 1.7F;
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
  if (showsGroups()) paintGroups();
}

// An arrow beside the rows: they are one memory, at later and later times.
void LadderPainter::paintTime() {
  if (rowCount_ < 2) return;
  const float x = out_.margin() / 2 - out_.u(1);
  const float head = out_.u(7);
  const float foot = tops_.back() - out_.u(2);
  out_.line(x, top_ + out_.u(4), x, foot - head, ColorRole::TextDim, out_.u(1.4F));
  out_.triangle({x - head / 2, foot - head, head, head}, ColorRole::TextDim, true);
}

// The columns of each array: a brace for each under the axis, and a line between two.
void LadderPainter::paintGroups() {
  const float y = tops_.back() + out_.u(20);
  const float tick = out_.u(4);
  const TextStyle style{FontRole::Mono, ColorRole::Text, Align::Center, 0.92F, 1};
  for (const LadderGroup& group : ladder_.groups) {
    const std::uint32_t begin = std::max(group.firstColumn, first_);
    const std::uint32_t end = std::min(group.firstColumn + group.columns, first_ + shown_);
    if (begin >= end) continue;
    const float x = left_ + static_cast<float>(begin - first_) * columnWidth_;
    const float right =
        left_ + static_cast<float>(end - first_) * columnWidth_ - std::max(gap_, out_.u(1.5F));
    out_.line(x, y, right, y, ColorRole::TextDim, out_.u(1.2F));
    out_.line(x, y - tick, x, y, ColorRole::TextDim, out_.u(1.2F));
    out_.line(right, y - tick, right, y, ColorRole::TextDim, out_.u(1.2F));
    out_.textInside({x, y + out_.u(2), right - x, out_.u(16)}, group.name, style, 0.6F);
    if (begin != group.firstColumn || begin == first_) continue;
    for (std::size_t index = firstRow_; index < firstRow_ + rowCount_; ++index) {
      if (ladder_.rows[index].kind != Kind::Words) continue;
      const Rect cell = cellRect(index, begin);
      out_.line(x - gap_ / 2, cell.y - out_.u(3), x - gap_ / 2, cell.bottom() + out_.u(3), ColorRole::TextDim,
                out_.u(1.2F));
    }
  }
}

// The place of the access that ended the block: at its word, or beyond the array's end.
void LadderPainter::paintFault() {
  const TraceFault* const fault = moment_.fault();
  if (fault == nullptr || fault->array < 0) return;
  const TracedArray& array = moment_.trace.arrays[static_cast<std::size_t>(fault->array)];
  std::size_t index = std::clamp<std::size_t>(ladder_.currentRow, firstRow_, firstRow_ + rowCount_ - 1);
  for (std::size_t row = firstRow_; row < firstRow_ + rowCount_; ++row) {
    const bool isWords = ladder_.rows[row].kind == Kind::Words;
    const bool isOfArray = array.space == MemorySpace::Global
                               ? !isWords && ladder_.rows[row].name == array.name
                               : isWords && row <= ladder_.currentRow;
    if (isOfArray) index = row;
  }
  // Above the rows, so that their words stay visible, with a line to the place beside the array's words.
  const auto [first, columns] = columnsOfFault(index, array);
  const bool isBefore = fault->word < 0;
  const float end = left_ + columnWidth_ * static_cast<float>(std::min(perLine_, shown_)) - gap_;
  const auto edge = [&](std::uint32_t column) {
    const std::uint32_t shown = column <= first_ ? 0 : std::min(column - first_, std::min(perLine_, shown_));
    return left_ + columnWidth_ * static_cast<float>(shown);
  };
  const float x = isBefore ? edge(first) - out_.u(4) : edge(first + columns) - gap_ + out_.u(4);
  const float tagY = top_ - out_.u(2 + kFaultTag / 2);
  if (isBefore || fault->word >= std::int64_t{array.cellCount}) {
    const float y = rowTop(index) + computePitch(index) / 2;
    out_.line(x, tagY, x, y, ColorRole::Bad, out_.u(1.5F));
    out_.fill({x - out_.u(3), y - out_.u(3), out_.u(6), out_.u(6)}, ColorRole::Bad, out_.u(1));
  }
  paintFaultTag(out_, moment_, isBefore ? x - out_.u(4) : std::min(x - out_.u(4), end), tagY);
}

// The first column of an array's words in that row, and how many columns they have.
std::pair<std::uint32_t, std::uint32_t> LadderPainter::columnsOfFault(std::size_t row,
                                                                      const TracedArray& array) const {
  const LadderRow& shown = ladder_.rows[row];
  if (shown.kind == Kind::Words) {
    const auto group = std::ranges::find(ladder_.groups, array.name, &LadderGroup::name);
    if (group != ladder_.groups.end()) return {group->firstColumn, group->columns};
  }
  std::uint32_t columns = 0;
  for (std::uint32_t column = 0; column < shown.cells.size(); ++column)
    if (shown.cells[column].there) columns = column + 1;
  return {0, columns};
}

Scene LadderPainter::paint() {
  if (ladder_.rows.empty()) {
    const float y = out_.heading(title(), "");
    out_.paragraph(out_.margin(), y, out_.width() - 2 * out_.margin(), 2,
                   "This kernel has no array that fits here.",
                   {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
    paintFaultTag(out_, moment_, out_.margin(), y + out_.u(64));
    return out_.consume();
  }
  layOut();
  chooseArrows();
  paintHeading();
  paintRowsAndArrows();
  paintAxis();
  paintTime();
  paintFault();
  Scene scene = out_.consume();
  scene.rows = {static_cast<std::uint32_t>(firstRow_), static_cast<std::uint32_t>(rowCount_),
                static_cast<std::uint32_t>(ladder_.rows.size()), top_, tops_.back()};
  return scene;
}

Scene ladderScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return LadderPainter(moment, context, measure).paint();
}

Scene arrayScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return moment.plan->tiles->arrays.empty() ? ladderScene(moment, context, measure)
                                            : tileScene(moment, context, measure);
}

}  // namespace lanescope
