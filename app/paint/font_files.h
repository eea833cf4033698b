#pragma once

#include <filesystem>
#include <vector>

#include "app/pictures/base/scene.h"

namespace lanescope {

/// Folders to search for Inter and JetBrains Mono, the program's own first.
std::vector<std::filesystem::path> fontFolders();

/// The file of a role's face in the first folder that has it; empty if none has.
std::filesystem::path fontFile(const std::vector<std::filesystem::path>& folders, FontRole role);

}  // namespace lanescope
