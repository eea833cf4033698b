#pragma once

#include "app/views/base/ladder_zoom.h"
#include "app/views/base/view.h"

namespace lanescope {

/// The ladder of the block's shared memory. The wheel zooms at the pointer, a drag moves, a double
/// click shows all again; rows that have no room are a drag of the bar away.
class ArrayView final : public View {
 public:
  std::string_view name() const override { return "array"; }
  Place place() const override { return Place::Array; }
  bool fillsPanel() const override { return true; }
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  LadderZoom zoom_;
};

}  // namespace lanescope
