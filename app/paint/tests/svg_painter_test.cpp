#include "app/paint/svg_painter.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

Scene sceneOf(DrawItem item) {
  Scene scene;
  scene.width = 120;
  scene.height = 80;
  scene.items.push_back(std::move(item));
  return scene;
}

DrawItem textItem(std::string text) {
  DrawItem item;
  item.kind = DrawItem::Kind::Text;
  item.x = 10;
  item.y = 20;
  item.size = 12;
  item.text = std::move(text);
  return item;
}

TEST(Svg, HasTheScenesSizeAndBackground) {
  const std::string svg = toSvg(sceneOf(textItem("x")), themes()[0]);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"80\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("fill=\"#1a1f26\""), std::string::npos);
}

TEST(Svg, EscapesText) {
  const std::string svg = toSvg(sceneOf(textItem("a<b && \"c\" > 'd'\x01\xE2\x80\xA6")), themes()[0]);
  EXPECT_NE(svg.find("a&lt;b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;\xE2\x80\xA6</text>"),
            std::string::npos)
      << svg;
}

TEST(Svg, WritesEveryKindOfItem) {
  const std::pair<DrawItem::Kind, const char*> kinds[] = {
      {DrawItem::Kind::FillRect,
       "<rect x=\"1.00\" y=\"2.00\" width=\"3.00\" height=\"4.00\" rx=\"0\" fill=\"#e8ebf0\""},
      {DrawItem::Kind::StrokeRect, "fill=\"none\" stroke=\"#e8ebf0\" stroke-width=\"1\""},
      {DrawItem::Kind::Line, "M1.00 2.00L4.00 6.00"},
      {DrawItem::Kind::Curve, "M1.00 2.00C1.00 4.00 4.00 4.00 4.00 6.00"},
      {DrawItem::Kind::Triangle, "M1.00 2.00L4.00 2.00L2.50 6.00Z"},
  };
  for (const auto& [kind, expected] : kinds) {
    DrawItem item;
    item.kind = kind;
    item.x = 1;
    item.y = 2;
    item.w = 3;
    item.h = 4;
    const std::string svg = toSvg(sceneOf(item), themes()[0]);
    EXPECT_NE(svg.find(expected), std::string::npos) << svg;
  }
}

TEST(Svg, AlignsTextAndFadesItems) {
  DrawItem item = textItem("mid");
  item.align = Align::Center;
  item.alpha = 0.5F;
  item.font = FontRole::Mono;
  const std::string svg = toSvg(sceneOf(item), themes()[0]);
  EXPECT_NE(svg.find("text-anchor=\"middle\""), std::string::npos);
  EXPECT_NE(svg.find("fill-opacity=\"0.5\""), std::string::npos);
  EXPECT_NE(svg.find("JetBrains Mono"), std::string::npos);
}

}  // namespace
}  // namespace lanescope
