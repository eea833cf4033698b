#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/compare/strategy_table.h"
#include "app/session/gpu/bench_data.h"
#include "app/session/profile/text_profiles.h"
#include "sim/memory/counter_info.h"

/// What the table of all strategies says in its columns, in which order, and as CSV.
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

/// How a column is headed, and what it counts in one sentence.
struct ColumnHead {
  TableColumn column = TableColumn::Strategy;
  std::string_view title;
  std::string_view meaning;
};
/// Of every column, in their order.
const std::vector<ColumnHead>& columnHeads();

/// Whose times are beside the figures: measured at another N, as a rule.
struct MeasuredChoice {
  BenchSetting setting;
  std::uint64_t n = 0;  ///< 0: there is nothing measured
};
/// What to show of measurements until a person chooses: a kernel alone with a cold cache on elements of that
/// type, or else of floats, where that was measured, else the first there is; 2^24 elements, else the most.
MeasuredChoice usualChoice(const BenchData& data, ElementType type = ElementType::Float);

/// A cell: what it sorts by, and what it says.
struct TableCell {
  std::optional<double> value{};  ///< nothing: not known, or there is none; sorts last
  std::string text{};
  bool isBad = false;  ///< it costs, or may be wrong
  bool isDim = false;  ///< it says little
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

/// Adds what was profiled of each strategy's text: the unit nearest to its peak, and the costliest line; `–`
/// where there is none. The cell is dim where latency limits the kernel, and no unit.
void addProfiles(std::vector<TableRow>& rows, TextProfiles& profiles);

/// Sorts by a column, smallest first or last; equal ones keep their order, empty cells come last.
void sortRows(std::vector<TableRow>& rows, TableColumn column, bool descending);

/// Where the times come from, for whoever reads the file.
struct MeasuredSource {
  std::string gpu;  ///< with day, or "live"; empty where there are no times
  MeasuredChoice choice;
};
/// The rows in their order: a header, then a line each: the id, the title, N, the machine, the figures and
/// the median time with its GPU and N, the unit and line of its profile; a strategy that cannot run has empty
/// figures and says why (RFC 4180).
std::string tableCsv(const std::vector<TableRow>& rows, const StrategyTable& table,
                     const MeasuredSource& source);

}  // namespace lanescope
