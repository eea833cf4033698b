#include "app/base/host.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "app/base/child_process.h"
#include "kernels/protocol/tool_process.h"
#include "sim/base/write_file.h"

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

std::optional<fs::path> programOnPath(std::string_view name) {
  std::istringstream folders(folderIn("PATH").string());
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (auto found = programIn(folder, name)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::string Host::withHome(const std::string& path) const {
  const fs::path folder = home();
  return folder.empty() || !path.starts_with("~/") ? path : folder.string() + path.substr(1);
}

std::string Host::absolutePath(const std::string& typed) const {
  return (resolve(".") / withHome(typed)).lexically_normal().string();
}

Host::FileKind DesktopHost::kindOf(const fs::path& path) const {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status)) return FileKind::None;
  return fs::is_regular_file(status) ? FileKind::File
         : fs::is_directory(status)  ? FileKind::Folder
                                     : FileKind::Other;
}

Result<std::string> DesktopHost::read(const fs::path& path, std::uint64_t mostBytes) const {
  const FileKind kind = kindOf(path);
  if (kind == FileKind::None)
    return Error{fmt::format("There is no file '{}'.", path.string()),
                 "Look at the folder and the spelling."};
  if (kind != FileKind::File)
    return Error{fmt::format("'{}' is not a file.", path.string()), "Name a .cu file."};
  std::error_code failure;
  if (fs::file_size(path, failure) > mostBytes)
    return Error{fmt::format("'{}' is larger than {} MiB.", path.string(), mostBytes >> 20U),
                 "A kernel file is smaller."};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) return Error{fmt::format("'{}' cannot be read.", path.string()), "Look at its permissions."};
  return content.str();
}

std::optional<Error> DesktopHost::write(const fs::path& path, const std::string& text) {
  return writeFile(path, text);
}

std::optional<Error> DesktopHost::writeLasting(const fs::path& path, const std::string& text) {
  return writeFile(path, text, true);
}

bool DesktopHost::remove(const fs::path& path) {
  std::error_code failure;
  fs::remove(path, failure);
  return !failure;
}

std::shared_ptr<void> DesktopHost::claim(const fs::path& path) {
  auto file = std::make_shared<Descriptor>(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  if (!file->isOpen() || ::flock(file->get(), LOCK_EX | LOCK_NB) != 0) return nullptr;
  return file;
}

bool DesktopHost::rename(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::rename(from, to, failure);
  return !failure;
}

void DesktopHost::makeFolder(const fs::path& path) {
  std::error_code failure;
  fs::create_directories(path, failure);
}

std::vector<Host::Entry> DesktopHost::list(const fs::path& folder) const {
  std::vector<Entry> entries;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure); !failure && at != fs::directory_iterator();
       at.increment(failure)) {
    std::error_code ignored;
    entries.push_back({at->path().filename().string(), at->is_directory(ignored)});
  }
  return entries;
}

fs::path DesktopHost::resolve(const fs::path& path) const {
  std::error_code failure;
  return fs::weakly_canonical(path, failure);
}

fs::path DesktopHost::home() const { return folderIn("HOME"); }

fs::path DesktopHost::settingsPath() const {
  fs::path folder = folderIn("XDG_CONFIG_HOME");
  // Paths there must be absolute (XDG Base Directory Specification).
  if (folder.is_relative()) folder.clear();
  if (folder.empty() && !home().empty()) folder = home() / ".config";
  return folder.empty() ? folder : folder / "lanescope" / "settings.json";
}

std::optional<fs::path> DesktopHost::findProgram(std::string_view name) const {
  auto beside = programIn(programFolder(), name);
  return beside ? beside : programOnPath(name);
}

fs::path programFolder() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

fs::path sharedFolder() {
  const fs::path folder = programFolder();
  return folder.empty() ? folder : folder.parent_path() / "share" / "lanescope";
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

std::optional<fs::path> findCudaProgram(std::string_view name) {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const fs::path root = folderIn(variable);
    if (auto found = programIn(root.empty() ? root : root / "bin", name)) return found;
  }
  auto onPath = programOnPath(name);
  return onPath ? onPath : programIn("/usr/local/cuda/bin", name);
}

}  // namespace lanescope
