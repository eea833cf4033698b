#include "app/analysis/text_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <memory>

#include "app/gpu/worker_client.h"
#include "app/launch/kernel_file.h"
#include "app/launch/kernel_signature.h"
#include "app/launch/strategy_launch.h"
#include "kernels/protocol/nvrtc.h"
#include "sim/machine/compile/compiled_kernel.h"
#include "sim/memory/device_memory.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLong{20000};

WorkerOptions fake(const std::string& mode) {
  WorkerOptions options;
  options.command = std::string("'") + LANESCOPE_FAKE_WORKER + "' " + mode;
  options.helloTimeout = milliseconds(5000);
  options.silenceTimeout = milliseconds(700);
  options.stopPatience = milliseconds(150);
  return options;
}

CompileRunRequest someText() {
  CompileRunRequest request;
  request.launch.text = "__global__ void k(float* o) { o[0] = 1.5f; }";
  request.launch.kernel = "k";
  request.launch.arguments = {"f32:zero:1"};
  return request;
}

bool isOver(const WorkerView& view) {
  return view.edited->finished && (view.state == WorkerState::Ready || view.state == WorkerState::Failed);
}

TEST(TextRun, BringsBackWhatTheWorkerSays) {
  WorkerClient client(fake("good"));
  ASSERT_TRUE(client.compileRun(someText()).ok());
  EXPECT_FALSE(client.compileRun(someText()).ok());  // one at a time
  ASSERT_TRUE(client.waitUntil(isOver, kLong));
  const TextRun run = *client.view()->edited;
  EXPECT_EQ(run.problem, "");
  EXPECT_EQ(run.compiled->architecture, "sm_0");
  EXPECT_EQ(run.outputs.at(0).content.size(), 4U);
  EXPECT_EQ(run.timed->medianUs, 5);
  EXPECT_FALSE(run.lostWorker);

  ASSERT_TRUE(client.readCounters({0, someText().launch}).ok());
  ASSERT_TRUE(client.waitUntil(isOver, kLong));
  EXPECT_EQ(client.view()->edited->counters->counters[0].value, 4U);
}

TEST(TextRun, RefusesTenMegabytesAtOnce) {
  WorkerClient client(fake("good"));
  CompileRunRequest request = someText();
  request.launch.text = std::string(10'000'000, 'x');
  const auto refused = client.compileRun(request);
  ASSERT_FALSE(refused.ok());
  EXPECT_SAYS(refused.error().sentence());
  request = someText();
  request.launch.kernel.clear();
  EXPECT_FALSE(client.compileRun(request).ok());
  EXPECT_EQ(client.view()->state, WorkerState::NotStarted);
}

struct Fault {
  std::string name;
  const char* mode;
  const char* words;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.mode; }

class FaultyText : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultyText, IsToldAndANewWorkerIsMadeReady) {
  // Bad once: where the file is, the worker is a good one.
  const std::string flag = ::testing::TempDir() + "lanescope_text_was_bad_" + std::to_string(getpid());
  std::filesystem::remove(flag);
  {
    WorkerClient client(fake("$(test -e '" + flag + "' && echo good || { : >'" + flag + "'; echo " +
                             GetParam().mode + "; })"));
    ASSERT_TRUE(client.compileRun(someText()).ok());
    ASSERT_TRUE(client.waitUntil([](const WorkerView& view) { return view.edited->lostWorker; }, kLong));
    // The next worker starts by itself.
    ASSERT_TRUE(
        client.waitUntil([](const WorkerView& view) { return view.state == WorkerState::Ready; }, kLong));
    EXPECT_NE(client.view()->edited->problem.find(GetParam().words), std::string::npos)
        << client.view()->edited->problem;
    ASSERT_TRUE(client.compileRun(someText()).ok());
    ASSERT_TRUE(client.waitUntil(isOver, kLong));
    EXPECT_EQ(client.view()->edited->problem, "");
    EXPECT_EQ(client.view()->edited->outputs.size(), 1U);
  }
  std::filesystem::remove(flag);
}

INSTANTIATE_TEST_SUITE_P(Texts, FaultyText,
                         ::testing::Values(Fault{"KillsTheCompiler", "text-kills-compiler", "being compiled"},
                                           Fault{"Crashes", "text-crashes", "outside its buffers"},
                                           Fault{"Hangs", "text-hangs", "sent nothing"}),
                         [](const auto& fault) { return fault.param.name; });

TEST(TextRun, AWorkerThatDiesAtOnceIsNotStartedForEver) {
  const std::string flag = ::testing::TempDir() + "lanescope_text_dies_" + std::to_string(getpid());
  std::filesystem::remove(flag);
  WorkerClient client(
      fake("$(test -e '" + flag + "' && echo dies || { : >'" + flag + "'; echo text-crashes; })"));
  ASSERT_TRUE(client.compileRun(someText()).ok());
  EXPECT_TRUE(
      client.waitUntil([](const WorkerView& view) { return view.state == WorkerState::Failed; }, kLong));
  EXPECT_SAYS(client.view()->sentence);
  std::filesystem::remove(flag);
}

TEST(TextRun, BelievesNoMoreThanABufferHolds) {
  TextRun run{1};
  run.apply(OutputMessage{1, 0, 8, 0, 0});
  run.apply(WordsMessage{1, 0, 4, std::vector<std::byte>(4)});   // not the next part
  run.apply(WordsMessage{1, 0, 0, std::vector<std::byte>(12)});  // more than there is
  run.apply(WordsMessage{1, 5, 0, std::vector<std::byte>(4)});   // of no buffer
  run.apply(OutputMessage{2, 1, 8, 0, 0});                       // of another run
  EXPECT_EQ(run.outputs.size(), 1U);
  EXPECT_TRUE(run.outputs.at(0).content.empty());
}

/// A strategy's launch, simulated, and what a GPU with the same result would say.
struct Simulated {
  Launch launch = makeLaunch(*findStrategy("shuffle"), 256, 2, machinePresets()[0]).value();
  Simulation simulation = simulate(launch).value();

  TextRun echo(bool withWords = true) const {
    TextRun run{1};
    for (std::uint32_t i = 0; i < 2; ++i) {
      const auto& bytes = simulation.buffers[i];
      run.apply(OutputMessage{1, i, bytes.size(), 0, fnv1a(bytes)});
      if (withWords) run.apply(WordsMessage{1, i, 0, bytes});
    }
    return run;
  }
};

TEST(EditedComparison, FindsEqualOutputsEqual) {
  const Simulated both;
  EXPECT_TRUE(compareWithSimulator(both.launch, both.simulation, both.echo()).equal);
  EXPECT_TRUE(compareWithSimulator(both.launch, both.simulation, both.echo(false)).equal);
  const EditedComparison none = compareWithSimulator(both.launch, both.simulation, TextRun{1});
  EXPECT_FALSE(none.equal);
  EXPECT_TRUE(none.buffers.empty());
}

TEST(EditedComparison, NamesTheFirstDifferenceAndItsThread) {
  Simulated both;
  Simulated other;
  // Block 1's sum, one bit apart.
  other.simulation.buffers[1][4] ^= std::byte{1};
  const EditedComparison words = compareWithSimulator(both.launch, both.simulation, other.echo());
  EXPECT_FALSE(words.equal);
  ASSERT_TRUE(words.buffers[1].first);
  EXPECT_TRUE(words.buffers[0].equal);
  EXPECT_EQ(words.buffers[1].first->index, 1U);
  EXPECT_EQ(words.buffers[1].first->writer, "block 1, thread 0");
  EXPECT_NE(words.buffers[1].first->simulated, words.buffers[1].first->measured);
  EXPECT_SAYS(words.sentence);
  const EditedComparison hashes = compareWithSimulator(both.launch, both.simulation, other.echo(false));
  EXPECT_FALSE(hashes.equal);
  EXPECT_SAYS(hashes.sentence);
}

TEST(EditedComparison, ATextLaunchKeepsItsArguments) {
  Launch launch = Simulated().launch;
  for (const char* spec :
       {"f32=0.1", "f64=1e300", "i32=-5", "u8=200", "i64=-9000000000", "u64=7", "f32x4:hash1:8"}) {
    launch.arguments.push_back(parseArgument(spec).value());
  }
  const TextLaunch text = makeTextLaunch(launch);
  ASSERT_EQ(text.arguments.size(), launch.arguments.size());
  for (std::size_t i = 0; i < text.arguments.size(); ++i) {
    const Argument back = parseArgument(text.arguments[i]).value();
    EXPECT_EQ(back.type, launch.arguments[i].type);
    EXPECT_EQ(back.count, launch.arguments[i].count);
    EXPECT_EQ(back.fill, launch.arguments[i].fill);
    EXPECT_EQ(back.integer, launch.arguments[i].integer);
    EXPECT_EQ(back.real, launch.arguments[i].real);
  }
}

/// The kernels of a whole program, by name, each with what it is compiled to; without overloads.
std::map<std::string, std::shared_ptr<const CompiledKernel>> kernelsIn(const ParsedText& text) {
  std::map<std::string, std::shared_ptr<const CompiledKernel>> kernels;
  for (const KernelSignature& kernel : findKernels(text)) {
    const std::string& arguments = kernel.templateDefaults;
    const std::string name = kernel.name + (arguments.empty() ? "" : "<" + arguments + ">");
    const bool isFirst = kernels.emplace(name, nullptr).second;
    auto compiled = compileKernel(text, name);
    kernels[name] = compiled && isFirst ? *compiled : nullptr;
  }
  std::erase_if(kernels, [](const auto& kernel) { return kernel.second == nullptr; });
  return kernels;
}

/// Calls `visit` with every kernel of every program that the tests run, and with what the worker gets of it.
template <class Visit>
void forEachKernelOfAProgram(const Visit& visit) {
  for (const auto& entry :
       std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/sim/host/tests/programs")) {
    if (entry.path().extension() != ".cu") continue;
    const std::string path = entry.path().string();
    const std::string program = readKernelFile(DesktopHost(), path, 1U << 20U).value();
    Launch launch{.source = std::make_shared<const SourceText>(path, program,
                                                               readIncludes(DesktopHost(), path, program))};
    for (const auto& [name, compiled] : kernelsIn(ParsedText(launch.source)))
      visit(path + ": " + name, *compiled, makeTextLaunch(launch, name));
  }
}

// What the worker's compiler gets of a program is the kernel that is simulated.
TEST(EditedComparison, ATextLaunchIsOfTheKernelInAProgram) {
  int kernels = 0;
  int smaller = 0;  // without what only another kernel makes objects of, or points to
  forEachKernelOfAProgram([&](const std::string& name, const CompiledKernel& kernel, const TextLaunch& sent) {
    EXPECT_EQ(sent.text.find("int main"), std::string::npos) << name;
    const ParsedText text(std::make_shared<const SourceText>("sent.cu", sent.text));
    const auto again = compileKernel(text, sent.kernel);
    ASSERT_TRUE(again) << name << "\n" << again.error().message << sent.text;
    EXPECT_LE((*again)->code.code.size(), kernel.code.code.size()) << name;
    smaller += (*again)->code.code.size() < kernel.code.code.size() ? 1 : 0;
    ++kernels;
  });
  EXPECT_GT(kernels, 100);
  EXPECT_LT(smaller, kernels / 10);
}

// What the simulator knows of the headers, NVRTC gets: the constants, and libcu++ for `std::`.
TEST(EditedComparison, ATextLaunchMayUseTheHeadersOfThePrograms) {
  const auto nvrtc = Nvrtc::load();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  std::string sum = "0";
#define WHOLE(name, type, value) sum += " + " #name;
#define REAL(name, type, value) sum += " + " #name;
#include "sim/language/check/constants.def"
  Launch launch;
  launch.source = std::make_shared<const SourceText>(
      "p.cu",
      "#include <algorithm>\n#include <cmath>\n#include <iostream>\n#include <math_constants.h>\n#include "
      "<vector>\n"
      "template <typename T> __global__ void k(T* a) {\n  if (std::is_same<T, double>::value) a[0] = " +
          sum +
          ";\n  a[1] = std::sqrt(a[0]);\n  a[2] = std::numeric_limits<T>::max();\n  uint8_t b = a[3];\n"
          "  a[3] = b;\n}\nint main() { std::vector<int> v; }\n");
  const auto compiled = nvrtc->compile(makeTextLaunch(launch, "k<double>"), "sm_90");
  ASSERT_TRUE(compiled) << compiled.error().sentence();
  EXPECT_TRUE(compiled->compiled) << compiled->findings.front().message;
}

TEST(SweepEditedComparison, ATextLaunchOfAProgramCompilesForAGpu) {
  const auto nvrtc = Nvrtc::load();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  forEachKernelOfAProgram([&](const std::string& name, const CompiledKernel&, const TextLaunch& sent) {
    if (name.ends_with("host_members.cu: read")) return;  // std::string, whose size NVRTC does not know
    const auto compiled = nvrtc->compile(sent, "sm_90");
    ASSERT_TRUE(compiled) << name << ": " << compiled.error().sentence();
    const std::string why = compiled->findings.empty() ? "" : compiled->findings.front().message;
    EXPECT_TRUE(compiled->compiled) << name << ": " << why << "\n" << sent.text;
  });
}

TEST(CounterComparison, SaysWhatIsEqualAndWhyNot) {
  Counters predicted;
  predicted.barriers = 8;
  predicted.sharedStoreWavefronts = 10;
  predicted.globalLoadRequests = 3;
  CountersMessage measured;
  measured.counters = {{"sass__inst_executed_per_opcode.BAR", 8},
                       {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 4},
                       {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 5}};
  const auto rows = compareCounters(predicted, measured);
  ASSERT_EQ(rows.size(), 12U);
  for (const CounterRow& row : rows) EXPECT_EQ(row.equal, row.reason.empty()) << row.name;
  EXPECT_TRUE(rows[10].equal);
  EXPECT_EQ(rows[3].predicted, 10U);
  EXPECT_EQ(rows[3].measured, 4U);
  EXPECT_SAYS(rows[3].reason);
  EXPECT_SAYS(rows[4].reason);
  EXPECT_FALSE(rows[5].measured);
}

}  // namespace
}  // namespace lanescope
