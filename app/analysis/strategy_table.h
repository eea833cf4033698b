#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/analysis/bench_data.h"
#include "app/analysis/profiles.h"
#include "app/base/newest_job.h"
#include "app/launch/strategy_launch.h"
#include "kernels/strategies/catalogue.h"
#include "sim/memory/counters.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

/// The figures of a strategy with N elements on a machine: the whole launch, simulated.
struct StrategyFigures {
  enum class State : std::uint8_t { Waiting, Done, Impossible } state = State::Waiting;
  std::string why;            ///< Impossible: one sentence
  std::uint64_t blocks = 0;   ///< of the launch
  std::uint32_t threads = 0;  ///< of a block
  std::uint32_t phases = 0;   ///< of block 0
  Counters counters;
  std::uint32_t errors = 0;    ///< hazards that may make the result wrong
  std::uint32_t warnings = 0;  ///< hazards that count on warps running in step
  std::string firstHazard;     ///< one sentence, or ""

  bool done() const { return state == State::Done; }
};

/// Simulates a strategy's launch over `n` elements of that type, with that operator if it has a choice, in as
/// few blocks as can share them. Never fails: the obstacle is the result's `why`.
StrategyFigures computeFigures(const Strategy& strategy, std::uint64_t n, const MachineModel& machine,
                               const ElementKind& kind = {}, const std::stop_token& stop = {});

/// Every strategy at one N on one machine, with one type of element and operator, simulated one after another
/// in the background. Known figures are kept. Nothing runs before show() is called. For one thread.
class StrategyTable {
 public:
  /// The executor's owner is woken when poll() has something to take.
  explicit StrategyTable(const ExecutorPtr& executor);

  /// Asks for every strategy at that N; almost free if they are already there.
  void show(std::uint64_t n, const MachineModel& machine, const ElementKind& kind = {});
  /// Takes finished rows; true if there were any.
  bool poll();
  bool busy() const { return job_.busy(); }

  /// By strategy, in course order; empty before the first show().
  const std::vector<StrategyFigures>& rows() const { return rows_; }
  /// How many of them are known.
  std::size_t known() const;
  std::uint64_t n() const { return n_; }
  const MachineModel* machine() const { return machine_; }
  const ElementKind& kind() const { return kind_; }

 private:
  /// A strategy's index in the course, N, the machine's name, and the kind of elements.
  struct Key {
    std::size_t strategy = 0;
    std::uint64_t n = 0;
    std::string_view machine;
    ElementKind kind;
    auto operator<=>(const Key&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
  };
  struct Wanted {
    std::vector<Key> keys;
  };
  /// The rows that the job has finished.
  struct Inbox {
    void put(const Key& key, StrategyFigures figures);
    ExecutorPtr executor;
    std::mutex mutex;
    std::vector<std::pair<Key, StrategyFigures>> rows;
  };
  using Job = NewestJob<Wanted, std::monostate>;

  Key makeKey(std::size_t strategy) const;

  std::uint64_t n_ = 0;
  const MachineModel* machine_ = nullptr;
  ElementKind kind_;
  std::vector<StrategyFigures> rows_;
  std::map<Key, StrategyFigures> known_;
  std::shared_ptr<Inbox> inbox_;
  Job job_;
};

// The columns of the table of all strategies, in their order, and as CSV.

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
