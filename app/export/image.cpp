#include "app/export/image.h"

#include <limits>

#include <fmt/format.h>

#include "app/paint/font_files.h"
#include "app/paint/svg_painter.h"

namespace lanescope {

Result<ImageKind> findImageKind(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".svg") return ImageKind::Svg;
  if (ending == ".png") return ImageKind::Png;
  return Error{fmt::format("A picture's name ends in .svg or .png, and '{}' does not.", path.string())};
}

Result<ImageWriter> ImageWriter::of(ImageKind kind, const Theme& theme, float scale) {
  ImageWriter writer(theme, scale);
  if (kind == ImageKind::Svg) {
    writer.measure_ = std::make_shared<const ApproximateMeasure>();
    return writer;
  }
  auto fonts = PngFonts::load(fontFolders());
  if (!fonts) return fonts.error();
  writer.fonts_ = std::move(fonts).value();
  writer.measure_ = std::make_shared<const PngMeasure>(writer.fonts_);
  return writer;
}

float ImageWriter::mostSide() const {
  return fonts_ == nullptr ? std::numeric_limits<float>::infinity()
                           : static_cast<float>(kMostPngPixels) / scale_;
}

Result<std::string> ImageWriter::write(const Scene& scene, ColorRole background) const {
  if (fonts_ != nullptr) return toPng(scene, *theme_, *fonts_, scale_, background);
  return toSvg(scene, *theme_, background, scale_);
}

Result<Pixels> ImageWriter::pixels(const Scene& scene, ColorRole background) const {
  return toPixels(scene, *theme_, *fonts_, scale_, background);
}

Scene refitted(Scene scene, const TextMeasure& laidOut, const TextMeasure& drawn) {
  for (DrawItem& item : scene.items) {
    if (item.kind != DrawItem::Kind::Text) continue;
    const float size = item.size > 0 ? item.size : fontSize(item.font);
    const float now = drawn.width(item.font, size, item.text);
    if (now > 0) item.size = size * laidOut.width(item.font, size, item.text) / now;
  }
  return scene;
}

}  // namespace lanescope
