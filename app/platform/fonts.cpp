#include "app/platform/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/paint/imgui_compat.h"
#include "app/scene/base/text_measure.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

/// Latin, dashes, quotes and bullets, superscripts, arrows, minus and the comparisons; ends with 0.
constexpr std::array<ImWchar, 17> kGlyphs{0x20,   0xFF,   0x2010, 0x2027, 0x2070, 0x209C,
                                          0x2190, 0x2193, 0x2212, 0x2212, 0x2248, 0x2248,
                                          0x2260, 0x2260, 0x2264, 0x2265, 0};

constexpr float kLargeScale = 1.15F;
constexpr float kLargestScale = 1.3F;  ///< questions

ImFont* addFont(ImFontAtlas& atlas, const fs::path& path, float size) {
  ImFontConfig config;
  config.SizePixels = size;
  config.OversampleH = 1;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  if (!path.empty()) {
    if (ImFont* font = atlas.AddFontFromFileTTF(path.c_str(), size, &config, kGlyphs.data())) return font;
  }
  return atlas.AddFontDefault(&config);
}

}  // namespace

FontTable loadFonts(ImFontAtlas& atlas, float unit, float density, const std::vector<fs::path>& folders) {
  const fs::path regular = fontFile(folders, FontRole::Body);
  const fs::path bold = fontFile(folders, FontRole::Bold);
  const fs::path mono = fontFile(folders, FontRole::Mono);
  const auto size = [&](FontRole role) {
    return std::round(std::max(kLeastText, fontSize(role) * unit) * density);
  };
  FontTable table;
  const auto set = [&](FontRole role, const fs::path& path) {
    table.fonts[static_cast<std::size_t>(role)] = addFont(atlas, path, size(role));
  };
  set(FontRole::Body, regular);
  set(FontRole::Bold, bold);
  set(FontRole::Mono, mono);
  set(FontRole::Small, regular);
  // The notes beside headings.
  const float note = std::round(std::max(kLeastText, fontSize(FontRole::Body) * unit * kNoteScale) * density);
  table.extras = {{FontRole::Body, addFont(atlas, regular, note)}};
  // Charts that are shown large.
  const float large = std::round(fontSize(FontRole::Body) * unit * density * kLargeScale);
  table.extras.push_back({FontRole::Body, addFont(atlas, regular, large)});
  table.extras.push_back({FontRole::Bold, addFont(atlas, bold, large)});
  table.extras.push_back({FontRole::Small, table.of(FontRole::Body)});
  // A question, to be read from afar.
  const float largest = std::round(fontSize(FontRole::Bold) * unit * density * kLargestScale);
  table.extras.push_back({FontRole::Bold, addFont(atlas, bold, largest)});
  table.extras.push_back({FontRole::Mono, addFont(atlas, mono, largest)});
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  atlas.Build();
  dropFontFiles(atlas);
  return table;
}

}  // namespace lanescope
