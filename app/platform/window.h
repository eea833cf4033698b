#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/paint/frame_changes.h"
#include "app/panels/base/code_input.h"
#include "app/panels/base/command.h"
#include "app/platform/input_queue.h"
#include "sim/base/diagnostic.h"

struct GLFWwindow;

namespace lanescope {

/// A window with an OpenGL 3.3 core context, current in the thread that made it. One at a time.
class Window {
 public:
  struct Options {
    std::string title = "Lanescope";
    int width = 1600;  ///< logical pixels; a screen's scale is added
    int height = 1000;
    bool visible = true;
  };

  /// The error says in one sentence that there is no display, or no OpenGL 3.3, and what to do.
  static Result<std::unique_ptr<Window>> open(const Options& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  bool closing() const;
  /// In screen units, and the number of framebuffer pixels per unit.
  ImVec2 size() const;
  float density() const;

  /// Called with every key and character, in their order. Set it before ImGui's backend chains to it.
  std::function<void(const Chord&)> onKey;
  /// Called with the path of a file that was dropped onto the window.
  std::function<void(const std::string& path)> onDrop;

  /// True if there was any input since the last call: keys, pointer, another size, damage.
  bool handleInput() { return std::exchange(input_, false); }
  /// The pointer's position at the first button press or release since the last call.
  std::optional<ImVec2> pollButtonPlace() { return std::exchange(buttonPlace_, std::nullopt); }
  /// True if the screen has lost its content since the last call.
  bool pollLoss() { return std::exchange(loss_, false); }

  /// Call it once ImGui's backend has replaced these callbacks with its own: input that arrives faster than
  /// frames are built then waits, see InputQueue.
  void queueInput();
  /// Notes that a frame was built.
  void frameBuilt();

  /// Handles the pending input. First waits for input, for at most `seconds`; without a value, without a
  /// limit.
  void handleEvents(std::optional<double> seconds);
  /// Shows the whole drawing. The next drawing begins with an empty buffer.
  void swap();
  /// True if show() can be called: with Mesa on X11.
  bool showsParts() const { return copyPart_ != nullptr; }
  /// Shows these parts of the drawing. All of it stays unchanged, and can be drawn over in the next frame.
  void show(std::span<const PixelRect> parts);
  void toggleFullScreen();
  /// Width and height to open the next window with, as in Options; no value while it fills the screen.
  std::optional<std::pair<int, int>> sizeToKeep() const;

 private:
  explicit Window(GLFWwindow* window);
  void key(int code, int scancode, int action, int modifiers);
  void character(unsigned int letter);
  void button();

  void forwardEvent(const InputEvent& event);

  using KeyCallback = void (*)(GLFWwindow* window, int code, int scancode, int action, int modifiers);
  using CharacterCallback = void (*)(GLFWwindow* window, unsigned int letter);

  /// glXCopySubBufferMESA: pixels of the window, from its lower left corner.
  using CopyPart = void (*)(void* display, unsigned long window, int x, int y, int width, int height);

  GLFWwindow* window_;
  KeyCallback backendKey_ = nullptr;
  CharacterCallback backendCharacter_ = nullptr;
  InputQueue queue_{[this](const InputEvent& event) { forwardEvent(event); }};
  bool input_ = false;
  bool repeats_ = false;    ///< the last key was held
  ImVec2 pointer_{-1, -1};  ///< according to the events so far: glfwGetCursorPos() can be ahead of them
  std::optional<ImVec2> buttonPlace_;
  bool loss_ = false;
  CopyPart copyPart_ = nullptr;
  int savedX_ = 0, savedY_ = 0, savedWidth_ = 0, savedHeight_ = 0;
};

/// Ends a wait in handleEvents; may be called from any thread.
void wakeWindow();

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
