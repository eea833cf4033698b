// Replaces png_painter.cpp if cairo is missing.
#include "app/paint/png_painter.h"

namespace lanescope {
namespace {

Error noCairo() {
  return {"This program was built without cairo and writes no PNG.",
          "Install libcairo2-dev and build the preset release again, or write SVG.",
          {}};
}

}  // namespace

struct PngFonts::Faces {};

PngFonts::PngFonts(std::unique_ptr<Faces> faces) : faces_(std::move(faces)) {}
PngFonts::~PngFonts() = default;

Result<std::shared_ptr<const PngFonts>> PngFonts::load(
    const std::vector<std::filesystem::path>& /*folders*/) {
  return noCairo();
}

float PngMeasure::width(FontRole font, float size, std::string_view text) const {
  return ApproximateMeasure().width(font, size, text);
}

Result<std::string> toPng(const Scene& /*scene*/, const Theme& /*theme*/, const PngFonts& /*fonts*/,
                          float /*scale*/, ColorRole /*background*/) {
  return noCairo();
}

Result<Pixels> toPixels(const Scene& /*scene*/, const Theme& /*theme*/, const PngFonts& /*fonts*/,
                        float /*scale*/, ColorRole /*background*/) {
  return noCairo();
}

}  // namespace lanescope
