// The rows of a ladder: words with their values, threads with what they do, labels.
#include <algorithm>

#include <fmt/format.h>

#include "app/base/value_words.h"
#include "app/pictures/ladder_picture.h"
#include "app/pictures/picture_plan.h"

namespace lanescope {
namespace {

using Kind = LadderRow::Kind;
using Time = LadderRow::Time;

constexpr std::size_t kTooltipTerms = 64;
constexpr float kToCome = 0.45F;  ///< opacity of what the phase will do
constexpr float kFuture = 0.3F;   ///< and of what later ones will
constexpr std::uint32_t kMostWithHits =
    128;  ///< columns: rows far from the current one have no hits past them

ColorRole textOn(const CellLook& look) {
  if (look.style != CellLook::Style::Filled) return ColorRole::TextDim;
  if (look.color == ColorRole::CellOld || look.alpha < 1) return ColorRole::Text;
  const bool isBright = look.color == ColorRole::Operand || look.color == ColorRole::Result ||
                        look.color == ColorRole::LaneActive;
  return isBright ? ColorRole::TextOnAccent : ColorRole::TextDim;
}

CellLook lookOfThread(const LadderRow& row, const LadderCell& cell) {
  using Style = CellLook::Style;
  const bool isFuture = row.time == Time::Future;
  if (cell.operand) return {Style::Filled, ColorRole::Operand, 1};
  switch (cell.work) {
    case ThreadWork::Unknown: return {Style::Filled, ColorRole::CellUnwritten, 0.6F};
    case ThreadWork::Skips: return {Style::Outlined, ColorRole::CellBorder, 1};
    case ThreadWork::MaskedOff:
      if (isFuture) return {Style::Filled, ColorRole::Cell, 1};
      return {Style::Hatched, ColorRole::LaneMasked, 0.8F};
    case ThreadWork::Works: break;
  }
  const float alpha = isFuture ? kFuture : cell.pending || cell.idle ? kToCome : 1;
  return {Style::Filled, ColorRole::LaneActive, alpha};
}

class LadderRowPainter {
 public:
  LadderRowPainter(const LadderPicture& picture, std::size_t index)
      : p_(picture),
        out_(picture.out),
        row_(picture.ladder.rows[index]),
        index_(index),
        grid_(picture.layout.grid(row_)),
        top_(picture.layout.top(index)),
        height_(picture.layout.height(index)) {}

  void paint() {
    const bool isRun = grid_.gap() <= 0;
    const auto look = [&](std::uint32_t column) { return lookOf(row_, row_.cells[column], isRun); };
    grid_.paint(out_, top_, height_, p_.ladder.alike(index_), look);
    const bool texts = p_.layout.hasTexts(row_);
    const bool hasMarks =
        (!isRun && row_.time != Time::Future) || p_.context.anyLit() || p_.context.hasHazards();
    bool hasText = false;
    for (std::uint32_t column = grid_.first(); column < grid_.end() && (texts || hasMarks); ++column) {
      const LadderCell& cell = row_.cells[column];
      if (!cell.there) continue;
      const Rect rect = grid_.cell(column, top_, height_);
      if (rect.x < grid_.left() - 1 || rect.right() > grid_.right() + 1) continue;  // a part of it
      paintMarks(cell, rect, isRun);
      if (texts) hasText = paintText(cell, rect, lookOf(row_, cell, false)) || hasText;
    }
    if (!hasText) paintLone();
  }

  void addHits() const {
    const std::uint32_t shown = grid_.end() - grid_.first();
    const auto current = std::size_t{p_.ladder.currentRow};
    if (shown > kMostWithHits && (index_ + 3 <= current || index_ > current + 2)) return;
    const auto& pointer = p_.context.pointer;
    std::uint32_t from = grid_.first();
    if (pointer && (pointer->y < top_ || pointer->y >= top_ + height_)) {
      // Only its end is needed: Scene::feet.
      from = grid_.end() - 1;
      while (from > grid_.first() && !row_.cells[from].there) --from;
    }
    for (std::uint32_t column = from; column < grid_.end(); ++column) {
      const LadderCell& cell = row_.cells[column];
      if (!cell.there) continue;
      Rect rect = grid_.cell(column, top_, height_);
      if (rect.w < 2) rect = {rect.x - 1, rect.y, rect.w + 2, rect.h};  // a pixel is in some cell
      const auto tip = [&] { return row_.kind == Kind::Threads ? makeThreadTip(cell) : makeTip(cell); };
      if (row_.kind == Kind::Words)
        out_.hit(rect, HitArea::Kind::Cell, cell.index, tip, cell.thread);
      else if (cell.thread >= 0)
        out_.hit(rect, HitArea::Kind::Thread, static_cast<std::uint32_t>(cell.thread), tip, cell.thread);
      else
        out_.hit(rect, HitArea::Kind::Phase, row_.phase, tip);
    }
  }

 private:
  // The thread and word under the pointer light up in every row, related ones in the rows of the current and
  // the previous phase.
  bool isLit(const LadderCell& cell) const {
    if (!p_.context.anyLit()) return false;
    const std::uint32_t now = p_.moment.phase();
    const bool near = row_.time == Time::Current || (row_.time == Time::Past && row_.phase + 1 == now);
    if (cell.thread >= 0 && cell.thread == p_.context.hoverThread) return true;
    if (row_.kind == Kind::Threads) return near && p_.context.threadLit(cell.index);
    for (std::uint32_t part = 0; row_.kind == Kind::Words && part < cell.words; ++part) {
      const std::uint32_t index = cell.index + part;
      if (p_.context.hoverCell == std::int64_t{index} || (near && p_.context.cellLit(index))) return true;
    }
    return false;
  }

  // A hazard is marked in the row of the phase in which it was met.
  bool hasHazard(const LadderCell& cell) const {
    if (row_.kind != Kind::Words || !p_.context.hasHazards()) return false;
    const Phase& phase = p_.moment.trace.phases[row_.phase];
    const std::uint32_t to = std::min(phase.endStep, p_.moment.cursor.steps);
    for (std::uint32_t part = 0; part < cell.words; ++part)
      if (p_.context.hasHazardAt(std::int64_t{cell.index} + part, phase.firstStep, to)) return true;
    return false;
  }

  void paintMarks(const LadderCell& cell, const Rect& rect, bool isRun) const {
    const float radius = std::min(out_.u(3), rect.w / 4);
    if (!isRun && row_.kind != Kind::Threads && cell.pending)
      out_.stroke(rect, ColorRole::Result, out_.u(1.3F), radius, 0.8F);
    else if (!isRun && cell.toRead)
      out_.stroke(rect, ColorRole::Operand, out_.u(1.6F), radius);
    if (hasHazard(cell)) out_.stroke(rect.inset(-out_.u(1)), ColorRole::Bad, out_.u(2), radius);
    if (isLit(cell)) out_.stroke(rect.inset(-out_.u(1.5F)), ColorRole::Accent, out_.u(2), radius);
  }

  // Returns true if the value is shown, not only its formula.
  bool paintText(const LadderCell& cell, const Rect& rect, const CellLook& look) const {
    if (row_.kind == Kind::Threads && (row_.name.empty() || !cell.written || row_.time == Time::Future))
      return paintThread(cell, rect, look);
    if (row_.time == Time::Future || !cell.written) return false;
    const TextStyle terms{FontRole::Mono, textOn(look), Align::Center, 0.9F, 1};
    const TextStyle number{FontRole::Small, terms.color, Align::Center, 0.92F, 1};
    const std::string value = formatValue(cell.type, cell.bits);
    const Rect lower{rect.x, rect.y + rect.h * 0.52F, rect.w, rect.h * 0.44F};
    const bool twoLines = out_.fitsInside(lower, value, number);
    const Rect upper{rect.x, rect.y, rect.w, twoLines ? rect.h * 0.54F : rect.h};
    if (look.style == CellLook::Style::Hatched) paintPlate(out_, rect, value, number);
    if (look.style == CellLook::Style::Hatched || !paintTerms(cell, upper, terms))
      return out_.textInside(rect, value, number);
    return twoLines && out_.textInside(lower, value, number);
  }

  bool paintTerms(const LadderCell& cell, const Rect& rect, const TextStyle& style) const {
    if (cell.from == kNoProvenance) return false;
    constexpr float kLeastScale = 0.82F;
    const Provenance& provenance = p_.moment.trace.provenance;
    std::size_t most = std::min<std::size_t>(provenance.terms(cell.from), 12);
    if (most == 1) return out_.textInside(rect, provenance.text(cell.from), style, kLeastScale);
    // A term is two letters and its operator: if there is no room for the text, even if the letters were a
    // tenth narrower than their size suggests, a chain of thousands of terms is not walked.
    const float letters = rect.w / ((kLeastScale - 0.1F) * out_.textWidth("0", style));
    for (; most >= 2; most = most > 4 ? 4 : most - 1) {
      const bool mayFit = static_cast<float>(3 * (most - 1) - 1) <= letters;
      if (mayFit && out_.textInside(rect, provenance.text(cell.from, most), style, kLeastScale)) return true;
    }
    return false;
  }

  // What it has read and not yet written, else its number.
  bool paintThread(const LadderCell& cell, const Rect& rect, const CellLook& look) const {
    const TextStyle style{FontRole::Small, textOn(look), Align::Center, 0.92F, 1};
    if (row_.time == Time::Current) {
      const TextStyle terms{FontRole::Mono, style.color, Align::Center, 0.9F, 1};
      const std::string held = heldText(cell.index);
      if (!held.empty() && out_.textInside(rect, held, terms, 0.8F)) return false;
    }
    const std::string number = fmt::format("t{}", cell.index);
    if (look.style == CellLook::Style::Hatched) paintPlate(out_, rect, number, style);
    out_.textInside(rect, number, style);
    return false;
  }

  std::string heldText(std::uint32_t thread) const {
    const std::uint32_t now = p_.moment.cursor.steps;
    std::string text;
    for (const LadderLine& line : p_.ladder.planned().linesOf(row_.phase)) {
      if (line.thread != thread || line.step >= now) continue;
      const bool isMoving =
          line.step >= p_.motion.from && (line.isWrite ? p_.motion.writes : p_.motion.reads) < 1;
      if (line.isWrite) {
        if (!isMoving) text.clear();
      } else if (!isMoving) {
        text += (text.empty() ? "" : ", ") + p_.valueText(p_.arrived.rows[line.row].cells[line.column]);
      }
    }
    return text;
  }

  // A result that is alone in its row and does not show its value: the value is drawn beside it.
  void paintLone() const {
    if (row_.kind != Kind::Output || row_.time == Time::Future) return;
    if (std::ranges::count_if(row_.cells, &LadderCell::there) != 1) return;
    const auto cell = std::ranges::find_if(row_.cells, &LadderCell::there);
    const auto column = static_cast<std::uint32_t>(cell - row_.cells.begin());
    if (!cell->written || !grid_.isInView(column)) return;
    const Rect rect = grid_.cell(column, top_, height_);
    const std::string value = formatValue(cell->type, cell->bits);
    const TextStyle style{FontRole::Mono, ColorRole::Text, Align::Left, 0.9F, 1};
    // Of results in rows as low as those of a folded phase, the last.
    const auto& rows = p_.ladder.rows;
    const bool isLast = index_ + 1 == rows.size() || rows[index_ + 1].phase != row_.phase;
    if (!isLast && p_.layout.middle(index_ + 1) - p_.layout.middle(index_) < out_.computeSize(style)) return;
    const float width = out_.textWidth(value, style);
    const bool isLeft = rect.right() + out_.u(6) + width > out_.width() - out_.margin();
    // Clear of the axis.
    const float y = std::min(rect.midY(), p_.layout.bottom() - 0.4F * out_.computeSize(style));
    out_.text(isLeft ? rect.x - out_.u(6) - width : rect.right() + out_.u(6), y, value, style);
  }

  std::string makeTip(const LadderCell& cell) const {
    std::string tip = row_.kind == Kind::Words ? cellName(p_.moment.trace, cell.index)
                                               : fmt::format("{}[{}]", row_.name, cell.index);
    if (row_.time == Time::Future) return tip + ", later";
    if (!cell.written) return tip + ", not written yet";
    tip += fmt::format(" = {}", formatValue(cell.type, cell.bits));
    if (cell.from != kNoProvenance) tip += "\n" + p_.moment.trace.provenance.text(cell.from, kTooltipTerms);
    if (cell.result && cell.thread >= 0) tip += fmt::format("\nwritten by thread {}", cell.thread);
    return tip;
  }

  std::string makeThreadTip(const LadderCell& cell) const {
    std::string tip = fmt::format("thread {}", cell.index);
    switch (cell.work) {
      case ThreadWork::Unknown: break;
      case ThreadWork::Skips: tip += ": its warp has no access in this phase"; break;
      case ThreadWork::MaskedOff: tip += ": masked off, while others of its warp work"; break;
      case ThreadWork::Works:
        tip += row_.time == Time::Past || cell.result ? ": works" : ": will work";
        break;
    }
    for (const bool isWrite : {false, true}) {
      std::string places;
      std::size_t count = 0;
      for (const LadderLine& line : p_.ladder.planned().linesOf(row_.phase)) {
        if (line.thread != cell.index || line.isWrite != isWrite || line.threads != index_) continue;
        if (line.step >= p_.moment.cursor.steps && (p_.context.hidesFuture || row_.time == Time::Future))
          continue;
        constexpr std::size_t kMostNamed = 8;
        if (++count <= kMostNamed) places += (count == 1 ? "" : ", ") + placeName(line);
        if (count == kMostNamed + 1) places += ", …";
      }
      if (!places.empty()) tip += (isWrite ? "\nwrites " : "\nreads ") + places;
    }
    if (row_.name.empty() || !cell.written || row_.time == Time::Future) return tip;
    tip += fmt::format("\n{} = {}", row_.name, formatValue(cell.type, cell.bits));
    if (cell.from != kNoProvenance) tip += "\n" + p_.moment.trace.provenance.text(cell.from, kTooltipTerms);
    return cell.idle ? tip + "\nno later step uses it" : tip;
  }

  std::string placeName(const LadderLine& line) const {
    const LadderRow& row = p_.ladder.rows[line.row];
    const std::uint32_t index = row.cells[line.column].index;
    if (row.kind == Kind::Threads) return fmt::format("thread {}", index);
    return row.kind == Kind::Words ? cellName(p_.moment.trace, index)
                                   : fmt::format("{}[{}]", row.name, index);
  }

  const LadderPicture& p_;
  SceneBuilder& out_;
  const LadderRow& row_;
  std::size_t index_;
  const CellGrid& grid_;
  float top_, height_;
};

}  // namespace

CellState findState(const LadderRow& row, const LadderCell& cell) {
  if (row.time == Time::Future || !cell.written) return CellState::Empty;
  if (cell.operand) return CellState::Operand;
  if (cell.result && row.time == Time::Current) return CellState::Written;
  const bool isOfPhase = cell.result || row.kind == Kind::Input;
  return isOfPhase || row.time == Time::Current ? CellState::Earlier : CellState::Kept;
}

CellLook lookOf(const LadderRow& row, const LadderCell& cell, bool isRun) {
  using Style = CellLook::Style;
  if (!cell.there) return {Style::None};
  if (row.kind == Kind::Threads) return lookOfThread(row, cell);
  // Too narrow for a frame: words that the phase will write or read are filled faintly.
  if (isRun && cell.pending) return {Style::Filled, ColorRole::Result, kToCome};
  if (isRun && cell.toRead) return {Style::Filled, ColorRole::Operand, kToCome};
  switch (findState(row, cell)) {
    case CellState::Operand: return {Style::Filled, ColorRole::Operand};
    case CellState::Written: return {Style::Filled, ColorRole::Result};
    case CellState::Earlier: return {Style::Filled, ColorRole::CellOld};
    case CellState::Kept: return {Style::Filled, ColorRole::Cell};
    case CellState::Empty: break;
  }
  if (cell.operand) return {Style::Filled, ColorRole::Operand, 0.35F};
  return {Style::Filled, ColorRole::CellUnwritten};
}

std::string labelOf(const Moment& moment, const Ladder& ladder, const LadderRow& row) {
  const bool registers = ladder.planned().registers;
  const PlannedPhase& phase = ladder.planned().phases[row.phase];
  const auto isWords = [](const LadderRow& each) { return each.kind == Kind::Words; };
  const bool hasWords =
      std::any_of(ladder.rows.begin() + phase.firstRow, ladder.rows.begin() + phase.endRow, isWords);
  // The phase is named beside its words, or else beside its threads.
  if (row.kind == Kind::Threads && hasWords && !registers) return std::string(kThreads);
  const bool isOfPhase = row.kind == Kind::Threads || (row.kind == Kind::Words && !registers);
  return isOfPhase ? moment.plan->phaseNames[row.phase] : row.label;
}

std::string LadderPicture::valueText(const LadderCell& cell) const {
  if (!cell.written) return "";
  return cell.from != kNoProvenance ? moment.trace.provenance.text(cell.from, 4)
                                    : formatValue(cell.type, cell.bits);
}

void paintRows(const LadderPicture& picture) {
  for (const LadderBand& band : picture.layout.shown()) {
    for (std::uint32_t row = band.firstRow; row < band.endRow; ++row) {
      LadderRowPainter painter(picture, row);
      painter.paint();
      if (!band.isFolded) painter.addHits();
    }
  }
}

}  // namespace lanescope
