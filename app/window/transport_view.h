#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "app/panels/base/view.h"
#include "app/panels/base/zoom.h"
#include "app/pictures/timeline_scene.h"

namespace lanescope {

/// The parts of the walk's place: fewer in a narrow window.
enum class PlaceParts { All, StepAndWavefront, Step };
/// `phase 4 of 8 · step 61 of 187 · wavefront 1 of 2`. A step is a warp's instruction, or its end.
std::string placeText(const Replay& replay, PlaceParts parts);

/// Play, step, grain and speed, and the timeline to scrub.
class TransportView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void drawPresented(const ViewContext& context, ImVec2 size);
  void drawTimeline(const ViewContext& context, ImVec2 size);
  void syncReach(const ViewContext& context);
  float drawStepWidth(const ViewContext& context, float right, float room) const;

  Timeline timeline_;
  /// The steps' places, and what they were made for: the trace's generation, the choice, the profiles.
  std::vector<double> reach_;
  std::tuple<std::uint64_t, std::string, std::uint64_t, const void*> reachOf_{};
  TimelineZoom zoom_;
  bool scrubbing_ = false;
  float scrubY_ = 0;
};

}  // namespace lanescope
