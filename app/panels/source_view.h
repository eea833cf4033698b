#pragma once

#include "app/panels/base/view.h"
#include "app/panels/launch_panes.h"
#include "app/panels/source_listing.h"
#include "app/panels/source_report.h"

namespace lanescope {

/// The kernel's text, to follow and to edit; the findings on it; its launch; and a thread's variables.
class SourceView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  std::vector<Command> commands(ViewState& state) override;
  bool type(ViewState& state, const Chord& pressed) override;
  bool close(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void drawHeading(const ViewContext& context, float width);
  void showReport(const ViewContext& context);
  void drawTools(const ViewContext& context, float width);

  SourceListing listing_;
  SourceReport report_;
  LaunchFormView form_;
  ProgramPane program_;
  CodePane code_;
  bool hasReport_ = false;  ///< it was drawn in the last frame
};

}  // namespace lanescope
