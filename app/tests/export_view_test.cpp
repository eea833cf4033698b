// The export dialog in the window: it fits, keys belong to it, Enter writes what it says.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "app/tests/test_window.h"
#include "app/views/dialogs/export_dialog.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

/// A window at work in a folder of its own.
class ExportDialogTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "lanescope-view-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    before_ = fs::current_path();
    fs::current_path(folder_);
    session.select({findStrategy("no-divergence"), 64, &defaultMachine(64)});
    ASSERT_TRUE(waitForTrace(session));
    session.seek(13);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  /// Presses Enter, waits to be woken and draws the one frame that this asks for. False: nothing was written
  /// within that time.
  bool entered(Headless& headless, std::chrono::milliseconds within) {
    holdKey(ImGuiKey_Enter, true);
    headless.frame(window);
    holdKey(ImGuiKey_Enter, false);
    headless.frame(window);
    const auto end = std::chrono::steady_clock::now() + within;
    while (!woken_ && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    headless.frame(window);
    return woken_.exchange(false);
  }
  void enter(Headless& headless) { EXPECT_TRUE(entered(headless, std::chrono::seconds(10))); }
  std::string problemText() const {
    std::string text;
    for (const std::string& problem : textProblems()) text += problem + "\n";
    return text;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    return names;
  }

  Session session;
  GpuSession gpu{noWorker()};
  std::atomic<bool> woken_ = false;  ///< before the window, whose thread sets it
  MainWindow window{session, gpu, themes().front(), [this] { woken_ = true; }};
  fs::path folder_;
  fs::path before_;
};

TEST_F(ExportDialogTest, OpensFitsAndCloses) {
  for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1920, 1080)}) {
    Headless headless(size);
    window.press("E");
    headless.settle(window);
    EXPECT_EQ(window.state().dialog, Dialog::Export);
    EXPECT_TRUE(window.takesText());
    EXPECT_FALSE(window.press("T")) << "letters belong to the path";
    EXPECT_EQ(problemText(), "");
    EXPECT_TRUE(window.press("Esc"));
    headless.settle(window);
    EXPECT_EQ(window.state().dialog, Dialog::None);
    EXPECT_FALSE(window.takesText());
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(ExportDialogTest, EnterWritesThePictureAtTheCursor) {
  Headless headless(ImVec2(1280, 720));
  window.press("E");
  headless.settle(window);
  enter(headless);
  EXPECT_EQ(files(), std::vector<std::string>{"no-divergence-n64-step13-all.svg"});
  EXPECT_EQ(problemText(), "");
  std::ifstream file(folder_ / "no-divergence-n64-step13-all.svg");
  const std::string svg{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(svg.find(">No divergence, N = 64 on nvidia<"), std::string::npos);
  EXPECT_NE(svg.find("step 13 of 90"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST_F(ExportDialogTest, InTheTableTheRowsAreWritten) {
  Headless headless(ImVec2(1280, 720));
  window.press("F3");
  headless.settle(window);
  window.press("E");
  headless.settle(window);
  EXPECT_EQ(problemText(), "");
  enter(headless);
  EXPECT_EQ(files(), std::vector<std::string>{"strategies-n64.csv"});
  std::ifstream file(folder_ / "strategies-n64.csv");
  const std::string csv{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(csv.find("id,title,n,machine,"), 0U);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), strategies().size() + 1);
}

TEST_F(ExportDialogTest, OfTwoRunsBothAreWritten) {
  Headless headless(ImVec2(1280, 720));
  window.press("F2");
  headless.frame(window);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (session.comparison().replay() == nullptr && std::chrono::steady_clock::now() < end) {
    session.poll();
    headless.frame(window);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ASSERT_NE(session.comparison().replay(), nullptr);
  window.press("E");
  headless.settle(window);
  EXPECT_EQ(problemText(), "");
  woken_ = false;
  enter(headless);
  ASSERT_EQ(files().size(), 1U);
  EXPECT_TRUE(files().front().starts_with("no-divergence-n64-and-no-bank-conflict-n64")) << files().front();
  std::ifstream file(folder_ / files().front());
  const std::string svg{std::istreambuf_iterator<char>(file), {}};
  for (const char* title : {">No divergence, N = 64 on nvidia<", ">No bank conflict, N = 64 on nvidia<"})
    EXPECT_NE(svg.find(title), std::string::npos) << title;
}

TEST_F(ExportDialogTest, APredictionIsNotGivenAway) {
  Headless headless(ImVec2(1280, 720));
  session.motion().setSeconds(0);
  const fs::path name = folder_ / "no-divergence-n64-step13-all.svg";
  const auto written = [&] {
    window.press("E");
    headless.settle(window);
    enter(headless);
    window.press("Esc");
    headless.settle(window);
    std::ifstream file(name);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const std::string whole = written();
  window.press("F4");
  const std::string covered = written();
  EXPECT_LT(covered.size(), whole.size()) << "without the words that are to be written";
  for (const ExportKind kind :
       {ExportKind::Strip, ExportKind::Frames, ExportKind::Counters, ExportKind::Trace}) {
    EXPECT_TRUE(tellsAnswers(kind, true));
    EXPECT_FALSE(tellsAnswers(kind, false));
  }
  EXPECT_FALSE(tellsAnswers(ExportKind::Picture, true));
}

TEST_F(ExportDialogTest, AWakeTellsWhatBecameOfIt) {
  Headless headless(ImVec2(1280, 720));
  window.press("E");
  headless.settle(window);
  const Area whole{0, 0, 1280, 720};
  const std::size_t before = verticesIn(whole);
  enter(headless);
  EXPECT_FALSE(window.restless()) << "an idle window waits for events";
  // Four vertices a letter: the sentence names the whole path, "Writing…" is far shorter.
  EXPECT_GT(verticesIn(whole), before + 4 * folder_.string().size() / 2 + 4 * 20);
}

TEST_F(ExportDialogTest, AFormThatHasNotRunDoesNotChangeTheTitle) {
  Editor& editor = session.editor();
  editor.current()->form = editor.formAtHand();
  Headless headless(ImVec2(1280, 720));
  window.press("E");
  headless.settle(window);
  enter(headless);
  std::ifstream file(folder_ / "no-divergence-n64-step13-all.svg");
  const std::string svg{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(svg.find(">No divergence, N = 64 on nvidia<"), std::string::npos);
}

TEST_F(ExportDialogTest, FramesShowTheirProgressAndAreCancelled) {
  if (!ImageWriter::of(ImageKind::Png, themes().front())) GTEST_SKIP() << "built without cairo";
  Headless headless(kProjector);
  window.press("E");
  headless.settle(window);
  const auto click = [&](const char* label) {
    const ImVec2 there = headless.middleOf(window, "export dialog", label);
    ASSERT_GE(there.x, 0) << label;
    headless.click(window, there);
  };
  click("Frames");
  const fs::path draft = folder_ / "no-divergence-n64-frames.new";
  const auto drawn = [&] {
    std::error_code gone;
    return std::distance(fs::directory_iterator(draft, gone), fs::directory_iterator());
  };
  const auto waitFor = [](const auto& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return condition();
  };
  const ImVec2 write = headless.middleOf(window, "export dialog", "Write");
  ASSERT_GE(write.x, 0);
  headless.click(window, write);
  ASSERT_TRUE(waitFor([&] { return drawn() > 0; }))
      << "it is written, and no frame of the window waits for it";
  headless.frame(window);
  EXPECT_EQ(problemText(), "");
  // A second click on what wrote it means nothing: it goes on.
  headless.click(window, write);
  const auto before = drawn();
  ASSERT_TRUE(waitFor([&] { return drawn() > before; })) << "it was cancelled from the place of Write";
  click("Cancel");
  EXPECT_TRUE(waitFor([&] { return !fs::exists(draft); })) << "it goes on";
  EXPECT_FALSE(fs::exists(folder_ / "no-divergence-n64-frames")) << "it was done before it was cancelled";
  headless.settle(window);
  EXPECT_EQ(problemText(), "");
}

TEST_F(ExportDialogTest, SaysWhyNothingWasWritten) {
  Headless headless(ImVec2(1280, 720));
  window.press("E");
  headless.settle(window);
  fs::create_directory(folder_ / "no-divergence-n64-step13-all.svg");
  enter(headless);
  EXPECT_EQ(files(), std::vector<std::string>{"no-divergence-n64-step13-all.svg"});
  EXPECT_TRUE(fs::is_empty(folder_ / "no-divergence-n64-step13-all.svg"));
  headless.settle(window);
  EXPECT_EQ(problemText(), "");
}

}  // namespace
}  // namespace lanescope
