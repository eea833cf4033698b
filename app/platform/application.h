#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "app/base/host.h"
#include "app/workbench/session.h"

namespace lanescope {

/// The parameters from the command line.
struct ApplicationOptions {
  Selection selection;
  std::uint64_t chosenN = 0;  ///< requested elements, if the lesson opens at more; 0: selection.n
  bool machineChosen = false;
  std::string file;  ///< a kernel file or a session to open instead; if empty, the selection's strategy
  std::optional<std::uint32_t> step;  ///< Cursor::steps to open at
  bool namesRun = false;  ///< the command line names a run: the first lesson does not begin by itself
  std::string theme;      ///< if empty, the one chosen last
  /// Width and height. If there is no value, the window's last size, and for a picture the standard one.
  std::optional<std::pair<int, int>> size;
  std::string worker;                ///< if empty, the default command
  std::filesystem::path screenshot;  ///< empty: a window
  bool ownFileDialogs = false;       ///< even if the system has one
  bool startupTime = false;          ///< milliseconds to the first frame, on stderr
  std::uint32_t statsFrames = 0;     ///< if over 0: play, draw that many, print their times, end
  /// True for a window that a user works in.
  bool isForUse() const { return screenshot.empty() && statsFrames == 0; }
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

/// Runs the app until its window closes or its picture is saved; returns the exit status. An error is one
/// sentence on stderr.
int runApplication(const ApplicationOptions& options, const HostPtr& host);

}  // namespace lanescope
