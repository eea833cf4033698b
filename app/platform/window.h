#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <imgui.h>

#include "app/paint/frame_changes.h"
#include "app/panels/base/code_input.h"
#include "app/panels/base/command.h"

namespace lanescope {

/// A window that OpenGL draws into, and its input. Its context is current in the thread that made it.
class Window {
 public:
  Window() = default;
  virtual ~Window() = default;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  virtual bool closing() const = 0;
  /// In screen units, and the number of framebuffer pixels per unit.
  virtual ImVec2 size() const = 0;
  virtual float density() const = 0;

  /// Called with every key and character, in their order. Set it before attachGui().
  std::function<void(const Chord&)> onKey;
  /// Called with the path of a file that was dropped onto the window.
  std::function<void(const std::string& path)> onDrop;

  /// Connects ImGui's current context with the window's input, until detachGui(). Input that arrives faster
  /// than frames are built waits, see InputQueue.
  virtual void attachGui() = 0;
  virtual void detachGui() = 0;
  /// Passes the window's state on to ImGui, before its frame begins.
  virtual void beginGuiFrame() = 0;
  /// Notes that a frame was built.
  virtual void frameBuilt() = 0;

  /// True if there was any input since the last call: keys, pointer, another size, damage.
  virtual bool handleInput() = 0;
  /// The pointer's position at the first button press or release since the last call.
  virtual std::optional<ImVec2> pollButtonPlace() = 0;
  /// True if the screen has lost its content since the last call.
  virtual bool pollLoss() = 0;
  /// Handles the pending input. First waits for input, for at most `seconds`; without a value, without a
  /// limit.
  virtual void handleEvents(std::optional<double> seconds) = 0;
  /// Ends a wait in handleEvents(); may be called from any thread.
  virtual void wake() const = 0;

  /// Shows the whole drawing. The next drawing begins with an empty buffer.
  virtual void swap() = 0;
  /// True if show() can be called.
  virtual bool showsParts() const = 0;
  /// Shows these parts of the drawing. All of it stays unchanged, and can be drawn over in the next frame.
  virtual void show(std::span<const PixelRect> parts) = 0;
  virtual void toggleFullScreen() = 0;
  /// Width and height to open the next window with; no value while it fills the screen.
  virtual std::optional<std::pair<int, int>> sizeToKeep() const = 0;
};

}  // namespace lanescope
