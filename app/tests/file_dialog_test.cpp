// Files chosen with the system's dialog, which a script on the PATH plays.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "app/panels/file_dialogs.h"
#include "app/tests/test_window.h"
#include "app/workbench/saved_state.h"
#include "app/workbench/tests/scratch_folder.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::readAll;
using testing::ScratchFolder;

/// A window at work where `zenity` is a script: it notes how it was called, waits until it may continue, says
/// `answer` and ends with `status`.
class FileDialogTest : public ::testing::Test {
 protected:
  FileDialogTest() : path_(std::getenv("PATH")) {
    const std::string script =
        scratch_.write("zenity",
                       "#!/bin/sh\nhere=${0%/*}\necho \"$@\" >>\"$here/calls\"\n"
                       "while [ -e \"$here/wait\" ]; do sleep 0.02; done\n"
                       "cat \"$here/answer\"\nread status <\"$here/status\"\nexit \"$status\"\n");
    fs::permissions(script, fs::perms::owner_all);
    answers("", 1);
    ::setenv("PATH", (scratch_.path().string() + ":" + path_).c_str(), 1);
    window_ = std::make_unique<MainWindow>(session_, gpu_, themes().front(),
                                           std::make_shared<ThreadExecutor>([this] { woken_ = true; }));
    window_->state().usesSystemDialogs = true;
  }
  ~FileDialogTest() override { ::setenv("PATH", path_.c_str(), 1); }
  void SetUp() override {
    session_.select({findStrategy("baseline"), 64, &defaultMachine(64)});
    ASSERT_TRUE(waitForTrace(session_));
  }

  void answers(const std::string& path, int status) const {
    scratch_.write("answer", path.empty() ? "" : path + "\n");
    scratch_.write("status", std::to_string(status) + "\n");
  }
  std::string calls() const { return readAll(scratch_.path() / "calls"); }
  /// Presses the key, waits for the dialog's answer and draws the frame that takes it.
  void pressAndAnswer(Headless& headless, const char* key) {
    woken_ = false;
    ASSERT_TRUE(window_->press(key));
    headless.frame(*window_);
    EXPECT_EQ(window_->state().dialog, Dialog::None) << "ours stays closed";
    waitForAnswer(headless);
  }
  void waitForAnswer(Headless& headless) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!woken_ && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ASSERT_TRUE(woken_) << "the dialog ended and nobody heard of it";
    headless.frame(*window_);
  }

  const ScratchFolder scratch_;
  const std::string path_;
  Session session_;
  GpuSession gpu_{noWorker()};
  std::atomic<bool> woken_ = false;
  std::unique_ptr<MainWindow> window_;
};

TEST_F(FileDialogTest, OpensWhatIsChosen) {
  const std::string kernel =
      scratch_.write("mine.cu", "__global__ void mine(int* out) { out[threadIdx.x] = 1; }\n");
  answers(kernel, 0);
  Headless headless(kProjector);
  pressAndAnswer(headless, "Ctrl+O");
  ASSERT_NE(session_.editor().current(), nullptr);
  EXPECT_EQ(session_.editor().current()->path, kernel);
  EXPECT_NE(calls().find("--file-selection"), std::string::npos) << calls();
  EXPECT_NE(calls().find("*.lanescope"), std::string::npos) << calls();
  EXPECT_EQ(calls().find("--save"), std::string::npos) << calls();
}

TEST_F(FileDialogTest, ClosedWithoutAChoiceItKeepsEverything) {
  session_.player().seek(13);
  const std::string before = sessionText(session_.saved());
  Headless headless(kProjector);
  pressAndAnswer(headless, "Ctrl+O");
  pressAndAnswer(headless, "Ctrl+S");
  EXPECT_EQ(sessionText(session_.saved()), before);
  EXPECT_EQ(window_->state().dialog, Dialog::None);
  EXPECT_EQ(session_.error(), "");
}

TEST_F(FileDialogTest, SavesWhereItSays) {
  const fs::path file = scratch_.path() / "it's mine.lanescope";
  answers(file.string(), 0);
  Headless headless(kProjector);
  pressAndAnswer(headless, "Ctrl+S");
  EXPECT_TRUE(parseSession(readAll(file)));
  EXPECT_NE(calls().find("--save --confirm-overwrite"), std::string::npos) << calls();
  EXPECT_NE(calls().find("baseline.lanescope"), std::string::npos) << calls();
  EXPECT_SAYS(window_->state().notice.text);
}

TEST_F(FileDialogTest, WhereItCannotShowOursAsks) {
  answers("", 5);
  Headless headless(kProjector);
  pressAndAnswer(headless, "Ctrl+O");
  EXPECT_EQ(window_->state().dialog, Dialog::Open);
  window_->press("Esc");
  headless.frame(*window_);
  window_->press("Ctrl+S");
  headless.frame(*window_);
  EXPECT_EQ(window_->state().dialog, Dialog::Save) << "it is not tried again";
}

TEST_F(FileDialogTest, TheWindowGoesOnWhileOneIsOpen) {
  scratch_.write("wait", "");
  Headless headless(kProjector);
  woken_ = false;
  window_->press("Ctrl+O");
  headless.frame(*window_);
  const std::uint32_t step = session_.player().replay()->cursor().steps;
  window_->press("Right");
  headless.frame(*window_);
  EXPECT_NE(session_.player().replay()->cursor().steps, step);
  window_->press("Ctrl+O");  // there is one already
  headless.frame(*window_);
  EXPECT_FALSE(woken_);
  fs::remove(scratch_.path() / "wait");
  waitForAnswer(headless);
  EXPECT_EQ(std::ranges::count(calls(), '\n'), 1) << calls();
}

TEST_F(FileDialogTest, AnExportsPathIsChosen) {
  const fs::path file = scratch_.path() / "chosen.svg";
  answers(file.string(), 0);
  Headless headless(kDesk);
  window_->press("E");
  headless.settle(*window_);
  const ImVec2 choose = headless.findMiddle(*window_, "export dialog", "Choose…");
  ASSERT_GE(choose.x, 0);
  woken_ = false;
  headless.click(*window_, choose);
  waitForAnswer(headless);
  EXPECT_NE(calls().find("-all.svg --save"), std::string::npos) << calls();
  headless.settle(*window_);  // the path is wider now
  const ImVec2 write = headless.findMiddle(*window_, "export dialog", "Write");
  ASSERT_GE(write.x, 0);
  woken_ = false;
  headless.click(*window_, write);
  waitForAnswer(headless);
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(FileDialogTest, IsNotAskedWhereOursIsWanted) {
  window_->state().usesSystemDialogs = false;
  Headless headless(kProjector);
  window_->press("Ctrl+O");
  headless.frame(*window_);
  EXPECT_EQ(window_->state().dialog, Dialog::Open);
  EXPECT_EQ(calls(), "");
}

TEST(AskingCommand, IsTheProgramsOwn) {
  const FileQuestion open{FileQuestion::For::Open, "Open", "/tmp/", "Kernels", {"*.cu", "*.h"}};
  EXPECT_EQ(askingCommand("/usr/bin/kdialog", open),
            "'/usr/bin/kdialog' --title 'Open' --getopenfilename '/tmp/' '*.cu *.h'");
  EXPECT_EQ(askingCommand("/usr/bin/zenity", open),
            "'/usr/bin/zenity' --file-selection --title='Open' --filename='/tmp/' --file-filter='Kernels | "
            "*.cu *.h' --file-filter='All files | *'");
  const FileQuestion save{FileQuestion::For::Save, "Save", "it's"};
  EXPECT_EQ(askingCommand("kdialog", save), "'kdialog' --title 'Save' --getsavefilename 'it'\\''s'");
}

}  // namespace
}  // namespace lanescope
