// What `lanescope-cli run` writes of a program's launches: as JSON, line by line as they come, and whole, to
// be traced.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "app/cli/tests/run_main.h"
#include "sim/base/json.h"
#include "sim/machine/run/launch.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/run.h"

namespace lanescope::cli {
namespace {

TEST(CliRunLaunches, GivesItsLaunchesAsJson) {
  const Outcome outcome = runMain(
      "int* d;\ncudaMalloc(&d, 400);\nfor (int k = 0; k < 3; ++k) fill<<<2, 50>>>(d, 100);\n"
      "cudaDeviceSynchronize();\ncudaFree(d);\nreturn 0;",
      {"--json"});
  const auto json = parseJson(outcome.complaint);
  ASSERT_EQ(json["schema"], "lanescope.run/1") << outcome.complaint;
  ASSERT_EQ(json["launches"].size(), 1);
  EXPECT_EQ(json["launches_not_ordered"], 0);
  const auto& launch = json["launches"][0];
  EXPECT_EQ(launch["kernel"], "fill");
  EXPECT_EQ(launch["launches"], 3);
  EXPECT_EQ(launch["line"], 9);
  EXPECT_EQ(launch["counters"]["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"], 12);
}

TEST(CliRunLaunches, SaysAsJsonWhyAProgramCannotRun) {
  const auto findError = [](const Outcome& outcome) -> std::string {
    EXPECT_EQ(outcome.status, 125) << outcome.complaint;
    const std::size_t begin = std::min(outcome.complaint.find("{\n  \"schema\""), outcome.complaint.size());
    const auto json = parseJson(outcome.complaint.substr(begin));
    if (!json.is_object() || json["status"] != 125) return outcome.complaint;
    return json.value("error", "");
  };
  const auto expectHas = [](const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expectHas(findError(runMain("int n = \"text\";\n", {"--json"})), "does not compile for the host.");
  const ScratchFolder scratch;
  const auto errorOfText = [&](const std::string& text) {
    return findError(runCli({"run", scratch.write("p.cu", text), "--json"}));
  };
  expectHas(errorOfText("__global__ void k(int* x) { *x = 1; }\n"), "has no main().");
  expectHas(
      errorOfText("__global__ void k(int* x) { asm(\"exit;\"); }\nint main() { k<<<1, 1>>>(nullptr); }\n"),
      "asm");
}

/// Launches of a kernel that takes the simulator long, `body` in a loop of five, and what the last one left.
Outcome runRepeatedly(const std::string& body, const std::string& store = "*out =") {
  const ScratchFolder scratch;
  const std::string program = R"(#include <cstdio>
__global__ void step(int* out, const int* in) {
  int x = *in;
  for (int i = 0; i < 10000; ++i) x = x * 3 + 1;
  if (threadIdx.x == 0) OUT x;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 4);
  cudaMalloc(&out, 4);
  cudaMemset(in, 0, 4);
  cudaMemset(out, 0, 4);
  for (int k = 0; k < 5; ++k) {
)" + body + R"(
  }
  int last;
  cudaMemcpy(&last, out, 4, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  printf("%u\n", (unsigned)last);
  return cudaGetLastError();
})";
  return runCli({"run", scratch.write("p.cu", program), "--json", "-D", "OUT=" + store});
}

TEST(CliRunLaunches, DoesNotRunALaunchAgainOnAMemoryThatItHasRunOn) {
  // x after 10,000 steps of x * 3 + 1, modulo 2^32.
  const auto stepped = [](unsigned x) {
    for (int i = 0; i < 10000; ++i) x = x * 3 + 1;
    return x;
  };
  const auto expectLeaves = [](const Outcome& outcome, unsigned last, int launches, int notRunAgain) {
    EXPECT_EQ(outcome.output, std::to_string(last) + "\n") << outcome.complaint;
    const auto json = parseJson(outcome.complaint);
    ASSERT_EQ(json["launches"].size(), 1) << outcome.complaint;
    EXPECT_EQ(json["launches"][0]["launches"], launches);
    EXPECT_EQ(json["launches"][0]["blocks"], launches);
    EXPECT_EQ(json["launches_not_run_again"], notRunAgain);
  };
  expectLeaves(runRepeatedly("step<<<1, 1024>>>(out, in);"), stepped(0), 5, 3);
  expectLeaves(runRepeatedly("step<<<1, 1024>>>(out, in);", "*out +="), 5 * stepped(0), 5, 0);
  expectLeaves(runRepeatedly("cudaMemcpy(in, &k, 4, cudaMemcpyHostToDevice); step<<<1, 1024>>>(out, in);"),
               stepped(4), 5, 0);
  // The same memory before each launch, another after it; and in a buffer of each launch's own.
  expectLeaves(runRepeatedly("cudaMemset(out, 0, 4); step<<<1, 1024>>>(out, in);"), stepped(0), 5, 3);
  expectLeaves(runRepeatedly("cudaFree(out); cudaMalloc(&out, 4); step<<<1, 1024>>>(out, in);"), stepped(0),
               5, 3);
  // It writes what is there already: that counts as written, too.
  const Outcome same =
      runRepeatedly("cudaFree(out); cudaMalloc(&out, 4); step<<<1, 1024>>>(out, in);", "*out = 0 *");
  expectLeaves(same, 0, 5, 3);
  EXPECT_EQ(same.complaint.find("never written"), std::string::npos) << same.complaint;
  expectLeaves(
      runRepeatedly(
          "int i = k % 2; cudaMemcpy(in, &i, 4, cudaMemcpyHostToDevice); step<<<1, 1024>>>(out, in);"),
      stepped(0), 5, 2);
  // What the host reads in between is not changed by that, what it writes is.
  expectLeaves(
      runRepeatedly("int i = 7; cudaMemcpy(&i, out, 4, cudaMemcpyDeviceToHost); step<<<1, 1024>>>(out, in);"),
      stepped(0), 5, 3);
}

/// `fill` over 8 and then over 4 elements.
constexpr const char* kTwoLaunches =
    "int* p; cudaMalloc(&p, 32);\n"
    "fill<<<2, 4>>>(p, 8);\n"
    "fill<<<1, 4>>>(p, 4);\n"
    "int last; cudaMemcpy(&last, p + 3, 4, cudaMemcpyDeviceToHost);\n"
    "cudaFree(p); printf(\"%d\\n\", last); return cudaGetLastError();";

TEST(CliRunLaunches, LogsLaunchesAsTheyCome) {
  const ScratchFolder scratch;
  const std::string log = (scratch.path() / "log").string();
  const Outcome outcome = runMain(kTwoLaunches, {"--launches", log});
  EXPECT_EQ(outcome.output, "3\n") << outcome.complaint;
  std::istringstream lines(readAll(log));
  std::vector<Json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(parseJson(line));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0]["kernel"], "fill");
  EXPECT_EQ(events[0]["line"], 8);
  EXPECT_EQ(events[0]["grid"], Json({2, 1, 1}));
  EXPECT_EQ(events[1]["launch"], 1);
  EXPECT_EQ(events[1]["hazards"], 0);
  EXPECT_EQ(events[2]["launch"], 2);
  EXPECT_EQ(events[2]["block"], Json({4, 1, 1}));
}

TEST(CliRunLaunches, SaysIfTheirFileCannotBeWritten) {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "absent" / "log").string();
  const Outcome outcome = runMain(kTwoLaunches, {"--launches", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.complaint,
            "'" + file + "', the file of --launches, cannot be written: No such file or directory.\n");
  const Outcome full = runMain(kTwoLaunches, {"--launches", "/dev/full"});
  EXPECT_EQ(full.output, "3\n");
  expectSays(full, "lanescope: the file of --launches lacks lines: it could not be written.");
  EXPECT_EQ(countLines(full.complaint), 1u) << full.complaint;
}

TEST(CliRunLaunches, CapturesALaunchAsItBegins) {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "capture").string();
  const Outcome outcome = runMain(kTwoLaunches, {"--capture", "2", "--to", file});
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.output, "") << "it ends at the launch";
  EXPECT_EQ(outcome.complaint, "");
  const auto captured = readCapture(file);
  ASSERT_TRUE(captured) << captured.error().sentence();
  EXPECT_EQ(captured->launch.kernel, "fill");
  EXPECT_EQ(captured->line, 9U);
  const RawArguments& raw = *captured->launch.raw;
  ASSERT_EQ(raw.buffers.size(), 1U);
  ASSERT_EQ(raw.buffers[0].size(), 32U);
  for (int i = 0; i < 8; ++i) {
    int value = -1;
    std::memcpy(&value, raw.buffers[0].data() + 4 * i, 4);
    EXPECT_EQ(value, i) << "as the first launch has left it";
  }
}

TEST(CliRunLaunches, CapturesWhatPointersInMemoryReach) {
  const ScratchFolder scratch;
  const std::string program = scratch.write("p.cu", R"(struct List { int* data; int n; };
__device__ int* other;
__global__ void sum(List* lists, int* out) { *out = lists[1].data[0] + other[1]; }
int main() {
  int *unused, *data, *out, *far, host[2] = {5, 7};
  List* lists;
  cudaMalloc(&unused, 4); cudaMalloc(&data, 8); cudaMalloc(&out, 4); cudaMalloc(&far, 8);
  cudaMalloc(&lists, 2 * sizeof(List));
  cudaMemcpy(data, host, 8, cudaMemcpyHostToDevice);
  List h[2] = {{nullptr, 0}, {data, 2}};
  cudaMemcpy(lists, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(other, &far, sizeof far);
  sum<<<1, 1>>>(lists, out);
}
)");
  const std::string file = (scratch.path() / "capture").string();
  const Outcome outcome = runCli({"run", "--capture", "1", "--to", file, program});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const auto captured = readCapture(file);
  ASSERT_TRUE(captured) << captured.error().sentence();
  EXPECT_EQ(captured->launch.raw->buffers.size(), 5U)
      << "lists, out, other, data, far; not what nothing points to";
  Launch launch = captured->launch;
  launch.source = std::make_shared<const SourceText>(program, readAll(program));
  const auto run = runLaunch(launch);
  ASSERT_TRUE(run) << run.error().sentence();
  ASSERT_FALSE(run->fault) << run->fault->error.sentence();
  int result = 0;
  std::memcpy(&result, run->simulation.buffers[1].data(), sizeof result);
  EXPECT_EQ(result, 5);
}

TEST(CliRunLaunches, SaysWhyALaunchIsNotCaptured) {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "capture").string();
  EXPECT_SAYS(
      runMain("int* p; cudaMalloc(&p, 1 << 25);\nfill<<<1, 4>>>(p, 4);", {"--capture", "1", "--to", file})
          .complaint);
  EXPECT_FALSE(std::filesystem::exists(file));
  runMain(kTwoLaunches, {"--capture", "3", "--to", file});
  EXPECT_FALSE(std::filesystem::exists(file)) << "there are two";
  EXPECT_EQ(runMain(kTwoLaunches, {"--capture", "1"}).status, 2) << "where to?";
}

}  // namespace
}  // namespace lanescope::cli
