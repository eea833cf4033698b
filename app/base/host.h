#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// What the app asks of the system that it runs on, besides processes (child_process.h), its window and the
/// clipboard (app/platform). Nothing else in app/ reads the environment; an empty path means that there is no
/// such folder.

/// The folder of this program's file.
std::filesystem::path programFolder();
/// The folder of the fonts and recordings that ship with it.
std::filesystem::path sharedFolder();
std::filesystem::path homeFolder();
/// The path with "~/" resolved.
std::string withHome(const std::string& path);

/// `$XDG_CONFIG_HOME/lanescope/settings.json`, or the same below `~/.config`.
std::filesystem::path settingsPath();
/// Folders to search for Inter and JetBrains Mono, the program's own first.
std::vector<std::filesystem::path> fontFolders();

/// The program of that name on the PATH, or nullopt.
std::optional<std::filesystem::path> findProgram(std::string_view name);
/// The same, but beside this program first.
std::optional<std::filesystem::path> findOwnProgram(std::string_view name);
/// A program of the CUDA Toolkit: in CUDA_HOME or CUDA_PATH, on the PATH, or in its usual folder.
std::optional<std::filesystem::path> findCudaProgram(std::string_view name);

}  // namespace lanescope
