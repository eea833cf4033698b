#include "app/paint/font_files.h"

#include <system_error>

namespace lanescope {
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

std::vector<fs::path> fontFolders() {
  std::vector<fs::path> folders;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path() / ".." / "share" / "lanescope" / "fonts");
  for (const char* shared : {"/usr/share/fonts", "/usr/local/share/fonts"}) {
    for (const char* family :
         {"opentype/inter", "truetype/inter", "truetype/jetbrains-mono", "opentype/jetbrains-mono"}) {
      folders.push_back(fs::path(shared) / family);
    }
  }
  return folders;
}

fs::path fontFile(const std::vector<fs::path>& folders, FontRole role) {
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    if (fs::is_regular_file(folder / fileName(role), ignored)) return folder / fileName(role);
  }
  return {};
}

}  // namespace lanescope
