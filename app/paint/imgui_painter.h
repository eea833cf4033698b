#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include <imgui.h>

#include "app/paint/theme.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// The screen's font for each role. A missing one (nullptr) means ImGui's current font.
struct FontTable {
  /// A face of a role rasterised at another size than the role's own.
  struct Extra {
    FontRole role = FontRole::Body;
    ImFont* font = nullptr;
  };
  std::array<ImFont*, 4> fonts{};  ///< by FontRole
  std::vector<Extra> extras;

  ImFont* of(FontRole role) const;
  /// The role's face rasterised nearest to `size` logical pixels, and hardly larger. If it is at most 15%
  /// smaller, `size` becomes its exact size: letters are then drawn pixel by pixel and not scaled.
  ImFont* sharpest(FontRole role, float& size) const;
};

/// A theme colour for ImGui, with its alpha scaled.
ImU32 imguiColor(const Theme& theme, ColorRole role, float alpha = 1.0F);
ImVec4 imguiColorVec(const Theme& theme, ColorRole role, float alpha = 1.0F);

/// Draws the scene with its top left corner at `origin`, clipped to its size. `scale` is in screen units per
/// logical pixel (1 unless the scene was laid out smaller than it is shown).
void paintScene(ImDrawList& drawList, const Scene& scene, ImVec2 origin, const Theme& theme,
                const FontTable& fonts, float scale = 1.0F);

/// Measures with the screen's fonts. Needs a built font atlas.
class ImguiMeasure final : public TextMeasure {
 public:
  explicit ImguiMeasure(const FontTable& fonts) : fonts_(fonts) {}
  float width(FontRole font, float size, std::string_view text) const override;

 private:
  FontTable fonts_;
};

/// Fills an empty atlas with a font for each role, `unit * density` times the roles' sizes, and builds it. If
/// no folder has a face, ImGui's own replaces it.
FontTable loadFonts(ImFontAtlas& atlas, float unit, float density,
                    const std::vector<std::filesystem::path>& folders);

}  // namespace lanescope
