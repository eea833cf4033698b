// Every strategy of the catalogue, run by the simulator as the app launches it: what it leaves is what its
// head says, its sum has every element once, and only those that are broken by design have hazards.
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "app/launch/element_text.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/session.h"
#include "kernels/protocol/expected_results.h"
#include "sim/machine/run/launch.h"
#include "sim/trace/hazards.h"
#include "sim/trace/recorder.h"
#include "sim/trace/replay.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

/// The hash fill, written out once more (sim/tests/data/README.md).
float element(std::uint64_t i) {
  return static_cast<float>((((i * 2654435761ULL) & 0xffffffffULL) >> 16U) % 100);
}

std::size_t findArgument(const Strategy& strategy, Parameter parameter) {
  return static_cast<std::size_t>(std::ranges::find(strategy.parameters, parameter) -
                                  strategy.parameters.begin());
}

/// Whole numbers that a float holds exactly.
template <class T>
std::vector<float> readValues(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  std::vector<float> floats;
  for (const T value : values) floats.push_back(static_cast<float>(value));
  return floats;
}

std::vector<float> readOut(const Strategy& strategy, const Launch& launch, const Simulation& simulation) {
  const std::size_t argument = findArgument(strategy, Parameter::Out);
  std::size_t buffer = 0;
  for (std::size_t i = 0; i < argument; ++i) buffer += launch.arguments[i].isBuffer ? 1 : 0;
  const auto& bytes = simulation.buffers[buffer];
  switch (launch.arguments[argument].type) {
    case ArgumentType::F64: return readValues<double>(bytes);
    case ArgumentType::I32: return readValues<std::int32_t>(bytes);
    default: return readValues<float>(bytes);
  }
}

/// How often z = z * z + c can be taken, in double: the picture's border may differ by rounding.
int iterations(double re, double im) {
  int count = 0;
  for (; count < 255 && re * re + im * im <= 4; ++count) {
    const double next = re * re - im * im - 0.79;
    im = 2 * re * im + 0.15;
    re = next;
  }
  return count;
}

void expectResult(const Strategy& strategy, const Launch& launch, std::uint64_t n,
                  const std::vector<float>& out) {
  double sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) sum += element(i);
  const auto parameter = [&](Parameter one) { return launch.arguments[findArgument(strategy, one)].integer; };
  switch (strategy.result) {
    case ResultKind::BlockSums: {
      const std::uint64_t share = n / out.size();
      for (std::uint64_t block = 0; block < out.size(); ++block) {
        double part = 0;
        for (std::uint64_t i = 0; i < share; ++i) part += element(block * share + i);
        EXPECT_EQ(out[block], part) << "block " << block;
      }
      return;
    }
    case ResultKind::PartialSums: EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0.0), sum); return;
    case ResultKind::Sum:
    case ResultKind::Total: EXPECT_EQ(out.at(0), sum); return;
    case ResultKind::Transpose: {
      const std::uint64_t width = parameter(Parameter::Width);
      const std::uint64_t height = parameter(Parameter::Height);
      ASSERT_EQ(width * height, n);
      for (std::uint64_t i = 0; i < n; ++i)
        ASSERT_EQ(out[i % width * height + i / width], element(i)) << "element " << i;
      return;
    }
    case ResultKind::VectorSum:
      for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(out[i], 2 * element(i)) << "element " << i;
      return;
    case ResultKind::Julia: {
      const std::uint64_t width = parameter(Parameter::Width);
      const std::uint64_t height = parameter(Parameter::Height);
      std::uint64_t same = 0;
      for (std::uint64_t i = 0; i < n; ++i) {
        const double re = -2.0 + 4.0 * static_cast<double>(i % width) / static_cast<double>(width);
        const double im = -2.0 + 4.0 * static_cast<double>(i / width) / static_cast<double>(height);
        same += out[i] == static_cast<float>(iterations(re, im)) ? 1 : 0;
      }
      EXPECT_GE(same, n - n / 20);
      // In float, operation by operation, as the worker's check has it: to the last iteration.
      EXPECT_EQ(countWrongIterations(out, 1, width, height), 0U);
      return;
    }
  }
}

class OfTheCatalogue : public ::testing::TestWithParam<std::string> {};

TEST_P(OfTheCatalogue, LeavesWhatItsHeadSays) {
  const Strategy& strategy = *findStrategy(GetParam());
  int launches = 0;
  for (const char* machine : {"nvidia", "tiny", "eight"}) {
    for (const std::uint64_t n : {8U, 64U, 256U, 1024U}) {
      for (const std::uint64_t blocks : {1U, 2U, 8U}) {
        const auto launch = makeLaunch(strategy, n, blocks, *findMachine(machine));
        if (!launch) continue;
        const auto simulation = simulate(*launch);
        ASSERT_TRUE(simulation) << simulation.error().sentence();
        SCOPED_TRACE(::testing::Message() << machine << ", N " << n << ", blocks " << blocks);
        expectResult(strategy, *launch, n, readOut(strategy, *launch, *simulation));
        ++launches;
      }
    }
  }
  EXPECT_GT(launches, 3);
}

TEST_P(OfTheCatalogue, IsRightForEveryTypeOfElement) {
  const Strategy& strategy = *findStrategy(GetParam());
  for (const ElementType type : findElementTypes(strategy)) {
    int launches = 0;
    for (const std::uint64_t n : {64U, 1024U}) {
      for (const std::uint64_t blocks : {1U, 8U}) {
        const auto launch = makeLaunch(strategy, n, blocks, *findMachine("nvidia"), type);
        if (!launch) continue;
        const auto simulation = simulate(*launch);
        ASSERT_TRUE(simulation) << elementTypeName(type) << ": " << simulation.error().sentence();
        SCOPED_TRACE(::testing::Message() << elementTypeName(type) << ", N " << n << ", blocks " << blocks);
        expectResult(strategy, *launch, n, readOut(strategy, *launch, *simulation));
        EXPECT_TRUE(recordTrace(*launch, {0, 0, 0}));
        ++launches;
      }
    }
    EXPECT_GT(launches, 0) << elementTypeName(type);
  }
}

// The limit is for loops that never end, and no launch of the window's is one.
TEST_P(OfTheCatalogue, IsTracedWholeAtTheMostElementsThatTheWindowTakes) {
  const Strategy& strategy = *findStrategy(GetParam());
  for (const MachineModel& machine : machinePresets()) {
    for (const ElementType type : findElementTypes(strategy)) {
      const auto blocks = fewestBlocks(strategy, kMostElements, machine, type);
      if (!blocks) continue;  // an array of a fixed size
      const auto launch = makeLaunch(strategy, kMostElements, *blocks, machine, type);
      ASSERT_TRUE(launch.ok());
      const auto trace = makeTrace(*launch, {0, 0, 0}, Turns::ByLine);
      EXPECT_TRUE(trace.ok()) << machine.name << ", " << elementTypeName(type) << ": "
                              << (trace.ok() ? "" : trace.error().sentence());
    }
  }
}

TEST_P(OfTheCatalogue, HasHazardsOnlyWhereItIsBrokenByDesign) {
  const Strategy& strategy = *findStrategy(GetParam());
  for (const std::uint64_t n : {64U, 1024U}) {
    const auto launch = makeLaunch(strategy, n, 1, *findMachine("nvidia"));
    if (!launch) continue;
    const auto report = findHazards(*launch);
    ASSERT_TRUE(report) << report.error().sentence();
    const bool isBroken = !strategy.broken.empty();
    EXPECT_EQ(report->hazards.empty(), !isBroken) << n;
  }
}

class OnAnyGrid : public ::testing::TestWithParam<std::string> {};

TEST_P(OnAnyGrid, LeavesTheSameResult) {
  const Strategy& strategy = *findStrategy(GetParam());
  int launches = 0;
  for (const std::uint32_t block : {32U, 256U}) {
    for (const std::uint64_t n : {1U, 31U, 33U, 1024U, 5003U}) {
      for (const std::uint64_t blocks : {std::uint64_t{1}, std::uint64_t{3}, 2 * (n / block) + 5}) {
        const auto shape = shapeOfThreads(strategy, n, block, 8, 32, ElementType::Float, blocks);
        if (!shape) continue;  // a picture of 31 points
        EXPECT_EQ(shape->blocks(), blocks);
        const Launch launch = makeLaunch(strategy, *shape, *findMachine("nvidia"));
        const auto simulation = simulate(launch);
        ASSERT_TRUE(simulation) << simulation.error().sentence();
        SCOPED_TRACE(::testing::Message() << "N " << n << ", " << blocks << " blocks of " << block);
        expectResult(strategy, launch, n, readOut(strategy, launch, *simulation));
        ++launches;
      }
    }
  }
  EXPECT_GE(launches, strategy.result == ResultKind::Julia ? 12 : 30);
}

/// How often each input element is in a symbolic value.
std::map<std::string, int> elementsIn(const std::string& text) {
  std::map<std::string, int> counts;
  for (std::size_t at = text.find('a'); at != std::string::npos; at = text.find('a', at + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789", at + 1);
    if (end != at + 1) ++counts[text.substr(at, end - at)];
  }
  return counts;
}

/// Reductions whose additions are written out: __reduce_add_sync is one operation over all lanes.
class ReductionOfTheCatalogue : public ::testing::TestWithParam<std::string> {};

TEST_P(ReductionOfTheCatalogue, AddsEveryElementOnce) {
  const Strategy& strategy = *findStrategy(GetParam());
  int traced = 0;
  bool sawDifferences = false;
  for (const char* machine : {"tiny", "nvidia"}) {
    for (const std::uint64_t n : {8U, 64U}) {
      const auto launch = makeLaunch(strategy, n, 1, *findMachine(machine));
      if (!launch) continue;
      const auto trace = recordTrace(*launch, {0, 0, 0});
      ASSERT_TRUE(trace) << trace.error().sentence();
      Replay replay(std::make_shared<const Trace>(*trace));
      replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
      const auto out = std::ranges::find(trace->arrays, std::string("out"), &TracedArray::name);
      ASSERT_NE(out, trace->arrays.end());
      std::map<std::string, int> all;
      bool hasDifferences = false;
      for (std::uint32_t cell = 0; cell < out->cellCount; ++cell) {
        const ProvenanceId from = replay.state().cells[out->firstCell + cell].from;
        const std::string text = trace->provenance.text(from);
        hasDifferences = hasDifferences || text.find('-') != std::string::npos;
        for (const auto& [name, count] : elementsIn(text)) all[name] += count;
      }
      ++traced;
      ASSERT_EQ(all.size(), n) << machine;
      // Compensation subtracts what it added: there an element comes again.
      sawDifferences = sawDifferences || hasDifferences;
      if (hasDifferences) continue;
      for (const auto& [name, count] : all) EXPECT_EQ(count, 1) << name << " on " << machine << ", N " << n;
    }
  }
  EXPECT_GT(traced, 0);
  EXPECT_EQ(strategy.id == "kahan", sawDifferences);
}

std::vector<std::string> idsWhere(bool (*holds)(const Strategy&)) {
  std::vector<std::string> ids;
  for (const Strategy& strategy : strategies()) {
    if (holds(strategy)) ids.emplace_back(strategy.id);
  }
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Strategies, OfTheCatalogue,
                         ::testing::ValuesIn(idsWhere([](const Strategy&) { return true; })));
INSTANTIATE_TEST_SUITE_P(Strategies, OnAnyGrid, ::testing::ValuesIn(idsWhere([](const Strategy& strategy) {
                           return strategy.takesBlocks();
                         })));
INSTANTIATE_TEST_SUITE_P(Strategies, ReductionOfTheCatalogue,
                         ::testing::ValuesIn(idsWhere([](const Strategy& strategy) {
                           return strategy.family == Family::Reduction && strategy.id != "reduce-add";
                         })));

}  // namespace
}  // namespace lanescope
