#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "app/cli/arguments.h"

namespace lanescope::cli {

/// The options of `render`, as written.
struct RenderOptions {
  std::string output;    ///< a .svg or .png
  std::string sequence;  ///< a folder
  std::string gif;       ///< a .gif
  std::string page;      ///< a .html
  bool strip = false;
  std::string picture = "all";
  std::string theme = "dark";
  std::string size;  ///< WIDTHxHEIGHT; if empty, the picture's own
  float scale = 1;
  std::uint32_t step = 0;
  bool hasStep = false;  ///< if false, the step at which the app opens
  std::uint32_t wavefront = 0;
  std::string grain = "instruction";
};

void addRenderOptions(CLI::App& command, RenderOptions& options);

/// Draws a launch's block as a file, a strip, a page that steps, a GIF or a folder of frames. Returns the
/// exit status: 0 written, 1 the kernel failed or nothing could be written, 2 wrong usage. If it is not 0,
/// one sentence is on stderr and nothing half-written is left.
int renderCommand(const LaunchRequest& request, Dim3 block, const RenderOptions& options);

}  // namespace lanescope::cli
