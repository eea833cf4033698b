// One of each picture as SVG, letter for letter. They are laid out with ApproximateMeasure, so that no
// machine's fonts matter. If a change is meant: ./test --update-golden, then look at what changed in the
// folder golden.
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/export/pictures.h"
#include "app/paint/svg_painter.h"
#include "app/pictures/tests/scene_checks.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {
namespace fs = std::filesystem;

struct GoldenCase {
  const char* strategy;
  std::uint64_t n;
  const char* machine;
  std::uint32_t step;
  std::optional<Picture> picture;  ///< nothing: the whole walk
  const char* theme = "dark";

  std::string file() const {
    const std::string place = picture ? fmt::format("step-{}-{}", step, pictureName(*picture)) : "strip";
    return fmt::format("{}-{}-{}-{}-{}.svg", strategy, n, machine, place, theme);
  }
};

constexpr std::array kCases = {
    GoldenCase{"baseline", 8, "tiny", 26, Picture::Array},
    GoldenCase{"baseline", 64, "nvidia", 20, Picture::Warps, "high-contrast"},
    GoldenCase{"add-during-load", 64, "nvidia", 3, Picture::Banks, "light"},
    GoldenCase{"no-divergence", 64, "nvidia", 13, Picture::Timeline, "light"},
    GoldenCase{"baseline", 8, "tiny", 26, Picture::Source},
    GoldenCase{"shuffle", 8, "nvidia", 12, Picture::All},
    GoldenCase{"transpose-by-column", 64, "nvidia", 8, Picture::Array, "high-contrast"},
    GoldenCase{"baseline", 8, "tiny", 0, std::nullopt, "light"},
};

fs::path folder() { return fs::path(__FILE__).parent_path() / "golden"; }

std::string readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string makeSvg(const GoldenCase& golden) {
  const auto trace = makeTrace(golden.strategy, golden.n, golden.machine);
  if (trace == nullptr) return {};
  const Theme& theme = *findTheme(golden.theme);
  if (!golden.picture)
    return toSvg(stripScene(trace, {}, kStripWidth, kMeasure).value(), theme, ColorRole::Background);
  Replay replay(trace);
  replay.seek(golden.step);
  EXPECT_EQ(replay.cursor().steps, golden.step) << golden.file() << ": the walk is shorter";
  return toSvg(pictureScene(*golden.picture, makeMoment(replay), {}, kMeasure), theme,
               pictureBackground(*golden.picture));
}

void PrintTo(const GoldenCase& golden, std::ostream* out) { *out << golden.file(); }

class Golden : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(Golden, IsAsItWas) {
  const std::string now = makeSvg(GetParam());
  const fs::path path = folder() / GetParam().file();
  if (testing::updatesGolden()) {
    std::ofstream(path, std::ios::binary) << now;
    return;
  }
  ASSERT_TRUE(fs::exists(path)) << path << " is missing: ./test --update-golden writes it";
  const std::string golden = readAll(path);
  EXPECT_TRUE(golden == now) << path.string() << ", " << testing::firstDifference(golden, now);
}

/// The file's name in letters that a test's may have.
std::string testName(const ::testing::TestParamInfo<GoldenCase>& golden) {
  std::string name = golden.param.file();
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Golden, ::testing::ValuesIn(kCases), testName);

TEST(GoldenFiles, AreThoseOfTheCasesAndSmall) {
  if (testing::updatesGolden()) GTEST_SKIP() << "the files are being written";
  std::set<std::string> expected;
  for (const GoldenCase& golden : kCases) expected.insert(golden.file());
  EXPECT_EQ(expected.size(), kCases.size()) << "two cases share a file";
  std::set<std::string> found;
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder())) {
    found.insert(entry.path().filename().string());
    bytes += entry.file_size();
  }
  EXPECT_EQ(found, expected);
  EXPECT_LT(bytes, 450000U);
}

TEST(GoldenFiles, ADifferenceIsToldByItsLine) {
  EXPECT_EQ(testing::firstDifference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(testing::firstDifference("a\nb\n", "a\nc\n"), "line 2:\n  golden: b\n  now:    c");
  EXPECT_EQ(testing::firstDifference("a\n", "a\nc\n"), "line 2:\n  golden: \n  now:    c");
}

}  // namespace
}  // namespace lanescope
