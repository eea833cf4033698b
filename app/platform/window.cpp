#include "app/platform/window.h"

#include <algorithm>
#include <utility>

#include <glad/gl.h>
// glad before GLFW, which then leaves OpenGL's own header out.
#include <GLFW/glfw3.h>

namespace lanescope {
namespace {

constexpr const char* kWayOut =
    "Run it with a display, as `xvfb-run -a lanescope` (with --screenshot OUT.png for a picture), or use "
    "`lanescope-cli`, which needs none.";

Error noWindow(std::string what) {
  const char* reason = nullptr;
  glfwGetError(&reason);
  if (reason != nullptr) what += std::string(" (") + reason + ")";
  return Error{what + ".", kWayOut, {}};
}

std::optional<Key> keyOf(int code) {
  switch (code) {
    case GLFW_KEY_SPACE: return Key::Space;
    case GLFW_KEY_LEFT: return Key::Left;
    case GLFW_KEY_RIGHT: return Key::Right;
    case GLFW_KEY_UP: return Key::Up;
    case GLFW_KEY_DOWN: return Key::Down;
    case GLFW_KEY_HOME: return Key::Home;
    case GLFW_KEY_END: return Key::End;
    case GLFW_KEY_ESCAPE: return Key::Escape;
    case GLFW_KEY_F1: return Key::Help;
    default: return std::nullopt;
  }
}

/// Letters go by what they write, wherever they lie on the keyboard.
std::optional<Key> keyOfCharacter(unsigned int letter) {
  switch (letter) {
    case 't':
    case 'T': return Key::Theme;
    case '?': return Key::Help;
    case '+':
    case '=': return Key::Faster;
    case '-': return Key::Slower;
    case '1': return Key::Grain1;
    case '2': return Key::Grain2;
    case '3': return Key::Grain3;
    case 'n':
    case 'N': return Key::PassOn;
    case 'p':
    case 'P': return Key::PassBack;
    case 'r':
    case 'R': return Key::Run;
    case 'c':
    case 'C': return Key::Conflict;
    case 'd':
    case 'D': return Key::Divergence;
    case 'h':
    case 'H': return Key::Hazard;
    case 'b':
    case 'B': return Key::Barrier;
    case 'm':
    case 'M': return Key::Motion;
    case '[': return Key::WarpBack;
    case ']': return Key::WarpOn;
    case 'l':
    case 'L': return Key::StopOnLine;
    default: return std::nullopt;
  }
}

Window* self(GLFWwindow* window) { return static_cast<Window*>(glfwGetWindowUserPointer(window)); }

/// Makes the window no larger than the screen leaves room for.
void fitToScreen(GLFWwindow* window) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return;
  int x = 0, y = 0, width = 0, height = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  int windowWidth = 0, windowHeight = 0;
  glfwGetWindowSize(window, &windowWidth, &windowHeight);
  if (width <= 0 || height <= 0 || (windowWidth <= width && windowHeight <= height)) return;
  glfwSetWindowSize(window, std::min(width, windowWidth), std::min(height, windowHeight));
  glfwSetWindowPos(window, x, y);
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(const Options& options) {
  if (glfwInit() != GLFW_TRUE) return noWindow("No window can be opened here");
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  if (options.visible) glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* handle =
      glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
  if (handle == nullptr) {
    Error error = noWindow("No window with OpenGL 3.3 can be opened here");
    glfwTerminate();
    return error;
  }
  std::unique_ptr<Window> window(new Window(handle));
  if (gladLoadGL(glfwGetProcAddress) == 0) return Error{"OpenGL 3.3 cannot be loaded here.", kWayOut, {}};
  if (options.visible) {
    fitToScreen(handle);
    glfwSetWindowSizeLimits(handle, 1024, 640, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwShowWindow(handle);
  }
  return window;
}

Window::Window(GLFWwindow* window) : window_(window) {
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int code, int, int action, int modifiers) {
    self(w)->key(code, action, modifiers);
  });
  // ImGui's backend calls these, where it sets its own over them.
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { self(w)->input_ = true; });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { self(w)->input_ = true; });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { self(w)->input_ = true; });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { self(w)->input_ = true; });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { self(w)->input_ = true; });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { self(w)->input_ = true; });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { self(w)->input_ = true; });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned int letter) { self(w)->character(letter); });
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::closing() const { return glfwWindowShouldClose(window_) != 0; }
void Window::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

ImVec2 Window::size() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return ImVec2(static_cast<float>(width), static_cast<float>(height));
}

float Window::density() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  const float logical = size().x;
  return logical > 0 && width > 0 ? static_cast<float>(width) / logical : 1.0F;
}

void Window::handleEvents(std::optional<double> seconds) {
  if (!seconds) {
    glfwWaitEvents();
  } else if (*seconds <= 0) {
    glfwPollEvents();
  } else {
    glfwWaitEventsTimeout(*seconds);
  }
}

void Window::swap() { glfwSwapBuffers(window_); }

void Window::toggleFullScreen() {
  if (glfwGetWindowMonitor(window_) != nullptr) {
    glfwSetWindowMonitor(window_, nullptr, savedX_, savedY_, savedWidth_, savedHeight_, GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
  if (mode == nullptr) return;
  glfwGetWindowPos(window_, &savedX_, &savedY_);
  glfwGetWindowSize(window_, &savedWidth_, &savedHeight_);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::key(int code, int action, int modifiers) {
  input_ = true;
  if (action == GLFW_RELEASE || !onKey) return;
  const std::optional<Key> key = keyOf(code);
  if (key && (action == GLFW_PRESS || *key != Key::Space)) onKey(*key, (modifiers & GLFW_MOD_SHIFT) != 0);
}

void Window::character(unsigned int letter) {
  input_ = true;
  if (letter == 'f' || letter == 'F') return toggleFullScreen();
  const std::optional<Key> key = keyOfCharacter(letter);
  const bool capital = letter >= 'A' && letter <= 'Z';
  if (key && onKey) onKey(*key, capital);
}

void wakeWindow() { glfwPostEmptyEvent(); }

}  // namespace lanescope
