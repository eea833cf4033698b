#include "app/course/lesson.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace lanescope {
namespace {

using Kind = MarkdownBlock::Kind;

TEST(LessonChanges, FindTheKernelThatALessonNames) {
  const auto compared = [](std::string_view id) {
    const Strategy* strategy = comparedStrategy(*findStrategy(id));
    return strategy == nullptr ? std::string() : std::string(strategy->id);
  };
  EXPECT_EQ(compared("no-divergence"), "baseline") << "What *Baseline* wastes";
  EXPECT_EQ(compared("unroll-last-warp-racy"), "add-during-load");
  EXPECT_EQ(compared("effective-bandwidth"), "vector-add") << "named in What changes";
  EXPECT_EQ(compared("vector-add"), "");
  EXPECT_EQ(compared("baseline"), "");
}

TEST(LessonChanges, AreAPatchWithALineAround) {
  const std::string left =
      "// Left.\nvoid left(int* a) {\n  one();\n\n  two();\n  three();\n  four();\n  five();\n}\n";
  const std::string right =
      "void right(int* a) {\n  one();\n  2();\n  three();\n  four();\n\n  five();\n  six();\n}\n";
  EXPECT_EQ(textChanges(left, "left", right, "right"),
            "   one();\n-  two();\n+  2();\n   three();\n...\n   five();\n+  six();\n }");
  EXPECT_EQ(
      textChanges(left, "left",
                  "void right(int* a) {\n  one();\n  two();\n  three();\n  four();\n  five();\n}\n", "right"),
      "")
      << "another name, a blank line and a comment are no change";
  EXPECT_EQ(textChanges("void f(int a) {\n}\n", "f", "void g(float a) {\n}\n", "g"),
            "-void f(int a) {\n+void g(float a) {\n }")
      << "the left's own name";
}

TEST(LessonChanges, EndTheSectionOfWhatChanges) {
  const std::vector<MarkdownBlock> blocks = lessonBlocks(*findStrategy("no-divergence"));
  const auto code = std::ranges::find(blocks, Kind::Code, &MarkdownBlock::kind);
  ASSERT_NE(code, blocks.end());
  EXPECT_NE(code->runs.front().text.find("\n-  if (tid % (2 * k) == 0) {"), std::string::npos);
  EXPECT_NE(code->runs.front().text.find("\n+  if (tid < blockDim.x / (2 * k)) {"), std::string::npos);
  EXPECT_EQ(code->runs.front().text.find("__global__"), std::string::npos) << "the kernel's name";
  ASSERT_NE(code + 1, blocks.end());
  EXPECT_EQ((code + 1)->kind, Kind::Heading);
  ASSERT_EQ((code - 1)->runs.size(), 3U);
  EXPECT_EQ((code - 1)->runs[1].text, "Baseline");
  EXPECT_FALSE(blocks[1].terms.empty()) << "terms are marked";
}

// Every lesson says what changes, and from which kernel, but for those that begin something.
TEST(LessonChanges, AreInEveryLessonThatComparesItsKernel) {
  for (const Strategy& strategy : strategies()) {
    const Strategy* compared = comparedStrategy(strategy);
    const bool changes = strategy.lesson.find("## What changes\n") != std::string::npos;
    const std::vector<MarkdownBlock> blocks = lessonBlocks(strategy);
    const bool isSaid = std::ranges::any_of(blocks, [&](const MarkdownBlock& block) {
      return block.runs.size() == 3 && compared != nullptr && block.runs[1].text == compared->title &&
             (block.runs[0].text == "As a diff from " || block.runs[0].text.starts_with("Most lines differ"));
    });
    EXPECT_EQ(isSaid, changes && compared != nullptr) << strategy.id;
    if (!changes || compared != nullptr) continue;
    EXPECT_TRUE(strategy.id == "bank-strides" || strategy.id == "order-of-addition") << strategy.id;
  }
}

TEST(CourseNumber, CountsChaptersAndTheirLessons) {
  EXPECT_EQ(courseNumber(strategies().front()), "1.1");
  EXPECT_EQ(courseNumber(*findStrategy("no-divergence")), "4.2");
  EXPECT_EQ(courseNumber(*findStrategy("multiple-elements")), "4.9");
}

// L = 4 and 8 after Harris's steps, which have two elements per thread.
TEST(CourseNumber, HarrisStepsHaveTwoElementsPerThreadAtMost) {
  for (const Strategy& strategy : strategies()) {
    if (strategy.chapter != "Harris's steps") continue;
    EXPECT_LE(strategy.elementsPerThread, 2U) << strategy.id;
  }
}

}  // namespace
}  // namespace lanescope
