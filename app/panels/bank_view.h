#pragma once

#include "app/panels/base/view.h"

namespace lanescope {

/// The shared-memory banks and the current access. A click on `+2 more` gives the panel to the list of
/// wavefronts.
class BankView final : public View {
 public:
  std::string_view name() const override { return "banks"; }
  Place place() const override { return Place::Banks; }
  bool fillsPanel() const override { return true; }
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  bool listsAll_ = false;
  Scene scene_;  ///< shown last
};

}  // namespace lanescope
