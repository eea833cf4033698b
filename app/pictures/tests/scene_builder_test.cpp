#include "app/pictures/base/scene_builder.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "app/base/cut_text.h"
#include "sim/base/words.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

SceneContext context() { return {.width = 200, .height = 100}; }

TEST(SceneBuilder, CutsTextToItsRoom) {
  const ApproximateMeasure measure;
  SceneBuilder out(context(), measure);
  const float drawn = out.textWithin(0, 10, 60, "masked off by line 25", {});
  const Scene scene = out.consume();
  ASSERT_EQ(scene.items.size(), 1U);
  EXPECT_LE(drawn, 60);
  EXPECT_TRUE(scene.items[0].text.ends_with("\u2026"));
  EXPECT_TRUE(scene.items[0].text.starts_with("mask"));
}

TEST(SceneBuilder, CutsBetweenLettersOfSeveralBytes) {
  const ApproximateMeasure measure;
  for (float room = 10; room < 120; room += 3) {
    SceneBuilder out(context(), measure);
    out.textWithin(0, 10, room, "\u00d7\u00d7\u00d7\u00d7\u00d7\u00d7\u00d7\u00d7\u00d7", {});
    const Scene scene = out.consume();
    if (scene.items.empty()) continue;
    std::string text = scene.items[0].text;
    if (text.ends_with("\u2026")) text.resize(text.size() - 3);
    EXPECT_EQ(text.size() % 2, 0U) << room;
  }
}

TEST(CutText, MeasuresWholeLetters) {
  const std::string_view text = "a\u00d7\u00d7 \u2026\U0001D7D8b";  // letters of one to four bytes
  for (const float width : {0.5F, 1.5F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F}) {
    const std::string cut = cutText(text, width, [&](std::string_view part) {
      EXPECT_FALSE(part.data() == text.data() && part.size() < text.size() &&
                   (static_cast<unsigned char>(text[part.size()]) & 0xC0U) == 0x80U)
          << part.size();
      return static_cast<float>(std::ranges::count_if(
          part, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
    });
    const std::map<float, std::string> wanted{{0.5F, ""},
                                              {1.5F, ""},
                                              {2, "a\u2026"},
                                              {3, "a\u00d7\u2026"},
                                              {4, "a\u00d7\u00d7\u2026"},
                                              {5, "a\u00d7\u00d7\u2026"},  // no blank at the end
                                              {6, "a\u00d7\u00d7 \u2026\u2026"},
                                              {7, std::string(text)}};
    EXPECT_EQ(cut, wanted.at(width)) << width;
  }
}

TEST(SceneBuilder, TextInsideShrinksOrRefuses) {
  const ApproximateMeasure measure;
  SceneBuilder out(context(), measure);
  EXPECT_TRUE(out.textInside({0, 0, 60, 20}, "a0+a4", {}));
  EXPECT_FALSE(out.textInside({0, 0, 20, 20}, "a0+a4+a2+a6", {}));
  EXPECT_FALSE(out.textInside({0, 0, 60, 6}, "a0", {}));
  EXPECT_EQ(out.consume().items.size(), 1U);
}

TEST(SceneBuilder, HatchStaysInItsRect) {
  const ApproximateMeasure measure;
  SceneBuilder out(context(), measure);
  out.hatch({10, 20, 30, 12}, ColorRole::LaneMasked, 4, 1);
  for (const DrawItem& item : out.consume().items) {
    EXPECT_GE(item.x, 9.99F);
    EXPECT_LE(item.x + item.w, 40.01F);
    EXPECT_GE(item.y + item.h, 19.99F);
    EXPECT_LE(item.y, 32.01F);
  }
}

TEST(SceneBuilder, WordsAndNumbers) {
  EXPECT_EQ(counted(1, "word"), "1 word");
  EXPECT_EQ(counted(0, "bank"), "0 banks");
  EXPECT_EQ(counted(2, "pass"), "2 passes");
  EXPECT_SAYS(counted(3, "divergent branch"));
  EXPECT_EQ(counted(65536, "thread"), "65,536 threads");
  EXPECT_EQ(oneLine("  a\n  +=  b ", 20), "a += b");
  EXPECT_EQ(oneLine("abcdef", 3), "abc\u2026");
}

TEST(SceneBuilder, OnlyWhatIsUnderThePointerIsHit) {
  SceneContext context{.width = 100, .height = 100};
  context.pointer = Point{15, 5};
  const ApproximateMeasure measure;
  SceneBuilder out(context, measure);
  for (std::uint32_t cell = 0; cell < 4; ++cell) {
    const float x = 10 * static_cast<float>(cell);
    out.hit({x, 0, 10, 20}, HitArea::Kind::Cell, cell, [&] { return std::to_string(cell); }).line = 7;
  }
  const Scene scene = out.consume();
  ASSERT_EQ(scene.hits.size(), 1U);
  EXPECT_EQ(scene.hits[0].index, 1U);
  EXPECT_EQ(scene.hits[0].tooltip, "1");
  EXPECT_EQ(scene.feet[static_cast<std::size_t>(HitArea::Kind::Cell)], 20);
}

TEST(SceneBuilder, WhatIsLeftOutEndsNothing) {
  const ApproximateMeasure measure;
  SceneBuilder out(context(), measure);
  out.hit({0, 0, 10, 20}, HitArea::Kind::Cell, 0);
  out.hit({0, 0, 10, std::numeric_limits<float>::infinity()}, HitArea::Kind::Cell, 1);
  out.hit({0, 5e6F, 10, 20}, HitArea::Kind::Cell, 2);
  const Scene scene = out.consume();
  EXPECT_EQ(scene.hits.size(), 1U);
  EXPECT_EQ(scene.feet[static_cast<std::size_t>(HitArea::Kind::Cell)], 20);
}

TEST(SceneBuilder, NothingOfTheLastPictureIsLeft) {
  Scene last;
  last.items.resize(3);
  last.hits.resize(2);
  SceneContext context{.width = 100, .height = 100};
  context.spare = &last;
  const ApproximateMeasure measure;
  SceneBuilder out(context, measure);
  out.fill({0, 0, 1, 1}, ColorRole::Cell);
  const Scene scene = out.consume();
  EXPECT_EQ(scene.items.size(), 1U);
  EXPECT_TRUE(scene.hits.empty());
}

TEST(Scene, HitAtGivesTheTopmost) {
  Scene scene;
  scene.hits.push_back({.x = 0, .y = 0, .w = 10, .h = 10, .index = 1, .tooltip = {}});
  scene.hits.push_back({.x = 5, .y = 5, .w = 10, .h = 10, .index = 2, .tooltip = {}});
  ASSERT_NE(scene.hitAt(7, 7), nullptr);
  EXPECT_EQ(scene.hitAt(7, 7)->index, 2U);
  EXPECT_EQ(scene.hitAt(2, 2)->index, 1U);
  EXPECT_EQ(scene.hitAt(20, 2), nullptr);
}

TEST(Scene, AppendMovesItemsAndHits) {
  Scene part;
  part.items.push_back({.x = 1, .y = 2, .text = {}});
  part.hits.push_back({.x = 3, .y = 4, .w = 1, .h = 1, .tooltip = {}});
  Scene page;
  page.append(part, 10, 20);
  EXPECT_EQ(page.items[0].x, 11);
  EXPECT_EQ(page.items[0].y, 22);
  EXPECT_EQ(page.hits[0].x, 13);
  EXPECT_EQ(page.hits[0].y, 24);
}

}  // namespace
}  // namespace lanescope
