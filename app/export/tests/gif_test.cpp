// Animated GIFs, read back as GIF89a says: what a viewer shows is what was drawn.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/export/gif_encoder.h"

namespace lanescope {
namespace {

using Pixels = std::vector<std::uint32_t>;

/// A reader of its own, by the specification: clear codes, growing widths, sub-blocks.
class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}

  unsigned byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
  unsigned word() {
    const unsigned low = byte();
    return low + 256 * byte();
  }
  std::string blocks() {
    std::string data;
    while (const unsigned length = byte()) {
      data += bytes_.substr(at_, length);
      at_ += length;
    }
    return data;
  }
  void skip(std::size_t count) { at_ += count; }
  bool isAtEnd() const { return at_ == bytes_.size(); }

  std::vector<std::uint8_t> indices() {
    const unsigned bits = byte();
    const std::string data = blocks();
    const unsigned clear = 1U << bits;
    std::vector<std::string> table;
    unsigned width = bits + 1;
    std::string last;
    std::vector<std::uint8_t> indices;
    const auto reset = [&] {
      table.clear();
      for (unsigned i = 0; i < clear + 2; ++i) table.emplace_back(1, static_cast<char>(i));
      width = bits + 1;
      last.clear();
    };
    reset();
    for (std::size_t bit = 0; bit + width <= 8 * data.size();) {
      unsigned code = 0;
      for (unsigned i = 0; i < width; ++i, ++bit)
        code |= (static_cast<unsigned char>(data[bit / 8]) >> (bit % 8) & 1U) << i;
      if (code == clear) {
        reset();
        continue;
      }
      if (code == clear + 1) return indices;
      EXPECT_LE(code, table.size());
      if (code > table.size()) return indices;
      const std::string now = code < table.size() ? table[code] : last + last.front();
      if (!last.empty() && table.size() < 4096) table.push_back(last + now.front());
      if (table.size() == (1U << width) && width < 12) ++width;
      for (const char index : now) indices.push_back(static_cast<std::uint8_t>(index));
      last = now;
    }
    ADD_FAILURE() << "no end";
    return indices;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

struct Shown {
  Pixels pixels;
  unsigned hundredths = 0;
};

/// What a viewer shows, frame by frame.
std::vector<Shown> framesIn(const std::string& gif) {
  Reader in(gif);
  EXPECT_TRUE(gif.starts_with("GIF89a"));
  in.skip(6);
  const unsigned width = in.word();
  const unsigned height = in.word();
  in.skip(3 + 19);
  std::vector<Shown> frames;
  Pixels canvas(std::size_t{width} * height, 0xFFFFFFFF);
  for (unsigned kind = in.byte(); kind != 0x3B; kind = in.byte()) {
    EXPECT_EQ(kind, 0x21U);
    in.skip(2);
    EXPECT_EQ(in.byte(), 5U) << "stays, one index is transparent";
    const unsigned delay = in.word();
    EXPECT_EQ(in.word(), 0U) << "the transparent index, and the end";
    EXPECT_EQ(in.byte(), 0x2CU);
    const unsigned x = in.word(), y = in.word(), w = in.word(), h = in.word();
    const unsigned size = 2U << (in.byte() & 7U);
    Pixels table;
    for (unsigned i = 0; i < size; ++i) {
      const unsigned r = in.byte(), g = in.byte(), b = in.byte();
      table.push_back(r << 16U | g << 8U | b);
    }
    const std::vector<std::uint8_t> indices = in.indices();
    EXPECT_EQ(indices.size(), std::size_t{w} * h);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] != 0) canvas[(y + i / w) * width + x + i % w] = table[indices[i]];
    }
    frames.push_back({canvas, delay});
  }
  EXPECT_TRUE(in.isAtEnd());
  return frames;
}

TEST(GifCodes, ComeBackOfEveryLengthAndKind) {
  std::mt19937 random(7);
  for (const unsigned bits : {2U, 3U, 5U, 8U}) {
    for (const std::size_t length : {0U, 1U, 2U, 5U, 255U, 256U, 4095U, 4096U, 20000U, 100000U}) {
      for (const unsigned kinds : {1U, 2U, 1U << bits}) {
        std::vector<std::uint8_t> indices(length);
        for (std::uint8_t& index : indices) index = static_cast<std::uint8_t>(random() % kinds);
        Reader in(gifCodes(indices, bits));
        EXPECT_EQ(in.indices(), indices) << bits << " bits, " << length << " of " << kinds;
        EXPECT_TRUE(in.isAtEnd());
      }
    }
  }
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
  const std::vector<Shown> shown = framesIn(encoder.take());
  ASSERT_EQ(shown.size(), drawn.size());
  for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_TRUE(shown[i].pixels == drawn[i]) << i;
}

TEST(Gif, AFrameLikeTheOneBeforeLengthensIt) {
  GifEncoder encoder(4, 2, 50);
  const Pixels one(8, 0xFF0000), other(8, 0x00FF00);
  for (const Pixels& frame : {one, one, one, other, other, one}) encoder.add(frame);
  const std::vector<Shown> shown = framesIn(encoder.take());
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
  const std::vector<Shown> shown = framesIn(encoder.take());
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
