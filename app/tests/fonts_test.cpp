// The letters' sizes: every size that the pictures use is loaded, so that no letter is scaled.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/paint/imgui_compat.h"
#include "app/pictures/base/scene.h"
#include "app/tests/headless.h"

namespace lanescope {
namespace {

class Fonts : public ::testing::TestWithParam<float> {};

TEST_P(Fonts, DrawLettersAtTheirOwnSize) {
  const float unit = GetParam();
  const Headless headless({1280, 720}, unit);
  for (const FontRole role : {FontRole::Body, FontRole::Bold, FontRole::Mono, FontRole::Small}) {
    const float own = std::max(kLeastText, fontSize(role) * unit);
    for (float asked = kLeastText; asked <= own * 1.15F; asked += 0.25F) {
      float size = asked;
      const ImFont* font = headless.fonts().sharpest(role, size);
      ASSERT_NE(font, nullptr);
      EXPECT_EQ(size, computeSize(*font)) << "role " << static_cast<int>(role) << ", asked for " << asked;
      EXPECT_LE(size, asked * 1.05F);
      EXPECT_GE(size, asked * 0.85F);
      EXPECT_GE(size, kLeastText);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AtEveryUnit, Fonts, ::testing::Values(1.0F, 1.25F, 1.5F, 2.0F, 2.6F));

#if IMGUI_VERSION_NUM < 19200
TEST(FontTable, KeepsBoldWordsApart) {
  for (const float unit : {0.8F, 1.0F, 1.5F, 2.0F}) {
    const Headless headless({1280, 720}, unit);
    const ImFont* bold = headless.fonts().of(FontRole::Bold);
    EXPECT_GE(bold->FindGlyph(' ')->AdvanceX, 0.28F * computeSize(*bold)) << unit;
  }
}
#endif

TEST(FontTable, ScalesWhereNoFaceIsNear) {
  const Headless headless({1280, 720}, 1);
  float size = 60;
  const ImFont* font = headless.fonts().sharpest(FontRole::Body, size);
  EXPECT_EQ(size, 60);
  EXPECT_LT(computeSize(*font), 60);
}

}  // namespace
}  // namespace lanescope
