// Whole programs as the window runs them: in another process, by lanescope-cli or by a script in its place.
#include "app/workbench/program_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "app/workbench/tests/scratch_folder.h"
#include "app/workbench/tests/settle.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using testing::ScratchFolder;
using testing::waitForTrace;
using testing::waitUntil;

constexpr const char* kProgram = R"(#include <cstdio>
__global__ void fill(int* p, int n, int from) {
  int i = threadIdx.x;
  if (i < n) p[i] += from + i;
}
int main(int argc, char** argv) {
  int *p, last;
  cudaMalloc(&p, 32);
  cudaMemset(p, 0, 32);
  fill<<<1, 8>>>(p, 8, 10);
  fill<<<1, 4>>>(p, 4, 100);
  cudaMemcpy(&last, p + 3, 4, cudaMemcpyDeviceToHost);
  printf("%d %s\n", last, argc > 1 ? argv[1] : "");
  cudaFree(p);
  return cudaGetLastError();
}
)";

TEST(HasMain, IsOfCodeAlone) {
  EXPECT_TRUE(hasMain("int main() {}"));
  EXPECT_TRUE(hasMain("auto main (int argc, char** argv) -> int {}"));
  EXPECT_FALSE(hasMain("__global__ void domain(int* p) {}"));
  EXPECT_FALSE(hasMain("// int main() is elsewhere\n__global__ void k() {}"));
  EXPECT_FALSE(hasMain("/* main() */ const char* s = \"main(\\\" main()\"; int main;"));
  EXPECT_FALSE(hasMain("/* main() "));
  EXPECT_FALSE(hasMain("const char* s = R\"(\nint main() {})\";"));
  EXPECT_TRUE(hasMain("const char q = '\"'; int main() {}"));
  EXPECT_TRUE(hasMain("int /* of the program */ main /* () */ () {}"));
}

TEST(LogLine, IsTakenWholeOrNotAtAll) {
  ProgramOutcome outcome;
  parseLogLine(R"({"launch":1,"kernel":"k","line":"three","grid":[1,1,1],"block":[8,1,1]})", outcome);
  EXPECT_EQ(outcome.launchCount, 0U);
  EXPECT_TRUE(outcome.launches.empty());
  parseLogLine(R"({"launch":1,"kernel":"k","line":3,"grid":[1,1,1],"block":[8,1,1]})", outcome);
  ASSERT_EQ(outcome.launches.size(), 1U);
  EXPECT_EQ(outcome.launchCount, 1U);
  parseLogLine(R"({"launch":1,"seconds":2.5,"hazards":"many"})", outcome);
  EXPECT_FALSE(outcome.launches[0].isOver);
  EXPECT_EQ(outcome.launches[0].seconds, 0);
  parseLogLine(R"({"launch":1,"seconds":2.5,"hazards":4,"fault":"out of bounds"})", outcome);
  EXPECT_TRUE(outcome.launches[0].isOver);
  EXPECT_EQ(outcome.launches[0].seconds, 2.5);
  EXPECT_EQ(outcome.launches[0].hazards, 4U);
  EXPECT_EQ(outcome.launches[0].fault, "out of bounds");
}

TEST(CompilerErrors, HaveTheirPlaceInTheText) {
  const std::string text = "int a;\n  int b = c;\n";
  const auto errors = compilerErrors(
      "/x/p.cu: In function 'main':\n/x/p.cu:2:11: error: 'c' was not declared in this scope\n"
      "    2 |   int b = c;\n/x/p.cu:2:11: error: 'c' was not declared in this scope\n"
      "/y/other.h:1:1: error: elsewhere\n/x/p.cu:2:7: warning: unused\n/x/p.cu:99:1: fatal error: the end\n",
      "/x/p.cu", text);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].message, "'c' was not declared in this scope");
  EXPECT_EQ(text.substr(errors[0].span.begin, errors[0].span.end - errors[0].span.begin), "c");
  EXPECT_LE(errors[1].span.end, text.size());
}

TEST(ProgramOutput, KeepsItsFirstAndItsLast) {
  std::string output;
  for (int i = 0; i < 100'000; ++i) addOutput("line " + std::to_string(i) + "\n", output);
  EXPECT_LT(output.size(), 250'000U);
  EXPECT_TRUE(output.starts_with("line 0\nline 1\n"));
  EXPECT_TRUE(output.ends_with("line 99999\n"));
  EXPECT_NE(output.find("more than can be shown"), std::string::npos);
}

template <class Done>
bool pollUntil(ProgramRun& run, Done done) {
  for (int i = 0; i < 6000; ++i) {
    run.poll();
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// A script in the place of lanescope-cli.
std::string writeScript(const ScratchFolder& scratch, const std::string& body) {
  const std::string tool = scratch.write("tool", "#!/bin/sh\n" + body);
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  return tool;
}

TEST(ProgramRunTest, FollowsLaunchesOutputAndEnd) {
  const ScratchFolder scratch;
  ProgramRun run(std::make_shared<ThreadExecutor>(), std::make_shared<DesktopHost>(),
                 writeScript(scratch, R"(echo out; echo err >&2
echo '{"launch":1,"kernel":"a","line":3,"grid":[2,1,1],"block":[64,2,1],"shared_bytes":0}' >"$3"
echo '{"launch":1,"seconds":0.5,"hazards":2}' >>"$3"
echo '{"launch":2,"kernel":"b","line":0,"grid":[1,1,1],"block":[1,1,1],"shared_bytes":0}' >>"$3"
echo 'no json' >>"$3"; printf '{"launch":3,' >>"$3"
exit 7
)"));
  run.start({.path = scratch.write("p.cu", kProgram), .text = kProgram});
  EXPECT_TRUE(run.isRunning());
  ASSERT_TRUE(pollUntil(run, [&] { return run.outcome()->isOver; }));
  const ProgramOutcome& outcome = *run.outcome();
  EXPECT_NE(outcome.output.find("out\n"), std::string::npos);
  EXPECT_NE(outcome.output.find("err\n"), std::string::npos);
  EXPECT_SAYS(outcome.end);
  EXPECT_TRUE(outcome.hasFailed);
  ASSERT_EQ(outcome.launches.size(), 2U);
  EXPECT_EQ(outcome.launches[0].block, (Dim3{64, 2, 1}));
  EXPECT_TRUE(outcome.launches[0].isOver);
  EXPECT_EQ(outcome.launches[0].hazards, 2U);
  EXPECT_FALSE(outcome.launches[1].isOver);
}

TEST(ProgramRunTest, CancelsWhatNeverEnds) {
  const ScratchFolder scratch;
  ProgramRun run(std::make_shared<ThreadExecutor>(), std::make_shared<DesktopHost>(),
                 writeScript(scratch, "while :; do echo again; done\n"));
  run.start({.path = scratch.write("p.cu", kProgram), .text = kProgram});
  ASSERT_TRUE(pollUntil(run, [&] { return !run.outcome()->output.empty(); }));
  EXPECT_FALSE(run.outcome()->isOver);
  run.cancel();
  EXPECT_FALSE(run.isRunning());
  EXPECT_TRUE(run.outcome()->end.starts_with("Canceled after"));
  EXPECT_LT(run.outcome()->output.size(), 250'000U);
}

TEST(ProgramRunTest, SaysWhatDoesNotCome) {
  const ScratchFolder scratch;
  ProgramRun run(std::make_shared<ThreadExecutor>(), std::make_shared<DesktopHost>(),
                 writeScript(scratch, "exit 0\n"));
  run.start({.path = scratch.write("p.cu", kProgram), .text = kProgram});
  ASSERT_TRUE(pollUntil(run, [&] { return run.outcome()->isOver; }));
  run.capture(4);
  EXPECT_EQ(run.capturing(), 4U);
  std::optional<Result<ProgramOutcome>> captured;
  ASSERT_TRUE(pollUntil(run, [&] { return (captured = run.acceptCaptured()).has_value(); }));
  ASSERT_FALSE(*captured);
  EXPECT_SAYS(captured->error().sentence());
  ProgramRun none(std::make_shared<ThreadExecutor>(), std::make_shared<DesktopHost>(), "/nonexistent/tool");
  none.start({.path = "/nonexistent/p.cu", .text = kProgram});
  ASSERT_TRUE(pollUntil(none, [&] { return none.outcome()->isOver; }));
  EXPECT_TRUE(none.outcome()->hasFailed);
}

TEST(SessionProgram, SaysThatThereAreNoProcesses) {
  testing::FileSession session;
  session.open("p.cu", kProgram);
  ASSERT_TRUE(waitForTrace(session));
  session.runProgram({});
  ASSERT_TRUE(waitUntil(session, [&] { return session.program().outcome()->isOver; }));
  EXPECT_TRUE(session.program().outcome()->hasFailed);
  EXPECT_SAYS(session.program().outcome()->end);
}

/// A session with a program, run to its end.
struct Bench {
  explicit Bench(const std::string& text = kProgram) {
    session.openFile(scratch.write("p.cu", text));
    waitForTrace(session);
  }
  const ProgramOutcome& run(const std::string& arguments = {}) {
    session.runProgram(arguments);
    EXPECT_TRUE(waitUntil(session, [&] { return session.program().outcome()->isOver; }));
    return *session.program().outcome();
  }
  bool trace(std::uint64_t launch) {
    session.traceLaunch(launch);
    return waitUntil(session, [&] { return !session.program().isRunning(); }) && waitForTrace(session);
  }
  ScratchFolder scratch;
  Session session;
};

TEST(SessionProgram, TracesALaunchWithTheDataThatItHad) {
  Bench bench;
  Session& session = bench.session;
  ASSERT_TRUE(session.hasProgram());
  const ProgramOutcome& outcome = bench.run("word");
  ASSERT_EQ(outcome.launches.size(), 2U) << outcome.output;
  EXPECT_NE(outcome.output.find("116 word"), std::string::npos) << outcome.output;
  EXPECT_FALSE(outcome.hasFailed) << outcome.end;
  ASSERT_TRUE(bench.trace(2)) << session.error();
  EXPECT_EQ(session.error(), "");
  const Trace& trace = session.player().replay()->trace();
  EXPECT_EQ(trace.threads, 4U);
  ASSERT_EQ(trace.arrays.size(), 1U);
  EXPECT_EQ(trace.arrays[0].name, "p");
  EXPECT_EQ(trace.arrays[0].cellCount, 8U);
  EXPECT_EQ(trace.initialCells[trace.arrays[0].firstCell + 3].bits, 13U) << "of the first launch";
  EXPECT_TRUE(session.player().replay()->atStart());
  EXPECT_EQ(session.tracedLaunch(), 2U);
  EXPECT_TRUE(testing::settle(session));
  const LaunchForm form = session.editor().currentForm();
  EXPECT_EQ(form.arguments, (std::vector<std::string>{"program: 8 i32", "i32=4", "i32=100"}));
  EXPECT_EQ(form.block, "4");
  EXPECT_FALSE(session.editor().formFaults().any());
}

TEST(SessionProgram, TakesWhatIsWrittenInPlaceOfTheData) {
  Bench bench;
  Session& session = bench.session;
  bench.run();
  EXPECT_EQ(session.tracedLaunch(), 0U);
  ASSERT_TRUE(bench.trace(2)) << session.error();
  LaunchForm form = session.editor().currentForm();
  form.arguments = {"i32:iota:6", "6", "i32=0"};
  form.block = "8";
  session.editor().editForm(form);
  session.run();
  ASSERT_TRUE(waitForTrace(session)) << session.error();
  EXPECT_EQ(session.player().replay()->trace().threads, 8U);
  const Trace& trace = session.player().replay()->trace();
  const auto p = std::ranges::find(trace.arrays, "p", &TracedArray::name);
  ASSERT_NE(p, trace.arrays.end());
  EXPECT_EQ(trace.initialCells[p->firstCell + 5].bits, 5U);
  form.arguments[1] = "f64=6";
  session.editor().editForm(form);
  session.run();
  EXPECT_SAYS(session.error());
  form.arguments = {"program", "4", "4"};
  form.captured.reset();
  session.editor().editForm(form);
  session.run();
  EXPECT_SAYS(session.error());
  bench.run();
  EXPECT_EQ(session.tracedLaunch(), 0U) << "what is shown is of an earlier run";
}

TEST(SessionProgram, RunsTheTextAtHandBesideItsFile) {
  Bench bench("#include \"number.h\"\n" + std::string(kProgram));
  bench.scratch.write("number.h", "#define FROM 10\n");
  TextBuffer& buffer = bench.session.editor().current()->buffer;
  const std::size_t at = buffer.text().find("8, 10");
  buffer.select({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 5)});
  buffer.insert("8, FROM + 1");
  const ProgramOutcome& outcome = bench.run();
  EXPECT_NE(outcome.output.find("117"), std::string::npos) << outcome.output;
}

TEST(SessionProgram, ShowsTheCompilersErrorsInTheSource) {
  std::string text = kProgram;
  text.replace(text.find("int *p, last;"), 13, "int *p;");
  Bench bench(text);
  const ProgramOutcome& outcome = bench.run();
  EXPECT_SAYS(outcome.end) << outcome.output;
  EXPECT_TRUE(testing::settle(bench.session));
  const auto& shown = bench.session.editor().diagnostics();
  ASSERT_FALSE(shown.empty());
  EXPECT_EQ(text.substr(shown.front().span.begin, 4), "last") << shown.front().message;
}

TEST(SessionProgram, SaysHowItCrashed) {
  std::string text = kProgram;
  text.replace(text.find("return cudaGetLastError();"), 26, "return *p;");
  Bench bench(text);
  const ProgramOutcome& outcome = bench.run();
  EXPECT_TRUE(outcome.hasFailed);
  EXPECT_SAYS(outcome.end);
  EXPECT_NE(outcome.output.find("which has been freed"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace lanescope
