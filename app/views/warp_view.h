#pragma once

#include "app/views/view.h"

namespace lanescope {

/// The lanes of every warp.
class WarpView final : public View {
 public:
  std::string_view name() const override { return "warps"; }
  Place place() const override { return Place::Warps; }
  bool fillsPanel() const override { return true; }
  void draw(const ViewContext& context, ImVec2 size) override;
};

}  // namespace lanescope
