#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::testing {

/// An `ncu` that is a script, first on the PATH, with files beside it, which it finds by `$here`.
class FakeNcu {
 public:
  FakeNcu(const std::string& body, const std::vector<std::pair<std::string, std::string_view>>& files)
      : folder_(::testing::TempDir() + "lanescope_ncu_" + std::to_string(getpid())),
        oldPath_(std::getenv("PATH")) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/ncu") << "#!/bin/sh\nhere=$(dirname \"$0\")\n" << body;
    chmod((folder_ + "/ncu").c_str(), 0755);
    for (const auto& [name, text] : files) std::ofstream(folder_ + "/" + name) << text;
    setenv("PATH", (folder_ + ":" + oldPath_).c_str(), 1);
  }
  ~FakeNcu() {
    setenv("PATH", oldPath_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  FakeNcu(const FakeNcu&) = delete;
  FakeNcu& operator=(const FakeNcu&) = delete;

  /// How often it has run the program, where it notes that in `runs`.
  std::size_t collections() const {
    std::ifstream log(folder_ + "/runs");
    std::size_t count = 0;
    for (std::string line; std::getline(log, line);) ++count;
    return count;
  }

 private:
  std::string folder_;
  std::string oldPath_;
};

}  // namespace lanescope::testing
