#include "app/paint/theme.h"

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
    for (const ColorRole text : {ColorRole::Conflict, ColorRole::Divergence, ColorRole::Warning,
                                 ColorRole::Bad, ColorRole::Accent, ColorRole::Syntax}) {
      EXPECT_GE(contrastRatio(theme.color(text), theme.color(ColorRole::Panel)), 4.5)
          << theme.id << " " << static_cast<int>(text);
    }
  }
}

// What the ladder's rows to come are drawn in must show on a projector.
TEST(Themes, RowsToComeAreSeen) {
  for (const Theme& theme : themes())
    EXPECT_GE(contrastRatio(theme.color(ColorRole::CellUnwritten), theme.color(ColorRole::Panel)), 1.5)
        << theme.id;
}

// Nothing but a conflict has the conflict's colour, nothing but divergence has divergence's.
TEST(Themes, AConflictAndDivergenceHaveAHueOfTheirOwn) {
  for (const Theme& theme : themes()) {
    for (const ColorRole own : {ColorRole::Conflict, ColorRole::Divergence}) {
      for (std::size_t role = 0; role < kColorRoles; ++role) {
        if (static_cast<ColorRole>(role) == own) continue;
        EXPECT_NE(theme.color(static_cast<ColorRole>(role)), theme.color(own)) << theme.id << " " << role;
      }
    }
  }
}

TEST(Themes, TextOnFillsIsReadable) {
  for (const Theme& theme : themes()) {
    for (const ColorRole fill : {ColorRole::Accent, ColorRole::Operand, ColorRole::Result,
                                 ColorRole::LaneActive, ColorRole::Conflict, ColorRole::ConflictOdd}) {
      EXPECT_GE(contrastRatio(theme.color(ColorRole::TextOnAccent), theme.color(fill)), 4.5)
          << theme.id << " " << static_cast<int>(fill);
    }
  }
}

TEST(Themes, MarksStandOutFromThePanel) {
  for (const Theme& theme : themes()) {
    for (const ColorRole mark :
         {ColorRole::Operand, ColorRole::LaneActive, ColorRole::LaneMasked, ColorRole::LaneWaiting,
          ColorRole::LaneExited, ColorRole::Bar, ColorRole::BarHighlight, ColorRole::BarReference}) {
      EXPECT_GE(contrastRatio(theme.color(mark), theme.color(ColorRole::Panel)), 3.0)
          << theme.id << " " << static_cast<int>(mark);
    }
  }
}

}  // namespace
}  // namespace lanescope
