// Floors: what a launch needs at least, unit by unit, from exact counts; scaled counts against simulated
// ones, and floors against the times that were measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/analysis/floor_report.h"
#include "app/analysis/gpu_rates.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/tests/compiled_code.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

Result<LaunchCounts> countText(const std::string& body, const std::vector<std::string>& arguments,
                               std::uint32_t blocks = 1, std::uint32_t threads = 64) {
  Launch launch;
  launch.source =
      std::make_shared<SourceText>("k.cu", "__global__ void k(float* a, float* b) {\n" + body + "\n}");
  launch.kernel = "k";
  launch.grid.x = blocks;
  launch.block.x = threads;
  for (const std::string& argument : arguments) launch.arguments.push_back(*parseArgument(argument));
  return countWhole(launch);
}

TEST(LaunchCounts, SectorsCountOnceForDramAndStoresEachTime) {
  const auto counts =
      countText("b[threadIdx.x] = a[threadIdx.x] + a[63 - threadIdx.x];\nb[threadIdx.x] = 1.0f;",
                {"f32:ones:64", "f32:zero:64"});
  ASSERT_TRUE(counts.ok()) << counts.error().sentence();
  EXPECT_EQ(counts->readSectors, 8U) << "256 bytes, however often they are read";
  EXPECT_EQ(counts->writtenSectors, 8U);
  EXPECT_EQ(counts->storedSectors, 16U);
  EXPECT_EQ(counts->sharedWavefronts, 0U);
  EXPECT_EQ(counts->warps, 2U);
  EXPECT_EQ(counts->lines.at(3), 2U);
  EXPECT_TRUE(counts->scaledFrom.empty());
}

TEST(LaunchCounts, WhatIsWrittenFirstNeedsNoRead) {
  const auto stored =
      countText("b[threadIdx.x] = 1.0f;\na[threadIdx.x] = b[threadIdx.x];", {"f32:ones:64", "f32:zero:64"});
  EXPECT_EQ(stored->readSectors, 0U);
  EXPECT_EQ(stored->writtenSectors, 16U);
  const auto added = countText("atomicAdd(&b[0], a[threadIdx.x]);", {"f32:ones:64", "f32:zero:64"});
  EXPECT_EQ(added->readSectors, 9U) << "an atomic needs what was there";
  EXPECT_EQ(added->writtenSectors, 1U);
}

TEST(LaunchCounts, AFaultIsAnError) {
  const auto counts = countText("b[threadIdx.x] = a[100];", {"f32:ones:64", "f32:zero:64"});
  ASSERT_FALSE(counts.ok());
  EXPECT_NE(counts.error().sentence().find("100"), std::string::npos);
}

constexpr std::uint32_t kBlock = 256;
constexpr std::uint64_t kSmallGrid = 8;

Launch wholeLaunch(const Strategy& strategy, std::uint64_t n) {
  const auto shape = shapeOfThreads(strategy, n, kBlock, kSmallGrid, 32);
  return makeLaunch(strategy, *shape, machinePresets().front());
}

class ScaledCounts : public ::testing::TestWithParam<std::string> {};

TEST_P(ScaledCounts, EqualThoseOfTheWholeLaunch) {
  const Strategy& strategy = *findStrategy(GetParam());
  std::uint64_t n = std::uint64_t{1} << 19U;
  if (strategy.largestN != 0 && strategy.largestN < n) GTEST_SKIP() << "not launched over so many";
  auto scaled = countStrategy(strategy, n, kBlock, kSmallGrid);
  while (scaled.ok() && scaled->scaledFrom.empty() && n < 1U << 22U)
    scaled = countStrategy(strategy, n *= 2, kBlock, kSmallGrid);
  ASSERT_TRUE(scaled.ok()) << scaled.error().sentence();
  ASSERT_EQ(scaled->scaledFrom.size(), 3U);
  const auto whole = countWhole(wholeLaunch(strategy, n));
  ASSERT_TRUE(whole.ok()) << whole.error().sentence();
  EXPECT_EQ(scaled->blocks, whole->blocks);
  EXPECT_EQ(scaled->warps, whole->warps);
  if (strategy.result != ResultKind::Julia) {
    EXPECT_TRUE(scaled->sharedWavefronts && scaled->storedSectors &&
                scaled->lines.size() == whole->lines.size());
  }
  const auto compare = [](const auto& ours, const auto& theirs) {
    EXPECT_TRUE(!ours || ours == theirs) << *ours << " scaled, " << *theirs << " simulated";
  };
  compare(scaled->readSectors, whole->readSectors);
  compare(scaled->writtenSectors, whole->writtenSectors);
  compare(scaled->storedSectors, whole->storedSectors);
  compare(scaled->sharedWavefronts, whole->sharedWavefronts);
  for (const auto& [line, count] : scaled->lines) {
    EXPECT_TRUE(!count || count == whole->lines.at(line)) << "line " << line;
    EXPECT_TRUE(count || strategy.result == ResultKind::Julia) << "line " << line << " is not known";
  }
}

std::vector<std::string> someStrategies() {
  return {"baseline", "float4-loads", "last-block-done", "transpose-shared", "block-tree", "vector-add"};
}

std::vector<std::string> allStrategies() {
  std::vector<std::string> ids;
  for (const Strategy& strategy : strategies()) ids.emplace_back(strategy.id);
  return ids;
}

std::string caseName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Some, ScaledCounts, ::testing::ValuesIn(someStrategies()), caseName);
INSTANTIATE_TEST_SUITE_P(Sweep, ScaledCounts, ::testing::ValuesIn(allStrategies()), caseName);

TEST(GpuRates, AreMeasuredOrFromADatasheetAndSaySo) {
  for (const GpuRates& gpu : shippedGpuRates()) {
    EXPECT_GT(gpu.sms, 0U);
    for (const RateUnit unit : {RateUnit::Dram, RateUnit::Shared, RateUnit::Issue}) {
      ASSERT_NE(gpu.find(unit), nullptr) << gpu.id;
      EXPECT_GT(gpu.find(unit)->perUs, 0) << gpu.id;
      EXPECT_FALSE(gpu.find(unit)->source.empty()) << gpu.id;
    }
  }
  EXPECT_EQ(findGpuRates("H200")->gpu, "NVIDIA H200");
  EXPECT_EQ(findGpuRates("nvidia geforce rtx 4060 laptop gpu")->id, "rtx4060-laptop");
  const auto none = findGpuRates("riva128");
  ASSERT_FALSE(none.ok());
  EXPECT_SAYS(none.error().sentence());
}

TEST(GpuRates, TheCeilingsAreThoseOfTheRecordings) {
  const auto gpus = parseGpuRates(gpuRatesText());
  ASSERT_TRUE(gpus.ok()) << gpus.error().sentence();
  for (const GpuRates& gpu : *gpus) {
    if (gpu.times.empty()) continue;
    const BenchData data = readTimes(gpu)->data();
    const CeilingMessage& ceiling = *data.ceiling();
    EXPECT_EQ(data.hello()->gpu, gpu.gpu);
    EXPECT_EQ(data.hello()->sms, gpu.sms);
    EXPECT_EQ(data.hello()->l2Bytes, gpu.l2Bytes);
    EXPECT_EQ(data.hello()->computeCapability, gpu.computeCapability);
    EXPECT_NEAR(gpu.find(RateUnit::Dram)->perUs,
                static_cast<double>(ceiling.bytes) / 32 / (ceiling.us - ceiling.launchUs), 0.001);
    EXPECT_DOUBLE_EQ(gpu.find(RateUnit::Launch)->us, ceiling.launchUs);
  }
}

TEST(GpuRates, AMeasuredRateTakesTheDatasheetsPlace) {
  GpuRates gpu = *findGpuRates("rtx4060-laptop");
  Recording recording;
  HelloMessage hello{.gpu = "Some laptop", .date = "2026-11-23"};
  recording.messages = {hello, RateMessage{RateUnit::L2, 1U << 20U, 12, 2, 104857.6, 15, "Reads."},
                        RateMessage{RateUnit::Launch, 0, 3.5, 0, 0, 15, "Empty."},
                        RateMessage{RateUnit::Issue, 0, 0, 0, 0, 0, "A broken one."}};
  gpu.receive(recording);
  EXPECT_DOUBLE_EQ(gpu.find(RateUnit::L2)->perUs, 104857.6);
  EXPECT_TRUE(gpu.find(RateUnit::L2)->isMeasured);
  EXPECT_SAYS(gpu.find(RateUnit::L2)->source);
  EXPECT_DOUBLE_EQ(gpu.find(RateUnit::Launch)->us, 3.5);
  EXPECT_DOUBLE_EQ(gpu.find(RateUnit::Issue)->perUs, 227520);
}

TEST(GpuRates, AWrongTextIsSaidToBeWrong) {
  const std::string gpu = R"({"id":"a","gpu":"A","sms":1,"l2Bytes":1,"rates":)";
  for (const auto& [text, wanted] : std::map<std::string, std::string>{
           {"", "JSON"},
           {"[]", "JSON"},
           {R"({"gpus":[{}]})", "'id'"},
           {R"({"gpus":[)" + gpu + R"({"dram":{"perUs":"x"}}}]})", "'dram' of 'a'"},
           {R"({"gpus":[)" + gpu + R"({"dram":{"perUs":-1,"source":"s"}}}]})", "above 0"},
           {R"({"gpus":[)" + gpu + R"({"dram":{"perUs":1,"source":"s","origin":"guess"}}}]})",
            "datasheet"}}) {
    const auto read = parseGpuRates(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_NE(read.error().sentence().find(wanted), std::string::npos) << read.error().sentence();
  }
}

GpuRates someGpu() {
  GpuRates gpu;
  gpu.gpu = "Some GPU";
  gpu.sms = 10;
  gpu.l2Bytes = 3200;  // 100 sectors
  gpu.set(RateUnit::Dram, {10, 0, true, "s"});
  gpu.set(RateUnit::L2, {100, 0, true, "s"});
  gpu.set(RateUnit::Shared, {20, 0, true, "s"});
  gpu.set(RateUnit::Launch, {0, 2, true, "s"});
  return gpu;
}

double computeUs(const Floors& floors, RateUnit unit) {
  const auto found = std::ranges::find(floors.units, unit, &UnitFloor::unit);
  return found == floors.units.end() ? 0 : found->us;
}

TEST(Floors, AreAmountsOverRates) {
  LaunchCounts counts;
  counts.blocks = 100;
  counts.readSectors = 1000;
  counts.writtenSectors = 300;
  counts.storedSectors = 600;
  counts.sharedWavefronts = 400;
  const Floors cold = computeFloors(counts, std::nullopt, someGpu(), CacheState::Cold);
  EXPECT_DOUBLE_EQ(computeUs(cold, RateUnit::Dram), 120) << "of what is written, 100 sectors may stay in L2";
  EXPECT_DOUBLE_EQ(computeUs(cold, RateUnit::L2), 16);
  EXPECT_DOUBLE_EQ(computeUs(cold, RateUnit::Shared), 20);
  EXPECT_EQ(cold.longest()->unit, RateUnit::Dram);
  EXPECT_DOUBLE_EQ(cold.us(), 122);
  ASSERT_EQ(cold.unknown.size(), 1U);
  EXPECT_SAYS(cold.unknown[0]);
  const Floors warm = computeFloors(counts, std::nullopt, someGpu(), CacheState::Warm);
  EXPECT_DOUBLE_EQ(computeUs(warm, RateUnit::Dram), 120) << "1,300 sectors, of which L2 holds 100";
  counts.readSectors = 50;
  counts.writtenSectors = 50;
  EXPECT_DOUBLE_EQ(
      computeUs(computeFloors(counts, std::nullopt, someGpu(), CacheState::Warm), RateUnit::Dram), 0);
  counts.blocks = 5;
  EXPECT_DOUBLE_EQ(
      computeUs(computeFloors(counts, std::nullopt, someGpu(), CacheState::Cold), RateUnit::Shared), 40)
      << "five blocks keep half of ten SMs busy";
}

TEST(Floors, SayWhatIsNotKnown) {
  GpuRates gpu = someGpu();
  gpu.rates[static_cast<std::size_t>(RateUnit::L2)].reset();
  gpu.rates[static_cast<std::size_t>(RateUnit::Launch)].reset();
  LaunchCounts counts{.blocks = 1, .storedSectors = 1, .sharedWavefronts = 0};
  const Floors none = computeFloors(counts, IssuedInstructions{1, "s"}, gpu, CacheState::Cold);
  EXPECT_EQ(none.longest(), nullptr);
  EXPECT_EQ(none.us(), 0);
  EXPECT_EQ(none.unknown.size(), 4U) << "DRAM, L2, issue slots, launch; shared memory has nothing to do";
  EXPECT_SAYS(floorSentence(none, 0));
  EXPECT_EQ(waitingSentence(none, 10, nullptr), "");
}

TEST(Floors, ATimeFarAboveThemIsWaitedFor) {
  LaunchCounts counts;
  counts.blocks = 100;
  counts.readSectors = 1000;
  counts.writtenSectors = 0;
  counts.storedSectors = 0;
  counts.sharedWavefronts = 0;
  const Floors floors = computeFloors(counts, std::nullopt, someGpu(), CacheState::Cold);
  EXPECT_SAYS(floorSentence(floors, 0));
  EXPECT_EQ(microseconds(0), "0.0");
  EXPECT_EQ(microseconds(0.1), "0.1");
  EXPECT_EQ(microseconds(0.0431), "0.043");
  EXPECT_EQ(microseconds(0.00095), "0.00095");
  EXPECT_SAYS(floorSentence(floors, 204));
  EXPECT_EQ(waitingSentence(floors, 204, nullptr), "");
  EXPECT_SAYS(waitingSentence(floors, 205, nullptr));
  LaunchProfile profile;
  ProfileCounts row{.samples = 100, .stalls = {{"not_selected", 50}, {"barrier", 30}, {"selected", 20}}};
  profile.lines = {{1, row}};
  const Diagnosis diagnosis = diagnose(profile, "x");
  EXPECT_SAYS(waitingSentence(floors, 205, &diagnosis));
}

TEST(Floors, MachineInstructionsGrowWithTheLinesExecutions) {
  LaunchProfile profile;
  ProfileCounts twice;
  twice.executed = 200;  // 2 instructions for each of 100 executions
  ProfileCounts prologue;
  prologue.executed = 30;                                   // 3 per warp
  profile.lines = {{1, prologue}, {5, twice}, {7, twice}};  // line 7 calls what is inlined from line 5
  profile.instructions = {{0, "IMAD", prologue}, {1, "S2R", prologue}, {5, "LDS", twice}};
  LaunchCounts there{.warps = 10, .lines = {{5, 100}}};
  LaunchCounts here;
  here.warps = 20;
  here.lines = {{5, 400}};
  const auto issued = countIssued(profile, there, here, "Some GPU");
  ASSERT_TRUE(issued);
  EXPECT_DOUBLE_EQ(issued->warpInstructions, 60 + 800 + 60);
  here.lines.clear();
  EXPECT_FALSE(countIssued(profile, there, here, "Some GPU")) << "the line's executions are not known";
  here.lines = {{5, 400}};
  there.lines = {{5, std::nullopt}};
  EXPECT_FALSE(countIssued(profile, there, here, "Some GPU")) << "nor those of the profiled launch";
}

struct MeasuredOn {
  GpuRates gpu = *findGpuRates("h200");
  Recording recording = *readTimes(gpu);
  BenchData data = recording.data();
};

const MeasuredOn& h200() {
  static const MeasuredOn measured;
  return measured;
}

Result<FloorReport> makeReport(const std::string& id, std::uint64_t n, CacheState cache,
                               TextProfiles& profiles) {
  const Strategy& strategy = *findStrategy(id);
  FloorQuery query{.n = n, .cache = cache, .gpu = h200().gpu};
  const TextProfile* const profile = profiles.of(strategy.source);
  auto report = floorReport(strategy, query, profile);
  if (report) addMeasured(*report, h200().data, h200().recording.title(), profile);
  return report;
}

TEST(Floors, AreNearWhatWasMeasuredWhereAUnitLimits) {
  TextProfiles profiles;
  constexpr std::uint64_t kN = std::uint64_t{1} << 26U;
  const auto baseline = makeReport("baseline", kN, CacheState::Cold, profiles);
  ASSERT_TRUE(baseline.ok()) << baseline.error().sentence();
  EXPECT_EQ(baseline->floors.longest()->unit, RateUnit::Issue);
  EXPECT_NEAR(baseline->floors.longest()->us / baseline->measuredUs, 0.8, 0.03);
  EXPECT_FALSE(baseline->counts.scaledFrom.empty());
  const auto float4 = makeReport("float4-loads", kN, CacheState::Cold, profiles);
  ASSERT_TRUE(float4.ok()) << float4.error().sentence();
  EXPECT_EQ(float4->floors.longest()->unit, RateUnit::Dram);
  EXPECT_NEAR(float4->floors.longest()->us / float4->measuredUs, 0.94, 0.04);
  EXPECT_EQ(float4->waiting, "");
  // How often its loop runs does not grow evenly with N, but this is the launch that was profiled.
  const auto julia = makeReport("julia-set", kN, CacheState::Cold, profiles);
  ASSERT_TRUE(julia.ok()) << julia.error().sentence();
  ASSERT_TRUE(julia->issued);
  EXPECT_EQ(julia->issued->warpInstructions, 673305313);
  EXPECT_EQ(julia->floors.longest()->unit, RateUnit::Issue);
}

void expectNoFloorAbove(const std::string& id, const std::vector<std::uint64_t>& sizes) {
  TextProfiles profiles;
  const TextProfile* const profile = profiles.of(findStrategy(id)->source);
  for (const std::uint64_t n : sizes) {
    BenchSetting setting;
    const auto reading = h200().data.reading(setting.key(id, n));
    if (!reading || reading->wrong) continue;
    auto report = makeReport(id, n, CacheState::Cold, profiles);
    ASSERT_TRUE(report.ok()) << report.error().sentence();
    for (const CacheState cache : {CacheState::Cold, CacheState::Warm}) {
      report->cache = cache;
      report->floors = computeFloors(report->counts, report->issued, report->gpu, cache);
      addMeasured(*report, h200().data, "", profile);
      EXPECT_LE(report->floors.us(), report->measuredUs)
          << id << ", N = " << n << ", " << cacheStateName(cache) << ": " << report->sentence();
      EXPECT_EQ(report->waiting.empty(), report->measuredUs <= kWaitingRatio * report->floors.us());
    }
  }
}

class MeasuredTimes : public ::testing::TestWithParam<std::string> {};

TEST_P(MeasuredTimes, AreAboveTheFloors) {
  BenchSetting setting;
  expectNoFloorAbove(GetParam(), h200().data.sizes(setting));
}

INSTANTIATE_TEST_SUITE_P(Sweep, MeasuredTimes, ::testing::ValuesIn(allStrategies()), caseName);

TEST(Floors, AreBelowTheMeasuredTimesOfSomeStrategies) {
  for (const std::string id : {"baseline", "block-tree", "transpose-by-row"})
    expectNoFloorAbove(id, {1U << 10U, 1U << 16U, 1U << 20U, 1U << 26U});
}

TEST(Floors, OnAnotherGpuMachineCodeIsOnlyKnownWhereItIsTheSame) {
  TextProfiles profiles;
  const Strategy& strategy = *findStrategy("baseline");
  const TextProfile* const profile = profiles.of(strategy.source);
  ASSERT_NE(profile, nullptr);
  FloorQuery query{.n = 1U << 16U, .gpu = *findGpuRates("h100")};
  EXPECT_TRUE(floorReport(strategy, query, profile)->issued);
  query.gpu = *findGpuRates("rtx4060-laptop");
  EXPECT_FALSE(floorReport(strategy, query, profile)->issued);
  query.gpu = *findGpuRates("h100");
  query.threads = 512;
  EXPECT_FALSE(floorReport(strategy, query, profile)->issued);
  query.n = 3;
  EXPECT_FALSE(floorReport(strategy, query, profile).ok());
}

// No estimate is needed where the machine code is executed.
TEST(Floors, ExecutedMachineCodeCountsAsAnH200Does) {
  std::size_t compared = 0;
  for (const auto& line : testing::dataLines("h200-compiled.jsonl")) {
    SCOPED_TRACE(line.dump());
    const Launch launch = testing::launchOfLine(line);
    const MachineCode code = testing::compiledCode(launch.kernel);
    const auto executed = executeWhole(launch, code);
    if (!executed) continue;  // depends on which warps meet
    const auto& counted = line["expect"];
    EXPECT_EQ(executed->sharedWavefronts, counted["memory_l1_wavefronts_shared"].get<std::uint64_t>());
    EXPECT_EQ(executed->storedSectors,
              counted["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"].get<std::uint64_t>());
    const auto issued = countIssued(code, *executed);
    ASSERT_TRUE(issued);
    EXPECT_EQ(issued->warpInstructions, line["issued"].get<double>());
    EXPECT_SAYS(issued->source);
    ++compared;
  }
  EXPECT_GE(compared, 79U);
}

/// The code that a strategy was profiled with, executed at three small sizes and scaled to the profiled one.
class ExecutedFloors : public ::testing::TestWithParam<std::string> {};

TEST_P(ExecutedFloors, IssueWhatTheProfileCounted) {
  TextProfiles profiles;
  const Strategy& strategy = *findStrategy(GetParam());
  const TextProfile* const profile = profiles.of(strategy.source);
  if (profile == nullptr) GTEST_SKIP() << "not profiled";
  const auto code = readMachineCode(*profile->profile, profile->origin);
  ASSERT_TRUE(code);
  const ProfileMessage& kernel = profile->profile->kernel;
  const std::uint32_t threads = kernel.block[0] * kernel.block[1] * kernel.block[2];
  const auto executed =
      executeStrategy(strategy, kernel.n, threads, ownMostBlocks(strategy, kernel.n, threads, h200().gpu.sms),
                      nullptr, *code);
  if (strategy.result == ResultKind::Julia) {
    EXPECT_FALSE(executed) << "its iterations do not grow evenly with N";
    return;
  }
  ASSERT_TRUE(executed);
  double issued = 0;
  for (const LineSlots& line : executed->lines) issued += line.slots;
  double recorded = 0;
  std::uint64_t wavefronts = 0;
  for (const ProfileInstruction& one : profile->profile->instructions) {
    recorded += static_cast<double>(one.counts.executed);
    wavefronts += one.counts.sharedWavefronts;
  }
  EXPECT_EQ(issued, recorded);
  EXPECT_EQ(executed->sharedWavefronts, wavefronts);
}

INSTANTIATE_TEST_SUITE_P(Some, ExecutedFloors, ::testing::Values("baseline", "shuffle", "transpose-shared"),
                         caseName);
INSTANTIATE_TEST_SUITE_P(Sweep, ExecutedFloors, ::testing::ValuesIn(allStrategies()), caseName);

Result<FloorReport> editedReport(const std::string& id, const Toolkit& toolkit, std::uint64_t n) {
  FloorQuery query{.n = n, .gpu = h200().gpu, .toolkit = toolkit};
  return floorReport(*findStrategy(id), query, nullptr);
}

bool hasToolkit(const Toolkit& toolkit) { return toolkit.nvcc && toolkit.nvdisasm; }

/// Handles the text of a strategy as an edited text: its issue slots come from the toolkit's machine code.
class EditedFloors : public ::testing::TestWithParam<std::string> {};

TEST_P(EditedFloors, AreNearTheInstructionsThatWereCounted) {
  const Toolkit toolkit = findToolkit();
  if (!hasToolkit(toolkit)) GTEST_SKIP() << "no CUDA Toolkit with nvdisasm on this machine";
  TextProfiles profiles;
  const Strategy& strategy = *findStrategy(GetParam());
  const TextProfile* const profile = profiles.of(strategy.source);
  if (profile == nullptr) GTEST_SKIP() << "not profiled";
  auto report = editedReport(GetParam(), toolkit, profile->profile->kernel.n);
  ASSERT_TRUE(report.ok()) << report.error().sentence();
  if (strategy.result == ResultKind::Julia) {
    EXPECT_FALSE(report->issued) << "its iterations do not grow evenly with N";
    return;
  }
  ASSERT_TRUE(report->issued) << ::testing::PrintToString(report->floors.unknown);
  double recorded = 0;
  for (const ProfileInstruction& one : profile->profile->instructions)
    recorded += static_cast<double>(one.counts.executed);
  const double ratio = report->issued->warpInstructions / recorded;
  EXPECT_GT(ratio, 0.95) << GetParam();
  EXPECT_LT(ratio, 1.05) << GetParam();
  addMeasured(*report, h200().data, "", nullptr);
  EXPECT_TRUE(report->measuredUs == 0 || report->floors.us() <= report->measuredUs) << report->sentence();
}

INSTANTIATE_TEST_SUITE_P(Some, EditedFloors, ::testing::Values("baseline", "shuffle", "transpose-shared"),
                         caseName);
INSTANTIATE_TEST_SUITE_P(Sweep, EditedFloors, ::testing::ValuesIn(allStrategies()), caseName);

}  // namespace
}  // namespace lanescope
