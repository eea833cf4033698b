#include "app/platform/input_queue.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace lanescope {
namespace {

bool isModifier(int code) { return code >= GLFW_KEY_LEFT_SHIFT && code <= GLFW_KEY_RIGHT_SUPER; }

/// True if it does something by itself: letters are distinguished as characters, modifiers are parts of other
/// events.
bool isCommand(const InputEvent& event) {
  constexpr int kCommands = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
  if (event.kind != InputEvent::Kind::Press && event.kind != InputEvent::Kind::Repeat) return false;
  if (isModifier(event.code)) return false;
  const bool writes = event.code >= GLFW_KEY_SPACE && event.code <= GLFW_KEY_GRAVE_ACCENT;
  return !writes || (event.modifiers & kCommands) != 0;
}

}  // namespace

bool InputQueue::mustWait(const InputEvent& event) const {
  if (!waiting_.empty()) return true;
  // After a command, only events that are a part of it: another command is held down beside it.
  return wasPressed_ && !isCommand(event);
}

void InputQueue::receive(const InputEvent& event) {
  if (mustWait(event)) return waiting_.push_back(event);
  wasPressed_ |= isCommand(event);
  handle_(event);
}

void InputQueue::frameBuilt() {
  wasPressed_ = false;
  for (const InputEvent& event : std::exchange(waiting_, {})) receive(event);
}

}  // namespace lanescope
