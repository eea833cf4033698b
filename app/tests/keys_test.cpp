// Keys that can do nothing now, or while something else is open: each says why it has no effect.
#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/panels/picture_views.h"
#include "app/tests/test_window.h"
#include "app/window/help.h"
#include "app/window/main_window.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using Bench = TestWindow;

TEST(Readme, NamesKeysThatCommandsHave) {
  Bench bench;
  std::stringstream file;
  file << std::ifstream(LANESCOPE_SOURCE_DIR "/README.md").rdbuf();
  const std::string text = file.str();
  const std::regex key(R"(\b((Ctrl|Shift)\+\w+|F[0-9]+)\b)");
  std::set<std::string> named;
  for (std::sregex_iterator at(text.begin(), text.end(), key), end; at != end; ++at) named.insert(at->str());
  EXPECT_TRUE(named.contains("F8"));
  for (const std::string& name : named) {
    const auto has = [&](const Command& command) {
      return std::ranges::find(command.keys, Chord(name.c_str())) != command.keys.end();
    };
    EXPECT_TRUE(std::ranges::any_of(bench.window.state().commands->all(), has)) << name;
  }
}

TEST(Notices, AKeyThatFindsNothingSaysSo) {
  Bench bench("no-divergence", 64);
  Player& player = bench.session.player();
  Headless headless(kProjector);
  const std::string& notice = bench.window.state().notice.text;
  player.toStart();
  EXPECT_TRUE(bench.window.press("C"));
  EXPECT_EQ(notice, "");
  player.toEnd();
  EXPECT_FALSE(bench.window.press("C"));
  EXPECT_SAYS(notice);
  headless.settle(bench.window);
  const ImGuiWindow* shown = windowNamed("notice");
  ASSERT_NE(shown, nullptr);
  EXPECT_TRUE(shown->Active);
  EXPECT_EQ(problemText(), "");
  EXPECT_FALSE(bench.window.press("H"));
  EXPECT_SAYS(notice);
  player.toStart();
  EXPECT_FALSE(bench.window.press("Shift+D"));
  EXPECT_SAYS(notice);
  EXPECT_FALSE(bench.window.press("Shift+R"));
  EXPECT_SAYS(notice);
  EXPECT_TRUE(bench.window.press("B"));
  EXPECT_EQ(notice, "") << "the next key takes it away";
}

TEST(Notices, GoWithAClickOrByThemselves) {
  Bench bench("baseline", 8);
  Headless headless(kProjector);
  bench.session.player().toEnd();
  const ViewState& state = bench.window.state();
  ASSERT_FALSE(bench.window.press("C"));
  EXPECT_EQ(bench.window.secondsToChange(), std::nullopt) << "before it is drawn";
  headless.frame(bench.window);
  ASSERT_TRUE(bench.window.secondsToChange().has_value());
  EXPECT_NEAR(*bench.window.secondsToChange(), kNoticeSeconds, 1e-3);
  while (bench.window.secondsToChange().value_or(0) > 0) headless.frame(bench.window);
  headless.frame(bench.window);
  EXPECT_EQ(state.notice.text, "");
  EXPECT_EQ(bench.window.secondsToChange(), std::nullopt);
  ASSERT_FALSE(bench.window.press("C"));
  headless.frame(bench.window);
  headless.frame(bench.window, ImVec2(5, 5), true);
  EXPECT_EQ(state.notice.text, "");
}

TEST(Notices, TellWhereTextCannotGrow) {
  Bench bench;
  Headless headless(kProjector);
  headless.frame(bench.window);
  while (bench.window.press("Ctrl++")) {
  }
  const float before = bench.window.unit(kProjector);
  const double scale = bench.window.state().settings.scale;
  EXPECT_FALSE(bench.window.press("Ctrl++"));
  EXPECT_SAYS(bench.window.state().notice.text);
  EXPECT_EQ(bench.window.state().settings.scale, scale) << "it stays what shows";
  // A size kept from a larger window: the first press makes the text smaller.
  bench.window.state().settings.scale = kScales.back();
  EXPECT_TRUE(bench.window.press("Ctrl+-"));
  EXPECT_LT(bench.window.unit(kProjector), before);
  EXPECT_EQ(bench.window.state().notice.text, "");
  while (bench.window.press("Ctrl+-")) {
  }
  EXPECT_SAYS(bench.window.state().notice.text);
}

TEST(Notices, TellTheEndsOfChoices) {
  Bench bench(strategies().front().id, 8);
  EXPECT_FALSE(bench.window.press(","));
  EXPECT_SAYS(bench.window.state().notice.text);
  EXPECT_FALSE(bench.window.press("<"));
  EXPECT_NE(bench.window.state().notice.text, "");
  EXPECT_TRUE(bench.window.press("."));
  EXPECT_EQ(bench.window.state().notice.text, "");
  bench.window.press("F4");
  EXPECT_FALSE(bench.window.press("U"));
  EXPECT_SAYS(bench.window.state().notice.text);
}

TEST(Chords, AreReadAsTheyAreWritten) {
  for (const char* text : {"R", "Shift+R", "?", "+", "Ctrl++", "Ctrl+Enter", "Shift+F10", "Esc", "Left", "["})
    EXPECT_EQ(Chord(text).text(), text);
  EXPECT_EQ(Chord::writing('R'), Chord("Shift+R"));
  EXPECT_TRUE(Chord("R").takes("Shift+R")) << "where nothing else is meant by it";
  EXPECT_FALSE(Chord("Shift+R").takes("R"));
  EXPECT_TRUE(Chord("Left").takes("Ctrl+Left"));
  EXPECT_FALSE(Chord("C").takes("Ctrl+C")) << "a letter with Ctrl is another one";
  EXPECT_TRUE(Chord("?").writes());
  EXPECT_TRUE(Chord("Space").writes());
  EXPECT_FALSE(Chord("Ctrl+C").writes());
  EXPECT_FALSE(Chord("F5").writes());
}

TEST(CommandTable, HasAKeyOnceAndTheHelpTellsOfIt) {
  const Bench bench;
  const std::vector<Command>& all = bench.window.commandTable().all();
  ASSERT_GT(all.size(), 70U);
  std::set<std::string> ids;
  for (const Command& command : all) {
    EXPECT_TRUE(command.id.empty() || ids.insert(command.id).second) << command.id << " is there twice";
    for (const Chord& key : command.keys) {
      EXPECT_TRUE(key.letter != 0 || key.key != NamedKey::Character) << command.id << ": no key";
      const auto has = [&](const Command& other) {
        return std::ranges::any_of(other.keys, [&](const Chord& one) { return one.takes(key); });
      };
      EXPECT_TRUE(std::ranges::any_of(
                      all, [&](const Command& other) { return !other.help.text.empty() && has(other); }) ||
                  key == Chord("Y") || key == Chord("A") || (key.letter >= '0' && key.letter <= '9'))
          << key.text();
    }
  }
}

TEST(CommandTable, MeansOneThingByAKey) {
  Bench bench("baseline", 64);
  // While one predicts, the answers' keys come before all others.
  for (const Mode mode : {Mode::Explore, Mode::Compare, Mode::Table}) {
    bench.window.state().mode = mode;
    std::map<std::string, std::string> meanings;
    for (const Command& command : bench.window.commandTable().all()) {
      if (command.applies && !command.applies()) continue;
      for (const Chord& key : command.keys) {
        const auto [first, isNew] = meanings.emplace(key.text(), command.id);
        EXPECT_TRUE(isNew) << key.text() << " means '" << first->second << "' and '" << command.id
                           << "' in mode " << static_cast<int>(mode);
      }
    }
  }
}

TEST(CommandTable, MakesTheHelp) {
  const Bench bench;
  const auto lines = helpLines(bench.window.commandTable());
  const auto findKeys = [&](std::string_view does) -> std::string {
    const auto line = std::ranges::find(lines, does, &std::pair<std::string, std::string>::second);
    return line == lines.end() ? "" : line->first;
  };
  EXPECT_EQ(findKeys("play or pause"), "Space");
  EXPECT_EQ(findKeys("previous, next step; Shift: phase"), "Left, Right");
  EXPECT_EQ(findKeys("step by: phase, line, instruction, wavefront"), "1  2  3  4");
  EXPECT_EQ(findKeys("next conflict, divergence, hazard, barrier; Shift: previous"), "C  D  H  B");
  EXPECT_EQ(findKeys("larger, smaller or standard text"), "Ctrl + - 0");
  EXPECT_EQ(findKeys("this help"), "?");
}

TEST(Popups, EscapeClosesThemAndNothingElse) {
  Bench bench("baseline", 64);
  Headless headless(kProjector, bench.window);
  bench.window.state().marks.thread = 3;
  const Area top = findArea(headless, "top bar");
  headless.click(bench.window, ImVec2(top.x + 200, top.y + top.h / 2));
  ASSERT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) << "the list of strategies";
  EXPECT_TRUE(headless.press(bench.window, "Esc"));
  EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
  EXPECT_EQ(bench.window.state().marks.thread, 3);
  EXPECT_TRUE(bench.window.press("Esc"));
  EXPECT_EQ(bench.window.state().marks.thread, -1);
}

TEST(StrategyList, OpensAtTheLessonThatIsShown) {
  Bench bench(strategies().front().id, 64);
  Headless headless(kProjector, bench.window);
  headless.press(bench.window, "Ctrl+F");
  const ImGuiWindow* list = windowNamed("/strategies");
  ASSERT_NE(list, nullptr);
  ASSERT_EQ(list->Scroll.y, 0);
  headless.click(bench.window, ImVec2(list->Pos.x + 40, list->Pos.y + list->Size.y * 0.9F));
  EXPECT_NE(bench.session.selection().strategy, &strategies().front());
  headless.settle(bench.window);
  for (int i = 0; i < 12; ++i) bench.window.press(".");
  headless.press(bench.window, "Ctrl+F");
  EXPECT_GT(list->Scroll.y, 0) << "one out of sight comes into it";
}

TEST(Counters, NameWhatTheyCount) {
  EXPECT_SAYS(counterColumns(false, true)[0]) << "first what has run";
  EXPECT_SAYS(counterColumns(false, true)[1]);
  EXPECT_SAYS(counterColumns(true, true)[1]);
  EXPECT_SAYS(counterColumns(false, true)[2]);
  EXPECT_SAYS(counterColumns(false, false)[2]);
}

TEST(Counters, TheLastColumnIsTheLaunchThatTheTableCounts) {
  Bench bench;
  ASSERT_TRUE(bench.show("transpose-shared", 8, "tiny"));
  const Trace& trace = bench.session.player().replay()->trace();
  ASSERT_GT(trace.launch.grid.count(), 1U);
  const Counters* const launch = launchCounters(*bench.session.shownRun());
  ASSERT_NE(launch, nullptr);
  EXPECT_EQ(*launch, computeFigures(*findStrategy("transpose-shared"), 8, trace.launch.machine).counters);
  EXPECT_GT(launch->sharedWavefronts(), trace.total.sharedWavefronts()) << "one block has less";
}

/// Draws a frame and counts the vertices of the array and the banks.
std::size_t countPicture(Headless& headless, Bench& bench) {
  headless.frame(bench.window);
  return verticesIn(findArea(headless, "array")) + verticesIn(findArea(headless, "banks"));
}

TEST(Moves, GoBackTheWayTheyCame) {
  Bench bench("baseline", 8);
  Player& player = bench.session.player();
  Headless headless(kProjector);
  player.motion().setSeconds(1);
  headless.settle(bench.window);
  const std::size_t before = countPicture(headless, bench);
  ASSERT_TRUE(player.back());
  EXPECT_EQ(countPicture(headless, bench), before) << "it begins where it was";
  player.advance(0.5);
  const std::size_t between = countPicture(headless, bench);
  player.advance(0.6);
  const std::size_t after = countPicture(headless, bench);
  EXPECT_NE(after, before);
  EXPECT_NE(between, after);
}

}  // namespace
}  // namespace lanescope
