// Keys that come faster than frames: each reaches a frame of its own, in order, and none is lost.
#include "app/platform/input_queue.h"

#include <string>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using Kind = InputEvent::Kind;

/// The input of each frame, one line per frame: `+` pressed, `-` released, letters as they are.
struct Frames {
  std::string seen;
  InputQueue queue{[this](const InputEvent& event) {
    if (event.kind == Kind::Character) {
      seen += static_cast<char>(event.letter);
    } else {
      seen += event.kind == Kind::Release ? "-" : "+";
      seen += event.code == GLFW_KEY_LEFT_CONTROL ? "Ctrl"
              : event.code == GLFW_KEY_RIGHT      ? "Right"
              : event.code == GLFW_KEY_ENTER      ? "Enter"
                                                  : std::string(1, static_cast<char>(event.code));
    }
    seen += ' ';
  }};

  void key(int code, int modifiers = 0) {
    queue.receive({.kind = Kind::Press, .code = code, .modifiers = modifiers});
    if (code >= 'A' && code <= 'Z' && modifiers == 0)
      queue.receive({.kind = Kind::Character, .letter = static_cast<unsigned int>(code - 'A' + 'a')});
    queue.receive({.kind = Kind::Release, .code = code, .modifiers = modifiers});
  }
  /// Builds frames until nothing waits.
  std::string build() {
    while (!queue.isEmpty()) {
      seen += "| ";
      queue.frameBuilt();
    }
    queue.frameBuilt();
    return seen;
  }
};

TEST(InputQueue, AKeyIsDownForAFrameHoweverQuickItIsLetGo) {
  Frames frames;
  frames.key(GLFW_KEY_RIGHT);
  frames.key(GLFW_KEY_RIGHT);
  EXPECT_EQ(frames.build(), "+Right | -Right +Right | -Right ");
}

TEST(InputQueue, ControlStaysWithItsKeyAndTextComesAfterIt) {
  Frames frames;
  frames.queue.receive({.kind = Kind::Press, .code = GLFW_KEY_LEFT_CONTROL});
  frames.key(GLFW_KEY_A, GLFW_MOD_CONTROL);
  frames.queue.receive({.kind = Kind::Release, .code = GLFW_KEY_LEFT_CONTROL});
  frames.key(GLFW_KEY_Q);
  EXPECT_EQ(frames.build(), "+Ctrl +A | -A -Ctrl +Q q -Q ");
}

TEST(InputQueue, ControlMayBePressedAFrameBefore) {
  Frames frames;
  frames.queue.receive({.kind = Kind::Press, .code = GLFW_KEY_LEFT_CONTROL});
  frames.queue.frameBuilt();
  frames.key(GLFW_KEY_A, GLFW_MOD_CONTROL);
  frames.queue.receive({.kind = Kind::Release, .code = GLFW_KEY_LEFT_CONTROL});
  EXPECT_EQ(frames.build(), "+Ctrl +A | -A -Ctrl ");
}

TEST(InputQueue, TypedTextPassesInOneFrameAndEnterAfterIt) {
  Frames frames;
  frames.key(GLFW_KEY_A);
  frames.key(GLFW_KEY_B);
  frames.key(GLFW_KEY_ENTER);
  frames.key(GLFW_KEY_C);
  EXPECT_EQ(frames.build(), "+A a -A +B b -B +Enter | -Enter +C c -C ");
}

TEST(InputQueue, ARepeatedKeyIsNoSecondPress) {
  Frames frames;
  frames.queue.receive({.kind = Kind::Press, .code = GLFW_KEY_RIGHT});
  frames.queue.receive({.kind = Kind::Repeat, .code = GLFW_KEY_RIGHT});
  frames.queue.receive({.kind = Kind::Release, .code = GLFW_KEY_RIGHT});
  EXPECT_EQ(frames.build(), "+Right +Right | -Right ");
}

}  // namespace
}  // namespace lanescope
