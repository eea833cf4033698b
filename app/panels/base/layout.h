#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

namespace lanescope {

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

/// The columns from left to right, and what is around them or has their room.
enum class Place : std::uint8_t { Lesson, Pictures, Source, TopBar, BottomBar, Stage };
inline constexpr std::size_t kColumns = 3;

/// What a panel has around its drawing.
enum class PanelFrame : std::uint8_t {
  Margin,
  Filled,  ///< its picture brings its own margin
  Split,   ///< it draws several panels on the window's background
};

/// A panel's place, and its size at the moment. Lengths are in units; heights unless they say otherwise. A
/// view can state other sizes in each frame: `open` between 0 and 1 while it folds.
struct PanelInfo {
  std::string_view id;  ///< of its ImGui window, and of its share in the settings
  Place place = Place::Pictures;
  int order = 0;           ///< in its column, from above
  float least = 0;         ///< of a bar: its height
  float leastPart = 0;     ///< of the column's height, if that is more
  float share = 1;         ///< of the column's height, relative to the panels around it
  float folded = 0;        ///< as one line; 0: it has no such form
  float open = 1;          ///< 0: folded; between them it opens or folds
  int yields = 0;          ///< if its column is low, the highest folds first, or is left out; 0: never
  float leastWidth = 0;    ///< of its column
  bool takesRoom = false;  ///< it gets what folded panels of its column leave
  bool isShown = true;     ///< false: it has nothing to show in that window
  float zoom = 1.5F;       ///< of its letters if it is presented alone
  PanelFrame frame = PanelFrame::Margin;
  bool operator==(const PanelInfo&) const = default;
};

/// Initial shares of the columns, which the user can choose.
struct Arrangement {
  std::string_view id;  ///< in the settings
  const char* title = "";
  const char* tip = "";
  std::array<float, kColumns> columns{};
  /// Least width of a window, in units of its letters, for a lesson's column: in a narrower one the pictures
  /// would have no room for the numbers of 32 lanes.
  float unfolded = 0;
};
/// The standard one first, then with the code large, then with the pictures large.
const std::array<Arrangement, 3>& arrangements();
/// The arrangement with that id, or the standard one.
const Arrangement& findArrangement(std::string_view id);

/// Shares that the user has changed, by the names of panels and columns, as the settings store them.
using NamedShares = std::map<std::string, double>;
inline constexpr std::array<std::string_view, kColumns> kColumnNames{"lesson column", "picture column",
                                                                     "source column"};

/// The properties that decide the window's places.
struct WindowShape {
  Mode mode = Mode::Explore;
  bool guides = false;        ///< the lesson's place has a card of the first lesson
  bool sourceIsTall = false;  ///< the source shows more than its text: the GPU panel is a line
  bool presents = false;      ///< only the pictures, the source and the phase's text, in large type
  bool hasScenes = false;     ///< there is a list of scenes
  bool gpuIsOpen = false;     ///< the GPU panel shows its charts if the column has room for them
  std::optional<std::string_view> maximised{};  ///< the panel with all the room between the bars
  float stripHeight = 0;                        ///< of what is free below for a sentence, in pixels
  bool folds = false;                           ///< the lesson has no column, see foldsColumns()
  const Arrangement* arrangement = &arrangements().front();
  NamedShares shares{};
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

/// The gap between two panels or columns, which can be dragged.
struct Divider {
  struct Side {
    std::string_view id;
    float room = 0;  ///< width or height, in pixels
    float least = 0;
    float share = 0;
  };
  Side before;
  Side after;
  bool dividesColumns = false;  ///< it is vertical
  Area area;                    ///< the gap
};

struct PlacedPanel {
  std::string_view id;
  Place place = Place::Pictures;
  Area area;  ///< empty if it is not shown
};

/// The area of every panel, in the order of their infos.
struct WindowLayout {
  std::vector<PlacedPanel> panels;
  std::vector<Divider> dividers;

  /// Empty for a panel that does not exist.
  Area of(std::string_view id) const;
};

/// True if text is so large in a window of that size that optional parts are hidden.
bool hasLargeText(ImVec2 size, float unit);
/// True if a window of that size is too narrow for an arrangement with a lesson's column, see
/// Arrangement::unfolded.
bool isNarrow(ImVec2 size, float unit, float unfolded);
/// True if the lesson's column folds away, and the counters with it: the phase's text is then below the
/// source, over the GPU panel's line. This is so if text is large, or if the arrangement puts the code first.
bool foldsColumns(ImVec2 size, float unit, const Arrangement& arrangement = arrangements().front());

/// The panel that is presented alone, with larger letters and no timeline, for the last row of the room; or
/// nullptr.
const PanelInfo* findZoomed(const WindowShape& shape, std::span<const PanelInfo> panels);

/// The area of each panel in a window of that size. Nothing overlaps and nothing is outside. A panel on the
/// stage, or else the maximised one, has the room of all columns. If a column is too low for all its panels,
/// some yield, see PanelInfo::yields; if that is not enough, all shrink.
WindowLayout layoutPanels(ImVec2 size, float unit, const WindowShape& shape,
                          std::span<const PanelInfo> panels);

/// Shares after a divider was dragged that many pixels, within both sides' limits.
NamedShares dragged(NamedShares shares, const Divider& divider, float by);

/// Text scales that the user can choose, in multiples of the scale that the window's size suggests.
inline constexpr std::array<float, 8> kScales{0.8F, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, 2.0F};
/// The scale of text and spacing in a window of that size: the size's suggestion times `scale`, limited by
/// the layout. Above 1600x1000 it grows nearly as fast as the window: from 1080 to 2160 rows a line of text
/// has the same part of the height, and what is left is room to show more.
float unitFor(ImVec2 size, float scale = 1);
/// The same while presenting: letters of the body have 2.2% of the window's height or more, unless it is
/// narrower than 5:4. `zoom`: of the panel that is presented alone, else 1.
float presentedUnit(ImVec2 size, float scale, float zoom = 1);

}  // namespace lanescope
