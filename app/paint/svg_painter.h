#pragma once

#include <string>
#include <string_view>

#include "app/paint/theme.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// The scene as an SVG document of `scale` times its size, over a background of that role's colour.
std::string toSvg(const Scene& scene, const Theme& theme, ColorRole background = ColorRole::Panel,
                  float scale = 1);

/// The same in the colours of an HTML page that gives those of a theme names: `--c3` is the role numbered 3.
std::string toPageSvg(const Scene& scene, ColorRole background = ColorRole::Panel);

// The parts of a text element, for code that writes elements of its own.

/// A CSS list of fonts; the replacement of a missing font is about as wide.
inline constexpr std::string_view kSvgSans =
    "Inter, Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif";
inline constexpr std::string_view kSvgMono = "JetBrains Mono, DejaVu Sans Mono, Menlo, Consolas, monospace";
float svgFontSize(const DrawItem& text);
/// The y of a text's baseline.
float svgBaseline(const DrawItem& text);
/// The width of a text if it is known exactly: for ASCII, and for letters of one width; else 0.
float svgTextLength(const DrawItem& text);

}  // namespace lanescope
