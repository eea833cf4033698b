#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/paint/theme.h"
#include "app/pictures/base/scene.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// The largest side of a PNG in pixels: cairo's limit.
inline constexpr int kMostPngPixels = 32767;
/// The largest area of a PNG in pixels: a gibibyte of memory while it is drawn.
inline constexpr double kMostPngArea = 1 << 28;

/// The faces of PNGs: Inter and JetBrains Mono from files, or the system's if they are missing. One object
/// serves one thread.
class PngFonts {
 public:
  /// Error: this program was built without cairo; names the package.
  static Result<std::shared_ptr<const PngFonts>> load(const std::vector<std::filesystem::path>& folders);
  ~PngFonts();
  PngFonts(const PngFonts&) = delete;
  PngFonts& operator=(const PngFonts&) = delete;

  struct Faces;
  const Faces& faces() const { return *faces_; }

 private:
  explicit PngFonts(std::unique_ptr<Faces> faces);
  std::unique_ptr<Faces> faces_;
};

/// Widths of text as toPng() draws it.
class PngMeasure final : public TextMeasure {
 public:
  explicit PngMeasure(std::shared_ptr<const PngFonts> fonts) : fonts_(std::move(fonts)) {}
  float width(FontRole font, float size, std::string_view text) const override;

 private:
  std::shared_ptr<const PngFonts> fonts_;
};

/// The scene as the bytes of a PNG file, `scale` pixels per logical pixel, over a background of that role's
/// colour. Lay it out with PngMeasure. Errors, one sentence each: a side of no pixel or of more than
/// kMostPngPixels, or more than kMostPngArea, with a scale that fits; no memory.
Result<std::string> toPng(const Scene& scene, const Theme& theme, const PngFonts& fonts, float scale = 1,
                          ColorRole background = ColorRole::Panel);

/// The pixels of a picture, rows from the top, each 0xRRGGBB in its lower 24 bits.
struct Pixels {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint32_t> rgb;
};

/// The pixels of the PNG that toPng() would make, with its errors.
Result<Pixels> toPixels(const Scene& scene, const Theme& theme, const PngFonts& fonts, float scale = 1,
                        ColorRole background = ColorRole::Panel);

}  // namespace lanescope
