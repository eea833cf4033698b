// Settings and session files: what was kept comes back, and what is damaged is reported and nothing is lost.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "app/workbench/saved_state.h"
#include "app/workbench/session.h"
#include "app/workbench/tests/scratch_folder.h"
#include "app/workbench/tests/settle.h"
#include "sim/base/json.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using testing::FileSession;
using testing::MemoryHost;
using testing::settle;

TEST(SettingsTest, ComeBackAsTheyWere) {
  MemoryHost host;
  EXPECT_EQ(*loadSettings(host), Settings{}) << "there is none yet";
  Settings settings{"light",
                    1.25,
                    0.6,
                    2,
                    "time",
                    "idle",
                    "pictures-large",
                    {{"gpu", 0.3}},
                    true,
                    {"/one.cu", "/two.lanescope"},
                    {"shuffle"},
                    {"shuffle", "", 64, 2, "kepler64"},
                    1280,
                    720};
  ASSERT_FALSE(saveSettings(host, settings));
  EXPECT_EQ(*loadSettings(host), settings);
}

TEST(SettingsTest, TheLatestFilesComeFirstAndOnce) {
  Settings settings;
  for (int i = 0; i < 14; ++i) settings.remember("/" + std::to_string(i));
  settings.remember("/9");
  ASSERT_EQ(settings.recent.size(), kMostRecent);
  EXPECT_EQ(settings.recent[0], "/9");
  EXPECT_EQ(settings.recent[1], "/13");
  EXPECT_EQ(std::ranges::count(settings.recent, "/9"), 1);
}

TEST(SettingsTest, DamagedOnesAreKeptAside) {
  MemoryHost host;
  host.put(host.settingsPath(), "{ not json");
  const Result<Settings> settings = loadSettings(host);
  ASSERT_FALSE(settings);
  EXPECT_SAYS(settings.error().sentence());
  EXPECT_EQ(host.kindOf(host.settingsPath()), Host::FileKind::None);
  EXPECT_EQ(host.get(host.settingsPath().string() + ".unreadable"), "{ not json");
  EXPECT_TRUE(loadSettings(host)) << "the next start has defaults";
}

TEST(SettingsTest, EveryDamagedOneIsKept) {
  MemoryHost host;
  const std::string path = host.settingsPath().string();
  for (const char* text : {"first", "second", "third"}) {
    host.put(path, text);
    ASSERT_FALSE(loadSettings(host));
  }
  EXPECT_EQ(host.get(path + ".unreadable"), "first");
  EXPECT_EQ(host.get(path + ".unreadable.2"), "second");
  EXPECT_EQ(host.get(path + ".unreadable.3"), "third");
  EXPECT_EQ(host.kindOf(path), Host::FileKind::None);
}

TEST(SettingsTest, AnEntryWithoutSenseKeepsItsDefault) {
  const auto settings = parseSettings(
      R"({"schema":"lanescope.settings/1","scale":"large","moves":-3,"speed":1e300,"lesson_card":1,
          "theme":7,"recent":[1,"/a.cu",null],"visited":["shuffle",2,"shuffle"],"unknown":true})");
  ASSERT_TRUE(settings);
  Settings expected;
  expected.recent = {"/a.cu"};
  expected.visited = {"shuffle"};
  EXPECT_EQ(*settings, expected);
  EXPECT_FALSE(parseSettings(R"({"schema":"lanescope.settings/9"})"));
  EXPECT_FALSE(parseSettings("[]"));
  EXPECT_FALSE(parseSettings(""));
}

/// A host whose settings are in that file.
struct SettingsAt : DesktopHost {
  explicit SettingsAt(std::filesystem::path file) : path(std::move(file)) {}
  std::filesystem::path settingsPath() const override { return path; }
  std::filesystem::path path;
};

TEST(SettingsTest, OnTheDesktopAreAFileInAFolderThatIsMade) {
  const testing::ScratchFolder scratch;
  SettingsAt host(scratch.path() / "deep" / "settings.json");
  EXPECT_EQ(*loadSettings(host), Settings{});
  Settings settings;
  settings.theme = "light";
  ASSERT_FALSE(saveSettings(host, settings));
  EXPECT_EQ(*loadSettings(host), settings);
  scratch.write("deep/settings.json", "{ not json");
  ASSERT_FALSE(loadSettings(host));
  EXPECT_EQ(testing::readAll(host.path.string() + ".unreadable"), "{ not json");
  EXPECT_EQ(host.kindOf(host.path), Host::FileKind::None);
}

TEST(SettingsTest, AFolderThatCannotBeMadeIsSaid) {
  const testing::ScratchFolder scratch;
  SettingsAt host(std::filesystem::path(scratch.write("file", "")) / "settings.json");
  EXPECT_TRUE(saveSettings(host, Settings{}));
  host.path.clear();
  EXPECT_TRUE(saveSettings(host, Settings{}));
}

TEST(SettingsTest, AFullDiskIsSaidOnceAndAtTheEndAndLosesNothing) {
  MemoryHost host;
  KeptSettings kept{Settings{}};
  Settings settings;
  settings.theme = "light";
  EXPECT_EQ(kept.keep(host, settings, false), "");
  const std::string stored = host.get(host.settingsPath());
  host.fill();
  settings.scale = 2;
  EXPECT_SAYS(kept.keep(host, settings, false));
  EXPECT_EQ(host.get(host.settingsPath()), stored);
  settings.scale = 3;
  EXPECT_EQ(kept.keep(host, settings, false), "");
  EXPECT_NE(kept.keep(host, settings, true), "");
  host.fill(false);
  EXPECT_EQ(kept.keep(host, settings, false), "");
  EXPECT_EQ(*loadSettings(host), settings);
  host.fill();
  EXPECT_EQ(kept.keep(host, settings, true), "");
  settings.scale = 1;
  EXPECT_NE(kept.keep(host, settings, false), "");
}

TEST(OpenedTest, IsOpenAgainAtTheNextStart) {
  FileSession first;
  first.chooseMachine(*findMachine("kepler64"));
  first.select({findStrategy("shuffle"), 64, findMachine("kepler64"), 2});
  ASSERT_TRUE(settle(first));
  Settings settings;
  settings.opened = first.opened();
  Session second;
  ASSERT_TRUE(second.reopen(parseSettings(settingsText(settings))->opened));
  ASSERT_TRUE(settle(second));
  EXPECT_EQ(second.shown(), first.shown());
  EXPECT_EQ(second.opened(), first.opened());

  first.open("mine.cu", "__global__ void mine(float* out) {\n  out[threadIdx.x] = 1.0f;\n}\n");
  ASSERT_TRUE(settle(first));
  EXPECT_EQ(first.opened().file, "/home/user/mine.cu");
  FileSession third(first.files);
  ASSERT_TRUE(third.reopen(first.opened()));
  ASSERT_TRUE(settle(third));
  EXPECT_EQ(third.editor().current()->path, "/home/user/mine.cu");
}

TEST(OpenedTest, TheElementsThatALessonOpensAtAreNotAChoice) {
  Session first;
  first.select({findStrategy("two-launches"), 8, &defaultMachine(8)});
  first.chooseStrategy(*findStrategy("float4-loads"));
  ASSERT_TRUE(settle(first));
  ASSERT_EQ(first.selection().n, 512U);
  Settings settings;
  settings.opened = first.opened();
  Session second;
  ASSERT_TRUE(second.reopen(parseSettings(settingsText(settings))->opened));
  ASSERT_TRUE(settle(second));
  EXPECT_EQ(second.selection().n, 512U);
  EXPECT_EQ(second.opened(), first.opened());
  second.chooseStrategy(*findStrategy("two-launches"));
  EXPECT_EQ(second.selection().n, 8U);

  second.chooseStrategy(*findStrategy("float4-loads"));
  second.chooseElements(64);
  ASSERT_TRUE(settle(second));
  Session third;
  ASSERT_TRUE(third.reopen(second.opened()));
  EXPECT_EQ(third.selection().n, 64U) << "a choice counts";
}

TEST(OpenedTest, WhatIsGoneOrCannotBeLaunchedIsNotOpened) {
  for (const Opened& opened :
       {Opened{}, Opened{"nobody", "", 64, 1, ""}, Opened{"", "/nowhere/gone.cu", 64, 1, ""},
        Opened{"shuffle", "", 1U << 20U, 64, ""}, Opened{"shuffle", "", 64, 1, "abacus"},
        Opened{"block-tree-atomic", "", 65536, 1, ""}}) {
    Session session;
    EXPECT_FALSE(session.reopen(opened)) << opened.strategy << opened.file;
    EXPECT_EQ(session.error(), "");
    EXPECT_EQ(session.editor().current(), nullptr);
  }
}

SavedSession changedSession(Session& session) {
  session.select({findStrategy("no-divergence"), 64, findMachine("nvidia")});
  EXPECT_TRUE(settle(session));
  TextBuffer& buffer = session.editor().current()->buffer;
  buffer.move(CaretMove::TextStart);
  buffer.insert("// mine\n");
  session.run();
  EXPECT_TRUE(settle(session));
  buffer.move(CaretMove::TextEnd);
  buffer.insert("// half a thou");
  session.player().seek(Cursor{17, 1});
  session.player().setGrain(Grain::Wavefront);
  session.player().setSpeed(4);
  session.player().stops().toggleLine(14);
  session.player().stops().toggle(StopKind::Hazard);
  session.comparison().choose(findStrategy("kahan"));
  SavedSession saved = session.saved();
  saved.thread = 3;
  saved.warp = 1;
  saved.variable = 2;
  saved.mode = "compare";
  saved.comparesWarps = true;
  saved.window = {"code", "gpu", true, "over N", {"baseline", "cub"}};
  return saved;
}

TEST(SessionFileTest, ReopensExactly) {
  Session first;
  SavedSession saved = changedSession(first);
  saved.scenes.assign(2, saved);
  saved.scenes[1].opensAtItsPlace = true;
  const Result<SavedSession> read = parseSession(sessionText(saved));
  ASSERT_TRUE(read) << read.error().sentence();
  EXPECT_EQ(*read, saved);

  Session second;
  ASSERT_FALSE(second.restore(*read));
  ASSERT_TRUE(settle(second));
  EXPECT_EQ(second.error(), "");
  ASSERT_NE(second.player().replay(), nullptr);
  EXPECT_EQ(second.player().replay()->cursor(), first.player().replay()->cursor());
  EXPECT_EQ(second.player().replay()->state(), first.player().replay()->state());
  EXPECT_EQ(second.player().replay()->trace().launch.source->text(),
            first.player().replay()->trace().launch.source->text());
  EXPECT_TRUE(second.editor().current()->buffer.text().ends_with("// half a thou"));
  SavedSession again = second.saved();
  again.thread = saved.thread;
  again.warp = saved.warp;
  again.variable = saved.variable;
  again.mode = saved.mode;
  again.comparesWarps = saved.comparesWarps;
  again.window = saved.window;
  again.scenes = saved.scenes;
  EXPECT_EQ(again, saved);
}

TEST(SessionFileTest, AFileReopensWithoutTheFile) {
  SavedSession saved;
  {
    FileSession session;
    session.open("mine.cu", "__global__ void mine(float* out) { out[threadIdx.x] = 2.0f * threadIdx.x; }\n");
    ASSERT_TRUE(settle(session));
    session.player().toEnd();
    saved = session.saved();
  }
  FileSession session;
  Player& player = session.player();
  ASSERT_FALSE(session.restore(saved));
  ASSERT_TRUE(settle(session));
  ASSERT_NE(player.replay(), nullptr);
  EXPECT_TRUE(player.replay()->atEnd());
  EXPECT_EQ(session.saved(), saved);
}

// A header is read when the file is opened and at every run, and is kept with the session.
TEST(SessionFileTest, AFilesHeadersAreReadAndReopen) {
  FileSession session;
  const auto putHeader = [&](int loops) {
    session.files->put("loops.h", "constexpr int kLoops = " + std::to_string(loops) + ";\n");
  };
  const auto steps = [](Session& one) {
    EXPECT_TRUE(settle(one));
    EXPECT_EQ(one.error(), "");
    if (one.player().replay() == nullptr) return 0u;
    one.player().toEnd();
    return one.player().replay()->cursor().steps;
  };
  putHeader(2);
  session.open("mine.cu",
               "#include \"loops.h\"\n__global__ void mine(float* out) {\n"
               "  for (int i = 0; i < kLoops; ++i) out[threadIdx.x] += i;\n}\n");
  const std::uint32_t two = steps(session);
  EXPECT_GT(two, 0u);
  putHeader(5);
  session.run();
  const std::uint32_t five = steps(session);
  EXPECT_GT(five, two);
  const SavedSession saved = parseSession(sessionText(session.saved())).value();
  ASSERT_EQ(saved.includes.size(), 1u);
  FileSession other;
  ASSERT_FALSE(other.restore(saved));
  EXPECT_EQ(steps(other), five);
}

TEST(SessionFileTest, ATextThatDoesNotRunComesBackToo) {
  Session first;
  first.select({findStrategy("baseline"), 8, findMachine("tiny")});
  ASSERT_TRUE(settle(first));
  first.editor().current()->buffer.move(CaretMove::TextStart);
  first.editor().current()->buffer.insert("@");
  first.run();
  ASSERT_TRUE(settle(first));
  Session second;
  ASSERT_FALSE(second.restore(first.saved()));
  ASSERT_TRUE(settle(second));
  ASSERT_NE(second.player().replay(), nullptr);
  EXPECT_EQ(second.player().replay()->cursor(), first.player().replay()->cursor());
  EXPECT_FALSE(second.editor().diagnostics().empty());
}

TEST(SessionFileTest, WhatIsNotThereIsSaidAndChangesNothing) {
  Session session;
  SavedSession good = changedSession(session);
  const SavedSession before = session.saved();
  const auto refuses = [&](auto change, std::string_view word) {
    SavedSession bad = good;
    change(bad);
    const std::optional<Error> error = session.restore(bad);
    ASSERT_TRUE(error) << word;
    EXPECT_NE(error->sentence().find(word), std::string::npos) << error->sentence();
    EXPECT_EQ(session.saved(), before);
  };
  refuses([](SavedSession& s) { s.strategy = "magic"; }, "magic");
  refuses([](SavedSession& s) { s.machine = "abacus"; }, "abacus");
  refuses([](SavedSession& s) { s.compared = "nobody"; }, "compares with a strategy 'nobody'");
  refuses([](SavedSession& s) { s.n = 0; }, "over 0 elements");
  refuses([](SavedSession& s) { s.n = kMostElements + 1; }, "65,537 elements");
  refuses([](SavedSession& s) { s.grain = "sand"; }, "sand");
  refuses([](SavedSession& s) { s.strategy.clear(); }, "neither");
  refuses([](SavedSession& s) { s.block = 77; }, "block 77");
  refuses([](SavedSession& s) { s.strategy = "kahan", s.blocks = std::uint64_t{1} << 62U; }, "not offered");
  refuses([](SavedSession& s) { s.strategy = "completely-unrolled", s.n = 8, s.blocks = 16; }, "");
  refuses([](SavedSession& s) { s.strategy.clear(), s.path = "/x.cu"; }, "no launch");
  refuses(
      [](SavedSession& s) {
        s.ran.form = LaunchForm();
        s.ran.form->grid = "none";
      },
      "grid");
}

TEST(SessionFileTest, ALaunchOfSeveralBlocksComesBack) {
  Session session;
  session.chooseStrategy(*findStrategy("baseline"));
  session.chooseBlocks(2);
  session.chooseElements(2048);
  const SavedSession saved = session.saved();
  ASSERT_EQ(saved.n, 2048U);
  ASSERT_EQ(saved.blocks, 2U);
  Session second;
  const std::optional<Error> error = second.restore(saved);
  ASSERT_FALSE(error) << error->sentence();
  EXPECT_EQ(second.saved(), saved);
}

TEST(SessionFileTest, DamagedTextsAreSaid) {
  for (const char* text : {"", "[]", "{}", "{\"schema\":\"lanescope.session/1\"}", "\xff\xfe"}) {
    EXPECT_FALSE(parseSession(text)) << text;
  }
  Json old = parseJson(sessionText(SavedSession()));
  for (const char* entry : {"compared", "compares_warps", "variable"})
    EXPECT_EQ(old["view"].erase(entry), 1U);
  const auto withoutComparison = parseSession(old.dump());
  ASSERT_TRUE(withoutComparison) << withoutComparison.error().sentence();
  EXPECT_EQ(*withoutComparison, SavedSession()) << "saved before a comparison was kept";
  const auto newer = parseSession(R"({"schema":"lanescope.session/2"})");
  ASSERT_FALSE(newer);
  EXPECT_SAYS(newer.error().sentence());
  Session session;
  std::string text = sessionText(changedSession(session));
  for (const char* number : {"-5", "1e300", "1.5", "4294967296", "\"7\"", "null"}) {
    std::string changed = text;
    const std::size_t at = changed.find("\"steps\": 17");
    ASSERT_NE(at, std::string::npos);
    changed.replace(at, 11, std::string("\"steps\": ") + number);
    const auto bad = parseSession(changed);
    ASSERT_FALSE(bad) << number;
    EXPECT_SAYS(bad.error().sentence());
  }
  text.replace(text.find("\"blocks\": 1"), 11, "\"blocks\": []");
  const auto wrong = parseSession(text);
  ASSERT_FALSE(wrong);
  EXPECT_SAYS(wrong.error().sentence());
}

}  // namespace
}  // namespace lanescope
