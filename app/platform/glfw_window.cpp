#include "app/platform/glfw_window.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <cstdlib>

// glad before GLFW, which then leaves OpenGL's own header out.
#include <glad/gl.h>

#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <imgui_impl_glfw.h>

#include "app/base/whole.h"

namespace lanescope {
namespace {

constexpr const char* kWayOut =
    "Run it with a display, as `xvfb-run -a lanescope` (with --screenshot OUT.png for a picture), or use "
    "`lanescope-cli`, which needs none.";

Error noWindow(std::string what) {
  const char* reason = nullptr;
  glfwGetError(&reason);
  if (reason != nullptr) what += std::string(" (") + reason + ")";
  return Error{what + ".", kWayOut};
}

std::optional<NamedKey> namedKey(int code) {
  switch (code) {
    case GLFW_KEY_SPACE: return NamedKey::Space;
    case GLFW_KEY_LEFT: return NamedKey::Left;
    case GLFW_KEY_RIGHT: return NamedKey::Right;
    case GLFW_KEY_UP: return NamedKey::Up;
    case GLFW_KEY_DOWN: return NamedKey::Down;
    case GLFW_KEY_HOME: return NamedKey::Home;
    case GLFW_KEY_END: return NamedKey::End;
    case GLFW_KEY_PAGE_UP: return NamedKey::PageUp;
    case GLFW_KEY_PAGE_DOWN: return NamedKey::PageDown;
    case GLFW_KEY_TAB: return NamedKey::Tab;
    case GLFW_KEY_BACKSPACE: return NamedKey::Backspace;
    case GLFW_KEY_DELETE: return NamedKey::Delete;
    case GLFW_KEY_ESCAPE: return NamedKey::Esc;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: return NamedKey::Enter;
    default: break;
  }
  if (code < GLFW_KEY_F1 || code > GLFW_KEY_F12) return std::nullopt;
  return static_cast<NamedKey>(static_cast<int>(NamedKey::F1) + code - GLFW_KEY_F1);
}

/// The character that a key writes without modifiers, anywhere on the keyboard. If the platform does not know
/// it, the character on a US keyboard. 0 if there is none.
char toLetter(int code, int scancode) {
  if (code == GLFW_KEY_KP_ADD) return '+';
  if (code == GLFW_KEY_KP_SUBTRACT) return '-';
  if (code == GLFW_KEY_KP_0) return '0';
  const char* name = glfwGetKeyName(code, scancode);
  if (name != nullptr) return name[0] != 0 && name[1] == 0 ? name[0] : '\0';
  const bool isPrinted = code > GLFW_KEY_SPACE && code <= GLFW_KEY_GRAVE_ACCENT;
  return isPrinted ? static_cast<char>(std::tolower(code)) : '\0';
}

GlfwWindow* self(GLFWwindow* window) { return static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window)); }

/// A function of the current OpenGL, or null.
template <class Function>
Function procedure(const char* name) {
  return reinterpret_cast<Function>(glfwGetProcAddress(name));
}

/// As XErrorEvent of X11/Xlib.h, which is not needed otherwise.
struct XError {
  int type;
  void* display;
  unsigned long resource, serial;
  unsigned char code, request, minor;
};
using XErrorHandler = int (*)(void* display, XError* error);

/// What the handler of X's errors knows. It cannot be a member of the window: Xlib has one handler in a
/// process, and gives it no pointer of its owner.
struct Refusals {
  std::atomic<bool> isNew{false};            ///< X has refused a copy since that was last set to false
  std::atomic<XErrorHandler> next{nullptr};  ///< for all other errors: the handler that was set before
};
Refusals& refusals() {
  static Refusals all;
  return all;
}

int handleXError(void* display, XError* error) {
  constexpr unsigned char kBadValue = 2, kBadMatch = 8, kBadDrawable = 9;  // of X11/X.h
  const bool isOfCopy = error->code == kBadValue || error->code == kBadMatch || error->code == kBadDrawable;
  if (!isOfCopy) {
    const XErrorHandler next = refusals().next;
    return next == nullptr ? 0 : next(display, error);
  }
  refusals().isNew = true;
  return 0;
}

/// The window's size on the screen can be another one than here, as events take their time: X refuses a part
/// of the drawing that is copied there, and Xlib would end the program. The drawing is then lost.
void surviveRefusals() {
  static const auto kSetHandler = [] {
    void* const xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    return reinterpret_cast<XErrorHandler (*)(XErrorHandler)>(
        xlib == nullptr ? nullptr : dlsym(xlib, "XSetErrorHandler"));
  }();
  if (kSetHandler == nullptr) return;
  const XErrorHandler before = kSetHandler(handleXError);
  if (before != handleXError) refusals().next = before;
}

/// Limits the window to the room on the screen.
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

/// GLFW 3.4 tries Wayland first, and its library prints a complaint on stderr if there is none.
void preferX11WithoutWayland() {
#ifdef GLFW_PLATFORM
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  const bool hasWayland = wayland != nullptr && *wayland != '\0';
  if (!hasWayland && std::getenv("DISPLAY") != nullptr &&
      glfwPlatformSupported(GLFW_PLATFORM_X11) == GLFW_TRUE)
    glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
}

}  // namespace

Result<std::unique_ptr<Window>> GlfwWindow::open(const Options& options) {
  preferX11WithoutWayland();
  if (glfwInit() != GLFW_TRUE) return noWindow("No window can be opened here");
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  if (options.visible) glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  // A desktop uses it to find the entry with the icon (packaging/lanescope.desktop).
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "lanescope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "lanescope");
#ifdef GLFW_WAYLAND_APP_ID
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "lanescope");
#endif
  GLFWwindow* handle =
      glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
  if (handle == nullptr) {
    Error error = noWindow("No window with OpenGL 3.3 can be opened here");
    glfwTerminate();
    return error;
  }
  std::unique_ptr<Window> window(new GlfwWindow(handle));
  if (gladLoadGL(glfwGetProcAddress) == 0) return Error{"OpenGL 3.3 cannot be loaded here.", kWayOut};
  if (options.visible) {
    fitToScreen(handle);
    glfwSetWindowSizeLimits(handle, 1024, 640, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwShowWindow(handle);
  }
  return window;
}

GlfwWindow::GlfwWindow(GLFWwindow* window) : window_(window) {
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  if (glfwExtensionSupported("GLX_MESA_copy_sub_buffer") == GLFW_TRUE)
    copyPart_ = procedure<CopyPart>("glXCopySubBufferMESA");
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int code, int scancode, int action, int modifiers) {
    self(w)->key(code, scancode, action, modifiers);
  });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    self(w)->input_ = true;
    if (count > 0 && self(w)->onDrop) self(w)->onDrop(paths[0]);
  });
  // ImGui's backend calls these when it replaces them with its own.
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    self(w)->input_ = true;
    self(w)->pointer_ = ImVec2(static_cast<float>(x), static_cast<float>(y));
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { self(w)->button(); });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { self(w)->input_ = true; });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { self(w)->input_ = true; });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { self(w)->input_ = true; });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { self(w)->input_ = true; });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { self(w)->input_ = self(w)->loss_ = true; });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned int letter) { self(w)->character(letter); });
}

GlfwWindow::~GlfwWindow() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool GlfwWindow::closing() const { return glfwWindowShouldClose(window_) != 0; }

ImVec2 GlfwWindow::size() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return ImVec2(static_cast<float>(width), static_cast<float>(height));
}

float GlfwWindow::density() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  const float logical = size().x;
  return logical > 0 && width > 0 ? static_cast<float>(width) / logical : 1.0F;
}

void GlfwWindow::handleEvents(std::optional<double> seconds) {
  if (refusals().isNew) seconds = 0;
  if (!seconds) {
    glfwWaitEvents();
  } else if (*seconds <= 0) {
    glfwPollEvents();
  } else {
    glfwWaitEventsTimeout(*seconds);
  }
  if (refusals().isNew.exchange(false)) input_ = loss_ = true;
}

void GlfwWindow::swap() { glfwSwapBuffers(window_); }

void GlfwWindow::show(std::span<const PixelRect> parts) {
  surviveRefusals();  // GLFW can have set its own handler
  const auto display = procedure<void* (*)()>("glXGetCurrentDisplay");
  const auto drawable = procedure<unsigned long (*)()>("glXGetCurrentDrawable");
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  for (const PixelRect& part : parts)
    copyPart_(display(), drawable(), part.left, height - part.bottom, part.right - part.left,
              part.bottom - part.top);
}

void GlfwWindow::toggleFullScreen() {
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

std::optional<std::pair<int, int>> GlfwWindow::sizeToKeep() const {
  const bool fills =
      glfwGetWindowMonitor(window_) != nullptr || glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  // The factor that opening the window adds for the screen's scale; 1 if framebuffer pixels are counted
  // separately.
  const float added = std::max(x, 1.0F) / density();
  const ImVec2 now = size();
  if (fills || added <= 0 || now.x <= 0 || now.y <= 0) return std::nullopt;
  return std::pair(roundToWhole<int>(now.x / added), roundToWhole<int>(now.y / added));
}

void GlfwWindow::attachGui() {
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  queueInput();
}

void GlfwWindow::detachGui() { ImGui_ImplGlfw_Shutdown(); }

void GlfwWindow::beginGuiFrame() { ImGui_ImplGlfw_NewFrame(); }

/// In place of the callbacks of ImGui's backend, which get the events from the queue.
void GlfwWindow::queueInput() {
  backendKey_ = glfwSetKeyCallback(window_, [](GLFWwindow* w, int code, int scancode, int action, int mods) {
    using Kind = InputEvent::Kind;
    const Kind kind = action == GLFW_RELEASE  ? Kind::Release
                      : action == GLFW_REPEAT ? Kind::Repeat
                                              : Kind::Press;
    self(w)->input_ = true;
    self(w)->queue_.receive({kind, code, scancode, mods, 0});
  });
  backendCharacter_ = glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned int letter) {
    self(w)->input_ = true;
    self(w)->queue_.receive({InputEvent::Kind::Character, 0, 0, 0, letter});
  });
}

void GlfwWindow::forwardEvent(const InputEvent& event) {
  switch (event.kind) {
    case InputEvent::Kind::Character: return backendCharacter_(window_, event.letter);
    case InputEvent::Kind::Press:
      return backendKey_(window_, event.code, event.scancode, GLFW_PRESS, event.modifiers);
    case InputEvent::Kind::Repeat:
      return backendKey_(window_, event.code, event.scancode, GLFW_REPEAT, event.modifiers);
    case InputEvent::Kind::Release:
      return backendKey_(window_, event.code, event.scancode, GLFW_RELEASE, event.modifiers);
  }
}

void GlfwWindow::key(int code, int scancode, int action, int modifiers) {
  input_ = true;
  if (action == GLFW_RELEASE) return;
  repeats_ = action == GLFW_REPEAT;
  const bool isControl = (modifiers & GLFW_MOD_CONTROL) != 0;
  const std::optional<NamedKey> named = namedKey(code);
  // Without Ctrl a character arrives in a separate event.
  if (!isControl && (!named || *named == NamedKey::Space)) return;
  Chord pressed;
  if (named)
    pressed.key = *named;
  else
    pressed.letter = static_cast<unsigned char>(toLetter(code, scancode));
  pressed.shift = (modifiers & GLFW_MOD_SHIFT) != 0;
  pressed.control = isControl;
  pressed.repeats = repeats_;
  if (onKey) onKey(pressed);
}

void GlfwWindow::character(unsigned int letter) {
  input_ = true;
  Chord pressed = Chord::writing(letter);
  pressed.repeats = repeats_;
  if (onKey) onKey(pressed);
}

void GlfwWindow::button() {
  input_ = true;
  if (!buttonPlace_ && pointer_.x >= 0) buttonPlace_ = pointer_;
}

void GlfwWindow::wake() const { glfwPostEmptyEvent(); }

}  // namespace lanescope
