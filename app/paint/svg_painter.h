#pragma once

#include <string>
#include <string_view>

#include "app/paint/theme.h"
#include "app/scene/base/scene.h"

namespace lanescope {

/// The scene as an SVG document of `scale` times its size, over a background of that role's colour.
std::string toSvg(const Scene& scene, const Theme& theme, ColorRole background = ColorRole::Panel,
                  float scale = 1);

}  // namespace lanescope
