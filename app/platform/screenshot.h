#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// Runs `draw` into an off-screen framebuffer of that size and saves it as a PNG. Needs a current
/// OpenGL context. The error is one sentence.
std::optional<Error> saveScreenshot(const std::filesystem::path& path, int width, int height,
                                    const std::function<void()>& draw);

}  // namespace lanescope
