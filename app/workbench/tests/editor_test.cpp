// Editing, running and switching documents, with the real simulator in the background.
#include "app/workbench/editor.h"

#include <gtest/gtest.h>

#include "app/workbench/session.h"
#include "app/workbench/tests/settle.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using testing::FileSession;
using testing::settle;
using testing::ShownSession;
using testing::waitUntil;

/// Replaces the first `from` of the current text.
void change(Session& session, std::string_view from, std::string_view to) {
  TextBuffer& buffer = session.editor().current()->buffer;
  const auto at = static_cast<std::uint32_t>(buffer.text().find(from));
  ASSERT_LT(at, buffer.text().size()) << from;
  buffer.select({at, static_cast<std::uint32_t>(at + from.size())});
  buffer.insert(to);
}

const Document& atHand(const Session& session) { return *session.editor().current(); }

constexpr const char* kLoop = "    __syncthreads();\n  }\n";

TEST(EditorTest, AnEditRunsAndItsRaceIsFound) {
  ShownSession session("baseline", 64);
  ASSERT_NE(session.editor().hazards(), nullptr);
  EXPECT_TRUE(session.editor().hazards()->hazards.empty());
  change(session, kLoop, "  }\n");
  EXPECT_EQ(session.editor().hazards(), nullptr) << "of another text";
  EXPECT_TRUE(atHand(session).isEdited());
  session.run();
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_EQ(session.selection(), session.shown());
  EXPECT_TRUE(atHand(session).has(*session.player().replay()->trace().launch.source));
  const HazardReport* report = session.editor().hazards();
  ASSERT_NE(report, nullptr);
  ASSERT_FALSE(report->hazards.empty());
  EXPECT_EQ(report->hazards.front().scope, HazardScope::Block);

  session.editor().tryLuck();
  ASSERT_TRUE(settle(session));
  ASSERT_NE(session.editor().luck(), nullptr);
  ASSERT_TRUE(*session.editor().luck());
  EXPECT_EQ((*session.editor().luck())->verdict, LuckVerdict::Depends);
}

/// Removing the loop's barrier races: both sides of every report lead to the step where the trace shows
/// that thread ask for that word.
TEST(EditorTest, AHazardLeadsToItsSteps) {
  ShownSession session("baseline", 64);
  change(session, kLoop, "  }\n");
  session.run();
  ASSERT_TRUE(settle(session));
  ASSERT_NE(session.editor().hazards(), nullptr);
  const Trace& trace = session.player().replay()->trace();
  for (const Hazard& hazard : session.editor().hazards()->hazards) {
    ASSERT_TRUE(hazard.earlier);
    for (const HazardAccess& access : {*hazard.earlier, hazard.access}) {
      ASSERT_TRUE(access.step) << hazard.message;
      const Step step = trace.steps[*access.step];
      EXPECT_EQ(step.warp, access.warp);
      EXPECT_EQ(step.kind, access.verb == "writes" ? StepKind::SharedStore : StepKind::SharedLoad);
      bool met = false;
      for (std::uint32_t i = 0; i < step.accesses.count; ++i) {
        const LaneAccess& lane = trace.accesses[step.accesses.first + i];
        met = met || (lane.lane == access.lane && hazard.place == "s[" + std::to_string(lane.cell) + "]");
      }
      EXPECT_TRUE(met) << hazard.message;
    }
  }
}

TEST(EditorTest, EditsAreKeptWhileAnotherStrategyIsShown) {
  ShownSession session("baseline", 8);
  change(session, "k *= 2", "k *= 4");
  session.run();
  ASSERT_TRUE(settle(session));
  change(session, "k *= 4", "k *= ");  // not run, and wrong
  const std::string edited = atHand(session).buffer.text();
  session.chooseStrategy(*findStrategy("shuffle"));
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(atHand(session).strategy->id, "shuffle");
  EXPECT_FALSE(atHand(session).isEdited());
  session.chooseStrategy(*findStrategy("baseline"));
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(atHand(session).buffer.text(), edited);
  EXPECT_EQ(session.error(), "");
  // The pictures show the last version that ran.
  EXPECT_NE(session.player().replay()->trace().launch.source->text().find("k *= 4"), std::string_view::npos);
  EXPECT_TRUE(session.editor().current()->buffer.undo());
}

TEST(EditorTest, ResetRunsTheOwnTextAndCanBeUndone) {
  ShownSession session("no-divergence", 8);
  change(session, kLoop, "  }\n");
  session.run();
  ASSERT_TRUE(settle(session));
  session.resetText();
  ASSERT_TRUE(settle(session));
  EXPECT_FALSE(atHand(session).isEdited());
  EXPECT_EQ(session.selection().edition, 0U);
  EXPECT_TRUE(session.editor().hazards()->hazards.empty());
  session.editor().current()->buffer.undo();
  EXPECT_TRUE(atHand(session).isEdited());
}

TEST(EditorTest, FaultsAreToldWhileTyping) {
  ShownSession session("baseline", 8);
  EXPECT_TRUE(session.editor().diagnostics().empty());
  change(session, "threadIdx.x;", "threadIdy.x;");
  ASSERT_TRUE(waitUntil(session, [&] { return !session.editor().diagnostics().empty(); }));
  const Diagnostic& first = session.editor().diagnostics().front();
  const std::string& text = atHand(session).buffer.text();
  EXPECT_EQ(text.substr(first.span.begin, first.span.end - first.span.begin), "threadIdy") << first.message;
  // Another text: nothing is marked at a place that has moved.
  session.editor().current()->buffer.place(0);
  session.editor().current()->buffer.insert("\n");
  session.poll();
  EXPECT_TRUE(session.editor().diagnostics().empty());
  ASSERT_TRUE(settle(session));
  EXPECT_FALSE(session.editor().diagnostics().empty());
  session.editor().current()->buffer.undo();
  session.editor().current()->buffer.undo();
  ASSERT_TRUE(settle(session));
  EXPECT_TRUE(session.editor().diagnostics().empty());
}

TEST(EditorTest, ATextThatDoesNotParseLosesNothing) {
  ShownSession session("baseline", 8);
  const Selection before = session.shown();
  change(session, "{", "{ @ ");
  session.run();
  ASSERT_TRUE(settle(session));
  EXPECT_NE(session.error(), "");
  EXPECT_TRUE(session.errorIsInText());
  EXPECT_EQ(session.error().find('\n'), std::string::npos);
  EXPECT_EQ(session.shown(), before);
  EXPECT_TRUE(atHand(session).isEdited());
}

TEST(EditorTest, AFaultOfTheRunIsToldAtItsPlace) {
  ShownSession session("baseline", 8);
  Player& player = session.player();
  change(session, "s[tid] = in", "s[tid + 1] = in");
  session.run();
  ASSERT_TRUE(settle(session));
  ASSERT_FALSE(session.editor().diagnostics().empty());
  EXPECT_SAYS(session.editor().diagnostics().front().message);
  ASSERT_NE(session.editor().hazards(), nullptr);
  const Hazard& hazard = session.editor().hazards()->hazards.front();
  EXPECT_EQ(hazard.kind, HazardKind::OutOfBounds);
  // The walk ends at it, and that is where it opens.
  const Trace& trace = player.replay()->trace();
  ASSERT_TRUE(trace.fault);
  EXPECT_TRUE(player.replay()->atEnd());
  EXPECT_EQ(hazard.access.step, trace.fault->step);
  EXPECT_EQ(trace.steps.back().kind, StepKind::Fault);
  EXPECT_EQ(trace.fault->place, "s[8]");
  EXPECT_TRUE(player.back());
}

TEST(EditorTest, AFaultOfTheFirstInstructionIsAWalkOfOneStep) {
  FileSession session;
  Player& player = session.player();
  session.open("first.cu", "__global__ void k(int* out) { out[threadIdx.x + 4096] = 1; }\n");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(settle(session));
  ASSERT_NE(player.replay(), nullptr);
  const Trace& trace = player.replay()->trace();
  ASSERT_TRUE(trace.fault);
  EXPECT_EQ(trace.fault->place, "out[4,096]");
  EXPECT_EQ(trace.fault->lanes, 1U);
  EXPECT_EQ(player.replay()->cursor().steps, trace.steps.size());
  EXPECT_TRUE(session.errorIsInText());
  ASSERT_FALSE(session.editor().diagnostics().empty());
  EXPECT_SAYS(session.editor().diagnostics().front().hint);
  // Once somebody has chosen the launch it is none.
  LaunchForm form = session.editor().currentForm();
  form.block = "32";
  session.editor().editForm(form);
  session.run();
  ASSERT_TRUE(settle(session));
  EXPECT_TRUE(session.editor().diagnostics().front().hint.starts_with("Guard"));
}

TEST(EditorTest, AFormMakesTheLaunchUntilNIsChosen) {
  ShownSession session("baseline", 64);
  Player& player = session.player();
  LaunchForm form = session.editor().currentForm();
  EXPECT_EQ(form.block, "64");
  EXPECT_EQ(form.arguments, (std::vector<std::string>{"f32:hash:64", "f32:zero:1"}));
  form.block = "16";
  form.grid = "4";
  form.arguments = {"f32:hash1:64", "f32:zero:4"};
  form.dynamicShared = "64";
  session.editor().current()->form = form;
  session.run();
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_EQ(player.replay()->trace().threads, 16U);
  EXPECT_EQ(player.replay()->trace().launch.grid.x, 4U);
  session.chooseStrategy(*findStrategy("shuffle"));
  session.chooseStrategy(*findStrategy("baseline"));
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(player.replay()->trace().threads, 16U);
  session.chooseElements(64);
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(player.replay()->trace().threads, 64U);
  EXPECT_FALSE(atHand(session).isEdited());
}

// The data are too short.
TEST(EditorTest, AFormWhoseRunFaultsIsTheLaunchThatRan) {
  ShownSession session("no-divergence", 64);
  Editor& editor = session.editor();
  LaunchForm form = editor.currentForm();
  form.arguments[0] = "f32:hash:10";
  editor.editForm(form);
  EXPECT_TRUE(editor.formIsChanged());
  session.run();
  ASSERT_TRUE(settle(session));
  EXPECT_NE(session.error(), "");
  EXPECT_FALSE(editor.diagnostics().empty());
  EXPECT_EQ(editor.currentForm(), form) << "to be corrected";
  EXPECT_FALSE(editor.formIsChanged()) << "it ran, up to its fault";
  EXPECT_FALSE(editor.formIsRefused());
  EXPECT_EQ(session.shownRun()->asked.form, form);
  session.resetText();
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_TRUE(editor.diagnostics().empty()) << "the fault was that of the other launch";
  EXPECT_TRUE(editor.result()->isRight);
}

TEST(EditorTest, AFormThatCannotBeginGoesBackWithAllThatWasFound) {
  ShownSession session("no-divergence", 64);
  Editor& editor = session.editor();
  const LaunchForm own = editor.currentForm();
  LaunchForm form = own;
  form.arguments.pop_back();
  editor.editForm(form);
  const Selection before = session.shown();
  session.run();
  ASSERT_TRUE(settle(session));
  EXPECT_NE(session.error(), "");
  EXPECT_EQ(session.shown(), before);
  EXPECT_TRUE(editor.formIsChanged());
  EXPECT_TRUE(editor.formIsRefused());
  editor.revertForm();
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(editor.currentForm(), own);
  EXPECT_FALSE(editor.formIsChanged());
  EXPECT_FALSE(editor.formIsRefused());
  EXPECT_TRUE(editor.diagnostics().empty());
  ASSERT_NE(editor.hazards(), nullptr);
  EXPECT_TRUE(editor.hazards()->hazards.empty());
  ASSERT_NE(editor.result(), nullptr);
  EXPECT_TRUE(editor.result()->isRight);
  EXPECT_FALSE(atHand(session).isEdited());
  session.run();
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
}

constexpr const char* kTwoKernels =
    "__global__ void fill(float* out, unsigned int n) {\n"
    "\tif (threadIdx.x < n) out[threadIdx.x] = 1.0f;\n"
    "}\n"
    "template <unsigned int D> __global__ void tiled(const int* in, int* out) {\n"
    "  extern __shared__ int tile[];\n"
    "  tile[threadIdx.x] = in[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  out[threadIdx.x] = tile[D - 1 - threadIdx.x];\n"
    "}\n";

TEST(EditorTest, AFileOpensWithALaunchOfItsFirstKernel) {
  FileSession session;
  Player& player = session.player();
  session.open("two_kernels.cu", kTwoKernels);
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  ASSERT_NE(player.replay(), nullptr);
  EXPECT_EQ(player.replay()->trace().kernelName, "fill");
  EXPECT_EQ(session.shown().strategy, nullptr);
  EXPECT_EQ(atHand(session).name(), "two_kernels.cu");
  ASSERT_EQ(session.editor().kernels().size(), 2U);
  const KernelSignature& tiled = session.editor().kernels()[1];
  session.editor().current()->form = formFor(tiled);
  EXPECT_EQ(session.editor().current()->form->kernelName(), "tiled<64>");
  session.run();
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_EQ(player.replay()->trace().kernelName, "tiled<64>");

  // A strategy, and back to the file with its edits.
  change(session, "D - 1 - ", "");
  session.chooseStrategy(*findStrategy("baseline"));
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(player.replay()->trace().kernelName, "baseline");
  session.openFile(atHand(session).path.empty() ? std::string("/home/user/two_kernels.cu") : "");
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_EQ(atHand(session).buffer.text().find("D - 1"), std::string::npos);
}

TEST(EditorTest, AFileThatCannotBeIsSaid) {
  ShownSession session("baseline", 8);
  const std::string large = session.files->put("large.cu", std::string((1U << 20U) + 1, '\n'));
  for (const std::string& path : {std::string("/nonexistent/kernel.cu"), std::string("/home/user"), large}) {
    session.openFile(path);
    EXPECT_NE(session.error(), "") << path;
    EXPECT_EQ(session.error().find('\n'), std::string::npos);
    EXPECT_EQ(atHand(session).strategy->id, "baseline");
  }
}

TEST(EditorTest, AFileWithoutAKernelIsOpenedAndMended) {
  FileSession session;
  session.open("none.cu", "__device__ int one() { return 1; }\n");
  ASSERT_TRUE(settle(session));
  EXPECT_NE(session.error(), "");
  EXPECT_TRUE(session.errorIsInText()) << "the text's own check says it";
  EXPECT_EQ(session.player().replay(), nullptr);
  ASSERT_NE(session.editor().current(), nullptr);
  TextBuffer& buffer = session.editor().current()->buffer;
  buffer.move(CaretMove::TextEnd);
  buffer.insert("__global__ void put(int* out, float x, int n) { if (n > 3) out[0] = one(); }\n");
  ASSERT_TRUE(settle(session));
  ASSERT_TRUE(session.editor().current()->form);
  EXPECT_EQ(session.editor().current()->form->kernel, "put");
  EXPECT_EQ(session.editor().current()->form->arguments,
            (std::vector<std::string>{"i32:zero:64", "f32=1", "i32=64"}));
  session.run();
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_NE(session.player().replay(), nullptr);
}

// Under its name, the pictures of the kernel before would be a lie.
TEST(EditorTest, AFileThatFailsLeavesNoPicturesOfAnotherKernel) {
  for (const std::string text : {"", "__global__ void k(int* out) { out[threadIdx.x] = y; }\n"}) {
    ShownSession session("baseline", 64);
    session.open("empty.cu", text);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(settle(session));
    EXPECT_NE(session.error(), "") << text;
    EXPECT_EQ(session.player().replay(), nullptr) << text;
    EXPECT_EQ(session.selection().strategy, nullptr);
    EXPECT_EQ(session.shown().strategy, nullptr);
    EXPECT_TRUE(session.player().hazards().empty());
    EXPECT_TRUE(session.errorIsInText()) << session.error();
    EXPECT_FALSE(session.error().starts_with("Empty")) << session.error();
    ASSERT_FALSE(session.editor().diagnostics().empty());
    EXPECT_FALSE(session.editor().diagnostics().front().message.starts_with("empty"))
        << "a sentence begins with a capital, a file's name keeps its letters";
    session.chooseStrategy(*findStrategy("baseline"));
    ASSERT_TRUE(settle(session));
    EXPECT_EQ(session.error(), "");
    ASSERT_NE(session.player().replay(), nullptr);
    // A fault in the text whose pictures are shown leaves them.
    change(session, "k *= 2", "k *= undeclared");
    session.run();
    ASSERT_TRUE(settle(session));
    EXPECT_NE(session.error(), "");
    EXPECT_NE(session.player().replay(), nullptr);
  }
}

TEST(EditorTest, ASelectionThatCannotBeLaunchedLeavesItsDocumentBe) {
  ShownSession session("one-thread", 48);
  session.select({findStrategy("baseline"), 48, findMachine("nvidia")});
  EXPECT_NE(session.error(), "");
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(atHand(session).strategy->id, "one-thread");
  EXPECT_NE(session.player().replay(), nullptr);
}

TEST(EditorTest, AFileThatIsNoKernelIsNoHang) {
  std::string bytes;
  for (int i = 0; i < 100000; ++i) bytes += static_cast<char>((i * 7919) >> 3);
  FileSession session;
  session.open("binary.cu", bytes);
  EXPECT_SAYS(session.error());
  EXPECT_EQ(session.editor().current(), nullptr);
  std::erase(bytes, '\0');
  session.open("letters.cu", bytes);
  ASSERT_TRUE(settle(session));
  EXPECT_NE(session.error(), "");
  EXPECT_FALSE(session.editor().diagnostics().empty());
}

}  // namespace
}  // namespace lanescope
