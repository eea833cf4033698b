#pragma once

#include <filesystem>
#include <vector>

#include "app/scene/base/scene.h"

namespace lanescope {

/// Folders to look for Inter and JetBrains Mono in, the program's own first.
std::vector<std::filesystem::path> fontFolders();

/// The file of a role's face in the first of the folders that has it; empty where none has.
std::filesystem::path fontFile(const std::vector<std::filesystem::path>& folders, FontRole role);

}  // namespace lanescope
