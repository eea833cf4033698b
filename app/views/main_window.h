#pragma once

#include <array>
#include <memory>
#include <vector>

#include "app/views/view.h"

namespace lanescope {

/// Keys that the window acts on, as the platform's keyboard names them.
enum class Key : std::uint8_t {
  Space,
  Left,
  Right,
  Up,
  Down,
  Home,
  End,
  Theme,
  Help,
  Escape,
  Faster,
  Slower,
  Grain1,
  Grain2,
  Grain3,
  PassOn,
  WarpOn,
  WarpBack,
  Motion,
  PassBack,
  Run,
  Conflict,
  Divergence,
  Hazard,
  Barrier,
  StopOnLine,
  RunText,
  Open,
};

/// A rectangle of the window, in logical pixels.
struct Area {
  float x = 0, y = 0, w = 0, h = 0;
};

/// Where each place lies in a window of that size. Nothing overlaps and nothing is outside. A tall source
/// takes the place of the GPU panel, which is then empty.
std::array<Area, kPlaces> layoutPlaces(ImVec2 size, float unit, bool sourceIsTall = false);
/// The scale of text and spacing that a window of that size can carry.
float unitFor(ImVec2 size);

/// Everything in the window: lays out the views, shares what is lit up among them, takes the keys.
class MainWindow {
 public:
  MainWindow(Session& session, GpuSession& gpu, const Theme& theme);

  /// Draws a frame of that size; call it between ImGui::NewFrame and ImGui::Render.
  void draw(ImVec2 size, const FontTable& fonts, float unit);
  /// A key or character for the text at hand; false where nobody writes there.
  bool type(const CodeEvent& event);
  /// Whether keys write somewhere and mean nothing else.
  bool takesText() const;
  /// Acts on a key; false where nothing changes. While keys write somewhere only RunText, Open and Escape do.
  bool press(Key key, bool shift = false);

  /// True when the frame after this one will differ without any input: something has just lit up.
  bool restless() const { return restless_; }
  const ViewState& state() const { return state_; }
  ViewState& state() { return state_; }

 private:
  void drawView(const ViewContext& context, View& view, const Area& area);
  void followTrace();
  void moveWarp(int by);
  void drawHelp(const ViewContext& context, ImVec2 size);
  void drawError(const ViewContext& context, ImVec2 size);

  ViewState state_;
  std::vector<std::unique_ptr<View>> views_;
  const Theme* styled_ = nullptr;
  float styledUnit_ = 0;
  bool wasTall_ = false;
  bool runIsDue_ = false;
  bool restless_ = false;
};

}  // namespace lanescope
