#pragma once

#include <string>
#include <string_view>

#include "app/paint/theme.h"
#include "app/scene/base/scene.h"

namespace lanescope {

/// The scene as an SVG document of `scale` times its size, over a background of that role's colour.
std::string toSvg(const Scene& scene, const Theme& theme, ColorRole background = ColorRole::Panel,
                  float scale = 1);

// How a text is written, for whoever writes elements of its own.

/// A CSS list of fonts; what stands in for a font that is not there is about as wide.
inline constexpr std::string_view kSvgSans =
    "Inter, Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif";
inline constexpr std::string_view kSvgMono = "JetBrains Mono, DejaVu Sans Mono, Menlo, Consolas, monospace";
float svgFontSize(const DrawItem& text);
/// The y of its baseline.
float svgBaseline(const DrawItem& text);
/// What it is wide where that is known to the letter: of ASCII, and of letters of one width; else 0.
float svgTextLength(const DrawItem& text);

}  // namespace lanescope
