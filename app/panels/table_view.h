#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/analysis/strategy_table.h"
#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"

namespace lanescope {

/// Every strategy at the session's N on its machine, and the times that were measured. A click on a heading
/// sorts, a click on a row (or Up, Down and Enter) opens that strategy.
class TableView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override {
    return {.id = "table", .place = Place::Stage, .isShown = shape.mode == Mode::Table};
  }
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  struct Columns {
    std::array<float, kTableColumns> left{};
    std::array<float, kTableColumns> right{};
    bool isTall = false;  ///< headings of several words are in two lines
  };
  void move(ViewState& state, std::ptrdiff_t by);
  void syncCurrent(const Session& session);
  void drawTitle(const ViewContext& context, float width);
  void drawTools(const ViewContext& context, float right);
  static void drawMeasured(const ViewContext& context, float width);
  static std::array<std::string, 2> headLines(ViewState& state, std::size_t column, bool isTall);
  static Columns placeColumns(const ViewContext& context, float room);
  static void drawHeads(const ViewContext& context, const Columns& columns);
  void drawRows(const ViewContext& context, const std::vector<TableRow>& rows, const Columns& columns);
  void drawRow(const ViewContext& context, const TableRow& row, const Columns& columns, float height);
  void drawCells(const ViewContext& context, const TableRow& row, const Columns& columns, const Area& area);
  void measure(const ViewContext& context, const std::vector<TableRow>& rows);

  std::optional<std::size_t> cursor_;  ///< the strategy that Enter opens
  const Strategy* current_ = nullptr;  ///< the current one; the cursor starts there
  RowList list_;
  bool scrollToCursor_ = false;
  bool copied_ = false;
  std::array<double, kTableColumns> most_{};   ///< of each column's values
  std::array<float, kTableColumns> widest_{};  ///< of each column's texts, pixels
};

/// The table's rows in their order, for a spreadsheet.
std::string tableCsv(ViewState& state);

/// The table's subject, `N = 64 of double, operator Maximum, on nvidia: ...`, or its progress.
std::string tableDetail(const StrategyTable& table);

}  // namespace lanescope
