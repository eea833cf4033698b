#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/window/main_window.h"
#include "app/workbench/session.h"

namespace lanescope {

/// An ImGui context without a window: frames are laid out and thrown away.
class Headless {
 public:
  /// `unit` 0: what the size suggests.
  explicit Headless(ImVec2 size, float unit = 0);
  /// With that window drawn in it until it has settled.
  Headless(ImVec2 size, MainWindow& window, float unit = 0) : Headless(size, unit) { settle(window); }
  ~Headless();
  Headless(const Headless&) = delete;
  Headless& operator=(const Headless&) = delete;

  /// Draws one frame with the pointer there and the left button held or not.
  void frame(MainWindow& window, ImVec2 mouse = ImVec2(-1, -1), bool pressed = false);
  /// Draws one frame; returns the words of the panels' labels, buttons and fields, those out of sight among
  /// them: not what is drawn as a picture, nor what lies over the panels. They go through the clipboard.
  std::string words(MainWindow& window);
  /// Draws frames until what an input changes has settled.
  void settle(MainWindow& window, ImVec2 mouse = ImVec2(-1, -1));
  /// Presses a key and draws until that has settled; whether it meant something.
  bool press(MainWindow& window, const Chord& chord);
  /// The middle of a button, found by its label in the window of that name; draws a frame for it.
  ImVec2 findMiddle(MainWindow& window, std::string_view panel, const char* label);
  /// Moves there, presses and releases.
  void click(MainWindow& window, ImVec2 mouse);
  /// The same on a text of the last frame that begins so; false where there is none.
  bool click(MainWindow& window, std::string_view text, const Area& area);

  ImVec2 size() const { return size_; }
  float unit() const { return unit_; }
  const FontTable& fonts() const { return fonts_; }

 private:
  ImVec2 size_;
  float unit_;
  const FontTable& fonts_;
};

/// The layout of a window of that size and shape; the size decides if it folds.
WindowLayout layoutWindow(ImVec2 size, float unit, WindowShape shape = {});
/// The rectangle of a panel in a headless window of that shape.
Area findArea(const Headless& headless, std::string_view panel, const WindowShape& shape = {});

/// Letters of the last frame that are cut off by their panel, or lie on one another; one sentence a
/// draw list. Panels that scroll may cut at the top and the bottom.
std::vector<std::string> textProblems();

/// Vertices of the last frame inside that rectangle.
std::size_t verticesIn(const Area& area);

/// Polls until the simulation asked for is there; false after half a minute.
bool waitForTrace(Session& session);

}  // namespace lanescope
