#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "app/pictures/base/scene.h"

namespace lanescope {

/// An opaque or translucent sRGB colour.
struct Rgba {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  std::uint8_t a = 255;
  bool operator==(const Rgba&) const = default;
};

/// A colour for every role. Based on Okabe and Ito's palette, changed until eyes without one of the three
/// cones distinguish every pair (tests/palette_test.cpp). Marks and labels show the same, so that colour is
/// never the only sign.
struct Theme {
  std::string_view id;     ///< `dark`
  std::string_view title;  ///< `Dark`
  bool dark = true;
  std::array<Rgba, kColorRoles> colors;

  Rgba color(ColorRole role) const { return colors[static_cast<std::size_t>(role)]; }
};

/// Dark first, then light and high contrast.
std::span<const Theme> themes();
/// The theme of that id, or nullptr.
const Theme* findTheme(std::string_view id);

/// What a hue means, alike in the array, warps, banks, timeline and charts. Roles of the same hue differ in
/// lightness alone.
struct ColorMeaning {
  std::string_view words;
  std::span<const ColorRole> roles;
};
/// All of them; a role that none lists is grey (tests/palette_test.cpp).
std::span<const ColorMeaning> colorMeanings();

/// Contrast of two opaque colours, 1 to 21 (WCAG 2.1, relative luminance).
double contrastRatio(Rgba first, Rgba second);

/// The file of a role's face in the first folder that has it; empty if none has.
std::filesystem::path fontFile(const std::vector<std::filesystem::path>& folders, FontRole role);

}  // namespace lanescope
