// Text in a picture has 4.5:1 contrast to its background, and lines of finished phases 3:1, in every theme:
// fills that lie on one another, some of them faint, are blended as the painters do.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/export/pictures.h"
#include "app/paint/theme.h"
#include "app/pictures/tests/scene_checks.h"

namespace lanescope {
namespace {
Rgba blended(Rgba below, Rgba above, float alpha) {
  const auto channel = [alpha](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(
        std::lround(static_cast<float>(a) * (1 - alpha) + static_cast<float>(b) * alpha));
  };
  return {channel(below.r, above.r), channel(below.g, above.g), channel(below.b, above.b), 255};
}

/// The texts of a scene with less contrast than that, one line each.
std::vector<std::string> faintTexts(const Scene& scene, const Theme& theme, const TextMeasure& measure) {
  std::vector<std::string> faint;
  for (std::size_t index = 0; index < scene.items.size(); ++index) {
    const DrawItem& text = scene.items[index];
    if (text.kind != DrawItem::Kind::Text) continue;
    const float half = measure.width(text.font, text.size, text.text) / 2;
    const float x = text.align == Align::Left    ? text.x + half
                    : text.align == Align::Right ? text.x - half
                                                 : text.x;
    Rgba ground = theme.color(ColorRole::Panel);
    for (std::size_t below = 0; below < index; ++below) {
      const DrawItem& fill = scene.items[below];
      const bool isUnder = fill.kind == DrawItem::Kind::FillRect && x >= fill.x && x < fill.x + fill.w &&
                           text.y >= fill.y && text.y < fill.y + fill.h;
      if (isUnder) ground = blended(ground, theme.color(fill.color), fill.alpha);
    }
    const double contrast = contrastRatio(blended(ground, theme.color(text.color), text.alpha), ground);
    if (contrast < 4.5) faint.push_back(fmt::format("{}: '{}' has {:.2f}:1", theme.id, text.text, contrast));
  }
  return faint;
}

/// Some places along a walk, and the first wavefronts of the accesses there.
std::vector<Cursor> findPlaces(const Trace& trace) {
  constexpr std::size_t kPlaces = 5;
  std::vector<Cursor> places;
  const std::size_t steps = trace.steps.size();
  for (std::size_t place = 0; place <= kPlaces; ++place) {
    const auto at = static_cast<std::uint32_t>(place * steps / kPlaces);
    for (const std::uint32_t wavefront : {0U, 4U}) places.push_back({at, wavefront});
  }
  return places;
}

TEST(PictureText, IsReadableOnWhatItIsWrittenOn) {
  struct Case {
    const char* strategy;
    std::uint64_t n;
    const char* machine;
  };
  for (const Case& one :
       {Case{"baseline", 8, "tiny"}, Case{"no-divergence", 256, "nvidia"}, Case{"shuffle", 8, "nvidia"},
        Case{"strided-access", 64, "nvidia"}, Case{"transpose-shared", 64, "nvidia"}}) {
    const auto trace = makeTrace(one.strategy, one.n, one.machine);
    Replay replay(trace);
    for (const Cursor place : findPlaces(*trace)) {
      replay.seek(place);
      for (const Picture picture : {Picture::Array, Picture::Warps, Picture::Banks, Picture::Timeline}) {
        const Scene scene = pictureScene(picture, makeMoment(replay), {}, kMeasure);
        for (const Theme& theme : themes()) {
          const std::vector<std::string> faint = faintTexts(scene, theme, kMeasure);
          EXPECT_TRUE(faint.empty()) << one.strategy << ", step " << replay.cursor().steps << ", wavefront "
                                     << replay.cursor().wavefront << ", " << pictureName(picture) << ", "
                                     << faint.front();
        }
      }
    }
  }
}

// At the end of a run the tree is still there to be seen.
TEST(PictureLines, OfFinishedPhasesAreSeenInEveryTheme) {
  for (const char* strategy : {"baseline", "no-divergence", "no-bank-conflict", "shuffle", "one-atomic"}) {
    Replay replay(makeTrace(strategy, 64, "nvidia"));
    replay.seek(static_cast<std::uint32_t>(replay.trace().steps.size()));
    const Scene scene = pictureScene(Picture::Array, makeMoment(replay), {}, kMeasure);
    for (const Theme& theme : themes()) {
      const Rgba panel = theme.color(ColorRole::Panel);
      std::size_t lines = 0;
      for (const DrawItem& item : scene.items) {
        const bool isOfThread = item.color == ColorRole::Operand || item.color == ColorRole::Result;
        if (item.kind != DrawItem::Kind::Line || !isOfThread) continue;
        ++lines;
        EXPECT_GE(contrastRatio(blended(panel, theme.color(item.color), item.alpha), panel), 3) << theme.id;
        EXPECT_GE(item.width, 1) << strategy;
      }
      EXPECT_GE(lines, 65U) << strategy;
    }
  }
}

// Words that the current phase does not change are seen on its row, and are not taken for those that it
// writes.
TEST(PictureFills, OfKeptWordsShowOnTheRunningRow) {
  Replay replay(makeTrace("no-bank-conflict", 64, "nvidia"));
  while (replay.currentPhase() < 3) ASSERT_TRUE(replay.forward(Grain::Instruction));
  const Scene scene = pictureScene(Picture::Array, makeMoment(replay), {}, kMeasure);
  const auto findBand = [](const DrawItem& item) {
    return item.kind == DrawItem::Kind::FillRect && item.color == ColorRole::Accent && item.alpha < 1;
  };
  const auto band = std::ranges::find_if(scene.items, findBand);
  ASSERT_NE(band, scene.items.end());
  std::size_t kept = 0;
  for (const DrawItem& item : scene.items) {
    if (item.kind != DrawItem::Kind::FillRect || &item == &*band) continue;
    if (item.y < band->y || item.y + item.h > band->y + band->h) continue;
    if (item.color == ColorRole::CellOld) ++kept;
  }
  EXPECT_GT(kept, 32U);
  for (const Theme& theme : themes()) {
    const Rgba ground = blended(theme.color(ColorRole::Panel), theme.color(ColorRole::Accent), band->alpha);
    EXPECT_GE(contrastRatio(theme.color(ColorRole::CellOld), ground), 1.5) << theme.id;
  }
}

}  // namespace
}  // namespace lanescope
