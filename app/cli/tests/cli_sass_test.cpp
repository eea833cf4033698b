// lanescope-cli sass: with a toolkit of scripts, from a recording, and what it refuses.
#include <fmt/format.h>

#include <filesystem>

#include "app/analysis/toolkit.h"
#include "app/cli/tests/run_cli.h"
#include "app/workbench/tests/fake_toolkit.h"
#include "kernels/protocol/nvrtc.h"
#include "kernels/protocol/protocol.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/json.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

constexpr const char* kCases = LANESCOPE_SOURCE_DIR "/app/workbench/tests/sass_cases.cu";

/// With a CUDA_HOME whose nvdisasm prints recorded machine code.
struct FakeHome : lanescope::testing::FakeToolkit {
  explicit FakeHome(const std::string& nvcc = "echo made > \"$cubin\"")
      : FakeToolkit(readAll(LANESCOPE_SOURCE_DIR "/app/workbench/tests/sass_cases.txt"), nvcc) {}
  Outcome run(const std::string& arguments) const {
    return runShell("CUDA_HOME='" + home() + "' " LANESCOPE_CLI " sass " + arguments);
  }
};

const std::string kLastWarp =
    std::string(kCases) +
    " --kernel last_warp --grid 2 --block 64 --dynamic-shared 256 --arg f32:hash:128 --arg f32:zero:64 ";

TEST(CliSass, PrintsMachineCodeByLineWithoutALaunch) {
  const Outcome text = FakeHome().run(std::string(kCases) + " --kernel count");
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_SAYS(text.output);
  EXPECT_NE(text.output.find("   31 atomicAdd(out, 1);"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("@P0 REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5\n"), std::string::npos)
      << text.output;
}

TEST(CliSass, ExplainsCountersByTheMachineCode) {
  const Outcome text = FakeHome().run(kLastWarp + "--explain");
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_SAYS(text.output);
  const Outcome plain = FakeHome().run(
      std::string(kCases) + " --kernel four_times --block 64 --arg f32:hash:256 --arg f32:zero:64 --explain");
  EXPECT_SAYS(plain.output);
}

TEST(CliSass, ComparesWithMeasuredCounters) {
  const ScratchFolder scratch;
  const std::string measured =
      scratch.write("counters.json",
                    "{\"kernel\":\"other\",\"expect\":{\"memory_l1_wavefronts_shared\":1}}\n"
                    "{\"kernel\":\"last_warp\",\"expect\":{\"memory_l1_wavefronts_shared\":22,"
                    "\"sass__inst_executed_per_opcode.BAR\":4,\"smsp__sass_l1tex_data_pipe_lsu_wavefronts_"
                    "mem_shared_op_ld.sum\":26,"
                    "\"memory_l1_wavefronts_shared_ideal\":7}}\n");
  const Outcome text = FakeHome().run(kLastWarp + "--explain --measured " + measured);
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_SAYS(text.output);
  const std::string printed = scratch.write(
      "printed.json", R"({"type":"hello","sms":132,"l2Bytes":62914560})"
                      "\n"
                      R"({"type":"counters","run":1,"counters":{"memory_l1_wavefronts_shared":22}})"
                      "\n");
  EXPECT_NE(
      FakeHome().run(kLastWarp + "--explain --measured " + printed).output.find("hardware 22 (explained"),
      std::string::npos)
      << "as lanescope-gpu counters prints them";
  const Outcome none =
      FakeHome().run(kLastWarp + "--explain --measured " + scratch.write("none.json", "{}\n[1\n"));
  EXPECT_EQ(none.status, 2);
  EXPECT_SAYS(none.complaint);
  EXPECT_EQ(FakeHome().run(kLastWarp + "--measured x").status, 2) << "it needs --explain";
}

TEST(CliSass, PrintsJson) {
  const Outcome outcome = FakeHome().run(kLastWarp + "--explain --json");
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto json = parseJson(outcome.output);
  EXPECT_EQ(json["schema"], "lanescope.sass/1");
  EXPECT_EQ(json["architecture"], "sm_90");
  EXPECT_EQ(json["instructions"][0]["sass"], "LDC R1, c[0x0][0x28]");
  EXPECT_EQ(json["comparison"]["grid_blocks"], 2);
  EXPECT_EQ(json["comparison"]["counters"][0]["text"], 42);
  EXPECT_EQ(json["comparison"]["counters"][0]["machine"], 22);
  bool isKept = false;
  for (const auto& access : json["comparison"]["accesses"])
    isKept = isKept || access["fate"] == "in_register";
  EXPECT_TRUE(isKept);
}

TEST(CliSass, SaysWhatIsWrongInOneSentence) {
  const FakeHome refusing("echo \"$text(3): error: identifier \\\"x\\\" is undefined\"; exit 2");
  const Outcome refused = refusing.run(std::string(kCases) + " --kernel count");
  EXPECT_EQ(refused.status, 1);
  EXPECT_SAYS(refused.complaint);
  const Outcome architecture = FakeHome().run("baseline --arch hopper");
  EXPECT_EQ(architecture.status, 2);
  EXPECT_SAYS(architecture.complaint);
  const Outcome noKernel = FakeHome().run(kCases);
  EXPECT_EQ(noKernel.status, 2);
  EXPECT_SAYS(noKernel.complaint);
  const Outcome absent = FakeHome().run(std::string(kCases) + " --kernel absent");
  EXPECT_EQ(absent.status, 1);
  EXPECT_SAYS(absent.complaint);
  const Outcome noFile = FakeHome().run("no_such_strategy");
  EXPECT_EQ(noFile.status, 2);
  EXPECT_SAYS(noFile.complaint);
  const Outcome noLaunch = FakeHome().run(std::string(kCases) + " --kernel count --explain");
  EXPECT_EQ(noLaunch.status, 2);
  EXPECT_SAYS(noLaunch.complaint);
}

TEST(CliSass, WithoutAToolkitGivesRecordedCodeOfTheArchitectureAskedFor) {
  const Toolkit toolkit = findToolkit();
  if (toolkit.nvdisasm || toolkit.cuobjdump) GTEST_SKIP() << "this machine has a disassembler";
  const Outcome same = runCli({"sass", "baseline", "--arch", "sm_90"});
  EXPECT_EQ(same.status, 0) << same.complaint;
  const Outcome other = runCli({"sass", "baseline", "--arch", "sm_80"});
  EXPECT_EQ(other.status, 1) << other.output;
  EXPECT_SAYS(other.complaint);
}

TEST(CliSass, CompilesWithNvrtcInAProcessOfItsOwn) {
  if (!Nvrtc::load()) GTEST_SKIP() << "no NVRTC on this machine";
  const ScratchFolder scratch;
  const std::string cubin = (scratch.path() / "a.cubin").string();
  const Outcome made = runCli({"compile-cubin", kCases, cubin, "--kernel", "scaled<3>", "--arch", "sm_90"});
  ASSERT_EQ(made.status, 0) << made.complaint;
  EXPECT_TRUE(made.output.starts_with("NVRTC ")) << made.output;
  EXPECT_TRUE(
      readAll(cubin).starts_with("\x7f"
                                 "ELF"));
  std::filesystem::remove(cubin);
  const std::string wrong = scratch.write("wrong.cu", "__global__ void k(float* a) {\n  a[0] = b;\n}\n");
  const Outcome refused = runCli({"compile-cubin", wrong, cubin, "--kernel", "k", "--arch", "sm_90"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.output.find(wrong + "(2): error: identifier \"b\" is undefined\n"), std::string::npos)
      << refused.output;
  EXPECT_FALSE(std::filesystem::exists(cubin));
}

TEST(CliSass, ExplainsOnlyTheInstanceOfATemplateThatWasRecorded) {
  const std::string shipped = LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200_profile.jsonl";
  const auto awaitOutcome = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"sass", "completely-unrolled", "--recording", shipped});
    return runCli(more);
  };
  EXPECT_EQ(awaitOutcome({}).status, 0);
  const Outcome same = awaitOutcome({"--explain", "--n", "512"});
  EXPECT_EQ(same.status, 0) << same.complaint;
  EXPECT_NE(same.output.find(" 64 bits."), std::string::npos) << same.output;
  const Outcome other = awaitOutcome({"--explain"});
  EXPECT_EQ(other.status, 1);
  EXPECT_SAYS(other.complaint);
}

TEST(CliSass, PrintsTheMachineCodeOfARecording) {
  const ScratchFolder scratch;
  const Strategy& strategy = *findStrategy("vector-add");
  const std::string path = scratch.write(
      "profile.jsonl",
      R"({"type":"hello","protocol":"lanescope.worker/1","worker":"0.1.0","gpu":"A GPU","computeCapability":"9.0",)"
      R"("driver":"","cudaDriver":"13.0","cudaRuntime":"13.0","sms":132,"l2Bytes":1,"memoryBytes":1,)"
      R"("theoreticalGBps":1,"date":"2026-11-23"})"
      "\n"
      R"({"type":"profile","run":1,"strategy":"vector-add","n":64,"kernel":"vector_add","tool":"t",)"
      R"("grid":[1,1,1],"block":[64,1,1],"text":")" +
          fmt::format("{:016x}", hashText(strategy.source)) +
          R"(","metrics":{},"opcodes":{}})"
          "\n"
          R"({"type":"profile-instructions","run":1,"instructions":[{"line":4,"sass":"LDG.E R2, desc[UR4][R2.64]",)"
          R"("inst_executed":2}]})"
          "\n");
  const Outcome text = runCli({"sass", "vector-add", "--recording", path});
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_SAYS(text.output);
  EXPECT_NE(text.output.find("             2  LDG.E R2, desc[UR4][R2.64]\n"), std::string::npos)
      << text.output;
  // Only the file's kernel that was profiled has machine code.
  const std::string file = scratch.write("vector_add.cu", std::string(strategy.source));
  EXPECT_EQ(runCli({"sass", file, "--kernel", "vector_add", "--recording", path}).status, 0);
  EXPECT_EQ(runCli({"sass", file, "--kernel", "another", "--recording", path}).complaint,
            "No machine code of '" + file + "', kernel 'another', was recorded (A GPU, 2026-11-23).\n");
  const Outcome other = runCli({"sass", "baseline", "--recording", path});
  EXPECT_EQ(other.status, 1);
  EXPECT_SAYS(other.complaint);
}

}  // namespace
}  // namespace lanescope::cli
