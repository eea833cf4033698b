#include "app/pictures/ladder_painter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/base/value_words.h"

// The ladder's heading: its contents, as much of it as fits, and the meaning of its colours.
namespace lanescope {

namespace {

constexpr float kSwatch = 11;  ///< units
constexpr float kAfterSwatch = 5;
constexpr float kBetween = 12;
constexpr std::size_t kFewestEntries = 2;
constexpr TextStyle kLegendText{FontRole::Small, ColorRole::TextDim, Align::Left, 0.95F, 1};
constexpr TextStyle kTitleText{FontRole::Bold, ColorRole::Text, Align::Left, 1, 1};
constexpr TextStyle kNoteText{FontRole::Body, ColorRole::TextDim, Align::Left, kNoteScale, 1};

struct Entry {
  std::string_view text;
  ColorRole color;
  float alpha = 1;
  bool isFrame = false;
};
constexpr Entry kToRead{"to read", ColorRole::Operand, 1, true};
constexpr Entry kPending{"to write", ColorRole::Result, kPendingAlpha, true};

struct StateEntry {
  CellState state;
  Entry entry;
};
/// In the order of their importance: the last ones are left out if there is no room.
constexpr std::array kStates = {
    StateEntry{CellState::Operand, {"read", ColorRole::Operand}},
    StateEntry{CellState::Written, {"written", ColorRole::Result}},
    StateEntry{CellState::Earlier, {"earlier", ColorRole::CellOld}},
    StateEntry{CellState::Idle, {"unused", ColorRole::Cell, 0.6F}},
};

}  // namespace

std::string LadderPainter::title() const {
  if (ladder_.registers) return moment_.trace.sharedCells > 0 ? "REGISTERS AND SHARED MEMORY" : "REGISTERS";
  return isGlobal() ? "GLOBAL MEMORY" : "SHARED MEMORY";
}

/// `one array of 8 words`, `8 doubles of two words each`, `12 elements of one or two words`.
std::string LadderPainter::contentText() const {
  // The rows look like arrays of their own.
  const std::string whole = !isGlobal() && ladder_.groups.empty() ? "one array of " : "";
  if (ladder_.words == ladder_.elements) return whole + counted(ladder_.words, "word");
  if (ladder_.words < 2 * ladder_.elements)
    return counted(ladder_.elements, "element") + " of one or two words";
  const auto row = std::ranges::find(ladder_.rows, LadderRow::Kind::Words, &LadderRow::kind);
  const ValueType type = row == ladder_.rows.end() ? ValueType::F64 : row->type;
  return whole + counted(ladder_.elements, elementNoun(type)) + " of two words each";
}

/// `: sums, errors` if rows have several arrays, `, 9 arrays` for many.
std::string LadderPainter::arraysText() const {
  constexpr std::size_t kMostNamed = 4;
  const auto& groups = ladder_.groups;
  if (groups.empty()) return "";
  if (groups.size() > kMostNamed) return ", " + counted(groups.size(), "array");
  std::string text;
  for (const LadderGroup& group : groups) text += (text.empty() ? ": " : ", ") + group.name;
  return text;
}

/// The contents, in the order of importance.
std::vector<std::string> LadderPainter::notes() const {
  std::vector<std::string> notes;
  if (ladder_.registers) {
    notes.push_back("a register of " + counted(moment_.trace.threads, "thread"));
  } else if (!isGlobal()) {
    notes.push_back(contentText() + arraysText());
  } else {
    if (!ladder_.globalArray.empty()) notes.push_back(ladder_.globalArray);
    if (ladder_.words > ladder_.elements) notes.push_back(contentText());
  }
  if (shown_ < ladder_.columns)
    notes.push_back(fmt::format("{} to {} of {}", first_, first_ + shown_ - 1, ladder_.columns));
  if (rowCount_ < ladder_.rows.size())
    notes.push_back(
        fmt::format("rows {} to {} of {}", firstRow_ + 1, firstRow_ + rowCount_, ladder_.rows.size()));
  if (lines_ > 1) notes.push_back(fmt::format("wrapped every {}", perLine_));
  if (isThinned_) notes.emplace_back("arrows of one lane: point at another");
  if (ladder_.rows.size() > 1) {
    notes.emplace_back("shown again after each phase");
    notes.emplace_back("time runs down");
  }
  if (shown_ == ladder_.columns && ladder_.columns > 64 && !context_.still)
    notes.emplace_back("wheel to zoom");
  return notes;
}

void LadderPainter::paintHeading() {
  bool isPending = false;
  bool isToRead = false;
  std::array<bool, kStates.size()> isUsed{};
  for (std::size_t index = firstRow_; index < firstRow_ + rowCount_; ++index) {
    const LadderRow& row = ladder_.rows[index];
    if (row.time == LadderRow::Time::Future) continue;
    const auto use = [&](const LadderCell& cell) {
      if (!cell.there) return;
      isPending = isPending || cell.pending;
      isToRead = isToRead || (cell.toRead && !cell.pending);
      const auto found = std::ranges::find(kStates, findState(row, cell), &StateEntry::state);
      if (found != kStates.end()) isUsed[static_cast<std::size_t>(found - kStates.begin())] = true;
    };
    use(row.cells[first_]);
    for (auto edge = std::ranges::upper_bound(row.edges, first_);
         edge != row.edges.end() && *edge < first_ + shown_; ++edge)
      use(row.cells[*edge]);
  }
  std::vector<Entry> legend;
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    if (isUsed[i]) legend.push_back(kStates[i].entry);
    if (isToRead && kStates[i].state == CellState::Operand) legend.push_back(kToRead);
    if (isPending && kStates[i].state == CellState::Written) legend.push_back(kPending);
  }
  const std::vector<std::string> parts = notes();
  const float room = out_.width() - 2 * out_.margin() - out_.textWidth(title(), kTitleText) - out_.u(10);
  const auto measureWidth = [&](std::span<const Entry> entries) {
    float width = 0;
    for (const Entry& entry : entries)
      width += out_.textWidth(entry.text, kLegendText) + out_.u(kSwatch + kAfterSwatch + kBetween);
    return width;
  };
  const float least = parts.empty() ? 0 : out_.textWidth(parts.front(), kNoteText);
  while (!legend.empty() && measureWidth(legend) + least > room) legend.pop_back();
  if (legend.size() < kFewestEntries) legend.clear();
  const float taken = measureWidth(legend);
  std::string note;
  for (const std::string& part : parts) {
    const std::string longer = note.empty() ? part : fmt::format("{}, {}", note, part);
    if (note.empty() || out_.textWidth(longer, kNoteText) <= room - taken) note = longer;
  }
  out_.heading(title(), note, taken);
  float x = out_.width() - out_.margin() - taken + out_.u(kBetween);
  for (const Entry& entry : legend) {
    const Rect swatch{x, out_.u(18 - kSwatch / 2), out_.u(kSwatch), out_.u(kSwatch)};
    out_.fill(swatch, entry.isFrame ? ColorRole::CellUnwritten : entry.color, out_.u(2.5F),
              entry.isFrame ? 0.7F : entry.alpha);
    if (entry.alpha < 1 && !entry.isFrame)
      out_.stroke(swatch, ColorRole::CellBorder, out_.u(1), out_.u(2.5F));
    if (entry.isFrame) out_.stroke(swatch, entry.color, out_.u(1.3F), out_.u(2.5F), entry.alpha);
    x += out_.u(kSwatch + kAfterSwatch);
    out_.text(x, out_.u(18), std::string(entry.text), kLegendText);
    x += out_.textWidth(entry.text, kLegendText) + out_.u(kBetween);
  }
}

// The ladder's words: their values, and as much of them as there is room for.

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

// Rows with so many words that they take several lines: the number of lines, and the tag of each.

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
