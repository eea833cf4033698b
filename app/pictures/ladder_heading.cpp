// The ladder's heading: its contents, as much of it as fits, and the meaning of its cells.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/value_words.h"
#include "app/pictures/ladder_picture.h"

namespace lanescope {
namespace {

using Kind = LadderRow::Kind;

constexpr float kSwatch = 11;  ///< units
constexpr float kAfterSwatch = 5;
constexpr float kBetween = 12;
constexpr std::size_t kFewestEntries = 2;
constexpr TextStyle kLegendText{FontRole::Small, ColorRole::TextDim, Align::Left, 0.95F, 1};
constexpr TextStyle kTitleText{FontRole::Bold, ColorRole::Text, Align::Left, 1, 1};
constexpr TextStyle kNoteText{FontRole::Body, ColorRole::TextDim, Align::Left, kNoteScale, 1};

/// The look of a cell in the legend.
struct Entry {
  std::string_view text;
  CellLook look;
  bool isFrame = false;
  bool isUsed = false;
};

constexpr std::string_view kLater = "later";

/// In the order of their importance: the last ones are left out if there is no room.
std::array<Entry, 10> allEntries() {
  using Style = CellLook::Style;
  return {{{"works", {Style::Filled, ColorRole::LaneActive}},
           {"masked off", {Style::Hatched, ColorRole::LaneMasked, 0.8F}},
           {"warp skips", {Style::Outlined, ColorRole::CellBorder}},
           {"read", {Style::Filled, ColorRole::Operand}},
           {"written", {Style::Filled, ColorRole::Result}},
           {"earlier", {Style::Filled, ColorRole::CellOld}},
           {"to read", {Style::Filled, ColorRole::Operand}, true},
           {"to write", {Style::Filled, ColorRole::Result}, true},
           {"unused", {Style::Filled, ColorRole::LaneActive, 0.45F}},
           {kLater, {Style::Filled, ColorRole::LaneActive, 0.3F}}}};
}

std::vector<Entry> makeLegend(const LadderPicture& picture) {
  std::array<Entry, 10> entries = allEntries();
  const auto use = [&](std::string_view text) {
    std::ranges::find(entries, text, &Entry::text)->isUsed = true;
  };
  for (const LadderBand& band : picture.layout.shown()) {
    for (std::uint32_t index = band.firstRow; index < band.endRow; ++index) {
      const LadderRow& row = picture.ladder.rows[index];
      if (row.time == LadderRow::Time::Future) {
        use(kLater);
        continue;
      }
      for (const std::uint32_t end : picture.ladder.alike(index)) {
        const LadderCell& cell = row.cells[end - 1];
        if (!cell.there) continue;
        if (row.kind == Kind::Threads) {
          if (cell.idle && cell.work == ThreadWork::Works) use("unused");
          if (cell.work == ThreadWork::Works) use("works");
          if (cell.work == ThreadWork::MaskedOff) use("masked off");
          if (cell.work == ThreadWork::Skips) use("warp skips");
          if (cell.operand) use("read");
          continue;
        }
        if (cell.pending) use("to write");
        if (cell.toRead && !cell.pending) use("to read");
        const CellState state = findState(row, cell);
        if (state == CellState::Operand) use("read");
        if (state == CellState::Written) use("written");
        if (state == CellState::Earlier) use("earlier");
      }
    }
  }
  std::vector<Entry> used;
  std::ranges::copy_if(entries, std::back_inserter(used), &Entry::isUsed);
  return used;
}

bool isGlobal(const LadderPicture& picture) {
  return !picture.ladder.planned().registers && picture.moment.trace.sharedCells == 0;
}

std::string title(const LadderPicture& picture) {
  if (picture.ladder.planned().registers)
    return picture.moment.trace.sharedCells > 0 ? "REGISTERS AND SHARED MEMORY" : "REGISTERS";
  return isGlobal(picture) ? "GLOBAL MEMORY" : "SHARED MEMORY";
}

/// `one array of 8 words`, `8 doubles of two words each`, `12 elements of one or two words`.
std::string contentText(const LadderPicture& picture) {
  const LadderPlan& plan = picture.ladder.planned();
  // The rows look like arrays of their own.
  const std::string whole = !isGlobal(picture) && plan.groups.empty() ? "one array of " : "";
  if (plan.words == plan.elements) return whole + counted(plan.words, "word");
  if (plan.words < 2 * plan.elements) return counted(plan.elements, "element") + " of one or two words";
  const auto row = std::ranges::find(picture.ladder.rows, Kind::Words, &LadderRow::kind);
  const ValueType type = row == picture.ladder.rows.end() ? ValueType::F64 : row->type;
  return whole + counted(plan.elements, elementNoun(type)) + " of two words each";
}

/// `: sums, errors` if rows have several arrays, `, 9 arrays` for many.
std::string arraysText(const std::vector<LadderGroup>& groups) {
  constexpr std::size_t kMostNamed = 4;
  if (groups.empty()) return "";
  if (groups.size() > kMostNamed) return ", " + counted(groups.size(), "array");
  std::string text;
  for (const LadderGroup& group : groups) text += (text.empty() ? ": " : ", ") + group.name;
  return text;
}

/// The contents, in the order of importance.
std::vector<std::string> makeNotes(const LadderPicture& picture) {
  const LadderPlan& plan = picture.ladder.planned();
  const LadderLayout& layout = picture.layout;
  std::vector<std::string> notes;
  if (plan.registers) {
    notes.push_back("a register of " + counted(plan.threads, "thread"));
  } else if (!isGlobal(picture)) {
    notes.push_back(contentText(picture) + arraysText(plan.groups));
  } else {
    if (!plan.globalArray.empty()) notes.push_back(plan.globalArray);
    if (plan.words > plan.elements) notes.push_back(contentText(picture));
  }
  if (layout.words().end() - layout.words().first() < plan.columns)
    notes.push_back(
        fmt::format("{} to {} of {}", layout.words().first(), layout.words().end() - 1, plan.columns));
  if (layout.shown().size() < layout.bands().size())
    notes.push_back(fmt::format("phases {} to {} of {}", layout.firstBand() + 1, layout.endBand(),
                                layout.bands().size()));
  if (picture.context.hasInventedData) notes.emplace_back("invented data");
  if (layout.bands().size() > 1) notes.emplace_back("time runs down");
  if (layout.folds() && !picture.context.still) notes.emplace_back("click a folded phase to open it");
  if (picture.context.columnCount == 0 && plan.columns > 64 && !picture.context.still)
    notes.emplace_back("wheel to zoom");
  return notes;
}

}  // namespace

void paintHeading(const LadderPicture& picture) {
  SceneBuilder& out = picture.out;
  std::vector<Entry> legend = makeLegend(picture);
  const std::vector<std::string> parts = makeNotes(picture);
  const float room = out.width() - 2 * out.margin() - out.textWidth(title(picture), kTitleText) - out.u(10);
  const auto measureWidth = [&](std::span<const Entry> entries) {
    float width = 0;
    for (const Entry& entry : entries)
      width += out.textWidth(entry.text, kLegendText) + out.u(kSwatch + kAfterSwatch + kBetween);
    return width;
  };
  // The notes matter more than the entry `later`.
  const float most = out.textWidth(fmt::format("{}", fmt::join(parts, ", ")), kNoteText);
  if (!legend.empty() && legend.back().text == kLater && measureWidth(legend) + most > room)
    legend.pop_back();
  const float least = parts.empty() ? 0 : out.textWidth(parts.front(), kNoteText);
  while (!legend.empty() && measureWidth(legend) + least > room) legend.pop_back();
  if (legend.size() < kFewestEntries) legend.clear();
  const float taken = measureWidth(legend);
  std::string note;
  for (const std::string& part : parts) {
    const std::string longer = note.empty() ? part : fmt::format("{}, {}", note, part);
    if (note.empty() || out.textWidth(longer, kNoteText) <= room - taken) note = longer;
  }
  out.heading(title(picture), note, taken);
  float x = out.width() - out.margin() - taken + out.u(kBetween);
  for (const Entry& entry : legend) {
    const Rect swatch{x, out.u(18 - kSwatch / 2), out.u(kSwatch), out.u(kSwatch)};
    if (entry.isFrame) {
      out.fill(swatch, ColorRole::CellUnwritten, out.u(2.5F), 0.7F);
      out.stroke(swatch, entry.look.color, out.u(1.3F), out.u(2.5F), 0.8F);
    } else {
      paintCell(out, swatch, entry.look);
    }
    x += out.u(kSwatch + kAfterSwatch);
    out.text(x, out.u(18), std::string(entry.text), kLegendText);
    x += out.textWidth(entry.text, kLegendText) + out.u(kBetween);
  }
}

}  // namespace lanescope
