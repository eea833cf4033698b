#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/paint/png_painter.h"
#include "app/paint/theme.h"
#include "app/scene/base/scene.h"
#include "app/scene/base/text_measure.h"
#include "sim/language/text/diagnostic.h"

namespace lanescope {

enum class ImageKind : std::uint8_t { Svg, Png };

/// What a file's ending asks for; another ending than .svg and .png is the error.
Result<ImageKind> imageKindOf(const std::filesystem::path& path);

/// Turns scenes into files of one kind. One object serves one thread.
class ImageWriter {
 public:
  /// `scale`: pixels a logical pixel, and how many times its size an SVG is shown. The error is that
  /// this program writes no PNG, with the package that it lacks.
  static Result<ImageWriter> of(ImageKind kind, const Theme& theme, float scale = 1);

  /// Lay scenes out with it, and their text is where they put it.
  const TextMeasure& measure() const { return *measure_; }
  /// The most that a side of a scene may have, in logical pixels: cairo's limit, or none.
  float mostSide() const;
  /// The file's bytes, over a background of that role. Errors: those of toPng().
  Result<std::string> write(const Scene& scene, ColorRole background = ColorRole::Panel) const;
  /// Of a writer of PNGs: the same picture's pixels. Errors: those of toPng().
  Result<Pixels> pixels(const Scene& scene, ColorRole background = ColorRole::Panel) const;

 private:
  ImageWriter(const Theme& theme, float scale) : theme_(&theme), scale_(scale) {}

  const Theme* theme_;
  float scale_;
  std::shared_ptr<const PngFonts> fonts_;  ///< none: SVG
  std::shared_ptr<const TextMeasure> measure_;
};

/// The scene with every text as wide in `drawn` as it was in the measure it was laid out with: for
/// scenes of the screen, whose letters are smaller than their size says.
Scene refitted(Scene scene, const TextMeasure& laidOut, const TextMeasure& drawn);

}  // namespace lanescope
