#include "app/paint/svg_painter.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

Scene makeScene(DrawItem item) {
  Scene scene{.width = 120, .height = 80};
  scene.items.push_back(std::move(item));
  return scene;
}

DrawItem textItem(std::string text) {
  return {.kind = DrawItem::Kind::Text, .x = 10, .y = 20, .size = 12, .text = std::move(text)};
}

TEST(Svg, HasTheScenesSizeAndBackground) {
  const std::string svg = toSvg(makeScene(textItem("x")), themes()[0]);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"80\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("fill=\"#1a1f26\""), std::string::npos);
}

TEST(Svg, EscapesText) {
  const std::string svg = toSvg(makeScene(textItem("a<b && \"c\" > 'd'\x01\xE2\x80\xA6")), themes()[0]);
  EXPECT_NE(svg.find("a&lt;b &amp;<tspan>&amp;</tspan> &quot;c&quot; &gt; &#39;d&#39;\xE2\x80\xA6</text>"),
            std::string::npos)
      << svg;
}

TEST(Svg, NoFontJoinsItsSigns) {
  const std::pair<const char*, const char*> texts[] = {
      {"a != b", ">a !<tspan>=</tspan> b<"},
      {"p->x >>= 1", ">p-<tspan>&gt;</tspan>x &gt;<tspan>&gt;</tspan>= 1<"},
      {"i++; // x /= 2", ">i+<tspan>+</tspan>; /<tspan>/</tspan> x /<tspan>=</tspan> 2<"},
      {"2x4 4", ">2<tspan>x</tspan>4 4<"},
      {"a<tspan>", ">a&lt;tspan&gt;<"},
      {"a[tid] + 1", ">a[tid] + 1<"},
      {"ends =>", ">ends =<tspan>&gt;</tspan><"},
      {"\xE2\x86\x92= \xC2\xB7\xC2\xB7", ">\xE2\x86\x92= \xC2\xB7\xC2\xB7<"},
  };
  for (const auto& [text, written] : texts) {
    const std::string svg = toSvg(makeScene(textItem(text)), themes()[0]);
    EXPECT_NE(svg.find(written), std::string::npos) << svg;
    EXPECT_NE(svg.find("font-variant-ligatures:none"), std::string::npos);
  }
}

TEST(Svg, KeepsBlanks) {
  for (const char* text : {"  if (x)", "a  b", "a ", "a\tb"}) {
    const std::string svg = toSvg(makeScene(textItem(text)), themes()[0]);
    EXPECT_NE(svg.find(" xml:space=\"preserve\" fill"), std::string::npos) << svg;
  }
  EXPECT_EQ(toSvg(makeScene(textItem("a b")), themes()[0]).find("xml:space"), std::string::npos);
}

TEST(Svg, IsAsWideInAnotherFont) {
  DrawItem item = textItem("sum += 1\xE2\x80\xA6");
  EXPECT_EQ(toSvg(makeScene(item), themes()[0]).find("textLength"), std::string::npos)
      << "not known to the letter";
  item.font = FontRole::Mono;
  const std::string code = toSvg(makeScene(item), themes()[0]);
  EXPECT_NE(code.find("textLength=\"64.80\" lengthAdjust=\"spacingAndGlyphs\""), std::string::npos) << code;
  const std::string plain = toSvg(makeScene(textItem("42")), themes()[0]);
  EXPECT_NE(plain.find("textLength=\"14.96\""), std::string::npos) << plain;
  EXPECT_EQ(toSvg(makeScene(textItem("4")), themes()[0]).find("textLength"), std::string::npos);
  for (const char* fallback : {"DejaVu Sans Mono", "monospace", "sans-serif"})
    EXPECT_NE(code.find(fallback), std::string::npos);
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
    DrawItem item{.kind = kind, .x = 1, .y = 2, .w = 3, .h = 4};
    const std::string svg = toSvg(makeScene(item), themes()[0]);
    EXPECT_NE(svg.find(expected), std::string::npos) << svg;
  }
}

TEST(Svg, AlignsTextAndFadesItems) {
  DrawItem item = textItem("mid");
  item.align = Align::Center;
  item.alpha = 0.5F;
  item.font = FontRole::Mono;
  const std::string svg = toSvg(makeScene(item), themes()[0]);
  EXPECT_NE(svg.find("text-anchor=\"middle\""), std::string::npos);
  EXPECT_NE(svg.find("fill-opacity=\"0.5\""), std::string::npos);
  EXPECT_NE(svg.find("JetBrains Mono"), std::string::npos);
}

}  // namespace
}  // namespace lanescope
