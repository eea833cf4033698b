// Every text of the corpus, and every text that once brought the simulator down (findings/), once more.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "sim/fuzz/exercise.h"

namespace lanescope::fuzz {
namespace {

std::vector<std::string> textsOf(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "sim/fuzz" / folder;
  if (std::filesystem::exists(root)) {
    for (const auto& entry : std::filesystem::directory_iterator(root)) paths.push_back(entry.path());
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

TEST(FuzzTexts, TheCorpusIsExecuted) {
  const auto texts = textsOf("corpus");
  EXPECT_GE(texts.size(), 10u);
  for (const std::string& text : texts) exerciseExecution(text);
}

TEST(FuzzTexts, WhatWasFoundStaysMended) {
  for (const std::string& text : textsOf("findings")) {
    exerciseFrontEnd(text);
    exerciseExecution(text);
  }
}

}  // namespace
}  // namespace lanescope::fuzz
