#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope {

/// What a colour means; a Theme gives each role its colour.
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
  Operand,
  Result,
  Arrow,  ///< read by this phase; written by it; from one to the other
  LaneActive,
  LaneMasked,
  LaneWaiting,
  LaneExited,
  LaneAbsent,
  Conflict,    ///< bank conflicts, and nothing else
  Divergence,  ///< lanes of a warp that take different branches, and nothing else
  Wavefront0,
  Wavefront1,
  Wavefront2,
  Wavefront3,  ///< an access's wavefronts in turn
  Good,
  Warning,
  Bad,  ///< verdicts; hazards and faults are Bad wherever they show
  Bar,
  BarHighlight,
  BarReference,
  Grid,    ///< plots
  Syntax,  ///< CUDA's own names in a source
};

inline constexpr std::size_t kColorRoles = static_cast<std::size_t>(ColorRole::Syntax) + 1;

enum class FontRole : std::uint8_t { Body, Bold, Mono, Small };
enum class Align : std::uint8_t { Left, Center, Right };

/// One thing to draw, in logical pixels from the scene's top left corner. Items draw in order.
struct DrawItem {
  enum class Kind : std::uint8_t { FillRect, StrokeRect, Line, Curve, Text, Triangle } kind = Kind::FillRect;
  float x = 0, y = 0;  ///< rect: top left; text: anchor (left, centre or right; vertical centre)
  float w = 0, h = 0;  ///< rect: size; line and curve: vector from (x, y) to the end
  float radius = 0;    ///< corner radius of a rect
  float width = 1;     ///< of a stroke
  float size = 0;      ///< font size, logical pixels; 0: the role's own
  float alpha = 1;
  float portion = 1;  ///< of a line or curve that is drawn, from its start
  ColorRole color = ColorRole::Text;
  FontRole font = FontRole::Body;
  Align align = Align::Left;
  bool verticalCurve = true;  ///< Curve: leaves and arrives vertically. Triangle: its tip is down, else right
  std::string text{};
};

/// Takes out the letters of which a window that shows the rows from `top` to `bottom` shows only a part, and
/// the squares of a legend beside them.
void dropCutLetters(std::vector<DrawItem>& items, float top, float bottom);

struct Point {
  float x = 0, y = 0;
};
/// The four control points of a curve item's drawn portion.
std::array<Point, 4> controlPoints(const DrawItem& curve);
/// The point at `t` (0 to 1) of a curve.
Point pointOn(const std::array<Point, 4>& curve, float t);

/// What lies under a point: lets every picture light up the same thread, word and lane.
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
    Block,  ///< of the grid
    Note,   ///< words with a tooltip
    More    ///< a click shows what has no room, or puts it away: SceneContext::listsAll
  } kind = Kind::Cell;
  std::uint32_t index = 0;
  std::int64_t thread = -1;     ///< the thread this is about too (the writer of a cell), -1: none
  std::int64_t cell = -1;       ///< the shared word it is about, -1: none
  std::int64_t line = -1;       ///< the source line it is about, -1: none
  std::int64_t step = -1;       ///< where a click goes to, as Cursor::steps; -1: nowhere
  std::uint32_t wavefront = 0;  ///< with `step`: as Cursor::wavefront; 0: all of them
  std::string tooltip;          ///< several lines allowed

  bool contains(float px, float py) const { return px >= x && px < x + w && py >= y && py < y + h; }
};

inline constexpr std::size_t kHitKinds = static_cast<std::size_t>(HitArea::Kind::More) + 1;

/// Which of a picture's rows are in it, where it has more of them than room.
struct RowsInView {
  std::uint32_t first = 0;
  std::uint32_t shown = 0;
  std::uint32_t all = 0;
  float top = 0, bottom = 0;  ///< of the rows shown, in the picture
};

/// A picture as plain data: the same for the screen, for SVG and for a test. It draws its own
/// heading and leaves the panel's background and frame to whoever shows it.
struct Scene {
  float width = 0;
  float height = 0;
  std::vector<DrawItem> items{};
  std::vector<HitArea> hits{};
  /// By HitArea::Kind: the foot of the lowest area, whether or not it is among the hits.
  std::array<float, kHitKinds> feet{};
  RowsInView rows{};

  /// The topmost hit area at that point, or nullptr.
  const HitArea* hitAt(float px, float py) const;
  /// Adds another scene's items and hits with its top left corner at (left, top): a page of pictures.
  void append(const Scene& part, float left, float top);
};

/// What a picture may lay out in, and what is lit up in every picture.
struct SceneContext {
  float width = 0;
  float height = 0;
  float unit = 1;  ///< scale of text and cells: 1 at 1600x1000
  std::int64_t hoverThread = -1;
  std::int64_t hoverCell = -1;
  std::span<const std::uint32_t> litThreads{};  ///< those that belong to what is pointed at; sorted
  std::span<const std::uint32_t> litCells{};
  std::span<const std::uint32_t> chosenThreads{};  ///< ringed in the warps: an answer's; sorted
  bool hidesFuture = false;                        ///< nothing is shown that the steps done do not show
  std::int32_t variable = -1;                      ///< shown in every lane instead of the thread's number
  std::int32_t focusWarp = -1;                     ///< shown large where not all are; -1: the one that runs
  std::uint32_t firstColumn = 0;                   ///< of the ladder, where zoomed in
  std::uint32_t columnCount = 0;                   ///< 0: all
  std::int64_t firstRow = -1;  ///< of the ladder's that are shown; -1: those around the phase under way

  float timelineZoom = 1;  ///< how much wider than the picture the timeline is; 1: all of it is in view
  float timelineFrom = 0;  ///< the share of it that is left of the picture

  bool listsAll = false;  ///< every wavefront of a request is listed, in the place of its banks
  bool still = false;     ///< for a file: it does not say how it is moved, and has no tooltips
  /// Where the pointer is: only what lies there is a hit area. Nothing: everything is.
  std::optional<Point> pointer{};
  Scene* spare = nullptr;  ///< a picture no longer shown, whose memory may be taken for the next

  float progress = 1;           ///< of the move to this moment, 0 to 1; 1: nothing moves
  std::uint32_t movedFrom = 0;  ///< while it moves: the steps from there on are new, as Cursor::steps

  bool anyLit() const {
    return hoverThread >= 0 || hoverCell >= 0 || !litThreads.empty() || !litCells.empty();
  }
  /// Whether what step `index` of the trace did is still on its way; then `progress` says how far.
  bool moving(std::int64_t index) const { return progress < 1 && index >= std::int64_t{movedFrom}; }
  bool threadLit(std::int64_t thread) const;
  bool cellLit(std::int64_t cell) const;
  bool threadChosen(std::uint32_t thread) const;
};

}  // namespace lanescope
