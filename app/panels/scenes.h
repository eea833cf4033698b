#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/base/view.h"

namespace lanescope {

/// All that the window shows: the session, and its place in the window.
SavedSession captureScene(const ViewState& state);
/// Shows it. The error is one sentence that says which part of it does not exist here; then nothing changes.
std::optional<Error> restoreScene(ViewState& state, const SavedSession& scene);
/// `No divergence, N = 64`, `Baseline and No divergence, N = 64`, `race.cu`.
std::string sceneTitle(const SavedSession& scene);
/// A scene for each lesson of the strategy's chapter, in course order, where the lesson opens, with at least
/// 64 elements.
std::vector<SavedSession> chapterScenes(const Strategy& strategy);

/// The list of scenes as a strip under the window's panels, for the one who speaks: its scenes, the current
/// one lit. Not while presenting.
class ScenesView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;
};

}  // namespace lanescope
