// Every text that fuzzing begins with, and every text that once brought the simulator down (findings/), once
// more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <vector>

#include "sim/fuzz/exercise.h"
#include "sim/fuzz/self_reference.h"

namespace lanescope::fuzz {
namespace {

/// The kernels in a folder of the project, or in one of the build.
std::vector<std::string> collectTexts(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(LANESCOPE_SOURCE_DIR) / folder)) {
    if (entry.path().extension() == ".cu") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

TEST(FuzzTexts, TheSeedsAreExecuted) {
  for (const char* folder : {"sim/fuzz/corpus", "kernels/strategies", LANESCOPE_SEEDS}) {
    const auto texts = collectTexts(folder);
    EXPECT_GE(texts.size(), 8u) << folder;
    for (const std::string& text : texts) exerciseExecution(text);
  }
}

TEST(FuzzTexts, WhatWasFoundStaysMended) {
  const auto texts = collectTexts("sim/fuzz/findings");
  EXPECT_GE(texts.size(), 4u);
  for (const std::string& text : texts) {
    exerciseFrontEnd(text);
    exerciseExecution(text);
  }
}

TEST(FuzzTexts, SelfReferringTextsEnd) {
  std::mt19937 random(39);
  for (int text = 0; text < 600; ++text) {
    std::vector<std::uint8_t> choices(40 + random() % 160);
    for (std::uint8_t& choice : choices) choice = static_cast<std::uint8_t>(random());
    exerciseFrontEnd(selfReferringText(choices));
  }
}

}  // namespace
}  // namespace lanescope::fuzz
