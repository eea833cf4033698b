// How the panels share the window: what comes first, what is hidden first, what can be moved; and the running
// line, which is in sight whatever happens to the panel around it.
#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/panels/file_dialogs.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"
#include "app/window/panels.h"

namespace lanescope {
namespace {

using Bench = TestWindow;

const ImVec2 kLarge{2560, 1440};

/// The rows in the colour of the current line, in the listing.
std::vector<ImRect> runningRows(const Bench& bench) {
  std::vector<ImRect> rows;
  const ImGuiWindow* listing = windowNamed("/listing_");
  if (listing == nullptr || !listing->WasActive) return rows;
  const ImU32 color = imguiColor(*bench.window.state().theme, ColorRole::Accent, 0.28F);
  std::size_t corners = 0;
  for (const ImDrawVert& vertex : listing->DrawList->VtxBuffer) {
    if (vertex.col != color) continue;
    if (corners++ % 4 == 0) rows.emplace_back(vertex.pos, vertex.pos);
    rows.back().Add(vertex.pos);
  }
  return rows;
}

/// Rows of the source that the listing shows as a whole; the current line is in sight.
std::size_t rowsInSight(const Bench& bench) {
  const std::vector<ImRect> rows = runningRows(bench);
  if (rows.empty()) return 0;
  return static_cast<std::size_t>(windowNamed("/listing_")->Size.y / rows.front().GetHeight() + 0.01F);
}

/// True if the whole current line is in the listing.
bool showsRunningLine(const Bench& bench) {
  const std::vector<ImRect> rows = runningRows(bench);
  if (rows.empty()) return false;
  const ImRect inner = windowNamed("/listing_")->InnerRect;
  return std::ranges::all_of(
      rows, [&](const ImRect& row) { return row.Min.y >= inner.Min.y - 1 && row.Max.y <= inner.Max.y + 1; });
}

/// What is drawn in a panel, word by word.
std::set<std::string> wordsIn(std::string_view panel) {
  std::set<std::string> drawn;
  for (const DrawnText& text : textsIn(findPanel(panel))) {
    std::istringstream words(text.text);
    for (std::string word; words >> word;) drawn.insert(word);
  }
  return drawn;
}

class LinesAt : public ::testing::TestWithParam<std::pair<ImVec2, std::size_t>> {};

TEST_P(LinesAt, TheSourceShowsEnoughOfThem) {
  const auto [size, least] = GetParam();
  for (const char* id : {"baseline", "warp-block-grid", "transpose-padded"}) {
    Bench bench(id, 64);
    bench.session.player().forward();
    Headless headless(size, bench.window, bench.window.unit(size));
    EXPECT_GE(rowsInSight(bench), least) << id;
    EXPECT_EQ(problemText(), "") << id;
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, LinesAt,
                         ::testing::Values(std::pair(kProjector, std::size_t{14}),
                                           std::pair(kDesk, std::size_t{24}),
                                           std::pair(kLarge, std::size_t{26})));

TEST(Layout, TheSourceBeginsWithAWholeRowInEveryLayout) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Bench bench("no-divergence", 64);
    bench.session.player().seek(20);
    Headless headless(size, bench.window.unit(size));
    for (const char* key : {"Right", "F5", "Right", "Right", "F5", "Z", "Z", "Z"}) {
      ASSERT_TRUE(headless.press(bench.window, key)) << key;
      const std::vector<ImRect> rows = runningRows(bench);
      ASSERT_FALSE(rows.empty()) << key;
      const float above = windowNamed("/listing_")->Scroll.y / rows.front().GetHeight();
      EXPECT_NEAR(above, std::round(above), 0.02F) << key << " at " << size.x;
      EXPECT_TRUE(showsRunningLine(bench)) << key << " at " << size.x;
    }
  }
}

TEST(Layout, TextFollowsTheWindowsHeight) {
  float last = 0;
  for (const float height : {720.0F, 900.0F, 1080.0F, 1200.0F, 1440.0F, 1800.0F, 2160.0F}) {
    const float unit = unitFor({height * 16 / 9, height});
    EXPECT_GT(unit, last) << height;
    last = unit;
    if (height < 1080) continue;
    const float part = fontSize(FontRole::Body) * unit / height;
    EXPECT_NEAR(part, fontSize(FontRole::Body) * unitFor(kDesk) / kDesk.y, 0.001F) << height;
  }
  EXPECT_LT(unitFor(kLarge) / unitFor(kProjector), 1.7F) << "twice the window";
  const float small = layoutWindow(kProjector, unitFor(kProjector)).of("source").h / unitFor(kProjector);
  const float large = layoutWindow(kLarge, unitFor(kLarge)).of("source").h / unitFor(kLarge);
  EXPECT_GT(large, 1.25F * small) << "and shows more";
}

WindowLayout layoutOf(std::vector<PanelInfo> panels, ImVec2 size = {1000, 800}, NamedShares shares = {}) {
  return layoutPanels(size, 1, {.shares = std::move(shares)}, panels);
}

TEST(Panels, OneWithoutAShareThatIsAloneHasItsColumn) {
  for (const float least : {0.0F, 100.0F, 2000.0F}) {
    const WindowLayout alone = layoutOf({{.id = "one", .least = least, .share = 0}});
    EXPECT_EQ(alone.of("one"), (Area{8, 8, 984, 784})) << least;
    const WindowLayout both =
        layoutOf({{.id = "one", .share = 0}, {.id = "two", .least = least, .share = 0}});
    EXPECT_NEAR(both.of("one").h + both.of("two").h, 776, 0.01F) << least;
  }
}

TEST(Panels, AnEmptyWindowHasNoPlaces) {
  EXPECT_TRUE(layoutOf({}).panels.empty());
  EXPECT_EQ(layoutOf({{.id = "one", .isShown = false}}).of("one"), Area{});
  EXPECT_EQ(layoutOf({{.id = "one", .least = 50}, {.id = "two", .folded = 30}}, {10, 10}).of("one").h, 0);
}

TEST(Panels, TheOneThatYieldsMostFoldsFirst) {
  const std::vector<PanelInfo> panels{{.id = "all", .least = 300},
                                      {.id = "charts", .order = 2, .least = 200, .folded = 30, .yields = 1},
                                      {.id = "numbers", .order = 1, .least = 150, .yields = 2}};
  const auto heights = [&](float height) {
    const WindowLayout layout = layoutOf(panels, {1000, height + 16});
    EXPECT_LE(layout.of("numbers").y, layout.of("charts").y);
    return std::array{layout.of("all").h, layout.of("numbers").h, layout.of("charts").h};
  };
  EXPECT_GE(heights(666)[1], 150) << "room for everything";
  EXPECT_EQ(heights(660), (std::array{326.0F, 0.0F, 326.0F})) << "without the numbers";
  EXPECT_EQ(heights(505)[2], 30) << "the charts are a line";
  EXPECT_GE(heights(505)[1], 150) << "which leaves room for the numbers";
  EXPECT_EQ(heights(400), (std::array{362.0F, 0.0F, 30.0F}));
}

TEST(Panels, WhatAFoldedOneLeavesGoesToTheOneThatTakesIt) {
  std::vector<PanelInfo> panels{{.id = "array", .share = 0.4F, .takesRoom = true},
                                {.id = "warps", .share = 0.2F},
                                {.id = "banks", .least = 150, .share = 0.4F, .folded = 40}};
  const WindowLayout open = layoutOf(panels);
  float array = open.of("array").h;
  for (const float part : {0.9F, 0.5F, 0.2F, 0.01F, 0.0F}) {
    panels[2].open = part;
    const WindowLayout layout = layoutOf(panels);
    EXPECT_GT(layout.of("array").h, array) << part;
    array = layout.of("array").h;
    EXPECT_NEAR(layout.of("warps").h, open.of("warps").h, 10) << part;
    EXPECT_EQ(layout.dividers.size(), 1U) << "a share is not to be dragged while it changes";
  }
  EXPECT_EQ(layoutOf(panels).of("banks").h, 40);
}

TEST(Layout, TheCountersStayBesideAnOpenGpuPanel) {
  for (const ImVec2 size : {kProjector, kDesk, kLarge}) {
    const float unit = unitFor(size);
    const WindowLayout open = layoutWindow(size, unit, {.gpuIsOpen = true});
    EXPECT_GE(open.of("counters").h, 37 * unit) << size.x;
    EXPECT_GE(open.of("source").h, 339 * unit) << size.x;
    EXPECT_GE(open.of("gpu").h, 235 * unit) << size.x;
  }
}

TEST(Layout, TheCountersAreReadInOneLineToo) {
  Bench bench("baseline", 64);
  bench.window.state().settings.gpuIsOpen = true;
  bench.session.player().toEnd();
  Headless headless(kProjector, bench.window);
  const std::set<std::string> drawn = wordsIn("counters");
  EXPECT_TRUE(drawn.contains("COUNTERS"));
  EXPECT_TRUE(drawn.contains(std::to_string(bench.session.player().replay()->trace().total.bankConflicts())));
  EXPECT_EQ(problemText(), "");
}

/// Cursors at the longest row of steps that access no memory: in its middle, at its end, and after the access
/// that follows.
std::array<std::uint32_t, 3> longestRest(const Trace& trace) {
  std::array<std::uint32_t, 3> found{};
  std::uint32_t longest = 0;
  std::uint32_t from = 0;
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    const StepKind kind = trace.steps.kindAt(i);
    if (!isShared(kind) && !isGlobal(kind)) continue;
    if (i - from > longest) found = {from + (i - from) / 2 + 1, i, i + 1};
    longest = std::max(longest, i - from);
    from = i + 1;
  }
  return found;
}

TEST(Layout, TheBanksAreALineAmongStepsThatAccessNoMemory) {
  for (const ImVec2 size : {kProjector, kDesk, kLarge}) {
    Bench bench("baseline", 1024);
    Headless headless(size, bench.window);
    const auto [middle, end, access] = longestRest(bench.session.player().replay()->trace());
    ASSERT_GT(end - middle, 20U) << "warps without work";
    const auto heightsAt = [&](std::uint32_t cursor) {
      bench.session.player().seek(cursor);
      headless.settle(bench.window);
      EXPECT_EQ(problemText(), "") << size.x;
      return std::array{findPanel("array").h, findPanel("warps").h, findPanel("banks").h};
    };
    const auto open = heightsAt(access);
    const auto folded = heightsAt(middle);
    EXPECT_GT(open[2], 150 * headless.unit()) << size.x;
    EXPECT_NEAR(folded[2], 38 * headless.unit(), 1) << size.x;
    EXPECT_TRUE(wordsIn("banks").contains("BANKS")) << size.x;
    EXPECT_NEAR(folded[1], open[1], 10 * headless.unit()) << "the room goes to the array";
    EXPECT_GT(folded[0], 1.5F * open[0]) << size.x;
    EXPECT_EQ(heightsAt(access), open) << size.x;
    bench.session.player().setGrain(Grain::Phase);
    EXPECT_EQ(heightsAt(middle), open) << "the phase has accesses";
  }
}

TEST(Layout, TheBanksStayAsTheyAreFromTurnToTurnOfALoop) {
  for (const char* id : {"baseline", "no-bank-conflict", "vector-add"}) {
    Bench bench(id, 64);
    Headless headless(kProjector, bench.window);
    const float open = findPanel("banks").h;
    const auto steps = static_cast<std::uint32_t>(bench.session.player().replay()->trace().steps.size());
    for (std::uint32_t cursor = 0; cursor <= steps; ++cursor) {
      bench.session.player().seek(cursor);
      headless.frame(bench.window);
      headless.frame(bench.window);
      ASSERT_EQ(findPanel("banks").h, open) << id << " " << cursor;
    }
  }
}

TEST(Layout, TheBanksOpenWithTheStepsMotion) {
  Bench bench("baseline", 1024);
  bench.session.player().setGrain(Grain::Instruction);
  bench.session.player().seek(longestRest(bench.session.player().replay()->trace())[1]);
  Headless headless(kDesk, bench.window);
  float last = findPanel("banks").h;
  ASSERT_LT(last, 50);
  bench.session.player().forward();
  headless.settle(bench.window);
  EXPECT_EQ(findPanel("banks").h, last) << "it begins where it was";
  bool isBetween = false;
  for (int i = 0; i < 12; ++i) {
    bench.session.player().advance(0.02);
    headless.settle(bench.window);
    EXPECT_GE(findPanel("banks").h, last);
    last = findPanel("banks").h;
    isBetween = isBetween || (last > 60 && last < 250);
  }
  EXPECT_TRUE(isBetween) << "it does not jump";
  EXPECT_GT(last, 250);
}

TEST(Layout, ALineOfAMessageCostsALine) {
  Bench bench("baseline", 64);
  bench.window.state().settings.gpuIsOpen = true;
  Headless headless(kProjector, bench.window);
  const auto listing = [] { return windowNamed("/listing_")->Size.y; };
  const float before = listing();
  const Area charts = findPanel("gpu");
  bench.session.editor().tryLuck();
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
  EXPECT_EQ(findPanel("gpu"), charts) << "the charts stay";
  EXPECT_GT(areaOfWindow("/report_").h, 0);
  EXPECT_GT(listing(), before - 3.5F * ImGui::GetFontSize()) << "and nothing is left empty";
  headless.press(bench.window, "Esc");
  EXPECT_EQ(listing(), before) << "Esc takes it away";
}

TEST(Layout, ADividerIsDraggedAsFarAsBothSidesAllow) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Bench bench("baseline", 64);
    Headless headless(size, bench.window);
    const WindowLayout before = layoutWindow(size, headless.unit());
    const auto divider = std::ranges::find_if(
        before.dividers, [](const Divider& each) { return each.before.id == "picture column"; });
    ASSERT_NE(divider, before.dividers.end());
    const ImVec2 from(divider->area.x + divider->area.w / 2, divider->area.y + divider->area.h / 2);
    headless.settle(bench.window, from);
    EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_ResizeEW);
    headless.frame(bench.window, from, true);
    for (const float by : {-20.0F, -60.0F, -60.0F})
      headless.frame(bench.window, ImVec2(from.x + by, from.y), true);
    headless.settle(bench.window, ImVec2(from.x - 60, from.y));
    const auto after = [&] {
      return layoutWindow(size, headless.unit(), {.shares = bench.window.state().settings.panels});
    };
    EXPECT_NEAR(after().of("source").x, before.of("source").x - 60, 3) << size.x;
    EXPECT_NEAR(after().of("lesson").w, before.of("lesson").w, 2) << "nobody else moves";
    EXPECT_EQ(problemText(), "");
    // Far beyond: both keep what they need.
    for (int i = 0; i < 60; ++i) bench.window.press("Ctrl+Left");
    EXPECT_GT(after().of("array").w, 350 * headless.unit());
    headless.settle(bench.window);
    EXPECT_EQ(problemText(), "");
    for (const char* key : {"Z", "Z", "Z"}) bench.window.press(key);
    headless.settle(bench.window);
    EXPECT_EQ(layoutWindow(size, headless.unit(), bench.window.shape()).of("source"), before.of("source"))
        << "as it came";
  }
}

TEST(Layout, EachArrangementIsDrawnAndIsWhatItSays) {
  for (const ImVec2 size : {kProjector, kDesk, kLarge}) {
    Bench bench("no-divergence", 64);
    bench.session.player().seek(14U);
    Headless headless(size);
    std::vector<float> sources;
    for (const Arrangement& arrangement : arrangements()) {
      arrange(bench.window.state(), arrangement);
      headless.settle(bench.window);
      EXPECT_EQ(problemText(), "") << arrangement.id << " " << size.x;
      EXPECT_TRUE(showsRunningLine(bench)) << arrangement.id << " " << size.x;
      sources.push_back(findArea(headless, "source", bench.window.shape()).w);
    }
    EXPECT_GT(sources[1], 1.2F * sources[0]) << "code large";
    EXPECT_LT(sources[2], 0.9F * sources[0]) << "pictures large";
  }
}

TEST(Layout, EveryLaneAndWordHasItsNumberInEveryArrangement) {
  for (const ImVec2 size : {kProjector, ImVec2(1366, 768), ImVec2(1600, 1000), kDesk, kLarge}) {
    Bench bench("no-divergence", 64);
    bench.session.player().seek(40U);
    Headless headless(size, bench.window.unit(size));
    for (const Arrangement& arrangement : arrangements()) {
      arrange(bench.window.state(), arrangement);
      headless.settle(bench.window);
      for (const char* picture : {"warps", "banks"}) {
        const std::set<std::string> drawn = wordsIn(picture);
        for (int number = 0; number < 64; ++number)
          EXPECT_TRUE(drawn.contains(std::to_string(number)))
              << number << " in " << picture << ", " << arrangement.id << ", " << size.x;
      }
      EXPECT_GE(rowsInSight(bench), 14U) << arrangement.id << " " << size.x;
    }
  }
}

TEST(Layout, ALessonThatAsksHasItsColumnWhereCodeIsLarge) {
  Bench bench("no-divergence", 64);
  arrange(bench.window.state(), findArrangement("code"));
  Headless headless(kProjector, bench.window, bench.window.unit(kProjector));
  EXPECT_TRUE(bench.window.state().isFolded);
  for (const auto& [key, back] : {std::pair("F4", "F4"), std::pair("Shift+F1", "Esc")}) {
    bench.window.press(key);
    ASSERT_TRUE(bench.settle());
    headless.settle(bench.window);
    EXPECT_FALSE(bench.window.state().isFolded) << key;
    const char* const panel = bench.window.state().guides() ? "guide" : "quiz";
    const Area asking = findArea(headless, panel, bench.window.shape());
    EXPECT_LT(asking.x + asking.w, findArea(headless, "source", bench.window.shape()).x) << key;
    if (std::string_view(key) == "F4") {
      EXPECT_TRUE(wordsIn("warps").contains("31")) << "lanes that an answer names";
    }
    EXPECT_EQ(problemText(), "") << key;
    headless.press(bench.window, back);
    EXPECT_TRUE(bench.window.state().isFolded) << key;
  }
  EXPECT_EQ(bench.window.state().settings.layout, "code");
}

TEST(Layout, ADoubleClickOnAHeadingMaximisesAndBringsBack) {
  for (const char* place : {"array", "warps", "banks", "source", "lesson", "counters"}) {
    Bench bench("baseline", 64);
    Headless headless(kProjector, bench.window);
    const auto doubleClick = [&](const Area& area) {
      // The lesson's title opens the list: above it.
      const float below = std::string_view(place) == "lesson" ? 5.0F : 14.0F;
      const ImVec2 at(area.x + 60 * headless.unit(), area.y + below * headless.unit());
      // Longer than two clicks are apart that belong together.
      for (int i = 0; i < 30; ++i) headless.frame(bench.window, at);
      for (const bool isDown : {true, false, true, false}) headless.frame(bench.window, at, isDown);
      headless.settle(bench.window, at);
    };
    doubleClick(findPanel(place));
    ASSERT_EQ(bench.window.state().maximised, place);
    EXPECT_EQ(problemText(), "") << place;
    const Area large = findArea(headless, place, {.maximised = place});
    EXPECT_GT(large.w, 1200);
    doubleClick(large);
    EXPECT_EQ(bench.window.state().maximised, std::nullopt) << place;
    EXPECT_EQ(problemText(), "");
    bench.window.press("Shift+Z");
    EXPECT_TRUE(bench.window.state().maximised);
    bench.window.press("Esc");
    EXPECT_FALSE(bench.window.state().maximised);
  }
}

TEST(Layout, IsKeptInTheSettings) {
  Bench bench("baseline", 64);
  Headless headless(kDesk, bench.window);
  headless.press(bench.window, "Z");
  bench.window.press("Ctrl+Left");
  const Settings& settings = bench.window.state().settings;
  EXPECT_EQ(settings.layout, "code");
  const Result<Settings> again = parseSettings(settingsText(settings));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, settings);
  Bench second;
  second.window.state().settings = *again;
  headless.settle(bench.window);
  headless.settle(second.window);
  EXPECT_EQ(second.window.shape(), bench.window.shape());
}

TEST(Text, IsNeverSmallerThanElevenPixels) {
  for (const ImVec2 size : {ImVec2(1024, 640), kProjector, kDesk, kLarge}) {
    const Headless headless(size);
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) EXPECT_GE(computeSize(*font), 11) << size.x;
  }
}

// The running line, after whatever moves it or what is around it.

struct Running {
  Bench bench;
  Headless headless;

  explicit Running(ImVec2 size = kProjector) : headless(size) {
    EXPECT_TRUE(bench.show("baseline", 64));
    headless.press(bench.window, "C");
  }
  void expectInSight(std::string_view what) {
    headless.settle(bench.window);
    EXPECT_TRUE(showsRunningLine(bench)) << what;
  }
};

TEST(RunningLine, IsInSightAfterStepsAndJumps) {
  for (const char* id : {"completely-unrolled", "warp-block-grid", "baseline"}) {
    Bench bench(id, 64);
    Headless headless(kProjector);
    const auto steps = static_cast<std::uint32_t>(bench.session.player().replay()->trace().steps.size());
    bench.session.player().setGrain(Grain::Instruction);
    for (const std::uint32_t step : {1U, steps / 2, steps, steps / 3, 2U, steps - 1}) {
      bench.session.player().seek(step);
      headless.settle(bench.window);
      EXPECT_TRUE(showsRunningLine(bench)) << id << " " << step;
      if (step == 1) continue;
      headless.press(bench.window, "Left");
      EXPECT_TRUE(showsRunningLine(bench)) << id << " before " << step;
    }
  }
}

TEST(RunningLine, IsInSightWherePresentingFollowsAStrategyAndAConflict) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Bench bench("baseline", 64);
    bench.window.press("F5");
    Headless headless(size, bench.window, bench.window.unit(size));
    bench.window.press(".");
    ASSERT_TRUE(waitForTrace(bench.session));
    headless.press(bench.window, "C");
    EXPECT_TRUE(showsRunningLine(bench)) << size.x;
    headless.press(bench.window, "Right");
    EXPECT_TRUE(showsRunningLine(bench)) << size.x;
  }
}

TEST(RunningLine, IsInSightAfterAnotherStrategyOrNumberOfElements) {
  Running running;
  auto& [bench, headless] = running;
  for (const char* id : {"unroll-last-warp", "baseline", "completely-unrolled", "no-divergence"}) {
    bench.session.chooseStrategy(*findStrategy(id));
    ASSERT_TRUE(waitForTrace(bench.session));
    bench.session.player().toEnd();
    bench.session.player().back();
    running.expectInSight(id);
  }
  for (const char* key : {">", ">", "<", "<"}) {
    bench.window.press(key);
    ASSERT_TRUE(waitForTrace(bench.session));
    bench.session.player().toEnd();
    running.expectInSight(key);
  }
}

TEST(RunningLine, IsInSightInEveryWindowAndMode) {
  for (const ImVec2 size : {ImVec2(1024, 640), kProjector, ImVec2(1024, 640), kDesk}) {
    Bench bench("completely-unrolled", 64);
    bench.session.player().seek(40U);
    Headless headless(size, bench.window);
    EXPECT_TRUE(showsRunningLine(bench)) << size.x;
    for (const char* key : {"F2", "F3", "F4", "F5", "G", "Z", "Z"}) {
      const bool isMode = key[0] == 'F';
      headless.press(bench.window, key);
      if (isMode && key[1] != '5') bench.session.player().forward();
      if (isMode) bench.window.press("Esc");
      headless.settle(bench.window);
      EXPECT_TRUE(showsRunningLine(bench)) << size.x << " after " << key;
    }
  }
}

TEST(RunningLine, IsInSightAfterAPanelWasMaximisedOrMachineCodeTookItsRoom) {
  Running running;
  auto& [bench, headless] = running;
  bench.session.chooseStrategy(*findStrategy("warp-block-grid"));
  ASSERT_TRUE(waitForTrace(bench.session));
  bench.session.player().toEnd();
  running.expectInSight("opened");
  for (const char* key : {"Shift+Z", "Ctrl+B"}) {
    headless.press(bench.window, key);
    bench.session.player().back();
    if (bench.window.state().maximised)
      bench.window.press("Esc");
    else
      running.expectInSight("beside the machine code");
    running.expectInSight(key);
  }
  bench.window.press("Ctrl+B");
  running.expectInSight("without the machine code");
}

TEST(RunningLine, IsInSightInTextOfAnotherSize) {
  Bench bench("warp-block-grid", 64);
  bench.session.player().toEnd();
  for (const double scale : {1.0, 1.25, 0.8}) {
    bench.window.state().settings.scale = scale;
    Headless headless(kProjector, bench.window, bench.window.unit(kProjector));
    EXPECT_TRUE(showsRunningLine(bench)) << scale;
  }
}

TEST(RunningLine, PresentingGoesBackToWhatWasInSight) {
  for (const bool steps : {false, true}) {
    Bench bench("warp-block-grid", 64);
    Headless headless(kProjector);
    bench.session.player().toEnd();
    headless.settle(bench.window);
    const ImGuiWindow* listing = windowNamed("/listing_");
    ASSERT_NE(listing, nullptr);
    ASSERT_GT(listing->ScrollMax.y, 0);
    for (int i = 0; i < 4; ++i) {
      ImGui::GetIO().MouseWheel = 2;
      headless.frame(bench.window, ImVec2(listing->Pos.x + 60, listing->Pos.y + 40));
    }
    headless.settle(bench.window);
    const float before = listing->Scroll.y;
    ASSERT_LT(before, listing->ScrollMax.y) << "scrolled away from the end";
    headless.press(bench.window, "F5");
    EXPECT_TRUE(showsRunningLine(bench));
    if (steps) bench.window.press("Home");
    headless.press(bench.window, "F5");
    if (steps) {
      EXPECT_NE(listing->Scroll.y, before) << "the walk has gone elsewhere";
    } else {
      EXPECT_NEAR(listing->Scroll.y, before, 15) << "to a whole row";
    }
  }
}

TEST(RunningLine, IsInSightBesideAFormAndAfterIt) {
  Running running;
  running.bench.session.player().toEnd();
  running.bench.window.press("W");
  running.expectInSight("form");
  running.bench.window.press("W");
  running.expectInSight("closed");
  running.bench.window.press("I");
  running.headless.settle(running.bench.window);
  running.bench.window.press("Esc");
  running.expectInSight("written");
}

TEST(RunningLine, IsInSightInASessionThatIsReopened) {
  const std::string path = "one.lanescope";
  Bench first("completely-unrolled", 64);
  first.session.player().toEnd();
  ASSERT_FALSE(savePath(first.window.state(), path));
  Running running;
  openPath(running.bench.window.state(), running.bench.files->put(path, first.files->get(path)));
  ASSERT_TRUE(waitForTrace(running.bench.session)) << running.bench.session.error();
  running.expectInSight("reopened");
}

}  // namespace
}  // namespace lanescope
