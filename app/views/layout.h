#pragma once

#include <array>
#include <cstdint>

#include <imgui.h>

namespace lanescope {

/// The places of the window, left to right and top to bottom. The stage is all that lies between the bars.
enum class Place : std::uint8_t { Top, Lesson, Array, Warps, Banks, Source, Counters, Gpu, Stage, Transport };
inline constexpr std::size_t kPlaces = static_cast<std::size_t>(Place::Transport) + 1;

/// What the window is for at the moment.
enum class Mode : std::uint8_t {
  Explore,  ///< one kernel in four linked pictures
  Compare,  ///< two strategies, stepped together
  Table,    ///< every strategy at one N
  Predict,  ///< as Explore, with the answer hidden until it is guessed
};

/// How the top bar offers a mode.
struct OfferedMode {
  Mode mode = Mode::Explore;
  const char* title = "";
  const char* tip = "";
};
inline constexpr std::array<OfferedMode, 2> kOfferedModes{{
    {Mode::Explore, "explore", "One kernel in four linked pictures"},
    {Mode::Predict, "predict", "A question before each step; what comes next is hidden (F4)"},
}};

/// What decides which places there are.
struct WindowShape {
  Mode mode = Mode::Explore;
  bool sourceIsTall = false;  ///< the source takes the place of the GPU panel
  bool operator==(const WindowShape&) const = default;
};

/// A rectangle of the window, in logical pixels.
struct Area {
  float x = 0, y = 0, w = 0, h = 0;
};

/// Where each place lies in a window of that size. Nothing overlaps and nothing is outside; a place that the
/// shape has not is empty.
std::array<Area, kPlaces> layoutPlaces(ImVec2 size, float unit, const WindowShape& shape = {});
/// The scale of text and spacing that a window of that size can carry.
float unitFor(ImVec2 size);

}  // namespace lanescope
