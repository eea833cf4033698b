#include "app/paint/theme.h"

#include <cmath>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Themes, AreFoundById) {
  ASSERT_GE(themes().size(), 3U);
  for (const char* id : {"dark", "light", "high-contrast"}) EXPECT_NE(findTheme(id), nullptr) << id;
  EXPECT_EQ(findTheme("sepia"), nullptr);
}

TEST(Themes, ContrastOfBlackAndWhite) {
  EXPECT_NEAR(contrastRatio({0, 0, 0, 255}, {255, 255, 255, 255}), 21, 1e-6);
  EXPECT_NEAR(contrastRatio({119, 119, 119, 255}, {255, 255, 255, 255}), 4.48, 0.01);
}

TEST(Themes, TextIsReadable) {
  for (const Theme& theme : themes()) {
    for (const ColorRole text : {ColorRole::Text, ColorRole::TextDim}) {
      for (const ColorRole ground :
           {ColorRole::Background, ColorRole::Panel, ColorRole::Cell, ColorRole::CellUnwritten}) {
        EXPECT_GE(contrastRatio(theme.color(text), theme.color(ground)), 4.5)
            << theme.id << " " << static_cast<int>(text) << " on " << static_cast<int>(ground);
      }
    }
    EXPECT_GE(contrastRatio(theme.color(ColorRole::Text), theme.color(ColorRole::CellOld)), 4.5) << theme.id;
    for (const ColorRole text :
         {ColorRole::Conflict, ColorRole::Good, ColorRole::Warning, ColorRole::Bad, ColorRole::Accent}) {
      EXPECT_GE(contrastRatio(theme.color(text), theme.color(ColorRole::Panel)), 4.5)
          << theme.id << " " << static_cast<int>(text);
    }
  }
}

TEST(Themes, TextOnFillsIsReadable) {
  for (const Theme& theme : themes()) {
    for (const ColorRole fill :
         {ColorRole::Accent, ColorRole::Operand, ColorRole::Result, ColorRole::LaneActive, ColorRole::Pass0,
          ColorRole::Pass1, ColorRole::Pass2, ColorRole::Pass3}) {
      EXPECT_GE(contrastRatio(theme.color(ColorRole::TextOnAccent), theme.color(fill)), 4.5)
          << theme.id << " " << static_cast<int>(fill);
    }
  }
}

TEST(Themes, MarksStandOutFromThePanel) {
  for (const Theme& theme : themes()) {
    for (const ColorRole mark :
         {ColorRole::Arrow, ColorRole::LaneActive, ColorRole::LaneMasked, ColorRole::LaneWaiting,
          ColorRole::LaneExited, ColorRole::Bar, ColorRole::BarHighlight, ColorRole::BarReference}) {
      EXPECT_GE(contrastRatio(theme.color(mark), theme.color(ColorRole::Panel)), 3.0)
          << theme.id << " " << static_cast<int>(mark);
    }
  }
}

// As a red-green blind eye sees it (Vienot, Brettel and Mollon 1999, deuteranopia), in linear light.
std::array<double, 3> deuteranope(Rgba color) {
  const auto linear = [](std::uint8_t channel) { return std::pow(channel / 255.0, 2.2); };
  const double r = linear(color.r);
  const double g = linear(color.g);
  const double b = linear(color.b);
  return {0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b};
}

TEST(Themes, PassesDifferForColourBlindEyes) {
  const std::array passes = {ColorRole::Pass0, ColorRole::Pass1, ColorRole::Pass2, ColorRole::Pass3};
  for (const Theme& theme : themes()) {
    for (std::size_t first = 0; first < passes.size(); ++first) {
      for (std::size_t second = first + 1; second < passes.size(); ++second) {
        const auto a = deuteranope(theme.color(passes[first]));
        const auto b = deuteranope(theme.color(passes[second]));
        const double distance =
            std::hypot(std::pow(a[0], 1 / 2.2) - std::pow(b[0], 1 / 2.2),
                       std::pow(std::max(a[2], 0.0), 1 / 2.2) - std::pow(std::max(b[2], 0.0), 1 / 2.2));
        EXPECT_GT(distance, 0.12) << theme.id << " passes " << first << " and " << second;
      }
    }
  }
}

}  // namespace
}  // namespace lanescope
