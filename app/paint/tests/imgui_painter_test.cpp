#include "app/paint/imgui_painter.h"

#include <gtest/gtest.h>

#include "app/paint/tests/imgui_frame.h"

namespace lanescope {
namespace {

class ImguiPainter : public ::testing::Test {
  ImguiFrame frame_;
};

DrawItem makeItem(DrawItem::Kind kind) {
  return {.kind = kind, .x = 10, .y = 10, .w = 30, .h = 20, .size = 13, .text = "t0"};
}

TEST_F(ImguiPainter, DrawsEveryKindOfItemWhereItIs) {
  for (const auto kind : {DrawItem::Kind::FillRect, DrawItem::Kind::StrokeRect, DrawItem::Kind::Line,
                          DrawItem::Kind::Curve, DrawItem::Kind::Text, DrawItem::Kind::Triangle}) {
    ImDrawList* list = ImGui::GetForegroundDrawList();
    const int before = list->VtxBuffer.Size;
    Scene scene{.width = 100, .height = 60};
    scene.items.push_back(makeItem(kind));
    paintScene(*list, scene, {200, 100}, themes()[0], {}, 2);
    ASSERT_GT(list->VtxBuffer.Size, before) << static_cast<int>(kind);
    for (int index = before; index < list->VtxBuffer.Size; ++index) {
      const ImVec2 place = list->VtxBuffer[index].pos;
      EXPECT_GE(place.x, 217) << static_cast<int>(kind);
      EXPECT_LE(place.x, 283) << static_cast<int>(kind);
      EXPECT_GE(place.y, 104) << static_cast<int>(kind);
      EXPECT_LE(place.y, 163) << static_cast<int>(kind);
    }
  }
}

TEST_F(ImguiPainter, SmallCornersTakeFewTriangles) {
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const auto countTriangles = [list](float radius) {
    Scene scene{.width = 100, .height = 60};
    scene.items.push_back(makeItem(DrawItem::Kind::FillRect));
    scene.items.back().radius = radius;
    const int before = list->IdxBuffer.Size;
    paintScene(*list, scene, {200, 100}, themes()[0], {});
    return (list->IdxBuffer.Size - before) / 3;
  };
  EXPECT_EQ(countTriangles(0), 2);
  EXPECT_EQ(countTriangles(0.8F), 10) << "its edges are soft, its corners are not round";
  EXPECT_GT(countTriangles(3), 20);
}

TEST_F(ImguiPainter, ClipsToTheScene) {
  ImDrawList* list = ImGui::GetForegroundDrawList();
  Scene scene{.width = 100, .height = 60};
  scene.items.push_back(makeItem(DrawItem::Kind::FillRect));
  paintScene(*list, scene, {50, 40}, themes()[0], {});
  bool found = false;
  for (const ImDrawCmd& command : list->CmdBuffer) {
    found = found || (command.ClipRect.x == 50 && command.ClipRect.y == 40 && command.ClipRect.z == 150 &&
                      command.ClipRect.w == 100);
  }
  EXPECT_TRUE(found);
}

TEST_F(ImguiPainter, ColoursFollowTheTheme) {
  const Theme& theme = themes()[0];
  const Rgba accent = theme.color(ColorRole::Accent);
  EXPECT_EQ(imguiColor(theme, ColorRole::Accent), IM_COL32(accent.r, accent.g, accent.b, 255));
  EXPECT_NEAR(imguiColorVec(theme, ColorRole::Accent, 0.5F).w, 0.5F, 1e-6F);
}

TEST_F(ImguiPainter, MeasuresWithTheFont) {
  const ImguiMeasure measure{FontTable{}};
  const float one = measure.width(FontRole::Body, 13, "a");
  EXPECT_GT(one, 0);
  EXPECT_NEAR(measure.width(FontRole::Body, 13, "aaaa"), 4 * one, 0.1F);
  EXPECT_NEAR(measure.width(FontRole::Body, 26, "a"), 2 * one, 0.1F);
  EXPECT_EQ(measure.width(FontRole::Body, 13, ""), 0);
}

}  // namespace
}  // namespace lanescope
