#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/paint/frame_changes.h"
#include "app/platform/window.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// Draws ImGui's frames into a window with OpenGL. In software, which makes a pixel expensive, only the
/// differences from the previous frame are drawn and shown, if the window can show parts.
class FrameOutput {
 public:
  /// The window's OpenGL context must be current, and ImGui's backend for it must exist.
  explicit FrameOutput(Window& window);

  /// Call it once the backend's frame has begun: its texture of letters is then complete.
  void frameBegins() const;
  /// Draws a frame on that background.
  void draw(ImDrawData& frame, ImVec4 background);
  /// Shows it.
  void show();
  /// The next frame is drawn as a whole, for example with other letters.
  void forget() { changes_.forget(); }
  /// Share of the last frame's pixels that were drawn, 0 to 1.
  double shareDrawn() const;

 private:
  Window& window_;
  bool isSoftware_;
  FrameChanges changes_;
  std::vector<PixelRect> areas_;  ///< of the last frame, the parts to draw and show
  std::pair<int, int> size_;      ///< of the last frame, in pixels
  std::pair<int, int> swapped_;   ///< of the last frame that was shown as a whole
  ImVec4 background_;
};

/// Runs `draw` into an off-screen framebuffer of that size and saves it as a PNG. Needs a current
/// OpenGL context. The error is one sentence.
std::optional<Error> saveScreenshot(const std::filesystem::path& path, int width, int height,
                                    const std::function<void()>& draw);

}  // namespace lanescope
