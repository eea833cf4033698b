#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/strategy_table.h"
#include "app/analysis/bench_data.h"
#include "app/analysis/text_profiles.h"
#include "sim/memory/counter_info.h"

/// The columns of the table of all strategies, in their order, and as CSV.
namespace lanescope {

/// Between the first two and the last four, a column for each counter that the table lists.
inline constexpr std::size_t kTableCounters = std::ranges::count_if(
    kCounters, [](const CounterInfo& counter) { return (counter.screens & kTable) != 0; });
enum class TableColumn : std::uint8_t {
  Strategy,
  Phases,
  FirstCounter,
  Hazards = FirstCounter + kTableCounters,
  Time,
  Unit,  ///< of the profile: the unit nearest to its peak
  Line,  ///< of the profile: the line that takes the most of the warps' time
};
inline constexpr std::size_t kTableColumns = static_cast<std::size_t>(TableColumn::Line) + 1;

/// A column's heading, and one sentence on its figure.
struct ColumnHead {
  TableColumn column = TableColumn::Strategy;
  std::string_view title;
  std::string_view meaning;
};
/// The heads of all columns, in their order.
const std::vector<ColumnHead>& columnHeads();

/// The measurement with the times beside the figures: at another N, as a rule.
struct MeasuredChoice {
  BenchSetting setting;
  std::uint64_t n = 0;  ///< 0: there are no measurements
};
/// The measurements shown until a choice is made: a kernel alone with a cold cache on elements of that type,
/// or else of floats, if measured, else the first there is; 2^24 elements, else the most.
MeasuredChoice usualChoice(const BenchData& data, ElementType type = ElementType::Float);

/// A cell: its value for sorting, and its text.
struct TableCell {
  std::optional<double> value{};  ///< empty if unknown or if there is none; sorts last
  std::string text{};
  bool isBad = false;  ///< it costs, or may be wrong
  bool isDim = false;  ///< less important
};
struct TableRow {
  std::size_t strategy = 0;  ///< index in the course
  const StrategyFigures* figures = nullptr;
  std::array<TableCell, kTableColumns> cells{};
  const TextProfile* profile =
      nullptr;  ///< of the strategy's text; nullptr: none, or addProfiles() was not called

  const TableCell& at(TableColumn column) const { return cells[static_cast<std::size_t>(column)]; }
};

/// A row for each strategy, in course order. The rows refer to the table.
std::vector<TableRow> tableRows(const StrategyTable& table, const BenchData& data,
                                const MeasuredChoice& choice);

/// Adds the profile of each strategy's text: the unit nearest to its peak, and the costliest line; `–` if
/// there is none. The cell is dim if latency limits the kernel, and no unit.
void addProfiles(std::vector<TableRow>& rows, TextProfiles& profiles);

/// Sorts by a column, smallest first or last; equal ones keep their order, empty cells come last.
void sortRows(std::vector<TableRow>& rows, TableColumn column, bool descending);

/// The origin of the times, for readers of the file.
struct MeasuredSource {
  std::string gpu;  ///< with day, or "live"; empty if there are no times
  MeasuredChoice choice;
};
/// The rows in their order: a header, then a line each: the id, the title, N, the machine, the figures and
/// the median time with its GPU and N, the unit and line of its profile; a strategy that cannot run has empty
/// figures and says why (RFC 4180).
std::string tableCsv(const std::vector<TableRow>& rows, const StrategyTable& table,
                     const MeasuredSource& source);

}  // namespace lanescope
