#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// What a colour is for; a Theme gives each role its colour. A hue has one meaning in all pictures
/// (`colorMeanings()`); roles outside that table are grey.
enum class ColorRole : std::uint8_t {
  Background,
  Panel,
  PanelBorder,
  Text,
  TextDim,
  TextOnAccent,
  Accent,  ///< selection, current line, play
  Cell,
  CellBorder,
  CellUnwritten,
  CellOld,  ///< memory at rest; words of earlier phases
  Operand,  ///< a word that is read, and the way from it
  Result,   ///< a word that is written, and the way to it
  LaneActive,
  LaneMasked,
  LaneWaiting,
  LaneExited,
  LaneAbsent,
  Conflict,     ///< bank conflicts only
  ConflictOdd,  ///< wavefronts of a bank conflict, in turn with Conflict
  Divergence,   ///< lanes of a warp that take different branches, and nothing else
  Warning,      ///< may be wrong
  Bad,          ///< wrong: hazards and faults in every picture
  Bar,
  BarHighlight,
  BarReference,
  Grid,       ///< plots
  Syntax,     ///< CUDA's own names in a source
  Condition,  ///< the cost of a line that tests which threads run
};

inline constexpr std::size_t kColorRoles = static_cast<std::size_t>(ColorRole::Condition) + 1;

enum class FontRole : std::uint8_t { Body, Bold, Mono, Small };
enum class Align : std::uint8_t { Left, Center, Right };

/// One thing to draw, in logical pixels from the scene's top left corner. Items draw in order.
struct DrawItem {
  enum class Kind : std::uint8_t { FillRect, StrokeRect, Line, Curve, Text, Triangle } kind = Kind::FillRect;
  float x = 0, y = 0;  ///< rect: top left; text: anchor (left, centre or right; vertical centre)
  float w = 0, h = 0;  ///< rect: size; line and curve: vector from (x, y) to the end
  float radius = 0;    ///< corner radius of a rect
  float width = 1;     ///< thickness of a stroke
  float size = 0;      ///< font size, logical pixels; 0: the role's own
  float alpha = 1;
  float portion = 1;  ///< the portion of a line or curve that is drawn, from its start
  ColorRole color = ColorRole::Text;
  FontRole font = FontRole::Body;
  Align align = Align::Left;
  bool verticalCurve = true;  ///< Curve: leaves and arrives vertically. Triangle: its tip is down, else right
  std::string text{};
};

/// Removes letters that a window with the rows from `top` to `bottom` would show only in part, and the
/// squares of a legend beside them.
void dropCutLetters(std::vector<DrawItem>& items, float top, float bottom);

struct Point {
  float x = 0, y = 0;
};
/// The four control points of a curve item's drawn portion.
std::array<Point, 4> controlPoints(const DrawItem& curve);
/// The point at `t` (0 to 1) of a curve.
Point pointOn(const std::array<Point, 4>& curve, float t);

/// The thing under a point: lets every picture light up the same thread, word and lane.
struct HitArea {
  float x = 0, y = 0, w = 0, h = 0;
  enum class Kind : std::uint8_t {
    Thread,
    Cell,
    Phase,
    Bank,
    Line,
    Strategy,
    Wavefront,
    Warp,
    Block,  ///< a block of the grid
    Note,   ///< words with a tooltip
    More    ///< a click shows what has no room, or hides it: SceneContext::listsAll, SceneContext::unfolded
  } kind = Kind::Cell;
  std::uint32_t index = 0;
  std::int64_t thread = -1;     ///< another thread it belongs to (the writer of a cell), -1: none
  std::int64_t cell = -1;       ///< the shared word it belongs to, -1: none
  std::int64_t line = -1;       ///< the source line it belongs to, -1: none
  std::int64_t step = -1;       ///< the target of a click, as Cursor::steps; -1: none
  std::uint32_t wavefront = 0;  ///< with `step`: as Cursor::wavefront; 0: all wavefronts
  std::string tooltip;          ///< several lines allowed

  bool contains(float px, float py) const { return px >= x && px < x + w && py >= y && py < y + h; }
};

inline constexpr std::size_t kHitKinds = static_cast<std::size_t>(HitArea::Kind::More) + 1;

/// The rows in a picture that has more of them than room.
struct RowsInView {
  std::uint32_t first = 0;
  std::uint32_t shown = 0;
  std::uint32_t all = 0;
  float top = 0, bottom = 0;  ///< extent of the rows shown, in the picture
};

/// A picture as plain data: the same for the screen, for SVG and for a test. It draws its own heading and
/// leaves the panel's background and frame to the caller.
struct Scene {
  float width = 0;
  float height = 0;
  std::vector<DrawItem> items{};
  std::vector<HitArea> hits{};
  /// By HitArea::Kind: the foot of the lowest area, whether or not it is among the hits.
  std::array<float, kHitKinds> feet{};
  RowsInView rows{};

  /// By HitArea::Kind: the foot of the lowest area, including areas left out of the hits.
  const HitArea* hitAt(float px, float py) const;
  /// Adds another scene's items and hits with its top left corner at (left, top): a page of pictures.
  void append(const Scene& part, float left, float top);
};

struct HazardMark;

/// The room of a picture, and the things that are lit up in every picture.
struct SceneContext {
  float width = 0;
  float height = 0;
  float unit = 1;  ///< scale of text and cells: 1 at 1600x1000
  std::int64_t hoverThread = -1;
  std::int64_t hoverCell = -1;
  std::span<const std::uint32_t> litThreads{};  ///< those of the thing under the pointer; sorted
  std::span<const std::uint32_t> litCells{};
  std::span<const std::uint32_t> chosenThreads{};  ///< ringed in the warps as an answer; sorted
  bool hidesFuture = false;                        ///< hides all that the steps done do not show
  std::int32_t variable = -1;                      ///< shown in every lane instead of the thread's number
  std::int32_t focusWarp = -1;    ///< shown large if there is no room for all to be; -1: the running one
  std::uint32_t firstColumn = 0;  ///< of the ladder if zoomed in
  std::uint32_t columnCount = 0;  ///< 0: all
  std::int64_t firstRow = -1;     ///< first phase of the ladder shown; -1: those around the current one
  std::span<const std::uint32_t>
      unfolded{};  ///< phases of the ladder that are open though there is little room

  float timelineZoom = 1;  ///< how much wider than the picture the timeline is; 1: all of it is in view
  float timelineFrom = 0;  ///< the share of it that is left of the picture
  /// The timeline's places by Cursor::steps, as computeReach(); empty: all steps are equally wide.
  std::span<const double> timelineReach{};

  /// The hazards of the run, by step; nullptr: none, or they are hidden.
  const std::vector<HazardMark>* hazards = nullptr;

  /// The arguments are the simulator's choice and not a program's: the array says so.
  bool hasInventedData = false;

  /// The walk is by line: of a line that all of its warps have executed, the accesses of each are shown.
  bool byLine = false;
  bool listsAll = false;  ///< every wavefront of a request is listed, in place of the banks
  bool still = false;     ///< for a file: no hints about how to move it, no tooltips
  /// The pointer's position: only areas under it become hit areas. If empty, all do.
  std::optional<Point> pointer{};
  Scene* spare = nullptr;  ///< a picture no longer shown, whose memory the next one can reuse

  float progress = 1;           ///< of the move to this moment, 0 to 1; 1: no animation
  std::uint32_t movedFrom = 0;  ///< while it moves: the steps from there on are new, as Cursor::steps

  bool anyLit() const {
    return hoverThread >= 0 || hoverCell >= 0 || !litThreads.empty() || !litCells.empty();
  }
  /// True if the effect of step `index` of the trace is still moving; `progress` then tells how far.
  bool moving(std::int64_t index) const { return progress < 1 && index >= std::int64_t{movedFrom}; }
  bool threadLit(std::int64_t thread) const;
  bool cellLit(std::int64_t cell) const;
  bool hasHazards() const;
  /// True if a hazard is about that word, and was met in one of the steps from `from` up to `to`.
  bool hasHazardAt(std::int64_t cell, std::uint32_t from, std::uint32_t to) const;
  bool threadChosen(std::uint32_t thread) const;
};

/// How wide text is; the screen's fonts answer exactly, a headless run approximately.
class TextMeasure {
 public:
  virtual ~TextMeasure() = default;
  /// Width in logical pixels of one line of UTF-8 text at a font size in logical pixels.
  virtual float width(FontRole font, float size, std::string_view text) const = 0;
};

/// Widths from a table of Inter's and JetBrains Mono's advances: within a few percent, never less
/// for digits and letters. For SVG and for tests.
class ApproximateMeasure final : public TextMeasure {
 public:
  float width(FontRole font, float size, std::string_view text) const override;
};

/// Size of the note beside a panel's heading, as a factor of its role's own size.
inline constexpr float kNoteScale = 0.86F;

/// The smallest letters drawn anywhere, in logical pixels: text without room for them is omitted.
inline constexpr float kLeastText = 11;

/// Font size of a role at unit 1, in logical pixels.
float fontSize(FontRole font);

}  // namespace lanescope
