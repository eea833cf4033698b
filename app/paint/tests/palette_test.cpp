// Whatever a colour tells apart is told apart by every eye, in every theme. Marks and labels say the
// same; the palette does not lean on them.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
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
      {"wavefronts of a read", {Operand, Conflict, ConflictOdd}},
      {"wavefronts of a write", {Result, Conflict, ConflictOdd}},
      {"words of the ladder", {Operand, Result, CellOld, CellUnwritten, Panel}},
      {"verdicts", {Warning, Bad}},
      {"verdicts and text", {Warning, Text}},
      {"verdicts and text", {Bad, Text}},
      {"bars", {Bar, BarHighlight, BarReference}},
      {"what costs, and what may be wrong", {Conflict, Divergence, Bad}},
      {"what costs, in a text", {Conflict, TextDim}},
      {"what costs, in a text", {Divergence, TextDim}},
      {"what costs, in a text", {Divergence, Text}},
      {"what lines do", {Condition, Result, Operand, CellUnwritten, LaneExited}},
      {"a condition and a conflict", {Condition, Conflict}},
      {"costs and what is selected", {Conflict, Accent}},
      {"a conflict among lanes", {Conflict, LaneActive, Cell}},
      {"a conflict in a past phase", {Conflict, CellOld}},
      {"wavefronts among words at rest", {Operand, Cell}},
      {"wavefronts among words at rest", {Result, Cell}},
      {"wavefronts among words at rest", {ConflictOdd, Cell}},
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

/// Chroma and hue in CIE L*a*b*; the hue in degrees.
struct Hue {
  double chroma = 0;
  double angle = 0;
};
Hue hueOf(Rgba color) {
  const Lab lab = seen(color, visions()[0]);
  return {std::hypot(lab.a, lab.b), std::atan2(lab.b, lab.a) * 180 / std::numbers::pi};
}
double angleBetween(Hue first, Hue second) {
  return std::abs(std::remainder(first.angle - second.angle, 360.0));
}

// What a hue means, it means everywhere: two roles with different meanings have different hues, two with one
// meaning the same, and all that has no meaning is grey.
TEST(Hues, HaveOneMeaning) {
  for (const Theme& theme : themes()) {
    std::set<ColorRole> meant;
    for (const ColorMeaning& meaning : colorMeanings()) {
      for (const ColorRole role : meaning.roles) {
        EXPECT_TRUE(meant.insert(role).second) << theme.id << " " << static_cast<int>(role);
        const Hue hue = hueOf(theme.color(role));
        EXPECT_GE(hue.chroma, 20) << theme.id << " " << static_cast<int>(role);
        for (const ColorMeaning& other : colorMeanings()) {
          for (const ColorRole otherRole : other.roles) {
            const double angle = angleBetween(hue, hueOf(theme.color(otherRole)));
            const std::string roles =
                fmt::format("{}: {} and {}", theme.id, static_cast<int>(role), static_cast<int>(otherRole));
            if (&meaning == &other) {
              EXPECT_LE(angle, 24) << roles;
            } else {
              EXPECT_GE(angle, 20) << roles;
            }
          }
        }
      }
    }
    for (std::size_t role = 0; role < kColorRoles; ++role) {
      if (meant.contains(static_cast<ColorRole>(role))) continue;
      EXPECT_LE(hueOf(theme.color(static_cast<ColorRole>(role))).chroma, 16) << theme.id << " " << role;
    }
  }
}

TEST(HighContrast, HasMoreOfIt) {
  const Theme& theme = *findTheme("high-contrast");
  for (const ColorRole text : {Text, TextDim})
    EXPECT_GE(contrastRatio(theme.color(text), theme.color(Panel)), 7.0) << static_cast<int>(text);
  for (const ColorRole mark : {LaneActive, LaneWaiting, Conflict, Warning, Bad, Operand, Result})
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
