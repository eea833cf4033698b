// The table of all strategies: simulated in the background, kept, sorted, written as CSV.
#include "app/analysis/strategy_table.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/workbench/session.h"
#include "app/workbench/tests/settle.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

struct Table : StrategyTable {
  explicit Table(ExecutorPtr on = std::make_shared<SteppedExecutor>())
      : StrategyTable(on), executor(std::move(on)) {}
  ExecutorPtr executor;
};

bool fill(Table& table) {
  do {
    table.poll();
    if (!table.busy() && table.known() == table.rows().size()) return true;
  } while (table.executor->step());
  return false;
}

std::size_t findIndex(std::string_view id) {
  return static_cast<std::size_t>(findStrategy(id) - strategies().data());
}

BenchData measured() {
  BenchData data;
  HelloMessage hello{.gpu = "NVIDIA H200"};
  data.apply(WorkerMessage(hello));
  double us = 40;
  for (const char* id : {"baseline", "shuffle", "one-atomic"}) {
    ResultMessage result;
    result.run = 1;
    result.series = {id, std::uint64_t{1} << 24U, 256, CacheState::Cold};
    result.verified = std::string_view(id) != "one-atomic";
    result.medianUs = us -= 12.5;
    data.apply(WorkerMessage(result));
  }
  return data;
}

TEST(StrategyTable, FillsInTheBackgroundAndKeepsWhatItKnows) {
  int wakes = 0;
  Table table(std::make_shared<SteppedExecutor>([&wakes] { ++wakes; }));
  EXPECT_TRUE(table.rows().empty());
  table.show(64, *findMachine("nvidia"));
  EXPECT_EQ(table.rows().size(), strategies().size());
  EXPECT_EQ(table.known(), 0U);
  ASSERT_TRUE(fill(table));
  EXPECT_GE(wakes, static_cast<int>(strategies().size()));
  const std::vector<Counters> before = [&] {
    std::vector<Counters> all;
    for (const StrategyFigures& row : table.rows()) all.push_back(row.counters);
    return all;
  }();
  table.show(8, *findMachine("tiny"));
  EXPECT_EQ(table.known(), 0U);
  ASSERT_TRUE(fill(table));
  table.show(64, *findMachine("nvidia"));
  EXPECT_EQ(table.known(), strategies().size());
  EXPECT_FALSE(table.busy());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(table.rows()[i].counters, before[i]);
}

// A block takes 1,024 threads at most: more elements are shared by as few blocks as can.
TEST(StrategyTable, HasAllStrategiesOfManyElements) {
  Table table;
  table.show(kMostElements, *findMachine("nvidia"));
  ASSERT_TRUE(fill(table));
  for (std::size_t i = 0; i < strategies().size(); ++i)
    EXPECT_TRUE(table.rows()[i].done()) << strategies()[i].id << ": " << table.rows()[i].why;
  EXPECT_EQ(table.rows()[findIndex("baseline")].blocks, 64U);
  EXPECT_EQ(table.rows()[findIndex("baseline")].counters.barriers, 64U * 32 * 11);
  EXPECT_EQ(table.rows()[findIndex("one-thread")].blocks, 1U);
}

TEST(StrategyTable, AChangeHalfWayLosesNothing) {
  Table table;
  for (const std::uint64_t n : kElementCounts) table.show(n, *findMachine("nvidia"));
  table.show(64, *findMachine("nvidia"));
  ASSERT_TRUE(fill(table));
  Table alone;
  alone.show(64, *findMachine("nvidia"));
  ASSERT_TRUE(fill(alone));
  for (std::size_t i = 0; i < strategies().size(); ++i) {
    EXPECT_EQ(table.rows()[i].counters, alone.rows()[i].counters) << strategies()[i].id;
    EXPECT_EQ(table.rows()[i].why, alone.rows()[i].why);
  }
}

TEST(StrategyTable, FiguresAreThoseOfTheTrace) {
  for (const char* id :
       {"baseline", "no-divergence", "no-bank-conflict", "shuffle", "unroll-last-warp-racy"}) {
    Session session;
    session.select({findStrategy(id), 64, findMachine("nvidia")});
    ASSERT_TRUE(testing::waitForTrace(session));
    const Trace& trace = session.player().replay()->trace();
    const StrategyFigures figures = computeFigures(*findStrategy(id), 64, *findMachine("nvidia"));
    ASSERT_TRUE(figures.done()) << figures.why;
    EXPECT_EQ(figures.counters, trace.total) << id;
    EXPECT_EQ(figures.phases, trace.phases.size());
    EXPECT_EQ(figures.threads, trace.threads);
    EXPECT_EQ(figures.errors + figures.warnings > 0, !session.player().hazards().empty()) << id;
  }
  const StrategyFigures racy =
      computeFigures(*findStrategy("unroll-last-warp-racy"), 64, *findMachine("nvidia"));
  EXPECT_GT(racy.errors + racy.warnings, 0U);
  EXPECT_NE(racy.firstHazard, "");
}

TEST(StrategyTable, ALaunchOfSeveralBlocksCountsAllOfThem) {
  const Strategy& strategy = *findStrategy("transpose-padded");
  const StrategyFigures figures = computeFigures(strategy, 64, *findMachine("tiny"));
  const StrategyFigures large = computeFigures(strategy, 4096, *findMachine("nvidia"));
  ASSERT_TRUE(figures.done() && large.done());
  ASSERT_GT(large.blocks, 1U);
  // 4096 floats read and written, 8 to a sector.
  EXPECT_EQ(large.counters.globalLoadSectors, 512U);
  EXPECT_EQ(large.counters.globalStoreSectors, 512U);
}

TEST(StrategyTable, WhatCannotRunSaysWhy) {
  const StrategyFigures figures = computeFigures(*findStrategy("baseline"), 12, *findMachine("nvidia"));
  EXPECT_EQ(figures.state, StrategyFigures::State::Impossible);
  EXPECT_SAYS(figures.why);
}

TEST(StrategyTable, TakesTheTypeOfElementAndTheOperator) {
  const MachineModel& machine = *findMachine("nvidia");
  Table table;
  table.show(64, machine);
  ASSERT_TRUE(fill(table));
  const std::vector<StrategyFigures> floats = table.rows();
  table.show(64, machine, {ElementType::Double, "Maximum"});
  EXPECT_EQ(table.known(), 0U);
  ASSERT_TRUE(fill(table));
  const std::size_t shuffle = findIndex("shuffle");
  EXPECT_EQ(table.rows()[shuffle].counters.globalLoadSectors, 2 * floats[shuffle].counters.globalLoadSectors);
  const std::string& why = table.rows()[findIndex("float4-loads")].why;
  EXPECT_NE(why.find(elementTypeName(ElementType::Double)), std::string::npos) << why;
  EXPECT_EQ(table.kind().op, "Maximum");
  // The operator is of no matter to those that have one only: what is known of them stays.
  table.show(64, machine, {ElementType::Double, ""});
  EXPECT_EQ(table.known(), table.rows().size() - 1);
  ASSERT_TRUE(fill(table));
  const std::string csv = tableCsv(tableRows(table, {}, {}), table, {});
  EXPECT_NE(csv.find(",64,nvidia,double,Sum,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nshuffle," + strategies()[shuffle].title + ",64,nvidia,double,,"), std::string::npos)
      << csv;
}

TEST(TableRows, TimesAreOfTheTypeThatIsSimulatedWhereTheyWereMeasured) {
  BenchData data = measured();
  EXPECT_EQ(usualChoice(data, ElementType::Double).setting.type, ElementType::Float);
  ResultMessage result;
  result.run = 2;
  result.series = {"shuffle", 4096, 256, CacheState::Cold, Scope::Kernel, ElementType::Double};
  data.apply(WorkerMessage(result));
  EXPECT_EQ(usualChoice(data, ElementType::Double).setting.type, ElementType::Double);
  EXPECT_EQ(usualChoice(data, ElementType::Double).n, 4096U);
  EXPECT_EQ(usualChoice(data, ElementType::Float).n, std::uint64_t{1} << 24U);
}

TEST(TableRows, SortByAColumnWithEmptyCellsLast) {
  Table table;
  table.show(12, *findMachine("nvidia"));
  ASSERT_TRUE(fill(table));
  const BenchData data = measured();
  const MeasuredChoice choice = usualChoice(data);
  EXPECT_EQ(choice.n, std::uint64_t{1} << 24U);
  std::vector<TableRow> rows = tableRows(table, data, choice);
  ASSERT_EQ(rows.size(), strategies().size());
  for (std::size_t column = 0; column < kTableColumns; ++column) {
    for (const bool descending : {false, true}) {
      sortRows(rows, static_cast<TableColumn>(column), descending);
      for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto& before = rows[i - 1].cells[column].value;
        const auto& after = rows[i].cells[column].value;
        ASSERT_TRUE(before || !after);
        if (before && after) {
          ASSERT_TRUE(descending ? *before >= *after : *before <= *after);
        }
      }
    }
  }
  sortRows(rows, TableColumn::Time, false);
  EXPECT_EQ(rows[0].strategy, findIndex("shuffle"));
  EXPECT_EQ(rows[0].at(TableColumn::Time).text, "15.0 µs");
  EXPECT_EQ(rows[1].strategy, findIndex("baseline"));
  EXPECT_FALSE(rows[2].at(TableColumn::Time).value);
}

TEST(TableRows, WithoutMeasurementsThereAreNoTimes) {
  Table table;
  table.show(8, *findMachine("tiny"));
  ASSERT_TRUE(fill(table));
  const MeasuredChoice choice = usualChoice(BenchData{});
  EXPECT_EQ(choice.n, 0U);
  for (const TableRow& row : tableRows(table, {}, choice)) EXPECT_EQ(row.at(TableColumn::Time).text, "");
}

TEST(TableRows, HaveTheUnitAndTheLineOfTheirProfiles) {
  Table table;
  table.show(8, *findMachine("tiny"));
  TextProfiles profiles;
  LaunchProfile made;
  made.kernel.metrics = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 92.4}};
  ProfileCounts counts{.samples = 10, .stalls = {{"long_sb", 10}}};
  made.lines = {{3, counts}};
  HelloMessage gpu{.gpu = "Some GPU"};
  profiles.add(made, findStrategy("kahan")->source, gpu);
  made.kernel.metrics = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 12.0}};
  profiles.add(made, findStrategy("shuffle")->source, gpu);
  std::vector<TableRow> rows = tableRows(table, {}, {});
  addProfiles(rows, profiles);
  const TableRow& kahan = rows[findIndex("kahan")];
  EXPECT_EQ(kahan.at(TableColumn::Unit).text, "DRAM 92%");
  EXPECT_FALSE(kahan.at(TableColumn::Unit).isDim);
  EXPECT_EQ(kahan.at(TableColumn::Line).text, "3, 100%");
  EXPECT_TRUE(rows[findIndex("shuffle")].at(TableColumn::Unit).isDim) << "latency limits it";
  for (const TableRow& row : rows) {
    if (row.profile != nullptr) continue;
    EXPECT_EQ(row.at(TableColumn::Unit).text, "–");
    EXPECT_EQ(row.at(TableColumn::Line).text, "–");
  }
  sortRows(rows, TableColumn::Unit, true);
  EXPECT_GE(*rows[0].at(TableColumn::Unit).value, 92.0);
  const std::string csv = tableCsv(rows, table, {});
  EXPECT_NE(csv.find(",DRAM,92.4,3,1.0000,\"Some GPU, live\"\n"), std::string::npos) << csv;
}

TEST(TableCsv, HasALineForEveryStrategyAndAsManyFieldsInEach) {
  Table table;
  table.show(12, *findMachine("nvidia"));
  ASSERT_TRUE(fill(table));
  const BenchData data = measured();
  const MeasuredChoice choice = usualChoice(data);
  const std::string csv = tableCsv(tableRows(table, data, choice), table, {"NVIDIA H200, live", choice});
  std::vector<std::size_t> fields;
  std::size_t count = 1;
  bool isQuoted = false;
  for (const char c : csv) {
    if (c == '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (c == ',') ++count;
    if (c == '\n') {
      fields.push_back(count);
      count = 1;
    }
  }
  ASSERT_EQ(fields.size(), strategies().size() + 1);
  EXPECT_TRUE(std::ranges::all_of(fields, [&](std::size_t n) { return n == fields.front(); }));
  const StrategyFigures& atomic = table.rows()[findIndex("one-atomic")];
  const std::string start = "\none-atomic," + strategies()[findIndex("one-atomic")].title +
                            ",12,nvidia,float,," + std::to_string(atomic.blocks) + "," +
                            std::to_string(atomic.threads) + "," + std::to_string(atomic.phases) + "," +
                            std::to_string(atomic.counters.barriers) + ",";
  EXPECT_NE(csv.find(start), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nbaseline,Baseline,12,nvidia,float,,,,,,,,,,,,,27.500,"), std::string::npos) << csv;
  EXPECT_NE(
      csv.find(
          ",27.500,\"NVIDIA H200, live\",16777216,256,cold,kernel,float,\"A block of 'baseline' reduces"),
      std::string::npos);
  EXPECT_NE(csv.find("wrong sum,"), std::string::npos);
  EXPECT_NE(csv.find("Choose N = 8 or 16"), std::string::npos);
}

}  // namespace
}  // namespace lanescope
