#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// What a session and its window ask of the system that they run on, besides the window itself and the
/// clipboard (app/platform): the files of a user, the settings, other programs. Made once, in main, and
/// passed on. Paths can be relative to the working folder.
class Host {
 public:
  enum class FileKind : std::uint8_t { None, File, Folder, Other };
  struct Entry {
    std::string name;
    bool isFolder = false;
  };

  Host() = default;
  virtual ~Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  virtual FileKind kindOf(const std::filesystem::path& path) const = 0;
  /// The bytes of a file of at most `mostBytes`. Errors, one sentence each: the file is missing, not regular,
  /// larger than that, not readable.
  virtual Result<std::string> read(const std::filesystem::path& path, std::uint64_t mostBytes) const = 0;
  /// Writes a file into an existing folder. The error is one sentence with the path.
  virtual std::optional<Error> write(const std::filesystem::path& path, const std::string& text) = 0;
  /// The same, and it is on the disk when that returns: a power cut leaves the old text or the new one, if
  /// the file has one name (see writeFile()). Can be called from any thread.
  virtual std::optional<Error> writeLasting(const std::filesystem::path& path, const std::string& text) = 0;
  /// Removes a file if it is there; false if it still is. Can be called from any thread.
  virtual bool remove(const std::filesystem::path& path) = 0;
  /// Creates a file in an existing folder if needed and locks it for this program, until the value is
  /// released or the program ends in any way. Null if another one has it, or if it cannot be made.
  virtual std::shared_ptr<void> claim(const std::filesystem::path& path) = 0;
  /// False if that failed.
  virtual bool rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  virtual void makeFolder(const std::filesystem::path& path) = 0;
  /// What is in a folder, in any order; empty if it cannot be read.
  virtual std::vector<Entry> list(const std::filesystem::path& folder) const = 0;
  /// The absolute path without links; empty if there is none.
  virtual std::filesystem::path resolve(const std::filesystem::path& path) const = 0;
  /// Empty if there is none, as settingsPath().
  virtual std::filesystem::path home() const = 0;
  virtual std::filesystem::path settingsPath() const = 0;

  /// False if no other program can be started from here.
  virtual bool startsPrograms() const = 0;
  /// The program of that name beside this one, else on the PATH, or nullopt.
  virtual std::optional<std::filesystem::path> findProgram(std::string_view name) const = 0;

  /// The path with "~/" resolved.
  std::string withHome(const std::string& path) const;
  /// The same, with the working folder before it if there is one.
  std::string absolutePath(const std::string& typed) const;
};
using HostPtr = std::shared_ptr<Host>;

/// The file system, the environment and the programs of this machine. Settings are in
/// `$XDG_CONFIG_HOME/lanescope/settings.json`, or the same below `~/.config`.
class DesktopHost : public Host {
 public:
  FileKind kindOf(const std::filesystem::path& path) const override;
  Result<std::string> read(const std::filesystem::path& path, std::uint64_t mostBytes) const override;
  std::optional<Error> write(const std::filesystem::path& path, const std::string& text) override;
  std::optional<Error> writeLasting(const std::filesystem::path& path, const std::string& text) override;
  bool remove(const std::filesystem::path& path) override;
  std::shared_ptr<void> claim(const std::filesystem::path& path) override;
  bool rename(const std::filesystem::path& from, const std::filesystem::path& to) override;
  void makeFolder(const std::filesystem::path& path) override;
  std::vector<Entry> list(const std::filesystem::path& folder) const override;
  std::filesystem::path resolve(const std::filesystem::path& path) const override;
  std::filesystem::path home() const override;
  std::filesystem::path settingsPath() const override;
  bool startsPrograms() const override { return true; }
  std::optional<std::filesystem::path> findProgram(std::string_view name) const override;
};

// What ships with this program or is installed beside it; an empty path means that there is no such folder.

/// The folder of this program's file.
std::filesystem::path programFolder();
/// The folder of the fonts and recordings that ship with it.
std::filesystem::path sharedFolder();
/// Folders to search for Inter and JetBrains Mono, the program's own first.
std::vector<std::filesystem::path> fontFolders();
/// A program of the CUDA Toolkit: in CUDA_HOME or CUDA_PATH, on the PATH, or in its usual folder.
std::optional<std::filesystem::path> findCudaProgram(std::string_view name);

}  // namespace lanescope
