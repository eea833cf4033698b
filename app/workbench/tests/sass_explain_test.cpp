// Text beside machine code: what nvcc made of the kernels of sass_cases.cu, and the counters that follow from
// it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "app/analysis/profiles.h"
#include "app/analysis/toolkit.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/tests/scratch_folder.h"
#include "sim/sass/access_changes.h"
#include "sim/sass/machine_code.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/recorded_launches.h"

namespace lanescope {
namespace {

using testing::readAll;

constexpr const char* kCases = LANESCOPE_SOURCE_DIR "/app/workbench/tests/sass_cases.cu";

MachineCode codeOfKernel(const std::string& kernel) {
  const std::string listing = readAll(LANESCOPE_SOURCE_DIR "/app/workbench/tests/sass_cases.txt");
  const auto functions = parseDisassembly(listing, "lanescope_text.cu");
  const DisassembledFunction* const found = findKernel(functions, kernel);
  EXPECT_NE(found, nullptr) << kernel;
  if (found == nullptr) return {};
  return {kernel, "sm_90", "nvcc 13.0, nvdisasm", false, true, found->instructions};
}

/// Two blocks of 64 threads.
Launch launchOfCase(const std::string& kernel, const std::vector<std::string>& arguments) {
  Launch launch = testing::launchText(readAll(kCases), 64, arguments);
  launch.kernel = kernel;
  launch.grid.x = 2;
  launch.dynamicSharedBytes = 256;
  return launch;
}

AccessComparison makeComparison(const std::string& kernel, const std::vector<std::string>& arguments) {
  const auto comparison = compareAccesses(launchOfCase(kernel, arguments), codeOfKernel(kernel));
  EXPECT_TRUE(comparison) << (comparison ? "" : comparison.error().sentence());
  return comparison ? *comparison : AccessComparison{};
}

const LineAccesses* find(const AccessComparison& comparison, std::uint32_t line, StepKind kind) {
  const auto found = std::ranges::find_if(
      comparison.lines, [&](const LineAccesses& one) { return one.line == line && one.kind == kind; });
  return found == comparison.lines.end() ? nullptr : &*found;
}

/// Those that differ, as `NAME TEXT MACHINE LINES`.
std::vector<std::string> changesIn(const AccessComparison& comparison) {
  std::vector<std::string> changes;
  for (const CounterChange& one : comparison.counters) {
    if (one.text != one.machine)
      changes.push_back(
          fmt::format("{} {} {} {}", one.name, one.text, one.machine, fmt::join(one.lines, ",")));
  }
  return changes;
}

TEST(SassExplain, AValueIsKeptInARegisterAndStoredOnce) {
  const AccessComparison comparison = makeComparison("last_warp", {"f32:hash:128", "f32:zero:64"});
  // A block: two warps store line 6; then one warp loads 2 + 5 words and stores 1; and a lane loads the sum.
  EXPECT_EQ(changesIn(comparison),
            (std::vector<std::string>{
                "memory_l1_wavefronts_shared 42 22 9,10,11,12,13,14",
                "memory_l1_wavefronts_shared_ideal 42 22 9,10,11,12,13,14",
                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum 26 16 10,11,12,13,14",
                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum 16 6 9,10,11,12,13"}));
  const LineAccesses* const loads = find(comparison, 11, StepKind::SharedLoad);
  ASSERT_NE(loads, nullptr);
  EXPECT_EQ(loads->inText, 2u);
  EXPECT_EQ(loads->instructions, std::vector<std::string>{"LDS"});
  EXPECT_SAYS(loads->words);
  EXPECT_EQ(loads->machine.executions, 2u);
  const LineAccesses* const stores = find(comparison, 11, StepKind::SharedStore);
  ASSERT_NE(stores, nullptr);
  EXPECT_EQ(stores->fate, AccessFate::InRegister);
  EXPECT_SAYS(stores->words);
  EXPECT_EQ(find(comparison, 14, StepKind::SharedStore)->fate, AccessFate::AsWritten);
}

TEST(SassExplain, ALoopsSumIsStoredOnceWhenItIsDone) {
  // The last round has 12 lanes too few, in one warp: what they stored before is stored with the others'.
  const AccessComparison comparison =
      makeComparison("grid_stride", {"f32:hash:500", "f32:zero:128", "u32=500"});
  EXPECT_EQ(changesIn(comparison),
            (std::vector<std::string>{
                "memory_l1_wavefronts_shared 40 12 24", "memory_l1_wavefronts_shared_ideal 40 12 24",
                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum 20 4 24",
                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum 20 8 24"}));
  EXPECT_SAYS(find(comparison, 24, StepKind::SharedStore)->words);
  EXPECT_EQ(find(comparison, 24, StepKind::GlobalLoad)->fate, AccessFate::AsWritten);
  // One round: nothing to keep but the first value.
  const AccessComparison once = makeComparison("grid_stride", {"f32:hash:128", "f32:zero:128", "u32=128"});
  EXPECT_EQ(find(once, 24, StepKind::SharedStore)->fate, AccessFate::AsWritten);
  EXPECT_EQ(find(once, 24, StepKind::SharedLoad)->machine.wavefronts, 0u);
  // None: the loop is not entered.
  const AccessComparison none = makeComparison("grid_stride", {"f32:hash:128", "f32:zero:128", "u32=0"});
  EXPECT_TRUE(changesIn(none).empty());
  EXPECT_SAYS(find(none, 24, StepKind::SharedStore)->words);
}

TEST(SassExplain, AtomicsOnOneAddressAreMadeOnePerWarp) {
  const AccessComparison comparison = makeComparison("count", {"i32:zero:4"});
  EXPECT_EQ(changesIn(comparison),
            std::vector<std::string>{"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum 128 4 31"});
  EXPECT_EQ(comparison.lines.front().fate, AccessFate::Aggregated);
}

TEST(SassExplain, AdjacentWordsAreMerged) {
  const AccessComparison comparison = makeComparison("pairs", {"f32:zero:64"});
  EXPECT_SAYS(find(comparison, 40, StepKind::SharedLoad)->words);
  EXPECT_SAYS(find(comparison, 37, StepKind::SharedStore)->words);
  // 4-byte accesses of stride 2 take two wavefronts each; an 8-byte access takes one per half-warp.
  EXPECT_EQ(changesIn(comparison)[0], "memory_l1_wavefronts_shared 32 16 37,40");
}

TEST(SassExplain, WhatIsNotNeededIsGone) {
  const AccessComparison comparison = makeComparison("unused", {"f32:hash:128", "f32:zero:64"});
  EXPECT_SAYS(find(comparison, 48, StepKind::GlobalLoad)->words);
  EXPECT_EQ(changesIn(comparison)[0], "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum 12 4 48,49");
  const AccessComparison twice = makeComparison("twice", {"f32:hash:64", "f32:zero:64"});
  EXPECT_SAYS(twice.lines.front().words);
  EXPECT_EQ(changesIn(twice)[0], "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum 8 4 44");
}

TEST(SassExplain, UnrolledLoopsAndPlainTextCountTheSame) {
  const AccessComparison unrolled = makeComparison("four_times", {"f32:hash:256", "f32:zero:64"});
  EXPECT_TRUE(changesIn(unrolled).empty());
  EXPECT_SAYS(unrolled.lines.front().words);
  EXPECT_TRUE(changesIn(makeComparison("scaled<3>", {"f32:hash:64", "f32:zero:64"})).empty());
}

// What an H200 counted of launches like these (ncu, CUDA 13.0) is what is expected of the machine code.
TEST(SassExplain, BothSidesOfABranchLoadTogether) {
  const AccessComparison comparison = makeComparison("both_sides", {"f32:hash:64", "f32:zero:64"});
  EXPECT_EQ(changesIn(comparison)[0], "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum 8 4 67,69,71");
  EXPECT_EQ(changesIn(comparison)[1], "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum 32 16 67,69,71");
  EXPECT_SAYS(find(comparison, 67, StepKind::GlobalLoad)->words);
}

TEST(SassExplain, ALoadBeforeALoopIsMadeOnceInSpiteOfItsBarriers) {
  const AccessComparison comparison =
      makeComparison("before_the_loop", {"f32:hash:64", "f32:zero:64", "u32=7"});
  EXPECT_EQ(changesIn(comparison)[0], "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum 28 4 78,79");
  EXPECT_SAYS(find(comparison, 79, StepKind::GlobalLoad)->words);
}

TEST(SassExplain, SuccessiveIterationsAreMerged) {
  const AccessComparison comparison = makeComparison("row_sums", {"f32:zero:64"});
  EXPECT_EQ(
      changesIn(comparison),
      (std::vector<std::string>{"memory_l1_wavefronts_shared 80 32 92",
                                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum 64 16 92"}));
  EXPECT_EQ(find(comparison, 92, StepKind::SharedLoad)->fate, AccessFate::Merged);
}

TEST(SassExplain, OfALoopsLoadsOneIsMadeOnce) {
  const AccessComparison comparison = makeComparison("accumulate", {"f32:hash:512", "f32:zero:64", "u32=8"});
  EXPECT_EQ(changesIn(comparison)[0], "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum 64 36 97");
  EXPECT_EQ(changesIn(comparison)[1], "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum 32 4 97");
}

TEST(SassExplain, PartsOfWideValuesAreLoadedByThemselves) {
  const AccessComparison fields = makeComparison("two_fields", {"f32x4:hash:256", "f32:zero:64"});
  EXPECT_EQ(changesIn(fields)[0], "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum 4 8 101");
  EXPECT_EQ(changesIn(fields)[1], "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum 64 128 101");
  EXPECT_EQ(changesIn(makeComparison("wide_shuffle", {"f64:hash:64", "f64:zero:64"})),
            std::vector<std::string>{"sass__inst_executed_per_opcode.SHFL 4 8 117"});
}

TEST(SassExplain, CodeWithoutBranchesMakesEachAccessOnce) {
  const AccessComparison comparison = makeComparison("rounds", {"f32:hash:64", "f32:zero:64"});
  EXPECT_EQ(
      changesIn(comparison),
      (std::vector<std::string>{"memory_l1_wavefronts_shared 128 8 109,111",
                                "memory_l1_wavefronts_shared_ideal 128 8 109,111",
                                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum 64 4 111",
                                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum 64 4 109"}));
}

TEST(SassExplain, ALoopOfOneWarpIsCounted) {
  const AccessComparison comparison = makeComparison("add_shared", {"f32:hash:64", "f32:zero:64"});
  EXPECT_SAYS(find(comparison, 124, StepKind::SharedAtomic)->words);
  EXPECT_EQ(find(comparison, 124, StepKind::SharedLoad)->fate, AccessFate::Added);
  EXPECT_TRUE(changesIn(comparison).empty());
  for (const CounterChange& counter : comparison.counters) EXPECT_TRUE(counter.isClear) << counter.name;
}

TEST(SassExplain, WhatDoesNotFollowFromTheTextIsNotClear) {
  const AccessComparison comparison = makeComparison("add_among_warps", {"f32:hash:64", "f32:zero:64"});
  EXPECT_EQ(find(comparison, 133, StepKind::SharedAtomic)->fate, AccessFate::Unclear);
  EXPECT_SAYS(find(comparison, 133, StepKind::SharedAtomic)->words);
  for (const CounterChange& counter : comparison.counters) {
    const bool isLoop =
        counter.name.find("shared") != std::string::npos && counter.name.find("op_st") == std::string::npos;
    EXPECT_EQ(counter.isClear, !isLoop) << counter.name;
  }
}

TEST(SassExplain, OfALargeLaunchTheFirstBlocksAreTaken) {
  Launch launch = launchOfCase("scaled<3>", {"f32:hash:64", "f32:zero:64"});
  launch.grid.x = 1000;
  const auto report = observeAccesses(launch, {}, 10);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->blocks, 3u);  // four accesses each
  EXPECT_EQ(report->simulation.counters.globalLoadRequests, 6u);
}

TEST(SassExplain, AFaultIsSaid) {
  const auto comparison =
      compareAccesses(launchOfCase("scaled<3>", {"f32:hash:32", "f32:zero:64"}), codeOfKernel("scaled<3>"));
  ASSERT_FALSE(comparison);
  EXPECT_SAYS(comparison.error().message);
}

TEST(SassExplain, ARealToolkitGivesTheSame) {
  const Toolkit toolkit = findToolkit();
  if (!toolkit.nvcc || !toolkit.nvdisasm) GTEST_SKIP() << "no CUDA Toolkit with nvdisasm on this machine";
  const auto code = disassemble({readAll(kCases), "scaled<3>"}, toolkit, [](double) { return true; });
  ASSERT_TRUE(code) << code.error().sentence();
  const auto comparison = compareAccesses(launchOfCase("scaled<3>", {"f32:hash:64", "f32:zero:64"}), *code);
  ASSERT_TRUE(comparison) << comparison.error().sentence();
  EXPECT_TRUE(changesIn(*comparison).empty());
  EXPECT_EQ(find(*comparison, 61, StepKind::GlobalLoad)->instructions, std::vector<std::string>{"LDG.E"});
}

/// The counts that follow from the machine code for one block are those of each block on an H200.
TEST(SassExplain, WhatWasRecordedFollowsFromTheRecordedMachineCode) {
  const auto recording = loadProfiles(LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200_profile.jsonl");
  ASSERT_TRUE(recording) << recording.error().sentence();
  int compared = 0;
  std::vector<std::string> unclear;
  for (const LaunchProfile& profile : recording->profiles) {
    const Strategy& strategy = *findStrategy(profile.kernel.strategy);
    const std::uint64_t blocks = std::uint64_t{profile.kernel.grid[0]} * profile.kernel.grid[1];
    if (strategy.stridesGrid) continue;  // blocks of those do not all do the same
    SCOPED_TRACE(profile.kernel.strategy);
    const auto launch = makeLaunch(strategy, profile.kernel.n / blocks, 1, machinePresets()[0]);
    ASSERT_TRUE(launch) << launch.error().sentence();
    const auto comparison = compareAccesses(*launch, *readMachineCode(profile, "recorded"));
    ASSERT_TRUE(comparison) << comparison.error().sentence();
    ProfileCounts counted;
    for (const ProfileInstruction& one : profile.instructions) {
      counted.sharedWavefronts += one.counts.sharedWavefronts;
      counted.sharedIdealWavefronts += one.counts.sharedIdealWavefronts;
      const auto access = parseAccess(one.sass);
      // The source page counts each sector of an atomic once.
      if (access && access->kind != StepKind::GlobalAtomic) counted.globalSectors += one.counts.globalSectors;
    }
    AccessCost cost;
    bool isClear = true;
    for (const LineAccesses& line : comparison->lines) {
      if (line.kind != StepKind::GlobalAtomic) cost += line.machine;
      isClear = isClear && line.fate != AccessFate::Unclear;
    }
    EXPECT_EQ(cost.sectors * blocks, counted.globalSectors);
    if (!isClear) {
      unclear.push_back(profile.kernel.strategy);
      continue;
    }
    EXPECT_EQ(cost.wavefronts * blocks, counted.sharedWavefronts);
    EXPECT_EQ(cost.ideal * blocks, counted.sharedIdealWavefronts);
    ++compared;
  }
  EXPECT_GE(compared, 30);
  EXPECT_TRUE(unclear.empty()) << fmt::format("{}", fmt::join(unclear, ", "));
}

/// Of kernels as courses have them, every counter is that of the machine code.
TEST(SassExplain, EveryCounterOfATypicalLaunchFollowsFromItsMachineCode) {
  const auto recording = loadProfiles(LANESCOPE_SOURCE_DIR "/sim/tests/data/h200-typical-code.jsonl");
  ASSERT_TRUE(recording) << recording.error().sentence();
  const auto lines = testing::dataLines("h200-typical.jsonl");
  ASSERT_EQ(recording->profiles.size(), lines.size());
  int changed = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    SCOPED_TRACE(lines[i].dump());
    const auto comparison = compareAccesses(testing::launchOfLine(lines[i]),
                                            *readMachineCode(recording->profiles[i], "recorded"));
    ASSERT_TRUE(comparison) << comparison.error().sentence();
    for (const CounterChange& counter : comparison->counters) {
      EXPECT_TRUE(counter.isClear) << counter.name;
      EXPECT_EQ(counter.machine, lines[i]["expect"].value(counter.name, counter.machine)) << counter.name;
    }
    changed += changesIn(*comparison).empty() ? 0 : 1;
  }
  EXPECT_EQ(changed, 24);
}

TEST(SassExplain, AnAccessOfAHeaderIsOfTheLineThatCallsIt) {
  MachineCode code{"twice", {}, "", false, true, {}};
  for (const char* sass :
       {"LDG.E R3, desc[UR6][R2.64]", "REDG.E.ADD.STRONG.GPU desc[UR6][R4.64], R3", "EXIT"})
    code.instructions.push_back({0, static_cast<std::uint32_t>(16 * code.instructions.size()), sass});
  code.instructions[0].line = code.instructions[2].line = 2;
  const auto makeComparison = [&](const std::string& text) {
    Launch launch = testing::launchText(text, 64, {"i32:hash:64", "i32:zero:64"});
    return compareAccesses(launch, code);
  };
  const auto one = makeComparison(
      "__global__ void twice(const int* in, int* out) {\n  int x = in[threadIdx.x];\n"
      "  atomicAdd(out + threadIdx.x, x);\n}\n");
  ASSERT_TRUE(one) << one.error().sentence();
  EXPECT_EQ(find(*one, 3, StepKind::GlobalAtomic)->fate, AccessFate::AsWritten);
  EXPECT_TRUE(changesIn(*one).empty());
  const auto two = makeComparison(
      "__global__ void twice(const int* in, int* out) {\n  int x = in[threadIdx.x];\n"
      "  atomicAdd(out + threadIdx.x, x);\n  atomicAdd(out + threadIdx.x, 1);\n}\n");
  ASSERT_TRUE(two) << two.error().sentence();
  EXPECT_EQ(find(*two, 3, StepKind::GlobalAtomic)->fate, AccessFate::Unclear);
  EXPECT_EQ(find(*two, 4, StepKind::GlobalAtomic)->fate, AccessFate::Unclear);
  const auto change = std::ranges::find(two->counters, false, &CounterChange::isClear);
  ASSERT_NE(change, two->counters.end());
  EXPECT_EQ(change->lines, (std::vector<std::uint32_t>{3, 4}));
}

// Counted by an H200 as well, of a convolution with its weights in constant memory.
TEST(SassExplain, ConstantsAreNotLoadedFromGlobalMemory) {
  MachineCode code{"sum", {}, "", false, true, {}};
  for (const char* sass :
       {"LDC R5, c[0x3][RZ]", "LDG.E R3, desc[UR6][R2.64]", "STG.E desc[UR6][R4.64], R3", "EXIT"})
    code.instructions.push_back({3, static_cast<std::uint32_t>(16 * code.instructions.size()), sass});
  code.instructions[2].line = 4;
  const Launch launch = testing::launchText(
      "__constant__ float weight[1] = {2};\n"
      "__global__ void sum(const float* in, float* out) {\n  float x = in[threadIdx.x] + weight[0];\n"
      "  out[threadIdx.x] = x;\n}\n",
      64, {"f32:hash:64", "f32:zero:64"});
  const auto comparison = compareAccesses(launch, code);
  ASSERT_TRUE(comparison) << comparison.error().sentence();
  EXPECT_EQ(changesIn(*comparison), std::vector<std::string>{});
  ASSERT_EQ(comparison->lines.size(), 2u);
  EXPECT_EQ(find(*comparison, 3, StepKind::GlobalLoad)->fate, AccessFate::AsWritten);
  EXPECT_EQ(find(*comparison, 3, StepKind::GlobalLoad)->inText, 1u);
}

/// What an atomicCAS loop of a text that adds 1 to out[0] compiles to.
MachineCode swapLoopCode() {
  MachineCode code{"k", {}, "", false, true, {}};
  const std::vector<std::pair<std::uint32_t, const char*>> lines = {
      {2, "LDC.64 R2, c[0x0][0x218]"},
      {2, "LDG.E R5, desc[UR4][R2.64]"},
      {5, "MOV R8, R5"},
      {6, "IADD3 R9, R8, 0x1, RZ"},
      {6, "ATOMG.E.CAS.STRONG.GPU PT, R5, [R2], R8, R9"},
      {7, "ISETP.NE.AND P0, PT, R5, R8, PT"},
      {7, "@P0 BRA 0x20"},
      {8, "EXIT"}};
  for (const auto& [line, sass] : lines)
    code.instructions.push_back({line, static_cast<std::uint32_t>(16 * code.instructions.size()), sass});
  code.instructions[6].target = 0x20;
  return code;
}

/// Of so many blocks of `threads` threads.
AccessComparison swapLoop(const std::string& place, std::uint32_t threads, std::uint32_t blocks) {
  Launch launch =
      testing::launchText("__global__ void k(const int* in, int* out) {\n  int old = out[" + place +
                              "];\n  int seen;\n  do {\n    seen = old;\n    old = atomicCAS(out + " + place +
                              ", seen, seen + 1);\n  } while (old != seen);\n}\n",
                          threads, {"i32:iota:64", "i32:zero:64"});
  launch.grid.x = blocks;
  const auto comparison = compareAccesses(launch, swapLoopCode());
  EXPECT_TRUE(comparison) << (comparison ? "" : comparison.error().sentence());
  return comparison ? *comparison : AccessComparison{};
}

TEST(SassExplain, HowOftenALoopOverCompareAndSwapRunsIsClearForOneWarpAlone) {
  const AccessComparison alone = swapLoop("0", 32, 1);
  EXPECT_EQ(alone.notExecuted, "");
  EXPECT_NE(find(alone, 6, StepKind::GlobalAtomic)->fate, AccessFate::Unclear);
  EXPECT_TRUE(std::ranges::all_of(alone.counters, &CounterChange::isClear));
  // Another warp of the block, or of another block.
  for (const AccessComparison& several : {swapLoop("0", 64, 1), swapLoop("0", 32, 2)}) {
    EXPECT_EQ(several.notExecuted, "");
    const LineAccesses* const swap = find(several, 6, StepKind::GlobalAtomic);
    EXPECT_EQ(swap->fate, AccessFate::Unclear);
    EXPECT_SAYS(swap->words);
    for (const CounterChange& counter : several.counters)
      EXPECT_EQ(counter.isClear, counter.name != "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum")
          << counter.name;
    EXPECT_NE(find(several, 2, StepKind::GlobalLoad)->fate, AccessFate::Unclear);
  }
  // Each warp has a word of its own. (The machine code does not: its line is judged by the text.)
  EXPECT_NE(find(swapLoop("threadIdx.x / 32", 64, 1), 6, StepKind::GlobalAtomic)->fate, AccessFate::Unclear);
}

TEST(SassExplain, ALoopThatDoesNotWaitForItsSwapsRunsAsOftenAsItSays) {
  const auto findFate = [](const std::string& body) {
    MachineCode code{"k", {}, "", false, true, {}};
    for (const char* sass : {"ATOMG.E.CAS.STRONG.GPU PT, R5, [R2], R8, R9", "EXIT"})
      code.instructions.push_back({2, static_cast<std::uint32_t>(16 * code.instructions.size()), sass});
    const auto comparison = compareAccesses(
        testing::launchText("__global__ void k(int* out) {\n  " + body + "\n}\n", 64, {"i32:zero:64"}), code);
    EXPECT_TRUE(comparison);
    return find(*comparison, 2, StepKind::GlobalAtomic)->fate;
  };
  EXPECT_NE(findFate("for (int i = 0; i < 4; ++i) atomicCAS(out + i, 0, 1);"), AccessFate::Unclear);
  EXPECT_NE(findFate("if (atomicCAS(out, 0, 1) == 0) out[1] = 2;"), AccessFate::Unclear);
  EXPECT_EQ(findFate("int i = 0; while (atomicCAS(out + i, 0, 1) != 0) ++i;"), AccessFate::Unclear);
  EXPECT_EQ(findFate("for (int i = 0; i < 64; ++i) { if (atomicCAS(out + i, 0, 1) == 0) break; }"),
            AccessFate::Unclear);
}

/// With a real toolkit: every counter that an H200 gave is that of the machine code.
TEST(SweepSassExplain, EveryRecordedCounterIsThatOfTheMachineCode) {
  const Toolkit toolkit = findToolkit();
  if (!toolkit.nvcc || !toolkit.nvdisasm) GTEST_SKIP() << "no CUDA Toolkit with nvdisasm on this machine";
  std::map<std::string, MachineCode> codes;
  int changed = 0;
  for (const auto& line : testing::dataLines("h200-counters.jsonl")) {
    const Launch launch = testing::launchOfLine(line);
    SCOPED_TRACE(line.dump());
    if (!codes.contains(launch.kernel)) {
      auto code = disassemble({std::string(launch.source->text()), launch.kernel}, toolkit,
                              [](double) { return true; });
      ASSERT_TRUE(code) << code.error().sentence();
      codes[launch.kernel] = std::move(code).value();
    }
    const auto comparison = compareAccesses(launch, codes[launch.kernel]);
    ASSERT_TRUE(comparison) << comparison.error().sentence();
    for (const CounterChange& counter : comparison->counters) {
      if (!line["expect"].contains(counter.name)) continue;
      EXPECT_EQ(counter.machine, line["expect"][counter.name].get<std::uint64_t>()) << counter.name;
    }
    changed += changesIn(*comparison).empty() ? 0 : 1;
  }
  EXPECT_EQ(changed, 6) << "the last warp without volatile, and the sum of several elements";
}

}  // namespace
}  // namespace lanescope
