#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/paint/png_painter.h"
#include "app/paint/theme.h"
#include "app/pictures/base/scene.h"
#include "app/pictures/base/text_measure.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

enum class ImageKind : std::uint8_t { Svg, Png };

/// The kind that a file's extension selects. Error: an extension other than .svg and .png.
Result<ImageKind> findImageKind(const std::filesystem::path& path);

/// Turns scenes into files of one kind. One object serves one thread.
class ImageWriter {
 public:
  /// `scale`: pixels per logical pixel; for an SVG, the factor of its displayed size. Error: this program
  /// cannot write PNG, with the missing package.
  static Result<ImageWriter> of(ImageKind kind, const Theme& theme, float scale = 1);

  /// Lay scenes out with it, so that their text has its place.
  const TextMeasure& measure() const { return *measure_; }
  /// The largest side of a scene, in logical pixels: cairo's limit, or none.
  float mostSide() const;
  /// The file's bytes, over a background of that role. Errors: those of toPng().
  Result<std::string> write(const Scene& scene, ColorRole background = ColorRole::Panel) const;
  /// Only for a writer of PNGs: the same picture's pixels. Errors: those of toPng().
  Result<Pixels> pixels(const Scene& scene, ColorRole background = ColorRole::Panel) const;

 private:
  ImageWriter(const Theme& theme, float scale) : theme_(&theme), scale_(scale) {}

  const Theme* theme_;
  float scale_;
  std::shared_ptr<const PngFonts> fonts_;  ///< not set: SVG
  std::shared_ptr<const TextMeasure> measure_;
};

/// The scene with every text as wide in `drawn` as in the measure of its layout: for scenes of the screen,
/// whose letters are smaller than their nominal size.
Scene refitted(Scene scene, const TextMeasure& laidOut, const TextMeasure& drawn);

}  // namespace lanescope
