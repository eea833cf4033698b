// Whatever a colour tells apart is told apart by every eye, in every theme. Marks and labels say the
// same; the palette does not lean on them.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "app/paint/tests/colour_vision.h"

namespace lanescope {
namespace {

using enum ColorRole;

/// The least CIEDE2000 difference of two roles side by side: ten times what can just be noticed.
constexpr double kLeastDifference = 10;

struct Group {
  const char* what;
  std::vector<ColorRole> roles;
};

/// Within a group every role must differ from every other.
const std::vector<Group>& groups() {
  static const std::vector<Group> kGroups = {
      {"states of lanes", {LaneActive, LaneMasked, LaneWaiting, LaneExited, LaneAbsent}},
      {"wavefronts of an access", {Wavefront0, Wavefront1, Wavefront2, Wavefront3}},
      {"words of the ladder", {Operand, Result, CellOld, CellUnwritten}},
      {"an arrow to a result on the panel", {Arrow, Result, Panel}},
      {"verdicts", {Good, Warning, Bad}},
      {"verdicts and text", {Warning, Text}},
      {"verdicts and text", {Bad, Text}},
      {"verdicts and text", {Good, Text}},
      {"bars", {Bar, BarHighlight, BarReference}},
      {"what costs, and what may be wrong", {Conflict, Divergence, Bad}},
      {"what costs, in a text", {Conflict, TextDim}},
      {"what costs, in a text", {Divergence, TextDim}},
      {"what costs, in a text", {Divergence, Text}},
      {"what lines do", {Condition, Result, CellOld, CellUnwritten, LaneExited}},
      {"a condition and a conflict", {Condition, Conflict}},
      {"costs and what is selected", {Conflict, Accent}},
      {"costs and wavefronts", {Conflict, Divergence, Wavefront0, Wavefront1, Wavefront2}},
      {"a conflict among lanes", {Conflict, LaneActive, Cell}},
      {"a conflict in a past phase", {Conflict, CellOld}},
      {"the first wavefront among words at rest", {Wavefront0, Cell}},
      {"the second wavefront among words at rest", {Wavefront1, Cell}},
      {"the third wavefront among words at rest", {Wavefront2, Cell}},
      {"the fourth wavefront among words at rest", {Wavefront3, Cell}},
  };
  return kGroups;
}

class Palette : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Palette, TellsApartWhatMustBe) {
  const Vision& vision = visions()[GetParam()];
  for (const Theme& theme : themes()) {
    for (const Group& group : groups()) {
      for (std::size_t first = 0; first < group.roles.size(); ++first) {
        for (std::size_t second = first + 1; second < group.roles.size(); ++second) {
          const Rgba a = theme.color(group.roles[first]);
          const Rgba b = theme.color(group.roles[second]);
          EXPECT_GE(colourDifference(seen(a, vision), seen(b, vision)), kLeastDifference)
              << theme.id << " with " << vision.name << ", " << group.what << ": "
              << fmt::format("#{:02x}{:02x}{:02x} and #{:02x}{:02x}{:02x}", a.r, a.g, a.b, b.r, b.g, b.b);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Eyes, Palette, ::testing::Range<std::size_t>(0, 4));

TEST(HighContrast, HasMoreOfIt) {
  const Theme& theme = *findTheme("high-contrast");
  for (const ColorRole text : {Text, TextDim})
    EXPECT_GE(contrastRatio(theme.color(text), theme.color(Panel)), 7.0) << static_cast<int>(text);
  for (const ColorRole mark : {LaneActive, LaneWaiting, Conflict, Good, Warning, Bad, Operand, Result})
    EXPECT_GE(contrastRatio(theme.color(mark), theme.color(Panel)), 7.0) << static_cast<int>(mark);
}

// From the test data of Sharma, Wu and Dalal.
TEST(ColourDifference, IsThatOfTheTestData) {
  struct Pair {
    Lab first;
    Lab second;
    double expected;
  };
  const std::array pairs = {
      Pair{{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
      Pair{{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
      Pair{{50, 0, 0}, {50, -1, 2}, 2.3669},
      Pair{{50, 2.4900, -0.0010}, {50, -2.4900, 0.0010}, 7.1792},
      Pair{{50, -0.0010, 2.4900}, {50, 0.0009, -2.4900}, 4.8045},
      Pair{{50, 2.5, 0}, {73, 25, -18}, 27.1492},
      Pair{{50, 2.5, 0}, {50, 3.2972, 0}, 1.0000},
      Pair{{6.7747, -0.2908, -2.4247}, {5.8714, -0.0985, -2.2286}, 0.6377},
  };
  for (const Pair& pair : pairs) {
    EXPECT_NEAR(colourDifference(pair.first, pair.second), pair.expected, 1e-4);
    EXPECT_NEAR(colourDifference(pair.second, pair.first), pair.expected, 1e-4);
  }
}

TEST(ColourVision, KeepsGreysAndLosesRedAgainstGreen) {
  const auto& eyes = visions();
  for (const Vision& eye : eyes) {
    const Lab grey = seen({128, 128, 128, 255}, eye);
    EXPECT_NEAR(grey.l, 53.585, 0.01) << eye.name;
    EXPECT_NEAR(std::abs(grey.a) + std::abs(grey.b), 0, 0.05) << eye.name;
  }
  // A red and a green that deuteranopes confuse, and a blue and a green that tritanopes do.
  const Rgba red{178, 90, 0, 255};
  const Rgba green{120, 115, 0, 255};
  EXPECT_GT(colourDifference(seen(red, eyes[0]), seen(green, eyes[0])), 25);
  EXPECT_LT(colourDifference(seen(red, eyes[2]), seen(green, eyes[2])), 10);
  const Rgba cyan{0, 158, 160, 255};
  const Rgba teal{0, 160, 130, 255};
  EXPECT_LT(colourDifference(seen(cyan, eyes[3]), seen(teal, eyes[3])), 4);
}

}  // namespace
}  // namespace lanescope
