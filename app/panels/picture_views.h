#pragma once

#include <array>

#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"
#include "app/panels/base/zoom.h"
#include "app/pictures/grid_scene.h"

namespace lanescope {

/// The note beside the map of the grid.
GridNote gridNote(const ViewContext& context);

/// The ladder of the block's shared memory; below it the blocks of a grid: a click on one traces it. The
/// wheel zooms at the pointer, a drag moves, a double click shows all again. If there are more rows than fit,
/// the bar scrolls them.
class ArrayView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override {
    return {.id = "array",
            .least = 130,
            .share = shape.presents ? 0.7F : 0.40F,
            .leastWidth = 420,
            .takesRoom = true,
            .frame = PanelFrame::Filled};
  }
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  LadderZoom zoom_;
  Scene scene_;  ///< shown last
};

/// The lanes of every warp.
class WarpView final : public View {
 public:
  PanelInfo panel(const WindowShape&) const override {
    return {.id = "warps", .order = 1, .least = 96, .share = 0.18F, .frame = PanelFrame::Filled};
  }
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void acceptAnswer(const ViewContext& context, const SceneInput& input);

  Scene scene_;             ///< shown last
  bool choosing_ = false;   ///< an answer's lanes are being selected by a drag
  std::uint32_t last_ = 0;  ///< the thread that the drag was over last
  bool chooses_ = false;    ///< they are added, not removed
};

/// The shared-memory banks and the current access. A click on `+2 more` gives the panel to the list of
/// wavefronts. Among steps that access no memory it is one line.
class BankView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void fold(const ViewContext& context);

  float open_ = 1;    ///< 0: its heading alone
  float wanted_ = 1;  ///< where it is going, and from where
  float from_ = 1;
  float height_ = 0;  ///< when it was open, in pixels
  bool listsAll_ = false;
  Scene scene_;  ///< shown last
};

/// The columns' headings: the second counts the whole phase or, if the future is hidden, its finished part;
/// the last the whole launch or, as long as its other blocks are not counted, the block that is traced.
std::array<const char*, 3> counterColumns(bool hidesFuture, bool isLaunch);

/// The run's costs, as Nsight Compute counts them.
class CountersView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  static void drawLine(const ViewContext& context, const Counters& soFar, float width);
};

}  // namespace lanescope
