#include "app/panels/table_view.h"

#include <algorithm>
#include <cmath>

#include "app/base/whole.h"
#include "app/gpu/gpu_session.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_words.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kStrategyShare = 0.23F;
constexpr float kCellGap = 10;
constexpr float kBarHeight = 6;

/// `one kernel · float · 256 threads per block · L2 flushed before each sample`.
std::string settingText(const BenchSetting& setting) {
  return std::string(setting.scope == Scope::Full ? "to one value" : "one kernel") + ", " +
         std::string(elementTypeName(setting.type)) + ", " + counted(setting.block, "thread") +
         " per block, " + (setting.cache == CacheState::Cold ? "L2 flushed" : "L2 warm");
}

/// The description of the elements if they are not the usual ones: ` of double, operator Maximum`.
std::string kindText(const ElementKind& kind) {
  const std::string type =
      kind.type == ElementType::Float ? "" : " of " + std::string(elementTypeName(kind.type));
  return kind.op.empty() ? type : type + ", operator " + kind.op;
}

/// A row's tooltip.
std::string rowTip(const TableRow& row) {
  const StrategyFigures& figures = *row.figures;
  if (!figures.why.empty()) return withTitles(figures.why);
  std::string text = strategies()[row.strategy].summary;
  if (!figures.done()) return text;
  text += "\n" + counted(figures.blocks, "block") + " of " + counted(figures.threads, "thread") + ".";
  if (!figures.firstHazard.empty()) text += "\n" + figures.firstHazard;
  if (row.profile != nullptr)
    text += "\n" + row.profile->diagnosis.sentence + " (" + row.profile->origin + ")";
  return text;
}

/// Costs and possible faults stand out, zeros are dim.
ColorRole chooseColor(const TableCell& cell, TableColumn column, const StrategyFigures& figures) {
  // Bank conflicts are the only counter here that costs. A hazard and a wrong sum are faults.
  if (cell.isBad) return column < TableColumn::Hazards ? ColorRole::Conflict : ColorRole::Bad;
  if (column == TableColumn::Hazards && figures.warnings > 0) return ColorRole::Bad;
  return cell.isDim || cell.value.value_or(0) == 0 ? ColorRole::TextDim : ColorRole::Text;
}

/// The times that the table shows: those for the chosen N, if there are any.
MeasuredChoice measuredChoice(const ViewState& state) {
  const BenchData& data = state.gpu.data();
  MeasuredChoice choice = usualChoice(data, state.session.table().kind().type);
  const std::optional<std::uint64_t> n = state.table.measuredN;
  if (!n) return choice;
  const std::vector<std::uint64_t> sizes = data.sizes(choice.setting);
  if (std::ranges::find(sizes, *n) != sizes.end()) choice.n = *n;
  return choice;
}

/// The rows in their order; empty if there is nothing to simulate.
std::vector<TableRow> countRows(ViewState& state) {
  Session& session = state.session;
  const Selection& selection = session.selection();
  if (selection.machine == nullptr) return {};
  StrategyTable& table = session.table();
  const Replay* replay = session.player().replay();
  table.show(
      selection.n, *selection.machine,
      replay == nullptr ? table.kind() : elementKind(replay->trace().launch, session.shown().strategy));
  std::vector<TableRow> rows = tableRows(table, state.gpu.data(), measuredChoice(state));
  addProfiles(rows, state.profiles);
  sortRows(rows, state.table.by, state.table.descending);
  return rows;
}

void open(ViewState& state, std::size_t strategy) {
  state.session.chooseStrategy(strategies()[strategy]);
  if (state.session.error().empty()) state.mode = Mode::Explore;
}

}  // namespace

std::string tableDetail(const StrategyTable& table) {
  const std::string what = "N = " + std::to_string(table.n()) + kindText(table.kind());
  if (table.known() < table.rows().size())
    return what + ": simulated " + std::to_string(table.known()) + " of " +
           std::to_string(table.rows().size()) + "…";
  return what + (table.kind().op.empty() ? " on " : ", on ") + std::string(table.machine()->name) +
         ": the whole launch, in the fewest blocks that can share the elements";
}

std::string tableCsv(ViewState& state) {
  const std::vector<TableRow> rows = countRows(state);
  return tableCsv(rows, state.session.table(), {state.gpu.label(), measuredChoice(state)});
}

std::vector<Command> TableView::commands(ViewState& state) {
  constexpr HelpGroup kGroup = HelpGroup::Modes;
  const auto isHere = [&state] { return state.mode == Mode::Table; };
  const auto moves = [this, &state](std::ptrdiff_t by) { return [this, &state, by] { move(state, by); }; };
  const auto all = std::ssize(strategies());
  return {
      {.id = "table",
       .keys = {"F3"},
       .help = {"the table: Up, Down, Enter choose a row", kGroup},
       .whileTyping = true,
       .run = [&state] { state.toggle(Mode::Table); }},
      {.keys = {"Up"}, .applies = isHere, .run = moves(-1)},
      {.keys = {"Down"}, .applies = isHere, .run = moves(1)},
      {.keys = {"Home"}, .applies = isHere, .run = moves(-all)},
      {.keys = {"End"}, .applies = isHere, .run = moves(all)},
      {.keys = {"Enter"},
       .applies = isHere,
       .run =
           [this, &state] {
             syncCurrent(state.session);
             open(state, *cursor_);
           }},
      {.id = "copy the table",
       .keys = {"Ctrl+C"},
       .help = {"copies the table", kGroup},
       .tip = "The rows shown, for a spreadsheet",
       .run = [this, &state]() -> Refusal {
         if (state.mode != Mode::Table)
           return "The table can be copied: " + keyText(state, "table") + " shows it.";
         ImGui::SetClipboardText(tableCsv(state).c_str());
         copied_ = true;
         return std::nullopt;
       }},
  };
}

void TableView::syncCurrent(const Session& session) {
  const Strategy* current = session.selection().strategy;
  if (cursor_ && current == current_) return;
  current_ = current;
  cursor_ = current == nullptr ? 0 : static_cast<std::size_t>(current - strategies().data());
  scrollToCursor_ = true;
}

void TableView::move(ViewState& state, std::ptrdiff_t by) {
  const std::vector<TableRow> rows = countRows(state);
  if (rows.empty()) return;
  syncCurrent(state.session);
  const auto here = std::ranges::find(rows, *cursor_, &TableRow::strategy) - rows.begin();
  const auto last = std::ssize(rows) - 1;
  cursor_ = rows[static_cast<std::size_t>(std::clamp(here + by, std::ptrdiff_t{0}, last))].strategy;
  scrollToCursor_ = true;
}

/// The reference lengths of the bars: the largest value of a column, beside its widest text.
void TableView::measure(const ViewContext& context, const std::vector<TableRow>& rows) {
  most_ = {};
  widest_ = {};
  for (const TableRow& row : rows) {
    for (std::size_t i = 0; i < kTableColumns; ++i) {
      most_[i] = std::max(most_[i], row.cells[i].value.value_or(0));
      widest_[i] = std::max(widest_[i], labelWidth(context, row.cells[i].text, FontRole::Bold));
    }
  }
}

void TableView::draw(const ViewContext& context, ImVec2 size) {
  if (context.session().selection().machine == nullptr) return drawWaiting(context, {}, waitingText(context));
  const std::vector<TableRow> rows = countRows(context.state);
  measure(context, rows);
  syncCurrent(context.session());

  drawTitle(context, size.x);
  drawTools(context, ImGui::GetCursorStartPos().x + size.x);
  drawMeasured(context, size.x);
  const float room = size.x - ImGui::GetStyle().ScrollbarSize;
  const Columns columns = placeColumns(context, room);
  drawHeads(context, columns);
  drawRows(context, rows, columns);
}

void TableView::drawTitle(const ViewContext& context, float width) {
  const StrategyTable& table = context.session().table();
  ImGui::AlignTextToFramePadding();
  const float tools = pillWidth(context, "copy as CSV") + pillWidth(context, "times at N = 2^28") +
                      ImGui::GetFrameHeight() + 20 * context.unit;
  const std::string detail = tableDetail(table);
  label(context, "Every strategy", ColorRole::Text, FontRole::Bold);
  ImGui::SameLine(0, 10 * context.unit);
  ImGui::AlignTextToFramePadding();
  label(context, cutToFit(detail, width - tools - ImGui::GetCursorPosX()), ColorRole::TextDim);
}

void TableView::drawTools(const ViewContext& context, float right) {
  const GpuSession& gpu = context.state.gpu;
  const MeasuredChoice shown = measuredChoice(context.state);
  const std::string title = shown.n == 0 ? "no times" : "times at N = " + sizeText(shown.n);
  if (context.state.presenting) {
    ImGui::SameLine(right - labelWidth(context, title));
    return label(context, title, ColorRole::TextDim);
  }
  const float copy = pillWidth(context, "copy as CSV");
  const float combo = pillWidth(context, "times at N = 2^28") + ImGui::GetFrameHeight();
  ImGui::SameLine(right - copy - combo - ImGui::GetStyle().ItemSpacing.x);
  ImGui::BeginDisabled(shown.n == 0);
  ImGui::SetNextItemWidth(combo);
  const std::vector<std::uint64_t> sizes = gpu.data().sizes(shown.setting);
  if (beginList(context, "##measured", title, sizes.size())) {
    for (const std::uint64_t n : sizes) {
      if (ImGui::Selectable(sizeText(n).c_str(), n == shown.n)) context.state.table.measuredN = n;
    }
    endList();
  }
  ImGui::EndDisabled();
  hint(context, "How many elements were reduced when the time was measured");
  ImGui::SameLine();
  commandButton(context, "copy the table",
                {.text = copied_ ? "copied##csv" : "copy as CSV##csv", .width = copy});
  if (!ImGui::IsItemHovered()) copied_ = false;
}

// The source of the times, and a note if they are of another N.
void TableView::drawMeasured(const ViewContext& context, float width) {
  const GpuSession& gpu = context.state.gpu;
  const MeasuredChoice shown = measuredChoice(context.state);
  const ElementType type = context.session().table().kind().type;
  if (shown.n == 0) {
    label(context, "There are no measured times: the GPU panel makes them or opens a recording.",
          ColorRole::TextDim);
    return;
  }
  const std::string source = gpu.label();
  label(context, source, gpu.source() == GpuSource::Recording ? ColorRole::TextDim : ColorRole::Text,
        FontRole::Bold);
  ImGui::SameLine(0, 10 * context.unit);
  const std::uint64_t n = context.session().table().n();
  const std::string element(elementTypeName(type));
  const std::string unlikeN =
      n == shown.n ? "" : ", not at the N = " + std::to_string(n) + " that is simulated";
  const std::string unlike = shown.setting.type == type ? unlikeN
                             : unlikeN.empty()          ? ", not of the " + element + " that is simulated"
                                                        : unlikeN + ", nor of its " + element;
  const std::string text = "times at N = " + sizeText(shown.n) + unlike + ": " + settingText(shown.setting);
  label(context, cutToFit(text, width - ImGui::GetCursorPosX() + ImGui::GetCursorStartPos().x),
        ColorRole::TextDim);
}

/// A column's heading, with the order if it is sorted by it, in one line or in two.
std::array<std::string, 2> TableView::headLines(ViewState& state, std::size_t column, bool isTall) {
  const ColumnHead& head = columnHeads()[column];
  std::string text(head.title);
  const MeasuredChoice shown = measuredChoice(state);
  if (head.column == TableColumn::Time && shown.n > 0) text += " at " + sizeText(shown.n);
  const std::size_t space = isTall ? text.find(' ') : std::string::npos;
  std::array<std::string, 2> lines{"", text};
  if (space != std::string::npos) lines = {text.substr(0, space), text.substr(space + 1)};
  const TableOrder& order = state.table;
  if (order.by == head.column) lines[1] += order.descending ? " ↓" : " ↑";
  return lines;
}

/// The columns over that width, each with room for its heading: in two lines if one has none.
TableView::Columns TableView::placeColumns(const ViewContext& context, float room) {
  const float gap = kCellGap * context.unit;
  Columns columns;
  std::array<float, kTableColumns> widths{};
  float needed = 0;
  const auto measureHeads = [&](bool isTall) {
    columns.isTall = isTall;
    widths[0] = needed = room * kStrategyShare;
    for (std::size_t i = 1; i < kTableColumns; ++i) {
      widths[i] = 0;
      for (const std::string& line : headLines(context.state, i, isTall))
        widths[i] = std::max(widths[i], labelWidth(context, line, FontRole::Bold) + 1.5F * gap);
      // Their words, which come with profiles.
      const auto column = static_cast<TableColumn>(i);
      const char* longest = column == TableColumn::Unit   ? "issue slots 100%"
                            : column == TableColumn::Line ? "100, 100%"
                                                          : "";
      widths[i] = std::max(widths[i], labelWidth(context, longest) + 1.5F * gap);
      needed += widths[i];
    }
  };
  measureHeads(false);
  if (needed > room) measureHeads(true);
  const float spare = (room - needed) / static_cast<float>(kTableColumns - 1);
  columns.right[0] = widths[0];
  for (std::size_t i = 1; i < kTableColumns; ++i) {
    columns.left[i] = columns.right[i - 1];
    columns.right[i] = columns.left[i] + widths[i] + spare;
  }
  return columns;
}

void TableView::drawHeads(const ViewContext& context, const Columns& columns) {
  TableOrder& order = context.state.table;
  const ImVec2 start = ImGui::GetCursorPos();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetTextLineHeight();
  const float height = line * (columns.isTall ? 2 : 1) + 8 * context.unit;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float gap = kCellGap * context.unit;
  for (std::size_t i = 0; i < kTableColumns; ++i) {
    const ColumnHead& head = columnHeads()[i];
    const bool isSorted = order.by == head.column;
    ImGui::SetCursorPos(ImVec2(start.x + columns.left[i], start.y));
    if (ImGui::InvisibleButton(std::string(head.title).c_str(),
                               ImVec2(columns.right[i] - columns.left[i], height))) {
      order.descending = isSorted && !order.descending;
      order.by = head.column;
    }
    const bool isHovered = ImGui::IsItemHovered();
    hint(context, std::string(head.meaning).c_str());
    ImGui::PushFont(context.fonts.of(FontRole::Bold));
    float y = at.y + height - 4 * context.unit - 2 * line;
    for (const std::string& words : headLines(context.state, i, columns.isTall)) {
      const std::string text = cutToFit(words, columns.right[i] - columns.left[i] - gap);
      const float width = ImGui::CalcTextSize(text.c_str()).x;
      const float x = i == 0 ? columns.left[i] + gap : columns.right[i] - gap - width;
      list.AddText(ImVec2(at.x + x, y),
                   context.color(isSorted || isHovered ? ColorRole::Text : ColorRole::TextDim), text.c_str());
      y += line;
    }
    ImGui::PopFont();
  }
  const float y = at.y + height;
  list.AddLine(ImVec2(at.x, y), ImVec2(at.x + columns.right.back(), y),
               context.color(ColorRole::PanelBorder));
  ImGui::SetCursorPos(ImVec2(start.x, start.y + height + 2 * context.unit));
}

void TableView::drawRows(const ViewContext& context, const std::vector<TableRow>& rows,
                         const Columns& columns) {
  const float pitch = std::floor(ImGui::GetTextLineHeight() + 7 * context.unit);
  const float room = std::max(1.0F, ImGui::GetContentRegionAvail().y / pitch);
  list_.begin("table rows", columns.right.back() + ImGui::GetStyle().ScrollbarSize,
              toWhole<std::size_t>(room), pitch);
  for (const TableRow& row : rows) drawRow(context, row, columns, list_.pitch());
  list_.end();
  scrollToCursor_ = false;
}

void TableView::drawCells(const ViewContext& context, const TableRow& row, const Columns& columns,
                          const Area& area) {
  const float unit = context.unit;
  const float gap = kCellGap * unit;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto write = [&](float x, const std::string& text, ColorRole color, FontRole font, bool isRight) {
    ImGui::PushFont(context.fonts.of(font));
    const float shift = isRight ? ImGui::CalcTextSize(text.c_str()).x : 0;
    list.AddText(ImVec2(area.x + x - shift, area.y + 3.5F * unit), context.color(color), text.c_str());
    ImGui::PopFont();
  };
  const bool isCurrent = &strategies()[row.strategy] == context.session().selection().strategy;
  const FontRole font = isCurrent ? FontRole::Bold : FontRole::Body;
  ImGui::PushFont(context.fonts.of(font));
  const std::string title = cutToFit(row.cells[0].text, columns.right[0] - 2 * gap);
  const float titleEnd = gap + ImGui::CalcTextSize(title.c_str()).x;
  ImGui::PopFont();
  write(gap, title, ColorRole::Text, font, false);
  const StrategyFigures& figures = *row.figures;
  const std::string blocks = figures.blocks > 1 ? " · " + counted(figures.blocks, "block") : "";
  if (titleEnd + labelWidth(context, blocks) < columns.right[0] - gap)
    write(titleEnd, blocks, ColorRole::TextDim, FontRole::Body, false);
  if (!figures.done()) {
    const float room =
        columns.right[static_cast<std::size_t>(TableColumn::Hazards)] - columns.left[1] - 2 * gap;
    const bool isWaiting = figures.state == StrategyFigures::State::Waiting;
    write(columns.left[1] + gap, cutToFit(isWaiting ? "simulating…" : withTitles(figures.why), room),
          ColorRole::TextDim, FontRole::Body, false);
  }
  for (std::size_t i = 1; i < kTableColumns; ++i) {
    const TableCell& cell = row.cells[i];
    if (cell.text.empty()) continue;
    const double share = most_[i] > 0 ? cell.value.value_or(0) / most_[i] : 0;
    const float left = area.x + columns.left[i] + gap;
    const float bar = static_cast<float>(share) * (columns.right[i] - columns.left[i] - 3 * gap - widest_[i]);
    if (bar >= 1 && static_cast<TableColumn>(i) != TableColumn::Hazards) {
      const float middle = area.y + area.h / 2;
      const float half = kBarHeight / 2 * unit;
      list.AddRectFilled(ImVec2(left, middle - half), ImVec2(left + bar, middle + half),
                         context.color(cell.isBad ? ColorRole::Conflict : ColorRole::Bar), unit);
    }
    write(columns.right[i] - gap, cell.text, chooseColor(cell, static_cast<TableColumn>(i), figures),
          cell.isBad ? FontRole::Bold : font, true);
  }
}

void TableView::drawRow(const ViewContext& context, const TableRow& row, const Columns& columns,
                        float height) {
  const Strategy& strategy = strategies()[row.strategy];
  const float unit = context.unit;
  const bool isCurrent = &strategy == context.session().selection().strategy;
  const bool isCursor = cursor_ == row.strategy;
  if (isCursor && scrollToCursor_) ImGui::SetScrollHereY(0.5F);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool isClicked =
      ImGui::InvisibleButton(std::string(strategy.id).c_str(), ImVec2(columns.right.back(), height));
  const bool isHovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + columns.right.back(), at.y + height);
  if (isCurrent) list.AddRectFilled(at, end, context.color(ColorRole::Accent, 0.22F), 4 * unit);
  if (isHovered) list.AddRectFilled(at, end, context.color(ColorRole::Cell), 4 * unit);
  if (isCursor) list.AddRect(at, end, context.color(ColorRole::Accent), 4 * unit, 0, 1.5F * unit);
  drawCells(context, row, columns, Area{at.x, at.y, columns.right.back(), height});
  if (isHovered) tip(context, rowTip(row), kTipWidth);
  if (isClicked) {
    cursor_ = row.strategy;
    open(context.state, row.strategy);
  }
}

}  // namespace lanescope
