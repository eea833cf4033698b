#include "app/paint/theme.h"

#include <algorithm>
#include <cmath>
#include <system_error>

namespace lanescope {
namespace {

constexpr Rgba rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U & 0xFFU),
          static_cast<std::uint8_t>(hex & 0xFFU), 255};
}

struct RoleColors {
  ColorRole role;
  std::uint32_t dark;
  std::uint32_t light;
  std::uint32_t contrast;
};

// One row per role. Bright fills carry dark text in the dark themes, dark fills white text in the light.
constexpr std::array<RoleColors, kColorRoles> kTable = {{
    {ColorRole::Background, 0x12161C, 0xE8ECF1, 0x000000},
    {ColorRole::Panel, 0x1A1F26, 0xFFFFFF, 0x000000},
    {ColorRole::PanelBorder, 0x2B323B, 0xCBD2DB, 0xFFFFFF},
    {ColorRole::Text, 0xE8EBF0, 0x14181D, 0xFFFFFF},
    {ColorRole::TextDim, 0xAEB6C1, 0x434E5A, 0xE4E4E4},
    {ColorRole::TextOnAccent, 0x0B1016, 0xFFFFFF, 0x000000},
    {ColorRole::Accent, 0xB4C2D2, 0x465869, 0xE0E8F2},
    {ColorRole::Cell, 0x28303A, 0xE6EBF1, 0x2E2E2E},
    {ColorRole::CellBorder, 0x3B4552, 0xB6C0CC, 0xBDBDBD},
    {ColorRole::CellUnwritten, 0x39424D, 0xC9D2DC, 0x3A3A3A},
    {ColorRole::CellOld, 0x375B80, 0x9FC4EE, 0x24527D},
    {ColorRole::Operand, 0x1DAE7D, 0x12795A, 0x34F0B5},
    {ColorRole::Result, 0x3CBAFB, 0x0276C8, 0x74C0EC},
    {ColorRole::LaneActive, 0x3CBAFB, 0x0276C8, 0x74C0EC},
    {ColorRole::LaneMasked, 0x9FA7B4, 0x82929C, 0xC9C9C9},
    {ColorRole::LaneWaiting, 0xE8EBF0, 0x14181D, 0xFFFFFF},
    {ColorRole::LaneExited, 0x78828D, 0x66707C, 0x9A9A9A},
    {ColorRole::LaneAbsent, 0x161A20, 0xF1F3F6, 0x121212},
    {ColorRole::Conflict, 0xF3A717, 0xB55A00, 0xFFB000},
    {ColorRole::ConflictOdd, 0xA8751F, 0x5C3000, 0xA86C00},
    {ColorRole::Divergence, 0xBF73AC, 0xAC1C86, 0xDB84BE},
    {ColorRole::Warning, 0xFFB0A0, 0xCC4433, 0xFFB5A8},
    {ColorRole::Bad, 0xF16F4C, 0xA31916, 0xFC7448},
    {ColorRole::Bar, 0x5F6E7D, 0x8795A3, 0x76828F},
    {ColorRole::BarHighlight, 0xE8EBF0, 0x14181D, 0xFFFFFF},
    {ColorRole::BarReference, 0x97A1AC, 0x5A646E, 0xC8C8C8},
    {ColorRole::Grid, 0x323A45, 0xDBE1E8, 0x5A5A5A},
    {ColorRole::Syntax, 0xC6BACF, 0x5B4E66, 0xDDD3E6},
    {ColorRole::Condition, 0xEFE391, 0x5A4C00, 0xFFFF90},
}};

constexpr std::array<Rgba, kColorRoles> column(std::uint32_t RoleColors::*which) {
  std::array<Rgba, kColorRoles> colors{};
  for (const RoleColors& row : kTable) colors[static_cast<std::size_t>(row.role)] = rgb(row.*which);
  return colors;
}

double linear(std::uint8_t channel) {
  const double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(Rgba color) {
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

}  // namespace

std::span<const Theme> themes() {
  static constexpr std::array kThemes = {
      Theme{"dark", "Dark", true, column(&RoleColors::dark)},
      Theme{"light", "Light", false, column(&RoleColors::light)},
      Theme{"high-contrast", "High contrast", true, column(&RoleColors::contrast)},
  };
  return kThemes;
}

std::span<const ColorMeaning> colorMeanings() {
  using enum ColorRole;
  static constexpr std::array kBlue{LaneActive, Result, CellOld};
  static constexpr std::array kGreen{Operand};
  static constexpr std::array kOrange{Conflict, ConflictOdd};
  static constexpr std::array kPink{Divergence};
  static constexpr std::array kYellow{Condition};
  static constexpr std::array kRed{Bad, Warning};
  static constexpr std::array kMeanings{
      ColorMeaning{"a thread at work, and the word that it writes; dark: one written earlier", kBlue},
      ColorMeaning{"a word that is read", kGreen},
      ColorMeaning{"a bank conflict: the wavefronts beyond the ideal, in two shades in turn", kOrange},
      ColorMeaning{"lanes of a warp that take different branches", kPink},
      ColorMeaning{"a line that tests which threads run", kYellow},
      ColorMeaning{"wrong; pale: may be wrong, or is not run yet", kRed},
  };
  return kMeanings;
}

const Theme* findTheme(std::string_view id) {
  const auto found = std::ranges::find(themes(), id, &Theme::id);
  return found == themes().end() ? nullptr : &*found;
}

double contrastRatio(Rgba first, Rgba second) {
  const auto [dark, light] = std::minmax({luminance(first), luminance(second)});
  return (light + 0.05) / (dark + 0.05);
}

namespace {

namespace fs = std::filesystem;

const char* fileName(FontRole role) {
  switch (role) {
    case FontRole::Bold: return "Inter-SemiBold.otf";
    case FontRole::Mono: return "JetBrainsMono-Regular.ttf";
    case FontRole::Body:
    case FontRole::Small: break;
  }
  return "Inter-Regular.otf";
}

}  // namespace

fs::path fontFile(const std::vector<fs::path>& folders, FontRole role) {
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    if (fs::is_regular_file(folder / fileName(role), ignored)) return folder / fileName(role);
  }
  return {};
}

}  // namespace lanescope
