// What a teacher meets in a lesson: notices that cover nothing, a launch that was changed and not run, the
// way back to the start, rows that have no room, a double click.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/tests/test_window.h"
#include "app/workbench/tests/settle.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using Bench = TestWindow;

bool overlaps(const Area& area, const ImGuiWindow& window) {
  return area.w > 0 && area.h > 0 && area.x < window.Pos.x + window.Size.x &&
         window.Pos.x < area.x + area.w && area.y < window.Pos.y + window.Size.y &&
         window.Pos.y < area.y + area.h;
}

TEST(Compare, SaysInFullHowTheRightDiffers) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Bench bench("warp-block-grid", 1024);
    bench.session.chooseElementType(ElementType::Double);
    bench.session.comparison().choose(findStrategy("float4-loads"));
    ASSERT_TRUE(waitForTrace(bench.session));
    bench.window.state().mode = Mode::Compare;
    Headless headless(size);
    headless.frame(bench.window);
    const Comparison& comparison = bench.session.comparison();
    ASSERT_TRUE(testing::waitUntil(
        bench.session, [&] { return comparison.replay() != nullptr && !comparison.simulating(); }));
    headless.settle(bench.window);
    ASSERT_NE(bench.session.comparison().sentence(), "");
    const ImGuiWindow* note = windowNamed("/note_");
    ASSERT_NE(note, nullptr);
    EXPECT_TRUE(note->Active);
    EXPECT_GT(note->ContentSize.y, 0);
    EXPECT_LE(note->ContentSize.y, note->Size.y);
    EXPECT_LE(note->ContentSize.x, note->Size.x);
    EXPECT_EQ(problemText(), "");
  }
}

/// Where every panel of the window is.
std::vector<Area> panels() {
  std::vector<Area> all;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (window->WasActive && window->ParentWindow != nullptr)
      all.push_back({window->Pos.x, window->Pos.y, window->Size.x, window->Size.y});
  }
  return all;
}

TEST(Notice, FloatsOverThePanelsAndMovesNone) {
  constexpr const char* kLongest =
      "A block of add-during-load-8 reduces a power of two of elements: 8, 16, 32, 64 \u2026, not 33 "
      "(N = 66 over 2 blocks). Choose N = 64 or 128.";
  for (const ImVec2 size : {ImVec2(1024, 640), kProjector, kDesk}) {
    for (const Mode mode : {Mode::Explore, Mode::Compare, Mode::Table, Mode::Predict}) {
      for (const bool presents : {false, true}) {
        Bench bench("no-divergence", 64);
        ViewState& state = bench.window.state();
        state.mode = mode;
        state.presenting = presents;
        Headless headless(size, bench.window, bench.window.unit(size));
        const std::vector<Area> before = panels();
        state.notify(kLongest);
        headless.settle(bench.window);
        const ImGuiWindow* notice = windowNamed("notice");
        ASSERT_NE(notice, nullptr);
        ASSERT_TRUE(notice->Active);
        const std::string where = "mode " + std::to_string(static_cast<int>(mode)) +
                                  (presents ? ", presented" : "") + ", width " +
                                  std::to_string(static_cast<int>(size.x));
        EXPECT_GE(notice->Pos.x, 0) << where;
        EXPECT_LE(notice->Pos.x + notice->Size.x, size.x) << where;
        EXPECT_LE(notice->Pos.y + notice->Size.y, size.y) << where;
        EXPECT_EQ(panels(), before) << where;
        const Area bar =
            layoutWindow(size, headless.unit(), {.mode = mode, .presents = presents}).of("transport");
        EXPECT_FALSE(overlaps(bar, *notice)) << where << ": the buttons stay free";
        EXPECT_EQ(problemText(), "") << where;
      }
    }
  }
}

TEST(LaunchForm, ThatWasChangedIsRunByEnterAndPutBackByEscape) {
  Bench bench("baseline", 64);
  Headless headless(kProjector, bench.window);
  Editor& editor = bench.session.editor();
  EXPECT_FALSE(editor.formIsChanged());
  LaunchForm form = editor.currentForm();
  const LaunchForm own = form;
  editor.editForm(form);
  EXPECT_FALSE(editor.formIsChanged()) << "the same again is no change";
  form.block = "32";
  editor.editForm(form);
  EXPECT_TRUE(editor.formIsChanged());
  headless.settle(bench.window);
  EXPECT_TRUE(bench.window.press("Esc"));
  EXPECT_FALSE(editor.formIsChanged());
  EXPECT_EQ(editor.currentForm(), own);
  EXPECT_EQ(editor.current()->form, std::nullopt) << "the strategy's own launch over N";

  editor.editForm(form);
  EXPECT_TRUE(bench.window.press("Enter"));
  ASSERT_TRUE(waitForTrace(bench.session)) << bench.session.error();
  EXPECT_EQ(bench.session.player().replay()->trace().threads, 32U);
  EXPECT_FALSE(editor.formIsChanged());
  EXPECT_FALSE(bench.window.press("Enter")) << "nothing is left to be run";
  form.block = "16";
  editor.editForm(form);
  EXPECT_TRUE(bench.window.press("Esc"));
  EXPECT_EQ(editor.currentForm().block, "32") << "what ran last";
}

TEST(Presenter, GoesOnAskingAndHiding) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Bench bench("baseline", 8);
    Headless headless(size);
    headless.press(bench.window, "F4");
    ASSERT_NE(bench.window.state().prediction.quiz.question(), nullptr);
    const std::string asked = bench.window.state().prediction.quiz.question()->text;
    EXPECT_TRUE(headless.press(bench.window, "F5"));
    EXPECT_TRUE(bench.window.state().presenting);
    EXPECT_TRUE(bench.window.state().hidesFuture());
    EXPECT_EQ(bench.window.state().prediction.quiz.question()->text, asked);
    EXPECT_EQ(problemText(), "");
    headless.click(bench.window, ImVec2(size.x / 2, 1));  // out of the answer's field
    EXPECT_TRUE(headless.press(bench.window, "Esc"));
    EXPECT_FALSE(bench.window.state().presenting);
    EXPECT_EQ(bench.window.state().mode, Mode::Predict) << "the question stays";
    EXPECT_EQ(bench.window.state().prediction.quiz.question()->text, asked);
  }
}

TEST(Home, ShowsTheKernelsHead) {
  Bench bench("completely-unrolled", 64);
  Headless headless(kProjector);
  const Trace& trace = bench.session.player().replay()->trace();
  ASSERT_GT(trace.kernelLine, 20U);
  bench.session.player().toEnd();
  headless.settle(bench.window);
  headless.press(bench.window, "Home");
  const ImGuiWindow* listing = windowNamed("/listing_");
  ASSERT_NE(listing, nullptr);
  const Document& document = *bench.session.editor().current();
  const auto lines = static_cast<float>(std::ranges::count(document.buffer.text(), '\n') + 1);
  const float row = listing->ContentSize.y / lines;  // no shorter than a row
  const float head = row * static_cast<float>(trace.kernelLine - 1);
  EXPECT_GE(head, listing->Scroll.y - 2 * row);
  EXPECT_LT(head, listing->Scroll.y + listing->Size.y);
}

// Beside open banks finished phases are a line each: a click on one shows its lines.
TEST(LadderPhases, WithoutRoomOpenByAClick) {
  Bench bench("baseline", 1024);
  Headless headless(kProjector, bench.window);
  Player& player = bench.session.player();
  const Trace& trace = player.replay()->trace();
  std::uint32_t access = trace.phases[8].firstStep;
  while (!isShared(trace.steps[access].kind)) ++access;
  player.seek(access + 1);
  headless.settle(bench.window);
  const Area area = findPanel("array");
  const std::size_t before = verticesIn(area);
  bool isOpened = false;
  for (float share = 0.25F; share < 0.9F && !isOpened; share += 0.03F) {
    headless.click(bench.window, ImVec2(area.x + area.w * 0.6F, area.y + area.h * share));
    headless.settle(bench.window);
    isOpened = verticesIn(area) > before + 1000;
  }
  EXPECT_TRUE(isOpened);
  EXPECT_EQ(problemText(), "");
}

TEST(Elements, AnyNumberCanBeTyped) {
  EXPECT_EQ(readElements("33").value(), 33U);
  EXPECT_EQ(readElements(" 2^5 ").value(), 32U);
  for (const char* wrong : {"", "many", "-3", "0", "3.5", "65537", "2^40"}) {
    const auto n = readElements(wrong);
    ASSERT_FALSE(n.ok()) << wrong;
    EXPECT_TRUE(n.error().sentence().ends_with(".")) << n.error().sentence();
  }
  Bench bench("one-atomic", 8);
  Headless headless(kProjector);
  bench.session.chooseElements(33);
  ASSERT_TRUE(waitForTrace(bench.session)) << bench.session.error();
  EXPECT_EQ(bench.session.shown().n, 33U);
  headless.settle(bench.window);
  EXPECT_EQ(problemText(), "");
  bench.window.press(">");
  ASSERT_TRUE(waitForTrace(bench.session));
  EXPECT_EQ(bench.session.shown().n, 64U);
  bench.session.chooseElements(33);
  ASSERT_TRUE(waitForTrace(bench.session));
  bench.window.press("<");
  ASSERT_TRUE(waitForTrace(bench.session));
  EXPECT_EQ(bench.session.shown().n, 32U);
}

TEST(Elements, ThatAStrategyCannotHaveAreRefused) {
  Bench bench("baseline", 64);
  bench.session.chooseElements(33);
  EXPECT_SAYS(bench.session.error());
  EXPECT_EQ(bench.session.selection().n, 64U);
}

}  // namespace
}  // namespace lanescope
