#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/platform/input_queue.h"
#include "app/platform/window.h"
#include "sim/base/diagnostic.h"

struct GLFWwindow;

namespace lanescope {

/// A window of the desktop with an OpenGL 3.3 core context. One at a time.
class GlfwWindow : public Window {
 public:
  struct Options {
    std::string title = "Lanescope";
    int width = 1600;  ///< logical pixels; a screen's scale is added
    int height = 1000;
    bool visible = true;
  };

  /// The error says in one sentence that there is no display, or no OpenGL 3.3, and what to do.
  static Result<std::unique_ptr<Window>> open(const Options& options);
  ~GlfwWindow() override;
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  bool closing() const override;
  ImVec2 size() const override;
  float density() const override;
  void attachGui() override;
  void detachGui() override;
  void beginGuiFrame() override;
  void frameBuilt() override { queue_.frameBuilt(); }
  bool handleInput() override { return std::exchange(input_, false); }
  std::optional<ImVec2> pollButtonPlace() override { return std::exchange(buttonPlace_, std::nullopt); }
  bool pollLoss() override { return std::exchange(loss_, false); }
  void handleEvents(std::optional<double> seconds) override;
  void wake() const override;
  void swap() override;
  /// With Mesa on X11.
  bool showsParts() const override { return copyPart_ != nullptr; }
  void show(std::span<const PixelRect> parts) override;
  void toggleFullScreen() override;
  std::optional<std::pair<int, int>> sizeToKeep() const override;

 private:
  explicit GlfwWindow(GLFWwindow* window);
  void key(int code, int scancode, int action, int modifiers);
  void character(unsigned int letter);
  void button();

  void queueInput();
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

}  // namespace lanescope
