#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace lanescope {

/// A key or a character event of a window.
struct InputEvent {
  enum class Kind : std::uint8_t { Press, Repeat, Release, Character };
  Kind kind = Kind::Press;
  int code = 0;  ///< of a key, GLFW's
  int scancode = 0;
  int modifiers = 0;        ///< of a key, GLFW's
  unsigned int letter = 0;  ///< of a character
};

/// Spreads the input over as many frames as needed to lose nothing. ImGui 1.86 reads keys once per frame and
/// reads characters before them, so that a key released in the frame of its press, Ctrl released beside it,
/// or a character after it would be lost or arrive in another order. Typed text passes as it arrives.
class InputQueue {
 public:
  /// `handle` gets each event once, in order.
  explicit InputQueue(std::function<void(const InputEvent&)> handle) : handle_(std::move(handle)) {}

  void receive(const InputEvent& event);
  /// Passes on the input that waited for a frame to be built. If more must wait, it waits for the next.
  void frameBuilt();
  bool isEmpty() const { return waiting_.empty(); }

 private:
  bool mustWait(const InputEvent& event) const;

  std::function<void(const InputEvent&)> handle_;
  std::vector<InputEvent> waiting_;
  bool wasPressed_ = false;  ///< a key that writes nothing, or one with Ctrl, since the last frame
};

}  // namespace lanescope
