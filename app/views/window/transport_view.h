#pragma once

#include "app/scene/timeline/timeline_scene.h"
#include "app/views/base/view.h"

namespace lanescope {

/// Play, step, grain and speed, and the timeline to scrub.
class TransportView final : public View {
 public:
  std::string_view name() const override { return "transport"; }
  Place place() const override { return Place::Transport; }
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void drawPresented(const ViewContext& context, ImVec2 size);
  void drawTimeline(const ViewContext& context, ImVec2 size);

  Timeline timeline_;
  bool scrubbing_ = false;
  float scrubY_ = 0;
};

}  // namespace lanescope
