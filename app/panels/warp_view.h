#pragma once

#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"

namespace lanescope {

/// The lanes of every warp.
class WarpView final : public View {
 public:
  std::string_view name() const override { return "warps"; }
  Place place() const override { return Place::Warps; }
  bool fillsPanel() const override { return true; }
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void acceptAnswer(const ViewContext& context, const SceneInput& input);

  Scene scene_;             ///< shown last
  bool choosing_ = false;   ///< an answer's lanes are being selected by a drag
  std::uint32_t last_ = 0;  ///< the thread that the drag was over last
  bool chooses_ = false;    ///< they are added, not removed
};

}  // namespace lanescope
