#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <imgui.h>

#include "app/paint/frame_changes.h"
#include "app/platform/input_queue.h"
#include "app/views/base/chord.h"
#include "app/views/source/code_input.h"
#include "sim/language/text/diagnostic.h"

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

  /// The error says in one sentence that there is no display, or no OpenGL 3.3, and the way out.
  static Result<std::unique_ptr<Window>> open(const Options& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  bool closing() const;
  /// In screen units, and how many framebuffer pixels one is.
  ImVec2 size() const;
  float density() const;

  /// Called with every key that may mean something here; true where it did, and is no text. Set before
  /// ImGui's backend chains to it.
  std::function<bool(const Chord&)> onChord;

  /// Called with every key and character that means something in a text, in their order.
  std::function<void(const CodeEvent&)> onType;
  /// Called with the path of a file that was dropped onto the window.
  std::function<void(const std::string& path)> onDrop;

  /// Whether anything has come in since the last call: keys, pointer, another size, damage.
  bool takeInput() { return std::exchange(input_, false); }
  /// Where the pointer was at the first button pressed or released since the last call.
  std::optional<ImVec2> takeButtonPlace() { return std::exchange(buttonPlace_, std::nullopt); }
  /// Whether the screen has lost what was shown since the last call.
  bool takeLoss() { return std::exchange(loss_, false); }

  /// Call it once ImGui's backend has put its callbacks over these: what comes in faster than frames are
  /// built then waits, as InputQueue says.
  void queueInput();
  /// Notes that a frame was built.
  void frameBuilt();

  /// Handles what has come in; `seconds` waits for at most that long first, nothing waits for ever.
  void handleEvents(std::optional<double> seconds);
  /// Shows all that was drawn; what is drawn next begins from nothing.
  void swap();
  /// Whether show() can be called: with Mesa on X11.
  bool showsParts() const { return copyPart_ != nullptr; }
  /// Shows these parts of what was drawn; all of it stays as it is, and can be drawn over in the next frame.
  void show(std::span<const PixelRect> parts);
  void toggleFullScreen();
  /// Width and height to open the next window with, as in Options; nothing while it fills the screen.
  std::optional<std::pair<int, int>> sizeToKeep() const;

 private:
  explicit Window(GLFWwindow* window);
  void key(int code, int scancode, int action, int modifiers);
  void type(int code, int scancode, int modifiers);
  void character(unsigned int letter);
  void button();

  void handOn(const InputEvent& event);

  using KeyCallback = void (*)(GLFWwindow* window, int code, int scancode, int action, int modifiers);
  using CharacterCallback = void (*)(GLFWwindow* window, unsigned int letter);

  /// glXCopySubBufferMESA: pixels of the window, from its lower left corner.
  using CopyPart = void (*)(void* display, unsigned long window, int x, int y, int width, int height);

  GLFWwindow* window_;
  KeyCallback backendKey_ = nullptr;
  CharacterCallback backendCharacter_ = nullptr;
  InputQueue queue_{[this](const InputEvent& event) { handOn(event); }};
  bool input_ = false;
  ImVec2 pointer_{-1, -1};  ///< as the events so far say: glfwGetCursorPos() may be ahead of them
  std::optional<ImVec2> buttonPlace_;
  bool loss_ = false;
  CopyPart copyPart_ = nullptr;
  int savedX_ = 0, savedY_ = 0, savedWidth_ = 0, savedHeight_ = 0;
};

/// Ends a wait in handleEvents; may be called from any thread.
void wakeWindow();

}  // namespace lanescope
