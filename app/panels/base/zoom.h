#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/base/whole.h"
#include "app/panels/base/widgets.h"
#include "app/pictures/chart_scene.h"

namespace lanescope {

/// The columns and rows of a ladder that are in view. The wheel zooms the columns at the pointer, a drag
/// moves them, a double click shows all again. If there are more rows than the panel holds, a bar at its
/// right shows the rows in view and can be dragged, and Shift and the wheel move them, until the phase
/// changes. A click on a folded phase opens it.
class LadderZoom {
 public:
  /// Writes the rows in view to the scene's context. If the generation changes, the trace is another one, and
  /// all of it comes into view.
  void apply(SceneContext& layout, const Replay& replay, const PicturePlan& plan, std::uint64_t generation);
  /// Shows the scene with that layout and the bar, and handles the pointer there.
  void show(const ViewContext& context, const Scene& scene, const char* id);

  /// Columns in view: the first, and how many; 0: all.
  std::uint32_t first() const { return toWhole<std::uint32_t>(first_); }
  std::uint32_t count() const { return count_; }
  /// The first row in view if the rows were moved, else -1.
  std::int64_t firstRow() const { return firstRow_; }

 private:
  void receive(const SceneInput& input, float width);
  void zoom(float share, float wheel);
  void moveRows(const RowsInView& rows, double first);
  /// The bar's part of a scene's right margin, in the scene's coordinates.
  void handleBar(const ViewContext& context, const Scene& scene);
  void drawBar(const ViewContext& context, const Scene& scene, ImVec2 origin) const;

  double first_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t columns_ = 0;  ///< of the whole ladder
  std::uint64_t generation_ = 0;
  std::int64_t firstRow_ = -1;
  std::vector<std::uint32_t> unfolded_;  ///< phases opened by a click
  std::uint32_t phase_ = 0;              ///< the current phase when the rows were moved
  double grabbed_ = 0;  ///< rows from the first in view to the point where the bar was grabbed
  bool isGrabbed_ = false, isPointedAt_ = false;
};

/// The part of a timeline that is in view. The wheel zooms at the pointer, Shift with the wheel or a drag
/// moves it, a double click shows all again. If the cursor leaves the part in view, the part follows it.
class TimelineZoom {
 public:
  /// Writes the part in view to the scene's context. If the generation changes, the trace is another one, and
  /// all of it comes into view.
  void apply(SceneContext& layout, const Replay& replay, std::uint64_t generation);
  /// Handles the pointer on the timeline with that layout. True if it moved the part in view, so that the
  /// input has no other meaning.
  bool receive(const SceneInput& input, const SceneContext& layout);

 private:
  void moveTo(double from);

  double zoom_ = 1;
  double from_ = 0;  ///< share of the whole that is left of the part in view
  double most_ = 1;  ///< at that scale a step has the largest width allowed
  std::uint64_t generation_ = 0;
  std::uint32_t steps_ = 0;  ///< of the cursor, in the last frame
  bool isPanning_ = false;
};

/// The pointer's position in a chart's layout, to tell whether it has moved; (-1, -1): it is not there.
inline std::pair<float, float> pointerIn(const SceneContext& layout) {
  return layout.pointer ? std::pair(layout.pointer->x, layout.pointer->y) : std::pair(-1.0F, -1.0F);
}

/// Lines over N that the wheel zooms, a drag moves, and Shift and a drag zoom to a box.
class GpuLineChart {
 public:
  /// Draws them at ImGui's cursor, in `layout`'s size. `scene` is the picture drawn last, and is built again
  /// only if the layout, the part in view or `plan`, the number of the lines' plan, has changed.
  void draw(const ViewContext& context, const LineChart& lines, std::uint64_t plan,
            const SceneContext& layout, Scene& scene);

 private:
  void dragBox(const ViewContext& context, const LineFrame& frame, const SceneInput& input);
  void drawReset(const ViewContext& context, ImVec2 corner);

  struct Key {
    std::uint64_t plan = 0;
    float width = 0, height = 0, unit = 0;
    std::pair<float, float> pointer;
    ChartZoom zoom;
    bool operator==(const Key&) const = default;
  };
  Key builtFor_;
  LineFrame frame_;
  ChartZoom zoom_;
  std::optional<ImVec2> boxFrom_;  ///< a corner of the box while it is drawn, in the chart
};

}  // namespace lanescope
