#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "app/session/run/session.h"

namespace lanescope {

/// What the command line decides.
struct ApplicationOptions {
  Selection selection;
  std::uint64_t chosenN =
      0;  ///< elements that were asked for, where the lesson opens at more; 0: selection.n
  bool machineChosen = false;
  std::string file;  ///< a kernel file or a session to open instead; empty: the selection's strategy
  std::optional<std::uint32_t> step;  ///< Cursor::steps to open at
  bool namesRun = false;              ///< it was said what to open: the first lesson does not begin by itself
  std::string theme;                  ///< empty: the one chosen last
  /// Width and height; nothing: the window's last size, and for a picture the standard one.
  std::optional<std::pair<int, int>> size;
  std::string worker;                ///< empty: the default command
  std::filesystem::path screenshot;  ///< empty: a window
  bool ownFileDialogs = false;       ///< also where the system has one
  bool startupTime = false;          ///< milliseconds to the first frame, on stderr
  std::uint32_t statsFrames = 0;     ///< over 0: play, draw that many, print their times, end
  /// Whether it is a window that a person uses.
  bool isForUse() const { return screenshot.empty() && statsFrames == 0; }
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

/// Runs the app until its window closes or its picture is saved; returns the exit status. What goes
/// wrong is one sentence on stderr.
int runApplication(const ApplicationOptions& options);

}  // namespace lanescope
