// Machine code executed register by register: what an H200 counted of 81 launches and an H100 of 15 more, and
// what cannot be executed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/analysis/profiles.h"
#include "app/workbench/tests/compiled_code.h"
#include "sim/memory/device_memory.h"
#include "sim/sass/access_changes.h"
#include "sim/sass/machine_run.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/recorded_launches.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostIssued = 1'000'000;

MachineCode machineCodeFor(const std::vector<const char*>& instructions) {
  MachineCode code{"k", {}, "", false, true, {}};
  for (const char* sass : instructions)
    code.instructions.push_back({2, static_cast<std::uint32_t>(16 * code.instructions.size()), sass});
  return code;
}

/// The run of a kernel with two buffers of 64 integers.
Result<MachineRun> makeRun(const std::vector<const char*>& instructions) {
  const Launch launch = testing::launchText(
      "__global__ void k(const int* in, int* out) {\n  out[threadIdx.x] = in[threadIdx.x];\n}\n", 64,
      {"i32:iota:64", "i32:zero:64"});
  return runMachineCode(launch, machineCodeFor(instructions), 1, kMostIssued);
}

TEST(MachineRun, ALaunchCountsAndLeavesWhatItDidOnTheGpu) {
  const auto lines = testing::dataLines("h200-compiled.jsonl");
  ASSERT_EQ(lines.size(), 81u);
  int changed = 0;
  for (const auto& line : lines) {
    SCOPED_TRACE(line.dump());
    const Launch launch = testing::launchOfLine(line);
    const MachineCode code = testing::compiledCode(launch.kernel);
    const auto run = runMachineCode(launch, code, UINT64_MAX, kMostIssued);
    ASSERT_TRUE(run) << run.error().sentence();
    std::uint64_t issued = 0;
    for (const InstructionRun& one : run->instructions) issued += one.issued;
    EXPECT_EQ(issued, line["issued"].get<std::uint64_t>());
    if (line.contains("buffers_fnv1a")) {  // otherwise it depends on the order of warps
      for (std::size_t b = 0; b < line["buffers_fnv1a"].size(); ++b)
        EXPECT_EQ(fmt::format("{:016x}", fnv1a(run->buffers[b])),
                  line["buffers_fnv1a"][b].get<std::string>());
    }
    const auto comparison = compareAccesses(launch, code);
    ASSERT_TRUE(comparison) << comparison.error().sentence();
    EXPECT_EQ(comparison->notExecuted, "");
    bool isChanged = false;
    for (const CounterChange& counter : comparison->counters) {
      EXPECT_TRUE(counter.isClear) << counter.name;
      EXPECT_EQ(counter.machine, line["expect"][counter.name].get<std::uint64_t>()) << counter.name;
      EXPECT_EQ(counter.text != counter.machine, !counter.lines.empty()) << counter.name;
      isChanged = isChanged || counter.text != counter.machine;
    }
    for (const LineAccesses& one : comparison->lines) {
      EXPECT_NE(one.fate, AccessFate::Unclear) << one.line;
      EXPECT_TRUE(one.text == one.machine || !one.words.empty()) << one.line;
    }
    changed += isChanged ? 1 : 0;
  }
  EXPECT_EQ(changed, 32);
}

/// The code and the counts are those of the GPU: each instruction was issued as often, but for one.
TEST(MachineRun, EachInstructionOfAProgramsKernelIsIssuedAsOftenAsOnTheGpu) {
  const auto recording = loadProfiles(LANESCOPE_SOURCE_DIR "/sim/tests/data/h100-programs-code.jsonl");
  ASSERT_TRUE(recording) << recording.error().sentence();
  const auto lines = testing::dataLines("h100-programs.jsonl");
  ASSERT_EQ(recording->profiles.size(), lines.size());
  constexpr std::uint64_t kMost = 10'000'000;
  int others = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    SCOPED_TRACE(lines[i].dump());
    const LaunchProfile& profile = recording->profiles[i];
    const auto run = runMachineCode(testing::launchOfLine(lines[i]), *readMachineCode(profile, "recorded"),
                                    UINT64_MAX, kMost);
    ASSERT_TRUE(run) << run.error().sentence();
    ASSERT_EQ(run->instructions.size(), profile.instructions.size());
    for (std::size_t at = 0; at < profile.instructions.size(); ++at) {
      const ProfileInstruction& there = profile.instructions[at];
      const InstructionRun& here = run->instructions[at];
      EXPECT_EQ(here.cost.wavefronts, there.counts.sharedWavefronts) << there.sass;
      if (here.issued == there.counts.executed) continue;
      // Lanes that leave a loop in many iterations: the GPU lets a few arrive at its end together.
      EXPECT_TRUE(there.sass.starts_with("BSYNC")) << there.sass;
      EXPECT_NEAR(static_cast<double>(here.issued) / static_cast<double>(there.counts.executed), 1, 0.003);
      ++others;
    }
  }
  EXPECT_EQ(others, 2);
}

TEST(MachineRun, WhatCannotBeExecutedIsSaid) {
  const auto why = [](const std::vector<const char*>& instructions) {
    const auto run = makeRun(instructions);
    return run ? std::string() : run.error().message;
  };
  EXPECT_EQ(why({"EXIT"}), "");
  EXPECT_SAYS(why({}));
  EXPECT_SAYS(why({"S2R R0, SR_TID.X"}));
  EXPECT_SAYS(why({"HMMA.16816.F32 R4, R8, R2, R4", "EXIT"}));
  EXPECT_SAYS(why({"BRA 0x50"}));
  EXPECT_SAYS(why({"LDC R1, c[0x3][0x0]", "EXIT"}));
  EXPECT_SAYS(why({"MOV R2, 0x8", "LDG.E R4, [R2.64]", "EXIT"}));
  // Forms that no compiler writes must do no harm.
  for (const char* sass : {"IADD3",
                           "IADD3 R1",
                           "LDS R4",
                           "LDS.128 R253, [R1]",
                           "STS.128 [R1], R254",
                           "STS [R1]",
                           "BSYNC R200",
                           "BSSY",
                           "SHFL.IDX",
                           "VOTE",
                           "PLOP3.LUT P0",
                           "RET.REL.NODEC",
                           "FSEL R1",
                           "IMAD.WIDE R2, R0",
                           "ATOMS.ADD",
                           "ATOMS.CAS.64 R254, [R1], R2",
                           "P2R",
                           "FCHK R1, R2",
                           "LEA.HI R1, R2",
                           "@P9 MOV R1, R2",
                           "@",
                           "",
                           "R2P PR",
                           "MUFU.RCP",
                           "F2F.F64.F32 R254",
                           "LDC.U8 R1, c[0x0][",
                           "B2R.RESULT",
                           "MATCH.ANY",
                           "WARPSYNC",
                           "BREAK P0"})
    EXPECT_NE(why({sass}), "") << sass;
}

TEST(MachineRun, ALoopWithoutEndEnds) {
  MachineCode code = machineCodeFor({"BRA 0x0"});
  code.instructions[0].target = 0;
  const Launch launch = testing::launchText(
      "__global__ void k(const int* in, int* out) {\n  out[threadIdx.x] = in[threadIdx.x];\n}\n", 64,
      {"i32:iota:64", "i32:zero:64"});
  const auto run = runMachineCode(launch, code, 1, kMostIssued);
  ASSERT_FALSE(run);
  EXPECT_SAYS(run.error().message);
}

TEST(MachineRun, CodeOfAnUnknownArchitectureIsNotExecuted) {
  MachineCode code = machineCodeFor({"EXIT"});
  code.architecture = "sm_120";
  const Launch launch = testing::launchText(
      "__global__ void k(const int* in, int* out) {\n  out[threadIdx.x] = in[threadIdx.x];\n}\n", 64,
      {"i32:iota:64", "i32:zero:64"});
  EXPECT_FALSE(runMachineCode(launch, code, 1, kMostIssued));
  const auto comparison = compareAccesses(launch, code);
  ASSERT_TRUE(comparison) << comparison.error().sentence();
  EXPECT_SAYS(comparison->notExecuted);
}

}  // namespace
}  // namespace lanescope
