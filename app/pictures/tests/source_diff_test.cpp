// Two sources side by side: the alignment, the differences, and their marks.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/pictures/difference_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {
namespace {
using DiffKind = DiffRow::Kind;

constexpr std::string_view kLeft =
    "int tid = threadIdx.x;\n"
    "for (int k = 1; k < n; k *= 2) {\n"
    "  if (tid % (2 * k) == 0) s[tid] += s[tid + k];\n"
    "  __syncthreads();\n"
    "}\n"
    "return;\n";
constexpr std::string_view kRight =
    "int tid = threadIdx.x;\n"
    "for (int k = n / 2; k > 0; k /= 2) {\n"
    "  if (tid < k) s[tid] += s[tid + k];\n"
    "\n"
    "    __syncthreads();\n"
    "}\n";

std::vector<DiffKind> listKinds(const std::vector<DiffRow>& rows) {
  std::vector<DiffKind> kinds;
  for (const DiffRow& row : rows) kinds.push_back(row.kind);
  return kinds;
}

std::vector<std::string> splitParts(const DiffLine& line) {
  std::vector<std::string> parts;
  for (const ChangedPart& part : line.changed)
    parts.push_back(line.text.substr(part.begin, part.end - part.begin));
  return parts;
}

TEST(LineDiff, EqualLinesGoTogetherAndSimilarOnesBetweenThem) {
  const std::vector<DiffRow> rows = diffLines(kLeft, kRight);
  EXPECT_EQ(listKinds(rows),
            (std::vector<DiffKind>{DiffKind::Same, DiffKind::Changed, DiffKind::Changed, DiffKind::RightOnly,
                                   DiffKind::Same, DiffKind::Same, DiffKind::LeftOnly}));
  EXPECT_EQ(rows[4].left.number, 4U);
  EXPECT_EQ(rows[4].right.number, 5U) << "white space does not count";
  EXPECT_EQ(rows[3].left.number, 0U);
  EXPECT_EQ(splitParts(rows[2].left), (std::vector<std::string>{"% (2 *", "== 0)"}));
  EXPECT_EQ(splitParts(rows[2].right), (std::vector<std::string>{"<"}));
}

TEST(LineDiff, EveryLineIsThereOnceInItsOrder) {
  for (std::size_t index = 0; index + 1 < strategies().size(); ++index) {
    const std::string left(strategies()[index].source);
    const std::string right(strategies()[index + 1].source);
    std::string ours;
    std::string theirs;
    for (const DiffRow& row : diffLines(left, right)) {
      if (row.left.number > 0) ours += row.left.text + "\n";
      if (row.right.number > 0) theirs += row.right.text + "\n";
    }
    EXPECT_EQ(ours, left);
    EXPECT_EQ(theirs, right);
  }
  for (const DiffRow& row : diffLines(strategies()[4].source, strategies()[4].source))
    EXPECT_EQ(row.kind, DiffKind::Same) << row.left.text;
  EXPECT_TRUE(diffLines("", "").empty());
}

TEST(SourceDiffScene, MarksByASignAndNotByColourAlone) {
  const std::vector<DiffRow> rows = diffLines(kLeft, kRight);
  for (const float width : {300.0F, 628.0F}) {
    SceneContext context{.width = width, .height = 170, .unit = 13.0F / 15};
    for (const bool isRight : {false, true}) {
      const Scene scene = sourceDiffScene(rows, {isRight, 2, 0}, context, kMeasure);
      EXPECT_TRUE(textProblems(scene, kMeasure).empty()) << textProblems(scene, kMeasure).front();
      const std::string texts = "\n" + collectTexts(scene);
      EXPECT_NE(texts.find(isRight ? "\n+\n" : "\n-\n"), std::string::npos) << texts;
      EXPECT_NE(texts.find("\n~\n"), std::string::npos) << texts;
      EXPECT_EQ(countItems(scene, DrawItem::Kind::StrokeRect, ColorRole::Accent), 1U) << "the current line";
      EXPECT_EQ(scene.rows.shown, 7U);
    }
  }
}

TEST(SourceDiffScene, RowsThatHaveNoRoomFollowTheLineUnderWay) {
  const std::vector<DiffRow> rows = diffLines(strategies()[4].source, strategies()[5].source);
  const std::uint32_t last =
      std::ranges::max(rows, {}, [](const DiffRow& row) { return row.left.number; }).left.number;
  const std::size_t row = findDiffRow(rows, false, last);
  ASSERT_GT(row, 8U);
  EXPECT_EQ(firstDiffRow(rows.size(), 0, 0, 150, 1), 0U);
  const std::uint32_t first = firstDiffRow(rows.size(), row, row, 150, 1);
  EXPECT_GT(first, 0U);
  EXPECT_LE(first, row);
}

TEST(SourceDiff, ShowsTheLinesOfBothSidesWhereTheyFit) {
  constexpr float kSixRows = 34 + 8 + 6 * 17;
  EXPECT_EQ(firstDiffRow(40, 20, 20, kSixRows, 1), 17U);
  EXPECT_EQ(firstDiffRow(40, 20, 25, kSixRows, 1), 20U) << "the lower one is the last";
  EXPECT_EQ(firstDiffRow(40, 20, 15, kSixRows, 1), 15U);
  EXPECT_EQ(firstDiffRow(40, 20, 30, kSixRows, 1), 17U) << "both do not fit";
  EXPECT_EQ(firstDiffRow(40, 20, 2, kSixRows, 1), 17U);
  EXPECT_EQ(firstDiffRow(4, 3, 0, kSixRows, 1), 0U);
}

}  // namespace
}  // namespace lanescope
