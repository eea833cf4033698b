#include "app/base/host.h"

#include <cstdlib>
#include <sstream>
#include <system_error>

#include "kernels/protocol/tool_process.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

fs::path folderIn(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

std::optional<fs::path> programIn(const fs::path& folder, std::string_view name) {
  if (folder.empty() || !isProgram(folder / name)) return std::nullopt;
  return folder / name;
}

}  // namespace

fs::path programFolder() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

fs::path sharedFolder() {
  const fs::path folder = programFolder();
  return folder.empty() ? folder : folder.parent_path() / "share" / "lanescope";
}

fs::path homeFolder() { return folderIn("HOME"); }

std::string withHome(const std::string& path) {
  const fs::path home = homeFolder();
  return home.empty() || !path.starts_with("~/") ? path : home.string() + path.substr(1);
}

fs::path settingsPath() {
  fs::path folder = folderIn("XDG_CONFIG_HOME");
  // Paths there must be absolute (XDG Base Directory Specification).
  if (folder.is_relative()) folder.clear();
  if (folder.empty() && !homeFolder().empty()) folder = homeFolder() / ".config";
  return folder.empty() ? folder : folder / "lanescope" / "settings.json";
}

std::vector<fs::path> fontFolders() {
  std::vector<fs::path> folders;
  if (const fs::path shared = sharedFolder(); !shared.empty()) folders.push_back(shared / "fonts");
  for (const char* shared : {"/usr/share/fonts", "/usr/local/share/fonts"}) {
    for (const char* family :
         {"opentype/inter", "truetype/inter", "truetype/jetbrains-mono", "opentype/jetbrains-mono"}) {
      folders.push_back(fs::path(shared) / family);
    }
  }
  return folders;
}

std::optional<fs::path> findProgram(std::string_view name) {
  std::istringstream folders(folderIn("PATH").string());
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (auto found = programIn(folder, name)) return found;
  }
  return std::nullopt;
}

std::optional<fs::path> findOwnProgram(std::string_view name) {
  auto beside = programIn(programFolder(), name);
  return beside ? beside : findProgram(name);
}

std::optional<fs::path> findCudaProgram(std::string_view name) {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const fs::path root = folderIn(variable);
    if (auto found = programIn(root.empty() ? root : root / "bin", name)) return found;
  }
  auto onPath = findProgram(name);
  return onPath ? onPath : programIn("/usr/local/cuda/bin", name);
}

}  // namespace lanescope
