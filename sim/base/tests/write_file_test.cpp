// Files are written by way of a draft, or into what cannot be replaced; or refused in one sentence.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/workbench/tests/scratch_folder.h"
#include "sim/base/write_file.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
 protected:
  static std::string textOf(const fs::path& path) { return testing::readAll(path); }
  /// The sentence about an error; empty if it was written.
  static std::string write(const fs::path& path, const std::string& text = "new") {
    const auto problem = writeFile(path, text);
    return problem ? problem->sentence() : "";
  }
  /// How many files the folder has: no draft stays.
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {}));
  }
  fs::path at(const char* name) const { return folder_.path() / name; }
  fs::path make(const char* name) const { return folder_.write(name, "old"); }

 private:
  testing::ScratchFolder folder_;
};

TEST_F(WriteFile, ReplacesAFileAndKeepsItsPermissions) {
  const fs::path file = make("a");
  ::chmod(file.c_str(), 0640);
  EXPECT_EQ(write(file), "");
  EXPECT_EQ(textOf(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms{0640});
  EXPECT_EQ(count(), 1U);
}

TEST_F(WriteFile, LeavesAWriteProtectedFileAlone) {
  const fs::path file = make("a");
  ::chmod(file.c_str(), 0444);
  EXPECT_NE(write(file).find("write-protected"), std::string::npos);
  EXPECT_EQ(textOf(file), "old");
  EXPECT_EQ(count(), 1U);
}

TEST_F(WriteFile, WritesWhereALinkLeads) {
  fs::create_symlink("b", at("a"));
  EXPECT_EQ(write(at("a")), "") << "to a file that does not exist yet";
  EXPECT_TRUE(fs::is_symlink(at("a")));
  EXPECT_EQ(textOf(at("b")), "new");
  EXPECT_EQ(write(at("a"), "newer"), "");
  EXPECT_EQ(textOf(at("b")), "newer");
  fs::create_symlink("d", at("c"));
  fs::create_symlink("c", at("d"));
  EXPECT_NE(write(at("c")), "") << "links without an end";
}

TEST_F(WriteFile, KeepsTheOtherNamesOfAFile) {
  fs::create_hard_link(make("a"), at("b"));
  EXPECT_EQ(write(at("a"), "longer"), "");
  EXPECT_EQ(textOf(at("b")), "longer");
  EXPECT_EQ(write(at("a"), "x"), "");
  EXPECT_EQ(textOf(at("b")), "x");
  EXPECT_EQ(count(), 2U);
}

// Nothing can be created in /proc/self, also not by root.
TEST_F(WriteFile, WritesIntoAFileWhoseFolderTakesNoDraft) {
  const fs::path name = "/proc/self/comm";  // of this process
  std::string before = textOf(name);
  before.pop_back();  // the end of the line
  EXPECT_EQ(write(name, "another"), "");
  EXPECT_EQ(textOf(name), "another\n");
  EXPECT_EQ(write(name, before), "");
}

TEST_F(WriteFile, WritesToAPipeThatIsRead) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_NE(write(at("pipe")).find("no program reads"), std::string::npos);
  const int reader = ::open(at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_EQ(write(at("pipe")), "");
  std::string text(8, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(reader, text.data(), text.size()), 0)));
  ::close(reader);
  EXPECT_EQ(text, "new");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(WriteFile, SaysThatADiskIsFull) {
  EXPECT_NE(write("/dev/full").find("the disk is full"), std::string::npos);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_EQ(write("/dev/null"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteFile, RefusesAFolderAndAMissingOne) {
  EXPECT_NE(write(at("")), "");
  EXPECT_NE(write(at("none") / "a"), "");
  EXPECT_EQ(count(), 0U);
}

}  // namespace
}  // namespace lanescope
