// Machine code per line: what disassemblers print, read; the tools, found and run; what they refuse.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/analysis/profiles.h"
#include "app/analysis/toolkit.h"
#include "app/workbench/tests/fake_toolkit.h"
#include "sim/sass/issue_slots.h"
#include "sim/sass/machine_code.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

// As nvdisasm -c -gi prints it.
constexpr const char* kListing =
    R"(	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90"
	.elftype	@"ET_EXEC"

//--------------------- .text._Z4treePKfPf          --------------------------
	.section	.text._Z4treePKfPf,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=10"
        .global         _Z4treePKfPf
_Z4treePKfPf:
.text._Z4treePKfPf:
	//## File "/tmp/a/lanescope_text.cu", line 2
	//## File ".nv_debug_ptx_txt", line 19
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_1:
	//## File "/tmp/a/lanescope_text.cu", line 4
        /*0010*/              @!P2 LDS.64 R4, [R7] ;
	//## File "/cuda/include/sm_20_atomic_functions.hpp", line 84 inlined at "/tmp/a/lanescope_text.cu", line 6
	//## File "/tmp/a/lanescope_text.cu", line 6
        /*0020*/                   RED.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5 ;
	//## File "/tmp/a/lanescope_text.cu", line 1 inlined at "/tmp/a/lanescope_text.cu", line 5
	//## File "/tmp/a/lanescope_text.cu", line 5
        /*0030*/               @P0 BRA `(.L_x_1) ;
	//## File "/cuda/include/other.hpp", line 9
        /*0040*/                   EXIT ;
.L_x_2:
        /*0050*/                   BRA `(.L_x_2);
.L_x_3:


//--------------------- .text._Z3sumILj64EEvPf      --------------------------
.text._Z3sumILj64EEvPf:
        /*0000*/                   EXIT ;
)";

TEST(Disassembly, LinesAreTheInnermostOfTheText) {
  const auto functions = parseDisassembly(kListing, "lanescope_text.cu");
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].symbol, "_Z4treePKfPf");
  std::vector<std::uint32_t> lines;
  std::string loops;
  for (const MachineInstruction& one : functions[0].instructions) {
    lines.push_back(one.line);
    loops += one.isInLoop ? 'x' : '.';
  }
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{2, 4, 6, 1, 0, 0}));
  EXPECT_EQ(loops, ".xxx..");  // the branch to itself behind the end is no loop
  EXPECT_EQ(functions[0].instructions[1].sass, "@!P2 LDS.64 R4, [R7]");
  EXPECT_EQ(functions[0].instructions[3].address, 0x30u);
}

TEST(Disassembly, KernelsAreFoundByNameAndArguments) {
  const auto functions = parseDisassembly(kListing, "lanescope_text.cu");
  EXPECT_EQ(findKernel(functions, "tree"), &functions[0]);
  EXPECT_EQ(findKernel(functions, "sum<64>"), &functions[1]);
  EXPECT_EQ(findKernel(functions, "sum"), &functions[1]) << "there is one instance only";
  EXPECT_EQ(findKernel(functions, "absent"), nullptr);
  std::vector<DisassembledFunction> instances(2);
  instances[0] = {"_Z3sumILj64EEvPf", {}};
  instances[1] = {"_Z3sumILj128EEvPf", {}};
  EXPECT_EQ(findKernel(instances, "sum<128>"), &instances[1]);
  EXPECT_EQ(findKernel(instances, "sum"), nullptr);
  EXPECT_EQ(readableName("_Z15warp_block_gridIL8Operator0EEvPKfPfj"), "warp_block_grid<(Operator)0>");
  EXPECT_EQ(readableName("not_cpp"), "not_cpp");
}

TEST(Disassembly, CuobjdumpsFormIsReadWithoutLines) {
  const auto functions = parseDisassembly(
      "\n\tcode for sm_90\n\t\tFunction : _Z4treePKfPf\n\t.headerflags\t@\"EF_CUDA_SM90\"\n"
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;           /* 0x00000a00ff017b82 */\n"
      "                                                                     /* 0x000fe20000000800 */\n"
      "        /*0010*/               @P0 BRA 0x0 ;                        /* 0x00000a00ff017b82 */\n",
      "lanescope_text.cu");
  ASSERT_EQ(functions.size(), 1u);
  ASSERT_EQ(functions[0].instructions.size(), 2u);
  EXPECT_EQ(functions[0].instructions[1].sass, "@P0 BRA 0x0");
  EXPECT_TRUE(functions[0].instructions[0].isInLoop);
  EXPECT_EQ(functions[0].instructions[0].line, 0u);
}

TEST(Disassembly, OtherTextGivesNothing) {
  EXPECT_TRUE(parseDisassembly("", "a.cu").empty());
  EXPECT_TRUE(parseDisassembly("nvdisasm fatal: cannot open\n/*zz*/ ; \n.text.:\n//## File", "a.cu").empty());
  EXPECT_TRUE(
      parseDisassembly(".text.k:\n/*0010*/\n/*99999999999*/ EXIT ;\n//## File \"a.cu\", line 999999999999\n",
                       "a.cu")
          .empty());
}

TEST(MachineCode, AccessesAreReadFromOpcodes) {
  EXPECT_EQ(parseAccess("LDS R4, [R7+UR4]"), (MachineAccess{StepKind::SharedLoad, 4}));
  EXPECT_EQ(parseAccess("@!P2 STS.64 [R0], R4"), (MachineAccess{StepKind::SharedStore, 8, false, true}));
  EXPECT_EQ(parseAccess("LDG.E.128.CONSTANT R4, desc[UR4][R2.64]"),
            (MachineAccess{StepKind::GlobalLoad, 16}));
  EXPECT_EQ(parseAccess("STG.E.U8 desc[UR4][R2.64], R5"), (MachineAccess{StepKind::GlobalStore, 1}));
  EXPECT_EQ(parseAccess("@P0 REDG.E.ADD.STRONG.GPU desc[UR6][R4.64], R7"),
            (MachineAccess{StepKind::GlobalAtomic, 4, false, true}));
  EXPECT_EQ(parseAccess("ATOMG.E.ADD.STRONG.GPU PT, R5, desc[UR4][R2.64], R7"),
            (MachineAccess{StepKind::GlobalAtomic, 4, true}));
  EXPECT_EQ(parseAccess("ATOMS.POPC.INC.32 RZ, [R0+URZ]"), (MachineAccess{StepKind::SharedAtomic, 4}));
  EXPECT_FALSE(parseAccess("LDC R1, c[0x0][0x28]"));
  EXPECT_FALSE(parseAccess("LDL R1, [R2]"));
  EXPECT_FALSE(parseAccess("@P0 EXIT"));
  EXPECT_FALSE(parseAccess(""));
  EXPECT_FALSE(parseAccess("@"));
}

/// A recorded profile of these instructions.
LaunchProfile profiled(const std::vector<std::string>& code) {
  LaunchProfile profile;
  for (const std::string& sass : code) profile.instructions.push_back({3, sass, {}});
  return profile;
}

TEST(MachineCode, RecordedBranchesLeadToAddressesOfTheKernel) {
  const auto code = readMachineCode(
      profiled({"LDC R1, c[0x0][0x28]", "LDG.E R3, desc[UR6][R2.64]", "BSSY B0, 0x7fcc0b7a6e30",
                "@!P0  BRA 0x7fcc0b7a6e10", "BRA.DIV ~URZ, 0x7fcc0b7a7000", "EXIT", "BRA 0x7fcc0b7a6e60"}),
      "a recording");
  ASSERT_TRUE(code);
  EXPECT_TRUE(code->knowsLoops);
  std::vector<bool> isInLoop;
  for (const MachineInstruction& one : code->instructions) isInLoop.push_back(one.isInLoop);
  EXPECT_EQ(isInLoop, (std::vector<bool>{false, true, true, true, false, false, false}));
  EXPECT_EQ(code->instructions[0].sass, "LDC R1, c[0x0][0x28]");
  EXPECT_EQ(code->instructions[2].sass, "BSSY B0, 0x30");
  EXPECT_EQ(code->instructions[2].target, kNoTarget);
  EXPECT_EQ(code->instructions[3].sass, "@!P0  BRA 0x10");
  EXPECT_EQ(code->instructions[3].target, 0x10u);
  EXPECT_EQ(code->instructions[4].sass, "BRA.DIV ~URZ, 0x7fcc0b7a7000") << "an address elsewhere";
  EXPECT_EQ(code->instructions[6].target, 0x60u);
}

TEST(MachineCode, AnyInstructionMayBeInALoopWhereItsPlaceIsUnknown) {
  for (const std::string last : {"EXIT", "@P0 BRA 0x7fcc0b7a6e10", "BRA", "BRA 0x8"}) {
    const auto code = readMachineCode(profiled({"LDG.E R3, desc[UR6][R2.64]", last}), "a recording");
    ASSERT_TRUE(code);
    EXPECT_FALSE(code->knowsLoops) << last;
    EXPECT_TRUE(code->instructions[0].isInLoop) << last;
  }
  EXPECT_FALSE(readMachineCode({}, "a recording"));
}

TEST(MachineCode, LoopsAreKnownInEveryShippedProfile) {
  const auto recording = loadProfiles(LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200_profile.jsonl");
  ASSERT_TRUE(recording);
  for (const LaunchProfile& profile : recording->profiles) {
    const auto code = readMachineCode(profile, "");
    EXPECT_TRUE(code && code->knowsLoops) << profile.kernel.strategy;
  }
}

/// The slots of each line: `3: 80`.
std::vector<std::string> listSlots(const std::vector<MachineInstruction>& instructions,
                                   const std::vector<OperationCount>& text, std::uint64_t warps) {
  MachineCode code;
  code.instructions = instructions;
  for (std::size_t i = 0; i < code.instructions.size(); ++i)
    code.instructions[i].address = static_cast<std::uint32_t>(16 * i);
  markFlow(code.instructions);
  std::vector<std::string> all;
  for (const LineSlots& line : issueSlots(code, text, warps))
    all.push_back(fmt::format("{}: {}", line.line, line.slots));
  return all;
}

MachineInstruction at(std::uint32_t line, const std::string& sass, std::uint32_t target = kNoTarget) {
  return MachineInstruction{.line = line, .sass = sass, .target = target};
}

OperationCount counted(std::uint32_t line, OperationKind kind, std::uint64_t executions,
                       std::uint64_t warps = 8) {
  return {0, line, kind, 4, executions, warps};
}

TEST(IssueSlots, APieceOfCodeIsExecutedAsOftenAsWhatTheTextDoesInIt) {
  const std::vector<MachineInstruction> loop{at(2, "MOV R1, RZ"), at(3, "LDS R1, [R2]"),
                                             at(3, "IADD3 R2, R2, 0x4, RZ"), at(4, "@P0 BRA `(.L_x_0)", 16),
                                             at(5, "EXIT")};
  EXPECT_EQ(listSlots(loop, {counted(3, OperationKind::SharedLoad, 80)}, 8),
            (std::vector<std::string>{"2: 8", "3: 160", "4: 80", "5: 8"}));
  // Predicated: at least as often as some lane does it; the loop's test says how often.
  std::vector<MachineInstruction> predicated = loop;
  predicated[1].sass = "@P1 LDS R1, [R2]";
  EXPECT_EQ(
      listSlots(predicated,
                {counted(3, OperationKind::SharedLoad, 20), counted(4, OperationKind::LoopTest, 88)}, 8)[1],
      "3: 160");
}

TEST(IssueSlots, AnUnrolledLoopIsTakenToDoAllWhereMostCopiesAre) {
  const std::vector<MachineInstruction> code{at(2, "MOV R1, RZ"),
                                             at(3, "LDG.E R1, [R2]"),
                                             at(3, "LDG.E R3, [R2+0x4]"),
                                             at(2, "@P0 BRA `(.L_x_0)", 16),
                                             at(3, "LDG.E R1, [R2]"),
                                             at(2, "@P1 BRA `(.L_x_1)", 64),
                                             at(4, "EXIT")};
  EXPECT_EQ(listSlots(code, {counted(3, OperationKind::GlobalLoad, 80)}, 8),
            (std::vector<std::string>{"2: 48", "3: 80", "4: 8"}));
  // Outside loops a copy is executed at most once per warp.
  const std::vector<MachineInstruction> straight{at(3, "LDG.E R1, [R2]"), at(3, "LDG.E R3, [R2]"),
                                                 at(3, "EXIT")};
  EXPECT_EQ(listSlots(straight, {counted(3, OperationKind::GlobalLoad, 80)}, 8)[0], "3: 24");
}

TEST(IssueSlots, WhatIsOnlyReachedByLanesThatCameApartIsNotCounted) {
  const std::vector<MachineInstruction> code{at(2, "BRA.DIV UR4, `(.L_x_1)", 48),
                                             at(2, "SHFL.DOWN PT, R1, R2"), at(2, "EXIT"),
                                             at(2, "SHFL.DOWN PT, R1, R2"), at(2, "BRA `(.L_x_2)", 32)};
  EXPECT_EQ(listSlots(code, {counted(2, OperationKind::Shuffle, 8)}, 8)[0], "2: 24");
}

/// Whose nvdisasm prints kListing.
struct ListingToolkit : testing::FakeToolkit {
  explicit ListingToolkit(const std::string& nvcc) : FakeToolkit(kListing, nvcc) {}
};

const StillWanted kAlways = [](double) { return true; };

CodeRequest makeRequest(const std::string& kernel) { return {"__global__ void tree() {}", kernel}; }

TEST(Toolkit, CompilesAndDisassembles) {
  const ListingToolkit fake("echo made > \"$cubin\"");
  const auto code = disassemble(makeRequest("tree"), fake.tools, kAlways);
  ASSERT_TRUE(code) << code.error().sentence();
  EXPECT_EQ(code->instructions.size(), 6u);
  EXPECT_EQ(code->architecture, "sm_90");
  EXPECT_EQ(code->origin, "nvcc 13.0, nvdisasm");
  const auto absent = disassemble(makeRequest("absent"), fake.tools, kAlways);
  ASSERT_FALSE(absent);
  EXPECT_SAYS(absent.error().sentence());
}

TEST(Toolkit, ATemplatesInstanceIsNamedBehindTheText) {
  const ListingToolkit fake(
      "grep -q 'lanescopeInstance = (void\\*)(sum<64>)' \"$text\" && echo made > \"$cubin\"");
  EXPECT_TRUE(disassemble(makeRequest("sum<64>"), fake.tools, kAlways));
  EXPECT_FALSE(disassemble(makeRequest("sum"), fake.tools, kAlways));
}

TEST(Toolkit, WhatNvccRefusesIsSaidWithTheLine) {
  const ListingToolkit refusing("echo \"$text(7): error: identifier \\\"b\\\" is undefined\"; exit 2");
  EXPECT_SAYS(disassemble(makeRequest("tree"), refusing.tools, kAlways).error().sentence());
  const ListingToolkit noInstance(
      "echo 'the instance(1): error: identifier \"nosuch\" is undefined'; exit 2");
  EXPECT_SAYS(disassemble(makeRequest("nosuch<3>"), noInstance.tools, kAlways).error().sentence());
  const ListingToolkit noArchitecture("echo \"nvcc fatal   : Unsupported gpu architecture 'sm_42'\"; exit 1");
  CodeRequest old = makeRequest("tree");
  old.architecture = "sm_42";
  EXPECT_SAYS(disassemble(old, noArchitecture.tools, kAlways).error().sentence());
  const ListingToolkit silent("exit 3");
  EXPECT_SAYS(disassemble(makeRequest("tree"), silent.tools, kAlways).error().sentence());
}

TEST(Toolkit, ToolsThatHangAreEnded) {
  const ListingToolkit hanging("sleep 600");
  EXPECT_SAYS(disassemble(makeRequest("tree"), hanging.tools, kAlways, 0.2).error().message);
  EXPECT_FALSE(disassemble(makeRequest("tree"), hanging.tools, [](double) { return false; }));
  const testing::FakeToolkit garbled("nvdisasm fatal: unknown format\n");
  EXPECT_SAYS(disassemble(makeRequest("tree"), garbled.tools, kAlways).error().sentence());
}

TEST(Toolkit, WhereNvccIsMissingNvrtcCompilesInAProcessOfItsOwn) {
  ListingToolkit fake(
      "test \"$1 $4 $5 $6 $7\" = 'compile-cubin --kernel sum<64> --arch sm_90' || exit 2\n"
      "! grep -q lanescopeInstance \"$2\" && echo 'NVRTC 13.0' && echo made > \"$3\"");
  fake.tools.nvrtcProgram = fake.tools.nvcc;
  fake.tools.nvcc.reset();
  const auto code = disassemble(makeRequest("sum<64>"), fake.tools, kAlways);
  ASSERT_TRUE(code) << code.error().sentence();
  EXPECT_EQ(code->origin, "NVRTC 13.0, nvdisasm");
  ListingToolkit refusing("echo \"$2(7): error: identifier \\\"b\\\" is undefined\"; exit 1");
  refusing.tools.nvrtcProgram = refusing.tools.nvcc;
  refusing.tools.nvcc.reset();
  EXPECT_SAYS(disassemble(makeRequest("tree"), refusing.tools, kAlways).error().sentence());
}

TEST(Toolkit, WithoutToolsOneSentenceSaysHowToGetThem) {
  EXPECT_SAYS(disassemble(makeRequest("tree"), {}, kAlways).error().sentence());
  const ListingToolkit fake("echo made > \"$cubin\"");
  EXPECT_SAYS(disassemble(makeRequest("tree"), {fake.tools.nvcc, {}, {}}, kAlways).error().message);
  CodeRequest odd = makeRequest("tree");
  odd.architecture = "hopper; rm -rf /";
  EXPECT_SAYS(disassemble(odd, fake.tools, kAlways).error().message);
  EXPECT_TRUE(isArchitecture("sm_90a"));
  EXPECT_FALSE(isArchitecture("sm_9"));
}

}  // namespace
}  // namespace lanescope
