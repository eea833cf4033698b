// The export dialog in the window: it fits, keys belong to it, Enter writes what it says.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <unistd.h>

#include <gtest/gtest.h>

#include "app/panels/export_dialog.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"
#include "app/workbench/tests/settle.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

/// A window at work in a folder of its own.
class ExportDialogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    // In digits, since the window shows it: of letters taken at random some overhang, as an f before a j.
    folder_ = fs::temp_directory_path() / ("lanescope-view-" + std::to_string(::getpid()));
    ASSERT_TRUE(fs::create_directory(folder_));
    before_ = fs::current_path();
    fs::current_path(folder_);
    ASSERT_TRUE(bench_.show("no-divergence", 64));
    session.player().seek(13);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  /// Opens the dialog.
  void open(Headless& headless) {
    window.press("E");
    headless.settle(window);
  }
  /// Presses Enter, waits to be woken and draws the one frame that this asks for.
  void enter(Headless& headless) {
    woken_ = false;
    holdKey(ImGuiKey_Enter, true);
    headless.frame(window);
    holdKey(ImGuiKey_Enter, false);
    headless.frame(window);
    woken_.wait(false);
    headless.frame(window);
  }
  std::string read(const fs::path& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    return names;
  }

  std::atomic<bool> woken_ = false;  ///< before the window, whose thread sets it
  TestWindow bench_{noWorker(),
                    [this] {
                      woken_ = true;
                      woken_.notify_all();
                    },
                    std::make_shared<DesktopHost>()};
  Session& session = bench_.session;
  MainWindow& window = bench_.window;
  fs::path folder_;
  fs::path before_;
  const std::string picture_ = "no-divergence-n64-step13-all.svg";
};

TEST_F(ExportDialogTest, OpensFitsAndCloses) {
  for (const ImVec2 size : {kProjector, kDesk}) {
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
  Headless headless(kProjector);
  open(headless);
  enter(headless);
  EXPECT_EQ(files(), std::vector<std::string>{picture_});
  EXPECT_EQ(problemText(), "");
  const std::string svg = read(picture_);
  EXPECT_NE(svg.find(">No divergence, N = 64 on nvidia<"), std::string::npos);
  EXPECT_NE(svg.find("step 13 of 90"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST_F(ExportDialogTest, InTheTableTheRowsAreWritten) {
  Headless headless(kProjector);
  window.press("F3");
  headless.settle(window);
  open(headless);
  EXPECT_EQ(problemText(), "");
  enter(headless);
  EXPECT_EQ(files(), std::vector<std::string>{"strategies-n64.csv"});
  const std::string csv = read("strategies-n64.csv");
  EXPECT_EQ(csv.find("id,title,n,machine,"), 0U);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), strategies().size() + 1);
}

TEST_F(ExportDialogTest, OfTwoRunsBothAreWritten) {
  Headless headless(kProjector);
  window.press("F2");
  headless.frame(window);
  ASSERT_TRUE(testing::waitUntil(session, [&] { return session.comparison().replay() != nullptr; }));
  headless.frame(window);
  ASSERT_NE(session.comparison().replay(), nullptr);
  open(headless);
  EXPECT_EQ(problemText(), "");
  enter(headless);
  ASSERT_EQ(files().size(), 1U);
  EXPECT_TRUE(files().front().starts_with("no-divergence-n64-and-no-bank-conflict-n64")) << files().front();
  const std::string svg = read(files().front());
  for (const char* title : {">No divergence, N = 64 on nvidia<", ">No bank conflict, N = 64 on nvidia<"})
    EXPECT_NE(svg.find(title), std::string::npos) << title;
}

TEST_F(ExportDialogTest, APredictionIsNotGivenAway) {
  Headless headless(kProjector);
  session.player().motion().setSeconds(0);
  // Predicting continues with the next question.
  window.press("F4");
  headless.settle(window);
  window.press("F4");
  headless.settle(window);
  const std::uint32_t steps = session.player().replay()->cursor().steps;
  const fs::path name = folder_ / ("no-divergence-n64-step" + std::to_string(steps) + "-all.svg");
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
  for (const ExportKind kind : {ExportKind::Strip, ExportKind::Page, ExportKind::Frames, ExportKind::Gif,
                                ExportKind::Counters, ExportKind::Trace}) {
    EXPECT_TRUE(revealsAnswers(kind, true));
    EXPECT_FALSE(revealsAnswers(kind, false));
  }
  EXPECT_FALSE(revealsAnswers(ExportKind::Picture, true));
}

TEST_F(ExportDialogTest, AWakeTellsWhatBecameOfIt) {
  Headless headless(kProjector);
  open(headless);
  enter(headless);
  EXPECT_FALSE(window.restless()) << "an idle window waits for events";
  const std::string shown = withoutSpaces(textIn(areaOfWindow("export dialog")));
  EXPECT_NE(shown.find((folder_ / picture_).string()), std::string::npos) << shown;
}

TEST_F(ExportDialogTest, AFormThatHasNotRunDoesNotChangeTheTitle) {
  Editor& editor = session.editor();
  editor.current()->form = editor.currentForm();
  Headless headless(kProjector);
  open(headless);
  enter(headless);
  const std::string svg = read(picture_);
  EXPECT_NE(svg.find(">No divergence, N = 64 on nvidia<"), std::string::npos);
}

TEST_F(ExportDialogTest, FramesShowTheirProgressAndAreCancelled) {
  if (!ImageWriter::of(ImageKind::Png, themes().front())) GTEST_SKIP() << "built without cairo";
  Headless headless(kProjector);
  open(headless);
  const auto click = [&](const char* label) {
    const ImVec2 there = headless.findMiddle(window, "export dialog", label);
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
  const ImVec2 write = headless.findMiddle(window, "export dialog", "Write");
  ASSERT_GE(write.x, 0);
  headless.click(window, write);
  ASSERT_TRUE(waitFor([&] { return drawn() > 0; }))
      << "it is written, and no frame of the window waits for it";
  headless.frame(window);
  EXPECT_EQ(problemText(), "");
  // A second click on the button has no effect: writing continues.
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
  Headless headless(kProjector);
  open(headless);
  fs::create_directory(folder_ / picture_);
  enter(headless);
  EXPECT_EQ(files(), std::vector<std::string>{picture_});
  EXPECT_TRUE(fs::is_empty(folder_ / picture_));
  headless.settle(window);
  EXPECT_EQ(problemText(), "");
}

}  // namespace
}  // namespace lanescope
