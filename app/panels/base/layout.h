#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

namespace lanescope {

/// The places of the window, left to right and top to bottom. The stage is everything between the bars.
enum class Place : std::uint8_t { Top, Lesson, Array, Warps, Banks, Source, Counters, Gpu, Stage, Transport };
inline constexpr std::size_t kPlaces = static_cast<std::size_t>(Place::Transport) + 1;

/// The window's current purpose.
enum class Mode : std::uint8_t {
  Explore,  ///< one kernel in four linked pictures
  Compare,  ///< two strategies, stepped together
  Table,    ///< every strategy at one N
  Predict,  ///< as Explore, with the answer hidden until the user has guessed it
};

/// A mode's entry in the top bar.
struct OfferedMode {
  Mode mode = Mode::Explore;
  const char* title = "";
  const char* tip = "";
  const char* command = "";  ///< that goes there; "" if there is none
};
inline constexpr std::array<OfferedMode, 4> kOfferedModes{{
    {Mode::Explore, "explore", "One kernel in four linked pictures"},
    {Mode::Compare, "compare", "Two strategies side by side, stepped together", "compare"},
    {Mode::Table, "table", "Every strategy at one N", "table"},
    {Mode::Predict, "predict", "A question before each step; what comes next is hidden", "predict"},
}};

/// The parts that share a row or a column: the columns between the bars, and the panels of a column.
enum class Pane : std::uint8_t {
  LessonColumn,
  PictureColumn,
  SourceColumn,
  Array,
  Warps,
  Banks,
  Source,
  Note,  ///< the lesson's place below the source, if it has no column
  Counters,
  Gpu,
};
inline constexpr std::size_t kPanes = static_cast<std::size_t>(Pane::Gpu) + 1;

/// The size of each pane, relative to those beside it.
class Shares {
 public:
  constexpr float& operator[](Pane pane) { return of_[static_cast<std::size_t>(pane)]; }
  constexpr float operator[](Pane pane) const { return of_[static_cast<std::size_t>(pane)]; }
  bool operator==(const Shares&) const = default;

 private:
  std::array<float, kPanes> of_{};
};

/// Initial shares, which the user can choose.
struct Arrangement {
  std::string_view id;  ///< in the settings
  const char* title = "";
  const char* tip = "";
  Shares shares;
  /// Least width of a window, in units of its letters, for a lesson's column: in a narrower one the pictures
  /// would have no room for the numbers of 32 lanes.
  float unfolded = 0;
};
/// The standard one first, then with the code large, then with the pictures large.
const std::array<Arrangement, 3>& arrangements();
/// The arrangement with that id, or the standard one.
const Arrangement& findArrangement(std::string_view id);

/// Shares by the panes' names, as the settings store the user's changes.
using NamedShares = std::map<std::string, double>;
/// An arrangement's shares with those changes.
Shares changedBy(const NamedShares& changes, Shares shares);
/// All of them by name.
NamedShares named(const Shares& shares);

/// The properties that decide the window's places.
struct WindowShape {
  Mode mode = Mode::Explore;
  bool guides = false;               ///< the lesson's place has a card of the first lesson
  bool sourceIsTall = false;         ///< the source shows more than its text: the GPU panel is a line
  bool presents = false;             ///< only the pictures, the source and the phase's text, in large type
  bool gpuIsOpen = false;            ///< the GPU panel shows its charts if the column has room for them
  std::optional<Place> maximised{};  ///< has all the room between the bars
  float errorHeight = 0;             ///< of the strip that is free below for an error, in pixels
  Shares shares = arrangements().front().shares;
  float unfolded = arrangements().front().unfolded;  ///< as the arrangement's
  /// True if a dialog with the user is beside the pictures: the lesson's place has more to show.
  bool asks() const { return mode == Mode::Predict || guides; }
  bool operator==(const WindowShape&) const = default;
};

/// A rectangle of the window, in logical pixels.
struct Area {
  float x = 0, y = 0, w = 0, h = 0;
  bool contains(float px, float py) const { return px >= x && px < x + w && py >= y && py < y + h; }
  bool operator==(const Area&) const = default;
};

/// The gap between two panes, which can be dragged.
struct Divider {
  Pane before;
  Pane after;
  bool dividesColumns = false;  ///< it is vertical
  Area area;                    ///< the gap
  float beforeRoom = 0;         ///< widths or heights of the two, in pixels
  float afterRoom = 0;
  float leastBefore = 0;
  float leastAfter = 0;
};

/// The area of every place.
struct WindowLayout {
  std::array<Area, kPlaces> areas{};
  std::vector<Divider> dividers;

  const Area& operator[](std::size_t place) const { return areas[place]; }
  const Area& of(Place place) const { return areas[static_cast<std::size_t>(place)]; }
};

/// True if text is so large in a window of that size that optional parts are hidden.
bool hasLargeText(ImVec2 size, float unit);
/// True if a window of that size is too narrow for an arrangement with a lesson's column, see
/// Arrangement::unfolded.
bool isNarrow(ImVec2 size, float unit, float unfolded);
/// True if the lesson's column folds away, and the counters with it: the phase's text is then below the
/// source, over the GPU panel's line. This is so if text is large, or if the arrangement puts the code first.
bool foldsColumns(ImVec2 size, float unit, const WindowShape& shape = {});

/// The area of each place in a window of that size. Nothing overlaps and nothing is outside. A place that the
/// shape does not have is empty. If room is short, parts are hidden or shrink in this order: the counters for
/// an open GPU panel, the open GPU panel for the source, the lesson's column for the text's size.
WindowLayout layoutPlaces(ImVec2 size, float unit, const WindowShape& shape = {});

/// Shares after a divider was dragged that many pixels, within both sides' limits.
Shares dragged(const Shares& shares, const Divider& divider, float by);

/// Text scales that the user can choose, in multiples of the scale that the window's size suggests.
inline constexpr std::array<float, 8> kScales{0.8F, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, 2.0F};
/// The scale of text and spacing in a window of that size: the size's suggestion times `scale`, limited by
/// the layout; larger if it presents. It grows a third as fast as the window: the rest is room to show more.
float unitFor(ImVec2 size, float scale = 1, bool presents = false);

}  // namespace lanescope
