#pragma once

#include <string>

#include "app/panels/base/view.h"

namespace lanescope {

/// What the room sees, large, above the panels while presenting: the kernel's name, then its place in the
/// chapter and N; at the right the phase and the step. A comparison and the table have headings of their own.
class StageTitle final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  void draw(const ViewContext& context, ImVec2 size) override;
};

/// `No divergence`, `Baseline, edited`; a file's name.
std::string shownName(const ViewState& state);
/// `Harris's steps, 2 of 7 · N = 64`; of a file `N` alone, or nothing if its launch has none.
std::string shownPlace(const ViewState& state);

}  // namespace lanescope
