// The ladder's words: their values, and as much of them as there is room for.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/pictures/ladder_painter.h"

namespace lanescope {
namespace {

using Kind = LadderRow::Kind;
using Time = LadderRow::Time;

constexpr std::size_t kTooltipTerms = 64;
constexpr float kPendingCellAlpha = 0.45F;
constexpr float kTextAppears = 0.3F;  // share of a cell's growing from which its text is there

struct CellLook {
  ColorRole color = ColorRole::Cell;
  float alpha = 1;
  ColorRole text = ColorRole::TextDim;
  bool operator==(const CellLook&) const = default;
};

constexpr CellLook kPendingRun{ColorRole::Result, kPendingCellAlpha, ColorRole::TextDim};
constexpr CellLook kToReadRun{ColorRole::Operand, kPendingCellAlpha, ColorRole::TextDim};
constexpr CellLook kReadEmpty{ColorRole::Operand, 0.35F, ColorRole::TextDim};

/// By CellState.
constexpr std::array kLooks = {CellLook{ColorRole::CellUnwritten, 1, ColorRole::TextDim},
                               CellLook{ColorRole::Operand, 1, ColorRole::TextOnAccent},
                               CellLook{ColorRole::Result, 1, ColorRole::TextOnAccent},
                               CellLook{ColorRole::CellOld, 1, ColorRole::Text},
                               CellLook{ColorRole::Cell, 1, ColorRole::TextDim},
                               CellLook{ColorRole::Cell, 0.6F, ColorRole::TextDim}};
static_assert(kLooks.size() == static_cast<std::size_t>(CellState::Idle) + 1);

const CellLook& chooseLook(const LadderRow& row, const LadderCell& cell, bool isRun = false) {
  // Too narrow for a frame: words that the phase will write or read are filled faintly.
  if (isRun && cell.pending) return kPendingRun;
  if (isRun && cell.toRead) return kToReadRun;
  const CellState state = findState(row, cell);
  return state == CellState::Empty && cell.operand ? kReadEmpty : kLooks[static_cast<std::size_t>(state)];
}

}  // namespace

CellState findState(const LadderRow& row, const LadderCell& cell) {
  if (row.time == Time::Future || !cell.written) return CellState::Empty;
  if (cell.operand) return CellState::Operand;
  if (cell.idle) return CellState::Idle;
  if (cell.result && row.time == Time::Current) return CellState::Written;
  const bool isOfPhase = cell.result || row.kind == Kind::Input;
  return isOfPhase || row.time == Time::Current ? CellState::Earlier : CellState::Kept;
}

// The thread and word under the pointer light up in every row, related ones in the rows of the current and
// the previous phase.
bool LadderPainter::isLit(const LadderRow& row, const LadderCell& cell) const {
  if (!isAnyLit_) return false;
  const bool word = row.kind == Kind::Words;
  const bool near = row.time == Time::Current || (row.time == Time::Past && row.phase + 1 == phase_);
  if (cell.thread >= 0 && cell.thread == context_.hoverThread) return true;
  for (std::uint32_t part = 0; word && part < cell.words; ++part) {
    const std::uint32_t index = cell.index + part;
    if (context_.hoverCell == std::int64_t{index} || (near && context_.cellLit(index))) return true;
  }
  return near && row.kind == Kind::Registers && context_.threadLit(cell.index);
}

void LadderPainter::paintMarks(const LadderRow& row, const LadderCell& cell, const Rect& rect) {
  const float radius = std::min(out_.u(3), rect.w / 4);
  if (cell.pending)
    out_.stroke(rect, ColorRole::Result, out_.u(1.3F), radius, 0.8F);
  else if (cell.toRead)
    out_.stroke(rect, ColorRole::Operand, out_.u(1.6F), radius);
  if (isLit(row, cell)) out_.stroke(rect.inset(-out_.u(1.5F)), ColorRole::Accent, out_.u(2), radius);
}

// Returns true if the value is shown, not only its formula.
bool LadderPainter::paintText(const LadderRow& row, const LadderCell& cell, const Rect& rect) {
  if (row.time == Time::Future || !cell.written) return false;
  const CellLook& look = chooseLook(row, cell);
  const TextStyle terms{FontRole::Mono, look.text, Align::Center, 0.9F, 1};
  const TextStyle number{FontRole::Small, look.text, Align::Center, 0.92F, 1};
  const std::string value = formatValue(cell.type, cell.bits);
  const bool twoLines = rect.h >= out_.u(27);
  const Rect upper{rect.x, rect.y + out_.u(1), rect.w, twoLines ? rect.h * 0.52F : rect.h - out_.u(2)};
  bool drawn = false;
  if (cell.from != kNoProvenance) {
    constexpr float kLeastScale = 0.82F;
    const Provenance& provenance = moment_.trace.provenance;
    std::size_t most = std::min<std::size_t>(provenance.terms(cell.from), 12);
    // A term is two letters and its operator: if there is no room for the text, even if the letters were a
    // tenth narrower than their size suggests, a chain of thousands of terms is not walked.
    const float letters = upper.w / ((kLeastScale - 0.1F) * out_.textWidth("0", terms));
    for (; most >= 2 && !drawn; most = most > 4 ? 4 : most - 1) {
      if (static_cast<float>(3 * (most - 1) - 1) <= letters)
        drawn = out_.textInside(upper, provenance.text(cell.from, most), terms, kLeastScale);
    }
    if (!drawn && provenance.terms(cell.from) == 1)
      drawn = out_.textInside(upper, provenance.text(cell.from), terms, kLeastScale);
  }
  if (!drawn) return out_.textInside(rect, value, number);
  return twoLines &&
         out_.textInside({rect.x, rect.y + rect.h * 0.52F, rect.w, rect.h * 0.44F}, value, number);
}

void LadderPainter::paintCells(std::size_t index) {
  const LadderRow& row = ladder_.rows[index];
  const bool texts = columnWidth_ >= out_.u(kTextCell);
  bool hasText = false;
  for (std::uint32_t column = first_; column < first_ + shown_; ++column) {
    const LadderCell& cell = row.cells[column];
    if (!cell.there) continue;
    const Rect rect = cellRect(index, column);
    const CellLook& look = chooseLook(row, cell);
    const float radius = std::min(out_.u(3), rect.w / 4);
    const float shown = row.time == Time::Current ? appeared(cell.step) : 1.0F;
    if (shown < 1) out_.fill(rect, ColorRole::CellUnwritten, radius);
    out_.fill(rect, look.color, radius, look.alpha * shown);
    paintMarks(row, cell, rect);
    if (texts && shown > kTextAppears) hasText = paintText(row, cell, rect) || hasText;
  }
  if (!hasText) paintLone(index);
}

// Cells too narrow to be separate: in each line, adjacent cells that look the same are one rectangle.
void LadderPainter::paintRuns(std::size_t index) {
  const LadderRow& row = ladder_.rows[index];
  const std::uint32_t all = first_ + shown_;
  auto edge = std::ranges::upper_bound(row.edges, first_);
  const CellLook* look = &chooseLook(row, row.cells[first_], true);
  for (std::uint32_t line = first_; line < all; line += perLine_) {
    const std::uint32_t lineEnd = std::min(line + perLine_, all);
    Rect rect = cellRect(index, line);
    if (edge != row.edges.end() && *edge == line) look = &chooseLook(row, row.cells[*edge++], true);
    for (std::uint32_t first = line; first < lineEnd;) {
      const bool isPresent = row.cells[first].there;
      const CellLook* next = look;
      for (; edge != row.edges.end() && *edge < lineEnd; ++edge) {
        next = &chooseLook(row, row.cells[*edge], true);
        if (row.cells[*edge].there != isPresent || *next != *look) break;
      }
      const std::uint32_t end = edge != row.edges.end() && *edge < lineEnd ? *edge++ : lineEnd;
      rect.x = left_ + static_cast<float>(first - line) * columnWidth_;
      rect.w = static_cast<float>(end - first) * columnWidth_;
      if (isPresent) out_.fill(rect, look->color, 0, look->alpha);
      look = next;
      first = end;
    }
  }
  for (std::uint32_t column = first_; column < all && isAnyLit_; ++column) {
    const LadderCell& cell = row.cells[column];
    if (cell.there && isLit(row, cell)) paintMarks(row, cell, cellRect(index, column));
  }
  paintLone(index);
}

// A result that is alone in its row and does not show its value: the value is drawn beside it.
void LadderPainter::paintLone(std::size_t index) {
  const LadderRow& row = ladder_.rows[index];
  if (row.kind != Kind::Output || row.time == Time::Future) return;
  if (std::ranges::count_if(row.cells, &LadderCell::there) != 1) return;
  const auto cell = std::ranges::find_if(row.cells, &LadderCell::there);
  const auto column = static_cast<std::uint32_t>(cell - row.cells.begin());
  if (!cell->written || !inView(column) || appeared(cell->step) <= kTextAppears) return;
  const Rect rect = cellRect(index, column);
  const std::string value = formatValue(cell->type, cell->bits);
  TextStyle style{FontRole::Mono, ColorRole::Text, Align::Left, 0.9F, 1};
  style.scale = std::min(style.scale, computePitch(index) / out_.u(fontSize(style.font)));
  const float width = out_.textWidth(value, style);
  const bool isLeft = rect.right() + out_.u(6) + width > out_.width() - out_.margin();
  out_.text(isLeft ? rect.x - out_.u(6) - width : rect.right() + out_.u(6), rect.midY(), value, style);
}

std::string LadderPainter::makeTip(const LadderRow& row, const LadderCell& cell) const {
  std::string tip = row.kind == Kind::Registers ? fmt::format("{} of thread {}", row.name, cell.index)
                    : row.kind == Kind::Words   ? cellName(moment_.trace, cell.index)
                                                : fmt::format("{}[{}]", row.name, cell.index);
  if (row.time == Time::Future) return tip + ", later";
  if (!cell.written) return tip + ", not written yet";
  tip += fmt::format(" = {}", formatValue(cell.type, cell.bits));
  if (cell.from != kNoProvenance) tip += "\n" + moment_.trace.provenance.text(cell.from, kTooltipTerms);
  if (cell.result && cell.thread >= 0) tip += fmt::format("\nwritten by thread {}", cell.thread);
  if (cell.idle) tip += "\nno later step uses it";
  return tip;
}

void LadderPainter::addHits(std::size_t index) {
  const LadderRow& row = ladder_.rows[index];
  const bool near = index + 2 > ladder_.currentRow && index <= std::size_t{ladder_.currentRow} + 1;
  if (shown_ > 128 && !near) return;
  const bool word = row.kind == Kind::Words;
  const Rect whole{0, rowTop(index), out_.width(), computePitch(index)};
  const bool isPointedAt = !context_.pointer || whole.contains(context_.pointer->x, context_.pointer->y);
  std::uint32_t column = first_;
  if (!isPointedAt) {  // only its end is needed: Scene::feet
    column = first_ + shown_ - 1;
    while (column > first_ && !row.cells[column].there) --column;
  }
  for (; column < first_ + shown_; ++column) {
    const LadderCell& cell = row.cells[column];
    if (!cell.there) continue;
    const auto tip = [&] { return makeTip(row, cell); };
    const std::int64_t thread = row.kind == Kind::Registers ? std::int64_t{cell.index} : cell.thread;
    if (!word && thread < 0) {
      out_.hit(cellRect(index, column), HitArea::Kind::Phase, row.phase, tip);
    } else {
      out_.hit(cellRect(index, column), word ? HitArea::Kind::Cell : HitArea::Kind::Thread,
               word ? cell.index : static_cast<std::uint32_t>(thread), tip, thread);
    }
  }
}

}  // namespace lanescope
