#pragma once

#include <string>
#include <vector>

#include "app/panels/base/view.h"
#include "app/window/timeline_pane.h"

namespace lanescope {

/// The parts of the walk's place: fewer in a narrow window.
enum class PlaceParts { All, StepAndWavefront, Step };
/// `phase 4 of 8 · step 61 of 187 · wavefront 1 of 2`. A step is a warp's instruction, or its end. With a
/// moment: `phase 4 of 8: most wavefronts · …`, `most wavefronts · step 61 of 187 · …`.
std::string placeText(const Replay& replay, PlaceParts parts, PhaseMoment moment = PhaseMoment::None);

/// Play, step, grain and speed, and the timeline to scrub.
class TransportView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  TimelinePane timeline_;
};

}  // namespace lanescope
