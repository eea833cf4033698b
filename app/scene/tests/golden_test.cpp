// Pictures as SVG, letter for letter. They are laid out with ApproximateMeasure, so that no machine's fonts
// matter. If a change is intended: LANESCOPE_REGENERATE=1 build/bin/golden_tests, then check the changes
// under app/scene/tests/golden.
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/export/base/pictures.h"
#include "app/export/strip.h"
#include "app/paint/svg_painter.h"
#include "app/scene/tests/scene_checks.h"

namespace lanescope {
namespace {
namespace fs = std::filesystem;

struct GoldenCase {
  const char* strategy;
  std::uint64_t n;
  const char* machine;
  std::uint32_t step;
  std::uint32_t wavefront;         ///< 0: all
  std::optional<Picture> picture;  ///< nothing: the whole walk
  const char* theme = "dark";

  std::string file() const {
    const std::string place =
        picture
            ? fmt::format("step-{}{}-{}", step, wavefront > 0 ? fmt::format("-wavefront-{}", wavefront) : "",
                          pictureName(*picture))
            : "strip";
    return fmt::format("{}-{}-{}-{}-{}.svg", strategy, n, machine, place, theme);
  }
};

constexpr std::array kCases = {
    GoldenCase{"baseline", 8, "tiny", 26, 0, Picture::Array},
    GoldenCase{"baseline", 8, "tiny", 26, 0, Picture::Warps},
    GoldenCase{"baseline", 8, "tiny", 26, 0, Picture::Banks},
    GoldenCase{"baseline", 8, "tiny", 26, 0, Picture::Timeline},
    GoldenCase{"baseline", 8, "tiny", 26, 0, Picture::Source},
    GoldenCase{"baseline", 64, "nvidia", 20, 0, Picture::Array, "light"},
    GoldenCase{"baseline", 64, "nvidia", 20, 0, Picture::Warps, "high-contrast"},
    GoldenCase{"no-divergence", 64, "nvidia", 35, 0, Picture::Array},
    GoldenCase{"no-divergence", 64, "nvidia", 13, 1, Picture::Banks},
    GoldenCase{"no-divergence", 64, "nvidia", 13, 0, Picture::Timeline, "light"},
    GoldenCase{"no-bank-conflict", 8, "tiny", 40, 0, Picture::Array, "high-contrast"},
    GoldenCase{"no-bank-conflict", 64, "nvidia", 60, 0, Picture::Warps},
    GoldenCase{"add-during-load", 8, "tiny", 30, 0, Picture::Array},
    GoldenCase{"add-during-load", 64, "nvidia", 3, 0, Picture::Banks, "light"},
    GoldenCase{"baseline", 64, "kepler64", 12, 0, Picture::Banks, "light"},
    GoldenCase{"unroll-last-warp", 64, "nvidia", 40, 0, Picture::Source, "light"},
    GoldenCase{"shuffle", 8, "nvidia", 12, 0, Picture::All},
    GoldenCase{"shuffle", 64, "nvidia", 14, 0, Picture::Banks},
    GoldenCase{"transpose-padded", 64, "nvidia", 13, 0, Picture::Array},
    GoldenCase{"transpose-shared", 256, "nvidia", 40, 0, Picture::Array, "light"},
    GoldenCase{"transpose-by-column", 64, "nvidia", 8, 0, Picture::Array, "high-contrast"},
    GoldenCase{"baseline", 8, "tiny", 0, 0, std::nullopt, "light"},
};

fs::path folder() { return LANESCOPE_SOURCE_DIR "/app/scene/tests/golden"; }

std::string readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// `line 12:` with both sides; empty if the texts are equal.
std::string firstDifference(const std::string& golden, const std::string& now) {
  std::istringstream expected(golden);
  std::istringstream found(now);
  for (std::size_t line = 1;; ++line) {
    std::string a;
    std::string b;
    const bool more = static_cast<bool>(std::getline(expected, a));
    const bool moreNow = static_cast<bool>(std::getline(found, b));
    if (!more && !moreNow) return {};
    if (more != moreNow || a != b)
      return fmt::format("line {}:\n  golden: {}\n  now:    {}", line, more ? a : "(none)",
                         moreNow ? b : "(none)");
  }
}

std::string svgOf(const GoldenCase& golden) {
  const auto trace = traceOf(golden.strategy, golden.n, golden.machine);
  if (trace == nullptr) return {};
  const Theme& theme = *findTheme(golden.theme);
  if (!golden.picture)
    return toSvg(stripScene(trace, {}, kStripWidth, kMeasure).value(), theme, ColorRole::Background);
  Replay replay(trace);
  replay.seek(golden.step);
  EXPECT_EQ(replay.cursor().steps, golden.step) << golden.file() << ": the walk is shorter";
  if (golden.wavefront > 0) replay.seek(Cursor{golden.step, golden.wavefront});
  return toSvg(pictureScene(*golden.picture, momentOf(replay), {}, kMeasure), theme,
               pictureBackground(*golden.picture));
}

void PrintTo(const GoldenCase& golden, std::ostream* out) { *out << golden.file(); }

class Golden : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(Golden, IsAsItWas) {
  const std::string now = svgOf(GetParam());
  const fs::path path = folder() / GetParam().file();
  if (std::getenv("LANESCOPE_REGENERATE") != nullptr) {
    std::ofstream(path, std::ios::binary) << now;
    return;
  }
  ASSERT_TRUE(fs::exists(path)) << path << " is missing: LANESCOPE_REGENERATE=1 writes it";
  const std::string golden = readAll(path);
  EXPECT_TRUE(golden == now) << path.string() << ", " << firstDifference(golden, now);
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
  if (std::getenv("LANESCOPE_REGENERATE") != nullptr) GTEST_SKIP() << "the files are being written";
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
  EXPECT_LT(bytes, 1000000U);
}

TEST(GoldenFiles, ADifferenceIsToldByItsLine) {
  EXPECT_EQ(firstDifference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(firstDifference("a\nb\n", "a\nc\n"), "line 2:\n  golden: b\n  now:    c");
  EXPECT_EQ(firstDifference("a\n", "a\nc\n"), "line 2:\n  golden: (none)\n  now:    c");
}

}  // namespace
}  // namespace lanescope
