#include "app/paint/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "app/paint/imgui_compat.h"
#include "app/pictures/base/text_measure.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

/// Latin, dashes, quotes and bullets, superscripts, arrows, minus and the comparisons; ends with 0.
constexpr std::array<ImWchar, 17> kGlyphs{0x20,   0xFF,   0x2010, 0x2027, 0x2070, 0x209C,
                                          0x2190, 0x2193, 0x2212, 0x2212, 0x2248, 0x2248,
                                          0x2260, 0x2260, 0x2264, 0x2265, 0};

constexpr float kSmallerStep = kNoteScale;
constexpr float kLargeScale = 1.15F;
constexpr float kLargestScale = 1.3F;  ///< questions
/// The width of a bold face's space: its own, rounded to whole pixels, would make the words of a small one
/// run together.
constexpr float kBoldSpace = 0.32F;

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

/// The faces of an atlas by file and size, each once.
class FaceSizes {
 public:
  FaceSizes(ImFontAtlas& atlas, float density) : atlas_(atlas), density_(density) {}

  /// Rasterized at that size in logical pixels.
  ImFont* of(const fs::path& file, float size) {
    const float pixels = std::round(size * density_);
    ImFont*& face = faces_[{file, pixels}];
    if (face == nullptr) face = addFont(atlas_, file, pixels);
    return face;
  }
  /// Sets the space in each face of that file to that share of its size; call it once the atlas is built.
  void widenSpaces(const fs::path& file, float share) {
    for (const auto& [which, face] : faces_) {
      if (which.first == file) widenSpace(*face, std::round(share * which.second));
    }
  }

 private:
  ImFontAtlas& atlas_;
  float density_;
  std::map<std::pair<fs::path, float>, ImFont*> faces_;
};

}  // namespace

FontTable loadFonts(ImFontAtlas& atlas, float unit, float density, const std::vector<fs::path>& folders) {
  FaceSizes sizes(atlas, density);
  FontTable table;
  constexpr std::array kRoles{FontRole::Body, FontRole::Bold, FontRole::Mono, FontRole::Small};
  for (const FontRole role : kRoles) {
    const fs::path file = fontFile(folders, role == FontRole::Small ? FontRole::Body : role);
    const float own = std::max(kLeastText, fontSize(role) * unit);
    table.fonts[static_cast<std::size_t>(role)] = sizes.of(file, own);
    const auto add = [&](float size) { table.extras.push_back({role, sizes.of(file, size)}); };
    // Parts with little room have smaller letters, enlarged charts and questions larger ones.
    for (float size = own * kSmallerStep; size > kLeastText; size *= kSmallerStep) add(size);
    add(kLeastText);
    add(own * kLargeScale);
    if (role == FontRole::Bold || role == FontRole::Mono) add(own * kLargestScale);
  }
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  atlas.Build();
  sizes.widenSpaces(fontFile(folders, FontRole::Bold), kBoldSpace);
  dropFontFiles(atlas);
  return table;
}

}  // namespace lanescope
