#pragma once

#include <filesystem>
#include <vector>

#include <imgui.h>

#include "app/paint/font_files.h"
#include "app/paint/imgui_painter.h"

namespace lanescope {

/// Fills an empty atlas with a font for each role, `unit * density` times the roles' sizes, and builds it. If
/// no folder has a face, ImGui's own replaces it.
FontTable loadFonts(ImFontAtlas& atlas, float unit, float density,
                    const std::vector<std::filesystem::path>& folders);

}  // namespace lanescope
