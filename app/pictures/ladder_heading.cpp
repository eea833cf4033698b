// The ladder's heading: its contents, as much of it as fits, and the meaning of its colours.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/pictures/ladder_painter.h"
#include "app/base/element_noun.h"

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

}  // namespace lanescope
