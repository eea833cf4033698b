// The source panel while it is edited: typing, faults, hazards, luck, the launch form, files.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/panels/base/code_input.h"
#include "app/tests/drawn_text.h"
#include "app/tests/editor_bench.h"
#include "app/tests/test_window.h"

namespace lanescope {
namespace {

Area findSource(const Headless& headless, bool tall) {
  return layoutWindow(headless.size(), headless.unit(), {.sourceIsTall = tall}).of("source");
}

/// In the middle of the code's third row.
ImVec2 inTheCode(const Headless& headless) {
  const Area area = findSource(headless, false);
  return {area.x + area.w / 2, area.y + 70 * headless.unit()};
}

TEST(SourceEditor, AClickEditsAndEscapeEndsIt) {
  EditorBench bench("baseline", 64);
  Headless headless(kProjector);
  EXPECT_FALSE(bench.window.type(Chord::writing('x'))) << "nobody writes yet";
  headless.click(bench.window, inTheCode(headless));
  ASSERT_TRUE(bench.window.takesText());
  EXPECT_FALSE(bench.window.press("Space")) << "a space is text now";
  EXPECT_FALSE(bench.session.player().playing());
  bench.buffer().move(CaretMove::TextStart);
  bench.type("// mine");
  bench.window.type("Enter");
  headless.settle(bench.window);
  EXPECT_EQ(bench.buffer().text().substr(0, 8), "// mine\n");
  EXPECT_EQ(problemText(), "");
  bench.window.type("Ctrl+Z");
  bench.window.type("Ctrl+Z");
  bench.window.type("Ctrl+Z");
  headless.settle(bench.window);
  EXPECT_FALSE(bench.session.editor().current()->isEdited());
  EXPECT_TRUE(bench.window.press("Esc"));
  EXPECT_FALSE(bench.window.takesText());
  EXPECT_TRUE(bench.window.press("Space"));
  EXPECT_TRUE(bench.session.player().playing());
}

TEST(SourceEditor, RunTakesWhatWasTypedBeforeIt) {
  EditorBench bench("baseline", 8);
  Headless headless(kProjector);
  headless.click(bench.window, inTheCode(headless));
  bench.buffer().move(CaretMove::TextStart);
  bench.type("// mine ");
  bench.window.press("Ctrl+Enter");  // in the same frame
  headless.frame(bench.window);
  ASSERT_TRUE(bench.settle());
  EXPECT_TRUE(bench.session.player().replay()->trace().launch.source->text().starts_with("// mine "));
}

// A press elsewhere ends the writing, and the source gets lower; its buttons stay until they are released.
TEST(SourceEditor, ItsButtonsTakeTheClickThatEndsWriting) {
  EditorBench bench("baseline", 64);
  Headless headless(kProjector);
  headless.click(bench.window, inTheCode(headless));
  ASSERT_TRUE(bench.window.takesText());
  bench.buffer().move(CaretMove::TextStart);
  bench.type("// mine ");
  headless.settle(bench.window);
  ASSERT_TRUE(headless.click(bench.window, "Run", findPanel("source")));
  ASSERT_TRUE(bench.settle());
  EXPECT_TRUE(bench.session.player().replay()->trace().launch.source->text().starts_with("// mine "));
}

TEST(SourceEditor, TheCaretGoesWhereThePointerPresses) {
  EditorBench bench("baseline", 64);
  bench.session.player().toStart();
  Headless headless(kDesk, bench.window);
  const ImVec2 first = inTheCode(headless);
  headless.click(bench.window, first);
  const std::uint32_t upper = bench.buffer().caret();
  headless.click(bench.window, ImVec2(first.x, first.y + 60 * headless.unit()));
  EXPECT_GT(bench.buffer().caret(), upper);
  const Area lesson = findArea(headless, "lesson");
  headless.click(bench.window, ImVec2(lesson.x + lesson.w / 2, lesson.y + lesson.h - 20));
  EXPECT_FALSE(bench.window.takesText()) << "a click elsewhere ends the editing";
}

std::ptrdiff_t findLine(const TextBuffer& buffer, std::uint32_t offset) {
  return std::ranges::count(buffer.text().substr(0, offset), '\n');
}

// The first click makes the panel higher: the second must find the same word below the pointer.
TEST(SourceEditor, TheClickedLineStaysBelowThePointer) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    EditorBench bench("no-divergence", 64);
    bench.session.player().toEnd();
    Headless headless(size, bench.window);
    const ImGuiWindow* const listing = windowNamed("listing");
    ASSERT_NE(listing, nullptr);
    int words = 0;
    const float high = listing->Size.y;
    for (float y = 6; y < high; y += 11) {
      const ImVec2 at(listing->Pos.x + listing->Size.x * 0.3F, listing->Pos.y + y);
      headless.click(bench.window, at);
      const std::uint32_t caret = bench.buffer().caret();
      EXPECT_FALSE(bench.buffer().hasSelection());
      headless.click(bench.window, at);
      const SourceSpan word = bench.buffer().selection();
      EXPECT_LE(findLine(bench.buffer(), word.begin), findLine(bench.buffer(), caret)) << y;
      EXPECT_GE(findLine(bench.buffer(), word.end), findLine(bench.buffer(), caret)) << y;
      words += bench.buffer().hasSelection() ? 1 : 0;
      headless.press(bench.window, "Esc");
      bench.session.player().toStart();
      headless.settle(bench.window);
      bench.session.player().toEnd();
      headless.settle(bench.window);
    }
    EXPECT_GT(words, 1);
  }
}

// A line that never runs hands its breakpoint to the next that does, and says so.
TEST(SourceEditor, AllOfTheMarginSetsABreakpoint) {
  EditorBench bench("no-divergence", 64);
  Player& player = bench.session.player();
  Headless headless(kDesk);
  player.toStart();
  headless.settle(bench.window);
  const ImGuiWindow* const listing = windowNamed("listing");
  ASSERT_NE(listing, nullptr);
  const Stops& stops = player.stops();
  int handed = 0;
  int set = 0;
  for (float y = 4; y < listing->Size.y; y += 5) {
    headless.click(bench.window, ImVec2(listing->Pos.x + 3, listing->Pos.y + y));
    const std::string& notice = bench.window.state().notice.text;
    const bool isHanded = notice.find("it stops on line") != std::string::npos;
    handed += isHanded ? 1 : 0;
    EXPECT_EQ(problemText(), "");
    if (stops.lines().empty() && notice.empty()) break;  // below the text
    if (notice.find("nothing to stop at") == std::string::npos) {
      ++set;
      ASSERT_EQ(stops.lines().size(), 1U) << y;
      ASSERT_TRUE(player.runToStop(true));
      EXPECT_EQ(player.replay()->currentStep()->line, *stops.lines().begin());
      player.toStart();
    }
    player.stops().clear();
  }
  EXPECT_GT(handed, 0);
  EXPECT_GT(set, 40) << "several places of every line";
  EXPECT_FALSE(bench.window.takesText());
}

TEST(SourceEditor, AFileThatFailsIsDrawnWithoutPictures) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    EditorBench bench("baseline", 64);
    Headless headless(size, bench.window);
    bench.session.openFile(
        bench.files->put("undeclared.cu", "__global__ void k(int* out) { out[threadIdx.x] = y; }\n"));
    ASSERT_TRUE(bench.settle());
    ASSERT_EQ(bench.session.player().replay(), nullptr);
    for (const Mode mode : {Mode::Explore, Mode::Compare, Mode::Table, Mode::Predict, Mode::Explore}) {
      bench.window.state().mode = mode;
      headless.settle(bench.window);
      EXPECT_EQ(problemText(), "") << static_cast<int>(mode);
    }
    for (const char* key : {"Right", "Left", "Space", "H", "R", "L", "End", "E", "Esc", "Ctrl+S", "Esc"}) {
      headless.press(bench.window, key);
    }
    bench.session.chooseStrategy(*findStrategy("baseline"));
    ASSERT_TRUE(bench.settle());
    headless.settle(bench.window);
    ASSERT_NE(bench.session.player().replay(), nullptr);
    EXPECT_EQ(problemText(), "");
  }
}

// The walk up to the fault, its report beside it, in every mode and size.
TEST(SourceEditor, AFileThatFaultsIsDrawnWithItsWalk) {
  for (const char* text :
       {"__global__ void k(int* out) {\n  out[threadIdx.x + 4096] = 1;\n}\n",
        "__global__ void k(int* out) {\n  __shared__ int s[64];\n  s[threadIdx.x] = out[threadIdx.x];\n"
        "  __syncthreads();\n  out[threadIdx.x] = s[threadIdx.x + 4];\n}\n"}) {
    for (const ImVec2 size : {kProjector, kDesk}) {
      EditorBench bench;
      Headless headless(size);
      bench.session.openFile(bench.files->put("out_of_bounds.cu", text));
      ASSERT_TRUE(bench.settle());
      ASSERT_NE(bench.session.player().replay(), nullptr);
      EXPECT_TRUE(bench.session.player().replay()->atEnd());
      headless.settle(bench.window);
      const std::string& hint = bench.session.editor().diagnostics().front().hint;
      EXPECT_NE(headless.words(bench.window).find(hint.substr(0, hint.find(':'))), std::string::npos) << hint;
      for (const Mode mode : {Mode::Explore, Mode::Compare, Mode::Table, Mode::Predict, Mode::Explore}) {
        bench.window.state().mode = mode;
        headless.settle(bench.window);
        EXPECT_EQ(problemText(), "") << static_cast<int>(mode);
      }
      for (const char* key : {"Left", "Home", "Right", "Space", "H", "End", "U", "Esc"}) {
        headless.press(bench.window, key);
        EXPECT_EQ(problemText(), "") << key;
      }
      ASSERT_TRUE(bench.settle());
    }
  }
}

TEST(SourceEditor, BlocksThatWereChosenForManyElementsAreTold) {
  EditorBench bench("baseline", 64);
  Headless headless(kProjector);
  bench.session.chooseElements(65536);
  headless.settle(bench.window);
  EXPECT_NE(bench.window.state().notice.text.find("64 blocks share them now"), std::string::npos);
  EXPECT_EQ(problemText(), "");
}

TEST(SourceEditor, AnEditRunsAndItsRaceIsShown) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    EditorBench bench("baseline", 64);
    Headless headless(size, bench.window);
    bench.removeBarrier();
    bench.window.press("Ctrl+Enter");
    ASSERT_TRUE(bench.settle());
    headless.settle(bench.window);
    headless.settle(bench.window);
    EXPECT_TRUE(bench.window.state().sourceIsTall);
    EXPECT_EQ(problemText(), "");
    ASSERT_NE(bench.session.editor().hazards(), nullptr);
    const Hazard& race = bench.session.editor().hazards()->hazards.front();
    const std::string shown = withoutSpaces(textIn(findPanel("source")));
    EXPECT_NE(shown.find(withoutSpaces(asSentence(race.message))), std::string::npos) << shown;
    const std::uint32_t start = bench.session.player().replay()->cursor().steps;
    ASSERT_TRUE(headless.click(bench.window, "then:", findPanel("source")));
    EXPECT_NE(bench.session.player().replay()->cursor().steps, start);
    EXPECT_GE(bench.window.state().marks.thread, 0);
  }
}

// No race, no fault: only the result shows that an edit is wrong. A click leads to who wrote it.
TEST(SourceEditor, AWrongResultIsToldAndLeadsToItsWriter) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    EditorBench bench("baseline", 64);
    const std::string bound = "k < blockDim.x";
    const auto at = static_cast<std::uint32_t>(bench.buffer().text().find(bound));
    bench.buffer().select({at, static_cast<std::uint32_t>(at + bound.size())});
    bench.buffer().insert("k < blockDim.x / 2");
    bench.window.press("Ctrl+Enter");
    ASSERT_TRUE(bench.settle());
    ASSERT_TRUE(bench.session.editor().hazards()->hazards.empty());
    Headless headless(size, bench.window);
    headless.settle(bench.window);
    EXPECT_GT(areaOfWindow("/report_").h, 0) << "the report takes room";
    EXPECT_EQ(problemText(), "");
    ASSERT_TRUE(headless.click(bench.window, "thread 0 writes it", findPanel("source")));
    ASSERT_TRUE(bench.session.player().replay()->currentStep());
    EXPECT_EQ(bench.session.player().replay()->currentStep()->kind, StepKind::GlobalStore);
    bench.window.state().mode = Mode::Predict;
    headless.settle(bench.window);
    EXPECT_EQ(problemText(), "");
  }
}

class WithoutABarrier : public ::testing::TestWithParam<std::string> {};

TEST_P(WithoutABarrier, IsDrawn) {
  const Strategy& strategy = *findStrategy(GetParam());
  EditorBench bench(strategy.id, 256);
  bench.removeBarrier();
  bench.session.run();
  ASSERT_TRUE(bench.settle());
  EXPECT_EQ(bench.session.error(), "");
  ASSERT_NE(bench.session.editor().hazards(), nullptr);
  // What a barrier in one place keeps apart, another may too: those of the course's first half do not. Where
  // each thread loads the word that it stored, there is nothing to keep apart.
  if (strategy.order <= 16 && strategy.id != "bank-strides") {
    EXPECT_FALSE(bench.session.editor().hazards()->hazards.empty());
  }
  bench.session.editor().tryLuck();
  ASSERT_TRUE(bench.settle());
  ASSERT_NE(bench.session.editor().luck(), nullptr);
  for (const Theme& theme : themes()) {
    bench.window.state().theme = &theme;
    Headless headless(kProjector, bench.window);
    headless.settle(bench.window);
    EXPECT_EQ(problemText(), "") << theme.id;
  }
}

std::vector<std::string> withABarrier(std::vector<std::string> ids) {
  std::erase_if(ids, [](const std::string& id) {
    return findStrategy(id)->source.find("__syncthreads();") == std::string_view::npos;
  });
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Some, WithoutABarrier, ::testing::ValuesIn(withABarrier(someIds())));
INSTANTIATE_TEST_SUITE_P(Sweep, WithoutABarrier, ::testing::ValuesIn(withABarrier(allIds())));

TEST(SourceEditor, FaultsAreDrawnWhileTyping) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    EditorBench bench("no-divergence", 64);
    Headless headless(size);
    headless.click(bench.window, inTheCode(headless));
    bench.buffer().move(CaretMove::TextEnd);
    bench.type("int x = undeclared + 1 @;");
    headless.settle(bench.window);
    ASSERT_TRUE(bench.settle());
    EXPECT_FALSE(bench.session.editor().diagnostics().empty());
    headless.settle(bench.window);
    headless.settle(bench.window);
    EXPECT_EQ(problemText(), "");
    EXPECT_TRUE(bench.window.state().sourceIsTall);
  }
}

TEST(OpenDialogTest, OpensFitsAndCloses) {
  EditorBench bench("baseline", 8);
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    headless.press(bench.window, "Ctrl+O");
    EXPECT_TRUE(bench.window.takesText());
    EXPECT_EQ(problemText(), "");
    bench.session.openFile("/nonexistent/kernel.cu");
    headless.settle(bench.window);
    EXPECT_EQ(problemText(), "");
    headless.press(bench.window, "Esc");
    EXPECT_EQ(bench.window.state().dialog, Dialog::None);
    bench.session.dismissError();
  }
}

TEST(SourceEditor, TallAndNarrowPlacesDoNotOverlap) {
  for (const ImVec2 size : {ImVec2(1024, 640), kProjector, kDesk, ImVec2(3840, 2160)}) {
    const auto areas = layoutWindow(size, unitFor(size), {.sourceIsTall = true, .gpuIsOpen = true});
    const Area& source = areas.of("source");
    const Area& counters = areas.of("counters");
    const Area& transport = areas.of("transport");
    EXPECT_LT(source.y + source.h, counters.y);
    EXPECT_LT(counters.y + counters.h, transport.y);
    EXPECT_LT(areas.of("gpu").h, 45 * unitFor(size)) << "its line alone";
  }
}

}  // namespace
}  // namespace lanescope
