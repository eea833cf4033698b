// Animated GIFs, read back by giflib: what a viewer shows is what was drawn.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gif_lib.h>
#include <gtest/gtest.h>

#include "app/export/gif.h"

namespace lanescope {
namespace {

using Pixels = std::vector<std::uint32_t>;

struct Shown {
  Pixels pixels;
  unsigned hundredths = 0;
};

int readFrom(GifFileType* file, GifByteType* to, int count) {
  auto& rest = *static_cast<std::string_view*>(file->UserData);
  const std::size_t read = std::min(rest.size(), static_cast<std::size_t>(count));
  std::ranges::copy(rest.substr(0, read), to);
  rest.remove_prefix(read);
  return static_cast<int>(read);
}

/// Draws an image of the file over those before it: where it is transparent, they stay visible.
void drawOver(Pixels& canvas, std::size_t width, const SavedImage& image) {
  const GifImageDesc& part = image.ImageDesc;
  for (int i = 0; i < part.Width * part.Height; ++i) {
    if (image.RasterBits[i] == 0) continue;
    const GifColorType color = part.ColorMap->Colors[image.RasterBits[i]];
    const auto x = static_cast<std::size_t>(part.Left + i % part.Width);
    const auto y = static_cast<std::size_t>(part.Top + i / part.Width);
    canvas[y * width + x] = static_cast<std::uint32_t>(color.Red << 16 | color.Green << 8 | color.Blue);
  }
}

/// What a viewer shows, frame by frame.
std::vector<Shown> framesIn(const Result<std::string>& gif) {
  if (!gif) {
    ADD_FAILURE() << gif.error().sentence();
    return {};
  }
  EXPECT_TRUE(gif->starts_with("GIF89a"));
  EXPECT_NE(gif->find("NETSCAPE2.0"), std::string::npos) << "it loops";
  std::string_view rest = *gif;
  GifFileType* const file = DGifOpen(&rest, readFrom, nullptr);
  if (file == nullptr || DGifSlurp(file) != GIF_OK) {
    ADD_FAILURE() << "this is no GIF";
    return {};
  }
  std::vector<Shown> frames;
  const auto width = static_cast<std::size_t>(file->SWidth);
  Pixels canvas(width * static_cast<std::size_t>(file->SHeight), 0xFFFFFFFF);
  for (int i = 0; i < file->ImageCount; ++i) {
    GraphicsControlBlock control{};
    EXPECT_EQ(DGifSavedExtensionToGCB(file, i, &control), GIF_OK);
    EXPECT_EQ(control.DisposalMode, DISPOSE_DO_NOT) << "it stays";
    EXPECT_EQ(control.TransparentColor, 0);
    drawOver(canvas, width, file->SavedImages[i]);
    frames.push_back({canvas, static_cast<unsigned>(control.DelayTime)});
  }
  EXPECT_EQ(DGifCloseFile(file, nullptr), GIF_OK);
  EXPECT_TRUE(rest.empty()) << "bytes follow its end";
  return frames;
}

TEST(Gif, ShowsEachFrameExactlyWhereColorsAreFew) {
  constexpr std::size_t kWidth = 37, kHeight = 23;
  std::mt19937 random(3);
  GifEncoder encoder(kWidth, kHeight, 50);
  std::vector<Pixels> drawn;
  Pixels frame(kWidth * kHeight, 0x102030);
  for (int i = 0; i < 12; ++i) {
    for (int change = 0; change < 9 * i; ++change)
      frame[random() % frame.size()] = static_cast<std::uint32_t>(random() % 40) * 0x051309;
    drawn.push_back(frame);
    encoder.add(frame);
  }
  const std::vector<Shown> shown = framesIn(encoder.consume());
  ASSERT_EQ(shown.size(), drawn.size());
  for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_TRUE(shown[i].pixels == drawn[i]) << i;
}

TEST(Gif, AFrameLikeTheOneBeforeLengthensIt) {
  GifEncoder encoder(4, 2, 50);
  const Pixels one(8, 0xFF0000), other(8, 0x00FF00);
  for (const Pixels& frame : {one, one, one, other, other, one}) encoder.add(frame);
  const std::vector<Shown> shown = framesIn(encoder.consume());
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown[0].hundredths, 150U);
  EXPECT_EQ(shown[1].hundredths, 100U);
  EXPECT_EQ(shown[2].hundredths, 50U);
  EXPECT_EQ(shown[2].pixels, one);
}

// Large areas keep their color; a rare hue does not become another one.
TEST(Gif, ManyColorsBecomeNearOnes) {
  constexpr std::size_t kSide = 128;
  Pixels frame(kSide * kSide, 0x1B1F26);
  for (std::size_t i = 0; i < 4096; ++i)  // edges of letters: grays between ground and text
    frame[i] = 0x010101 * static_cast<std::uint32_t>(40 + i % 200) + static_cast<std::uint32_t>(i % 7);
  for (std::size_t i = 5000; i < 5040; ++i) frame[i] = 0xF5A50B;  // a few pixels of orange
  GifEncoder encoder(kSide, kSide, 50);
  encoder.add(frame);
  const std::vector<Shown> shown = framesIn(encoder.consume());
  ASSERT_EQ(shown.size(), 1U);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    for (const unsigned shift : {0U, 8U, 16U}) {
      const int wanted = static_cast<int>(frame[i] >> shift & 0xFFU);
      const int got = static_cast<int>(shown[0].pixels[i] >> shift & 0xFFU);
      ASSERT_LE(std::abs(wanted - got), 12) << i;
    }
  }
  EXPECT_EQ(shown[0].pixels[kSide * kSide - 1], 0x1B1F26U);
  EXPECT_EQ(shown[0].pixels[5020], 0xF5A50BU);
}

}  // namespace
}  // namespace lanescope
