#include "app/analysis/strategy_table.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "app/base/system.h"
#include "app/launch/element_text.h"
#include "kernels/protocol/bench_rules.h"
#include "sim/base/counted.h"
#include "sim/trace/phases.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

StrategyFigures impossible(std::string why) {
  StrategyFigures figures;
  figures.state = StrategyFigures::State::Impossible;
  figures.why = std::move(why);
  return figures;
}

void countHazards(const HazardReport& report, StrategyFigures& figures) {
  for (const Hazard& hazard : report.hazards)
    ++(hazard.severity == HazardSeverity::Error ? figures.errors : figures.warnings);
  if (!report.hazards.empty()) figures.firstHazard = report.hazards.front().message;
}

StrategyFigures simulated(const Launch& launch) {
  PhaseCounter phases(launch.machine.warpSize);
  RunOptions options{.threads = 1, .listener = &phases};
  const Result<Run> run = runLaunch(launch, options);
  if (!run) return impossible(run.error().sentence());
  if (run->fault) return impossible(run->fault->error.sentence());
  StrategyFigures figures;
  figures.blocks = launch.grid.count();
  figures.threads = static_cast<std::uint32_t>(launch.block.count());
  figures.phases = phases.phases();
  figures.counters = run->simulation.counters;
  countHazards(*run->hazards, figures);
  figures.state = StrategyFigures::State::Done;
  return figures;
}

}  // namespace

StrategyFigures computeFigures(const Strategy& strategy, std::uint64_t n, const MachineModel& machine,
                               const ElementKind& kind, const std::stop_token& stop) {
  try {
    const auto text = changeElements(strategy, strategy.source, ElementType::Float, kind.type);
    if (!text) return impossible(text.error().sentence());
    const std::uint64_t blocks = fewestBlocks(strategy, n, machine, kind.type).value_or(1);
    Result<Launch> launch = makeLaunch(strategy, n, blocks, machine, kind.type, kind.op);
    if (!launch) return impossible(launch.error().sentence());
    launch->stop = stop;
    return simulated(*launch);
  } catch (const std::exception& failure) {
    return impossible(std::string("The simulation ended early: ") + failure.what() + ".");
  }
}

void StrategyTable::Inbox::put(const Key& key, StrategyFigures figures) {
  {
    const std::scoped_lock lock(mutex);
    rows.emplace_back(key, std::move(figures));
  }
  executor->wake();
}

StrategyTable::StrategyTable(const ExecutorPtr& executor)
    : inbox_(std::make_shared<Inbox>()),
      job_(executor, Job::Work([inbox = inbox_](const Wanted& some, const std::stop_token& stop) {
             for (const Key& key : some.keys) {
               StrategyFigures figures = computeFigures(strategies()[key.strategy], key.n,
                                                        *findMachine(key.machine), key.kind, stop);
               giveBackMemory();
               // A launch that was stopped gives no figures.
               if (stop.stop_requested()) break;
               inbox->put(key, std::move(figures));
             }
             return std::monostate{};
           })) {
  inbox_->executor = executor;
}

/// A strategy without a choice of operators has the same figures for every operator.
StrategyTable::Key StrategyTable::makeKey(std::size_t strategy) const {
  Key key{strategy, n_, machine_->name, kind_};
  const std::vector<std::string>& operators = strategies()[strategy].operators;
  if (std::ranges::find(operators, kind_.op) == operators.end()) key.kind.op.clear();
  return key;
}

void StrategyTable::show(std::uint64_t n, const MachineModel& machine, const ElementKind& kind) {
  if (n == n_ && machine_ != nullptr && machine == *machine_ && kind == kind_) return;
  n_ = n;
  kind_ = kind;
  machine_ = &machine;
  rows_.assign(strategies().size(), {});
  Wanted wanted;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Key key = makeKey(i);
    const auto found = known_.find(key);
    if (found != known_.end()) {
      rows_[i] = found->second;
    } else {
      wanted.keys.push_back(key);
    }
  }
  if (!wanted.keys.empty()) {
    job_.request(std::move(wanted));
  } else {
    job_.cancel();
  }
}

bool StrategyTable::poll() {
  job_.consume();  // before the rows: the last of them are in the inbox by then
  std::vector<std::pair<Key, StrategyFigures>> come;
  {
    const std::scoped_lock lock(inbox_->mutex);
    come.swap(inbox_->rows);
  }
  for (auto& [key, figures] : come) {
    if (machine_ != nullptr && key == makeKey(key.strategy)) rows_[key.strategy] = figures;
    known_.insert_or_assign(key, std::move(figures));
  }
  return !come.empty();
}

std::size_t StrategyTable::known() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      rows_, [](const StrategyFigures& row) { return row.state != StrategyFigures::State::Waiting; }));
}

namespace {

TableCell count(std::uint64_t value, bool isBad = false) {
  return {static_cast<double>(value), withCommas(value), isBad};
}

double computeShare(const CounterInfo& counter, const Counters& counters) {
  const std::uint64_t whole = counter.whole(counters);
  return whole == 0 ? 0.0 : static_cast<double>(counter.value(counters)) / static_cast<double>(whole);
}

TableCell findCell(const CounterInfo& counter, const Counters& counters) {
  if (counter.isShare()) return {computeShare(counter, counters), counter.text(counters, "0%"), false};
  const std::uint64_t value = counter.value(counters);
  return count(value, counter.isCost && value > 0);
}

TableCell hazards(const StrategyFigures& figures) {
  TableCell cell{.value = figures.errors * 1000.0 + figures.warnings, .isBad = figures.errors > 0};
  if (figures.errors > 0) {
    cell.text = counted(figures.errors, "error");
  } else if (figures.warnings > 0) {
    cell.text = counted(figures.warnings, "warning");
  } else {
    cell.text = "none";
  }
  return cell;
}

TableCell makeTimeCell(const BenchData& data, const MeasuredChoice& choice, const Strategy& strategy) {
  if (choice.n == 0) return {};
  const auto reading = data.reading(choice.setting.key(strategy.id, choice.n));
  if (!reading) return {std::nullopt, "–", false};
  if (reading->wrong) return {std::nullopt, "wrong sum", true};
  return {reading->medianUs, microsecondsText(reading->medianUs), false};
}

void fillFigures(TableRow& row) {
  const StrategyFigures& figures = *row.figures;
  const auto set = [&](TableColumn column, TableCell cell) {
    row.cells[static_cast<std::size_t>(column)] = std::move(cell);
  };
  set(TableColumn::Phases, count(figures.phases));
  auto column = static_cast<std::size_t>(TableColumn::FirstCounter);
  for (const CounterInfo* counter : countersOn(kTable))
    row.cells[column++] = findCell(*counter, figures.counters);
  set(TableColumn::Hazards, hazards(figures));
}

/// Blocks, threads, phases, the counters, errors and warnings.
std::string figuresCsv(const TableRow& row) {
  const StrategyFigures& figures = *row.figures;
  if (!figures.done()) return std::string(4 + kTableCounters, ',');
  std::string text = fmt::format("{},{},{}", figures.blocks, figures.threads, figures.phases);
  for (const CounterInfo* counter : countersOn(kTable)) {
    text += counter->isShare() ? fmt::format(",{:.4f}", computeShare(*counter, figures.counters))
                               : fmt::format(",{}", counter->value(figures.counters));
  }
  return text + fmt::format(",{},{}", figures.errors, figures.warnings);
}

}  // namespace

const std::vector<ColumnHead>& columnHeads() {
  static const std::vector<ColumnHead> heads = [] {
    std::vector<ColumnHead> all{
        {TableColumn::Strategy, "strategy", "In course order"},
        {TableColumn::Phases, "phases", "Times that the threads of block 0 exchange values, and one more"}};
    for (const CounterInfo* counter : countersOn(kTable))
      all.push_back({static_cast<TableColumn>(all.size()), counter->listed(), counter->meaning});
    all.push_back(
        {TableColumn::Hazards, "hazards",
         "Races and other findings: errors may make the result wrong, warnings count on warps in step"});
    all.push_back({TableColumn::Time, "time", "Median time on the GPU"});
    all.push_back({TableColumn::Unit, "unit",
                   "The unit nearest to its peak, as profiled on a GPU: from 80% on it limits the kernel, "
                   "from 60% on it and latency do, below (dim) latency does"});
    all.push_back({TableColumn::Line, "line",
                   "The line that takes the most of the warps' time, and its share, as profiled on a GPU"});
    return all;
  }();
  return heads;
}

MeasuredChoice usualChoice(const BenchData& data, ElementType type) {
  MeasuredChoice choice;
  if (data.series().empty()) return choice;
  BenchSetting ofType = choice.setting;
  ofType.type = type;
  if (!data.sizes(ofType).empty()) choice.setting = ofType;
  if (data.sizes(choice.setting).empty()) {
    const SeriesKey& first = data.series().begin()->first;
    choice.setting = {first.block, first.cache, first.scope, first.type};
  }
  const std::vector<std::uint64_t> sizes = data.sizes(choice.setting);
  const bool hasUsual = std::ranges::find(sizes, kUsualSize) != sizes.end();
  choice.n = hasUsual ? kUsualSize : sizes.back();
  return choice;
}

std::vector<TableRow> tableRows(const StrategyTable& table, const BenchData& data,
                                const MeasuredChoice& choice) {
  std::vector<TableRow> rows;
  for (std::size_t i = 0; i < table.rows().size(); ++i) {
    const Strategy& strategy = strategies()[i];
    TableRow row{.strategy = i, .figures = &table.rows()[i]};
    row.cells[0] = {static_cast<double>(i + 1),
                    fmt::format("{} · {}", courseNumber(strategy), strategy.title), false};
    if (row.figures->done()) fillFigures(row);
    row.cells[static_cast<std::size_t>(TableColumn::Time)] = makeTimeCell(data, choice, strategy);
    rows.push_back(std::move(row));
  }
  return rows;
}

void addProfiles(std::vector<TableRow>& rows, TextProfiles& profiles) {
  for (TableRow& row : rows) {
    row.profile = profiles.of(strategies()[row.strategy].source);
    TableCell& unit = row.cells[static_cast<std::size_t>(TableColumn::Unit)];
    TableCell& line = row.cells[static_cast<std::size_t>(TableColumn::Line)];
    unit = line = {std::nullopt, "–", false, true};
    if (row.profile == nullptr) continue;
    const Diagnosis& diagnosis = row.profile->diagnosis;
    if (const UnitLoad* const nearest = diagnosis.nearestUnit()) {
      unit = {nearest->percent, fmt::format("{} {:.0f}%", nearest->name, nearest->percent), false,
              findLimiter(nearest->percent) == Limiter::Latency};
    }
    if (const LineShare* const most = diagnosis.costliestLine())
      line = {most->share, fmt::format("{}, {:.0f}%", most->line, 100 * most->share), false, false};
  }
}

void sortRows(std::vector<TableRow>& rows, TableColumn column, bool descending) {
  std::ranges::stable_sort(rows, [&](const TableRow& a, const TableRow& b) {
    const auto& left = a.at(column).value;
    const auto& right = b.at(column).value;
    if (!left || !right) return left.has_value() && !right;
    return descending ? *left > *right : *left < *right;
  });
}

namespace {

/// The unit nearest to its peak, its percent, the costliest line, its share, and the profile's origin.
std::string profileCsv(const TableRow& row) {
  if (row.profile == nullptr) return ",,,,,";
  const Diagnosis& diagnosis = row.profile->diagnosis;
  const UnitLoad* const unit = diagnosis.nearestUnit();
  std::string text = unit == nullptr ? ",," : fmt::format(",{},{:.1f}", csvField(unit->name), unit->percent);
  text += diagnosis.lines.empty()
              ? ",,"
              : fmt::format(",{},{:.4f}", diagnosis.lines.front().line, diagnosis.lines.front().share);
  return text + "," + csvField(row.profile->origin);
}

/// The operator that a strategy is simulated with; empty if it has no choice.
std::string operatorIn(const Strategy& strategy, const ElementKind& kind) {
  const bool isPresent = std::ranges::find(strategy.operators, kind.op) != strategy.operators.end();
  return isPresent ? kind.op : strategy.operators.empty() ? "" : strategy.operators.front();
}

}  // namespace

std::string tableCsv(const std::vector<TableRow>& rows, const StrategyTable& table,
                     const MeasuredSource& source) {
  std::string csv = "id,title,n,machine,simulated_element,simulated_operator,blocks,threads,phases,";
  for (const CounterInfo* counter : countersOn(kTable)) {
    std::string name(counter->plain);
    std::ranges::replace(name, ' ', '_');
    csv += name + ",";
  }
  csv +=
      "hazard_errors,hazard_warnings,median_us,gpu,measured_n,measured_block,cache,scope,element,note,"
      "nearest_unit,nearest_percent,"
      "costliest_line,line_share,profiled_on\n";
  for (const TableRow& row : rows) {
    const Strategy& strategy = strategies()[row.strategy];
    const TableCell& time = row.at(TableColumn::Time);
    csv +=
        fmt::format("{},{},{},{},{},{},{},", strategy.id, csvField(strategy.title), table.n(),
                    table.machine() == nullptr ? "" : table.machine()->name,
                    elementTypeName(table.kind().type), operatorIn(strategy, table.kind()), figuresCsv(row));
    if (time.value) {
      const BenchSetting& setting = source.choice.setting;
      csv += fmt::format("{:.3f},{},{},{},{},{},{},", *time.value, csvField(source.gpu), source.choice.n,
                         setting.block, cacheStateName(setting.cache), scopeName(setting.scope),
                         elementTypeName(setting.type));
    } else {
      csv += ",,,,,,,";
    }
    csv += csvField(row.figures->why.empty() ? time.isBad ? time.text : "" : row.figures->why) +
           profileCsv(row) + "\n";
  }
  return csv;
}

}  // namespace lanescope
