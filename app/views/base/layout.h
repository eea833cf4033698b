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
  const char* command = "";  ///< that goes there; "": none does
};
inline constexpr std::array<OfferedMode, 4> kOfferedModes{{
    {Mode::Explore, "explore", "One kernel in four linked pictures"},
    {Mode::Compare, "compare", "Two strategies side by side, stepped together", "compare"},
    {Mode::Table, "table", "Every strategy at one N", "table"},
    {Mode::Predict, "predict", "A question before each step; what comes next is hidden", "predict"},
}};

/// What decides which places there are.
struct WindowShape {
  Mode mode = Mode::Explore;
  bool sourceIsTall = false;  ///< the source takes the place of the GPU panel, but for its heading
  bool presents = false;      ///< pictures, source and what it does alone, in large type
  bool gpuIsLarge = false;    ///< the GPU panel takes the place of all but the list and the bars
  bool hasNotice = false;     ///< a strip is left free below for it, where the transport has no room
  float errorHeight = 0;      ///< of the strip that is left free below for an error, in pixels
  bool operator==(const WindowShape&) const = default;
};

/// A rectangle of the window, in logical pixels.
struct Area {
  float x = 0, y = 0, w = 0, h = 0;
};

/// Whether text is so large in a window of that size that the list of strategies and the lesson's text fold
/// away, and the counters with them: what the phase does stands below the source, over the GPU panel's
/// heading.
bool foldsColumns(ImVec2 size, float unit);

/// Where each place lies in a window of that size. Nothing overlaps and nothing is outside; a place that the
/// shape has not is empty.
std::array<Area, kPlaces> layoutPlaces(ImVec2 size, float unit, const WindowShape& shape = {});

/// Height of the strip for a notice, at unit 1.
inline constexpr float kNoticeStrip = 44;

/// Scales of text that a person may choose, in multiples of what the window's size suggests.
inline constexpr std::array<float, 8> kScales{0.8F, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, 2.0F};
/// The scale of text and spacing in a window of that size: what the size suggests times `scale`, at most
/// what the layout can carry; larger where it presents.
float unitFor(ImVec2 size, float scale = 1, bool presents = false);

}  // namespace lanescope
