#include "app/paint/png_painter.h"

#include <gtest/gtest.h>

#include <cairo.h>

#include <array>
#include <memory>

#include "app/base/host.h"
#include "app/paint/theme.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using Kind = DrawItem::Kind;

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;  ///< 0xRRGGBB

  std::uint32_t at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
  /// The smallest rectangle of pixels in another colour than the corner's: left, top, right, bottom.
  std::array<int, 4> ink() const {
    std::array<int, 4> box{width, height, -1, -1};
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (at(x, y) == pixels[0]) continue;
        box = {std::min(box[0], x), std::min(box[1], y), std::max(box[2], x), std::max(box[3], y)};
      }
    }
    return box;
  }
};

struct Reader {
  const std::string& bytes;
  std::size_t at = 0;
};

cairo_status_t readFrom(void* closure, unsigned char* data, unsigned int length) {
  auto& reader = *static_cast<Reader*>(closure);
  if (reader.at + length > reader.bytes.size()) return CAIRO_STATUS_READ_ERROR;
  reader.bytes.copy(reinterpret_cast<char*>(data), length, reader.at);
  reader.at += length;
  return CAIRO_STATUS_SUCCESS;
}

/// Reads the file back.
Picture decoded(const std::string& png) {
  Reader reader{png};
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(readFrom, &reader);
  Picture picture;
  EXPECT_EQ(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
  picture.width = cairo_image_surface_get_width(surface);
  picture.height = cairo_image_surface_get_height(surface);
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const unsigned char* p = data + y * stride + 4 * x;
      picture.pixels.push_back(static_cast<std::uint32_t>(p[2] << 16 | p[1] << 8 | p[0]));
    }
  }
  cairo_surface_destroy(surface);
  return picture;
}

std::shared_ptr<const PngFonts> fonts() {
  auto loaded = PngFonts::load(fontFolders());
  EXPECT_TRUE(loaded.ok());
  return *loaded;
}

DrawItem makeItem(Kind kind) {
  return {.kind = kind, .x = 20, .y = 30, .w = 40, .h = 24, .width = 2, .size = 20, .text = "H"};
}

Picture drawn(DrawItem item, float scale = 1) {
  Scene scene{.width = 120, .height = 80};
  scene.items.push_back(std::move(item));
  const auto png = toPng(scene, themes()[0], *fonts(), scale);
  EXPECT_TRUE(png.ok());
  return decoded(*png);
}

TEST(Png, DrawsEveryKindOfItemWhereItIs) {
  for (const Kind kind : {Kind::FillRect, Kind::StrokeRect, Kind::Line, Kind::Curve, Kind::Triangle}) {
    for (const float scale : {1.0F, 2.0F}) {
      const Picture picture = drawn(makeItem(kind), scale);
      EXPECT_EQ(picture.width, 120 * scale);
      EXPECT_EQ(picture.height, 80 * scale);
      const auto [left, top, right, bottom] = picture.ink();
      EXPECT_NEAR(left, 20 * scale, 2 * scale) << static_cast<int>(kind);
      EXPECT_NEAR(top, 30 * scale, 2 * scale) << static_cast<int>(kind);
      EXPECT_NEAR(right, 60 * scale, 2 * scale) << static_cast<int>(kind);
      EXPECT_NEAR(bottom, 54 * scale, 2 * scale) << static_cast<int>(kind);
    }
  }
}

TEST(Png, ColoursAreTheThemes) {
  DrawItem item = makeItem(Kind::FillRect);
  item.color = ColorRole::Accent;
  const Theme& theme = themes()[0];
  const auto hex = [&](ColorRole role) {
    const Rgba c = theme.color(role);
    return static_cast<std::uint32_t>(c.r << 16 | c.g << 8 | c.b);
  };
  const Picture picture = drawn(item);
  EXPECT_EQ(picture.at(40, 40), hex(ColorRole::Accent));
  EXPECT_EQ(picture.at(2, 2), hex(ColorRole::Panel));
  item.alpha = 0.5F;
  const std::uint32_t half = drawn(item).at(40, 40);
  EXPECT_NE(half, hex(ColorRole::Accent));
  EXPECT_NE(half, hex(ColorRole::Panel));
}

TEST(Png, TextLiesWhereTheMeasureSaysIt) {
  const PngMeasure measure(fonts());
  DrawItem item = makeItem(Kind::Text);
  item.text = "H1234567H";
  const float width = measure.width(item.font, item.size, item.text);
  EXPECT_GT(width, 60);
  EXPECT_NEAR(measure.width(item.font, 2 * item.size, item.text), 2 * width, 0.01F);
  for (const auto& [align, x] :
       {std::pair(Align::Left, 5.0F), std::pair(Align::Center, 60.0F), std::pair(Align::Right, 115.0F)}) {
    item.align = align;
    item.x = x;
    item.y = 40;
    const auto [left, top, right, bottom] = drawn(item).ink();
    const float start = align == Align::Left ? x : align == Align::Center ? x - width / 2 : x - width;
    EXPECT_NEAR(static_cast<float>(left), start, 3) << static_cast<int>(align);
    EXPECT_NEAR(static_cast<float>(right), start + width, 3) << static_cast<int>(align);
    // Capitals are drawn around the anchor's height.
    EXPECT_NEAR((top + bottom) / 2.0, 40, 1.5);
    EXPECT_NEAR(bottom - top, item.size * 0.72F, 2);
  }
}

TEST(Png, FacesDiffer) {
  const PngMeasure measure(fonts());
  EXPECT_NEAR(measure.width(FontRole::Mono, 10, "iiii"), measure.width(FontRole::Mono, 10, "mmmm"), 0.01F);
  EXPECT_LT(measure.width(FontRole::Body, 10, "iiii"), measure.width(FontRole::Body, 10, "mmmm"));
  EXPECT_GT(measure.width(FontRole::Bold, 10, "mmmm"), measure.width(FontRole::Body, 10, "mmmm"));
}

TEST(Png, WithoutTheFontFilesTheSystemsAreTaken) {
  auto loaded = PngFonts::load({"/nonexistent"});
  ASSERT_TRUE(loaded.ok());
  EXPECT_GT(PngMeasure(*loaded).width(FontRole::Body, 10, "text"), 5);
}

TEST(Png, BrokenTextIsDrawnAsWellAsItCan) {
  DrawItem item = makeItem(Kind::Text);
  item.text = std::string("a\xFF\xC3(\x01z\xE2\x80", 8);
  EXPECT_GT(drawn(item).ink()[2], 20);
  EXPECT_GT(PngMeasure(fonts()).width(FontRole::Body, 10, item.text), 10);
}

/// Why an empty picture of that size is not made.
std::string findRefusal(float width, float height) {
  Scene scene{.width = width, .height = height};
  const auto png = toPng(scene, themes()[0], *fonts());
  return png.ok() ? "" : png.error().sentence();
}

TEST(Png, SizesThatCannotBeAreToldInASentenceThatNamesTheWayOut) {
  EXPECT_SAYS(findRefusal(40000, 10));
  EXPECT_SAYS(findRefusal(20000, 20000));
  EXPECT_SAYS(findRefusal(8e6F, 10)) << "no scale would do";
  EXPECT_SAYS(findRefusal(0, 10));
  Scene scene{.width = 40000, .height = 10};
  EXPECT_TRUE(toPng(scene, themes()[0], *fonts(), 0.81F).ok());
}

}  // namespace
}  // namespace lanescope
