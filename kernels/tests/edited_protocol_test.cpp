#include <gtest/gtest.h>

#include <cmath>

#include "kernels/protocol/ncu_run.h"
#include "kernels/protocol/nvrtc.h"
#include "kernels/protocol/protocol.h"
#include "kernels/tests/fake_ncu.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

template <class Message>
Message roundTrip(const Message& message) {
  const std::string line = toLine(WorkerMessage(message));
  EXPECT_LE(line.size(), kMaxLineBytes);
  const auto parsed = parseMessage(line);
  EXPECT_TRUE(parsed.ok()) << parsed.error().sentence();
  return std::get<Message>(*parsed);
}

CompileRunRequest someRequest() {
  CompileRunRequest request;
  request.run = 7;
  request.launch.text = "__global__ void k() {} // \"é\"\n";
  request.launch.kernel = "k<128>";
  request.launch.grid = {4, 2, 1};
  request.launch.block = {128, 1, 2};
  request.launch.dynamicSharedBytes = 512;
  request.launch.arguments = {"f32:hash:512", "u32=7"};
  request.seconds = 3;
  request.maxSamples = 9;
  return request;
}

TEST(EditedProtocol, ARequestKeepsEveryField) {
  const CompileRunRequest request = someRequest();
  const auto parsed = parseRequest(toLine(WorkerRequest(request)));
  ASSERT_TRUE(parsed.ok()) << parsed.error().sentence();
  const auto& back = std::get<CompileRunRequest>(*parsed);
  EXPECT_EQ(back.run, 7U);
  EXPECT_EQ(back.launch.text, request.launch.text);
  EXPECT_EQ(back.launch.kernel, "k<128>");
  EXPECT_EQ(back.launch.grid, request.launch.grid);
  EXPECT_EQ(back.launch.block, request.launch.block);
  EXPECT_EQ(back.launch.dynamicSharedBytes, 512U);
  EXPECT_EQ(back.launch.arguments, request.launch.arguments);
  EXPECT_EQ(back.seconds, 3);
  EXPECT_EQ(back.maxSamples, 9U);
}

TEST(EditedProtocol, LongTextsPassAndOtherLongLinesDoNot) {
  CompileRunRequest request = someRequest();
  request.launch.text = std::string(kMaxKernelTextBytes, '\x01');  // six bytes each on the line
  const std::string line = toLine(WorkerRequest(request));
  EXPECT_LE(line.size(), kMaxRequestBytes);
  EXPECT_TRUE(parseRequest(line).ok());
  request.launch.text += "x";
  const auto tooLong = parseRequest(toLine(WorkerRequest(request)));
  ASSERT_FALSE(tooLong.ok());
  EXPECT_SAYS(tooLong.error().sentence());
  EXPECT_FALSE(parseRequest(R"({"type":"quit","x":")" + std::string(kMaxLineBytes, 'x') + "\"}").ok());
}

TEST(EditedProtocol, RefusesMalformedRequests) {
  for (const char* part : {R"("grid":[0,1,1])", R"("grid":[1,1])", R"("block":[1,1,-1])", R"("block":"64")",
                           R"("arguments":[1])", R"("arguments":"f32:zero:1")", R"("seconds":0)",
                           R"("seconds":1e9)", R"("text":null)", R"("run":0)", R"("dynamicShared":-1)"}) {
    // The later of two fields of one name counts.
    std::string line = toLine(WorkerRequest(someRequest()));
    line.pop_back();
    EXPECT_FALSE(parseRequest(line + "," + part + "}").ok()) << part;
  }
}

TEST(EditedProtocol, MessagesKeepEveryField) {
  CompiledMessage compiled{3,
                           false,
                           "sm_90",
                           "NVRTC 13.0",
                           12.5,
                           24,
                           1024,
                           8,
                           {{true, 4, 12, "identifier \"foo\" is undefined"}, {false, 0, 0, "odd"}}};
  const CompiledMessage back = roundTrip(compiled);
  EXPECT_EQ(back.findings, compiled.findings);
  EXPECT_EQ(back.architecture, "sm_90");
  EXPECT_EQ(back.registers, 24U);
  EXPECT_EQ(back.localBytes, 8U);
  const OutputMessage output = roundTrip(OutputMessage{3, 1, 16, 2.5, 0x00ffULL});
  EXPECT_EQ(output.fnv1a, 0x00ffULL);
  EXPECT_EQ(output.sum, 2.5);
  EXPECT_TRUE(std::isnan(roundTrip(OutputMessage{3, 1, 16, std::nan(""), 1}).sum));
  WordsMessage words{3, 1, 24576, {}};
  for (std::size_t i = 0; i < kWordsBytes; ++i) words.bytes.push_back(static_cast<std::byte>(i * 7));
  EXPECT_EQ(roundTrip(words).bytes, words.bytes);
  EXPECT_EQ(roundTrip(TimedMessage{3, 5.5, 5, 6, 20, 1}).medianUs, 5.5);
  const CountersMessage counters{3, "Nsight Compute", {{"a", 5}, {"b", std::nullopt}}};
  EXPECT_EQ(roundTrip(counters).counters, counters.counters);
}

TEST(EditedProtocol, ManyLongFindingsFitOnALine) {
  CompiledMessage compiled;
  compiled.run = 1;
  for (int i = 0; i < 500; ++i) compiled.findings.push_back({true, 1, 1, std::string(3000, 'x')});
  EXPECT_EQ(roundTrip(compiled).findings.size(), kMaxDiagnostics);
}

TEST(EditedProtocol, RefusesMalformedWords) {
  for (const char* hex : {"0", "0g", "zz", "+1"}) {
    EXPECT_FALSE(
        parseMessage(std::string(R"({"type":"words","run":1,"argument":0,"offset":0,"hex":")") + hex + "\"}")
            .ok())
        << hex;
  }
}

// As NVRTC 13.0 wrote it.
constexpr const char* kLog =
    "kernel.cu(3): warning #177-D: variable \"y\" was declared but never referenced\n"
    "  \tint y = 3;\n"
    "  \t    ^\n"
    "\n"
    "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
    "\n"
    "kernel.cu(4): error: identifier \"foo\" is undefined\n"
    "      o[0] = foo + 1;\n"
    "             ^\n"
    "\n"
    "__nv_name_map(2): error: identifier \"k\" is undefined\n"
    "  #pragma nv_mangled_name k\n"
    "                          ^\n"
    "\n"
    "2 errors detected in the compilation of \"kernel.cu\".\n";

TEST(CompilerLog, FindsPlacesErrorsFirst) {
  const auto findings = parseCompilerLog(kLog, "kernel.cu");
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0], (CompilerFinding{true, 4, 12, "identifier \"foo\" is undefined"}));
  EXPECT_EQ(findings[1], (CompilerFinding{true, 0, 0, "identifier \"k\" is undefined"}));
  EXPECT_EQ(findings[2], (CompilerFinding{false, 3, 6, "variable \"y\" was declared but never referenced"}));
  EXPECT_TRUE(parseCompilerLog("nothing here\n(\n): error\n", "kernel.cu").empty());
}

// As Nsight Compute wrote it about a launch on an H200 (a part).
constexpr const char* kNcu =
    "==WARNING== Note: Running with unmodified GPU clocks.\n"
    "==PROF== Connected to process 561 (/tmp/x/t)\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
    "Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric "
    "Value\"\n"
    "\"0\",\"561\",\"t\",\"127.0.0.1\",\"k(const float *, float *)\",\"1\",\"7\",\"(256, 1, 1)\",\"(1, 1, "
    "1)\",\"0\",\"9.0\",\"Command line profiler "
    "metrics\",\"memory_l1_wavefronts_shared\",\"sectors\",\"1,024 "
    "(0x7fea137a00f0: 8; 0x7fea137a0110: 16)\"\n"
    "\"0\",\"561\",\"t\",\"127.0.0.1\",\"k(const float *, float *)\",\"1\",\"7\",\"(256, 1, 1)\",\"(1, 1, "
    "1)\",\"0\",\"9.0\",\"Command line profiler "
    "metrics\",\"memory_l1_wavefronts_shared_ideal\",\"\",\"n/a\"\n"
    "\"0\",\"561\",\"t\",\"127.0.0.1\",\"k(const float *, float *)\",\"1\",\"7\",\"(256, 1, 1)\",\"(1, 1, "
    "1)\",\"0\",\"9.0\",\"Command line profiler metrics\",\"sass__inst_executed_per_opcode\",\"\",\"184 "
    "(LDC: 24; BAR: 16; STS: 8)\"\n";

TEST(NcuOutput, ReadsCountersAndOpcodes) {
  const auto counters = parseNcuCsv(kNcu);
  ASSERT_TRUE(counters.ok()) << counters.error().sentence();
  ASSERT_EQ(counters->size(), 12U);
  EXPECT_EQ((*counters)[0].value, 1024U);
  EXPECT_FALSE((*counters)[1].value);
  EXPECT_EQ((*counters)[10], (MeasuredCounter{"sass__inst_executed_per_opcode.BAR", 16}));
  EXPECT_EQ((*counters)[11], (MeasuredCounter{"sass__inst_executed_per_opcode.SHFL", 0}));
}

TEST(NcuOutput, SaysWhatStoodInTheWay) {
  EXPECT_FALSE(parseNcuCsv("==WARNING== No kernels were profiled.\n").ok());
  EXPECT_SAYS(ncuProblem("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission"));
  EXPECT_SAYS(ncuProblem("==PROF== x\nlanescope-gpu: The text does not compile.\n==ERROR== code 1\n"));
  EXPECT_NE(ncuProblem("==ERROR== Failed to initialize\n").find("Failed to initialize"), std::string::npos);
  EXPECT_EQ(ncuProblem("all well\n"), "");
}

/// With the pages that it prints beside it.
struct ReplyingNcu : testing::FakeNcu {
  explicit ReplyingNcu(const std::string& body) : testing::FakeNcu(body, {{"reply", kNcu}}) {}
};

CountersRequest someCounters() { return {9, someRequest().launch}; }

TEST(NcuRun, RunsTheProgramUnderNcu) {
  // Clocks left alone, the program and its file last, and the file holds the request.
  const ReplyingNcu ncu(
      "case \"$*\" in '--clock-control none '*' /bin/worker launch-once '*) ;; *) exit 9 ;; esac\n"
      "for file; do :; done\ngrep -q '\"type\":\"counters\"' \"$file\" || exit 8\n"
      "cat \"$(dirname \"$0\")/reply\"\n");
  const auto counters = readLaunchCounters(someCounters(), "/bin/worker", [](double) { return true; });
  ASSERT_TRUE(counters.ok()) << counters.error().sentence();
  EXPECT_EQ(counters->run, 9U);
  EXPECT_EQ(counters->counters[0].value, 1024U);
}

TEST(NcuRun, SaysHowToPermitIt) {
  const ReplyingNcu ncu("echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission'; exit 1\n");
  const auto counters = readLaunchCounters(someCounters(), "/bin/worker", [](double) { return true; });
  ASSERT_FALSE(counters.ok());
  EXPECT_SAYS(counters.error().sentence());
}

TEST(NcuRun, EndsOneThatHangs) {
  const ReplyingNcu ncu("sleep 600\n");
  const auto late = readLaunchCounters(
      someCounters(), "/bin/worker", [](double) { return true; }, 0.3);
  ASSERT_FALSE(late.ok());
  EXPECT_SAYS(late.error().sentence());
  EXPECT_FALSE(readLaunchCounters(someCounters(), "/bin/worker", [](double) { return false; }).ok());
}

}  // namespace
}  // namespace lanescope
